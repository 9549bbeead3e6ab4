// The input: records as in FASTA files.
//
//     >reference NAME
//     ACGT…            any number of lines
//     >probe NAME
//     ACG
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "sequence.h"

struct Input {
    std::vector<Record> references;
    std::vector<Record> probes;
    std::string error; // what is wrong, if anything
    int error_line = 0;
};

Input read_input(std::FILE *file);
