// What is printed.
#pragma once

#include <vector>

#include "input.h"
#include "mapper.h"
#include "options.h"

void print_report(const Input &input, const std::vector<MappedProbe> &mapped, const Options &options);
