//! `twinrun locate` on real projects: small faults come first, and what cannot be ranked is said clearly.

use std::process::Command;

use crate::project::{Project, example};

const LOCATE: [&str; 5] = ["locate", "faulty", "--format", "json", "--quiet"];

/// The first suspect is this line, alone.
fn first_is(name: &str, file: &str, line: u64) {
    let ran = example(name).twinrun(&LOCATE);
    ran.expect(1, &[]);
    let report = ran.json();
    let first = &report["suspects"][0];
    assert_eq!(
        (first["location"]["file"].as_str(), first["location"]["line"].as_u64()),
        (Some(file), Some(line)),
        "{report:#}"
    );
    assert_eq!(first["equals"], 1, "{report:#}");
}

#[test]
fn the_loop_bound_that_is_off_by_one_comes_first() {
    first_is("largest", "largest.c", 7);
}

#[test]
fn without_violations_there_is_nothing_to_locate() {
    let ran = example("largest").twinrun(&["locate", "largest", "--groups", "200", "--quiet"]);
    ran.expect(0, &["No group was violated", "There is nothing to locate"]);
}

#[test]
fn every_format_names_the_suspect() {
    let project = example("largest");
    for (format, words) in [
        ("human", "1. largest.c:7 in largest"),
        ("sarif", "\"startLine\": 7"),
        ("html", "<a href=\"#file-0\">largest.c:7</a>"),
    ] {
        project
            .twinrun(&["locate", "faulty", "--groups", "100", "--format", format, "--quiet"])
            .expect(1, &[words]);
    }
    project
        .twinrun(&["locate", "faulty", "--format", "junit", "--quiet"])
        .expect(2, &["human, json, sarif or html"]);
}

#[test]
fn a_reference_measures_the_ranking() {
    let arguments =
        ["locate", "faulty", "--against", "largest", "--fault", "largest.c:7", "--groups", "200", "--quiet"];
    example("largest")
        .twinrun(&arguments)
        .expect(1, &["against largest:", "runs answer differently", "oracle on all runs", "EXAM"]);
}

#[test]
fn mistakes_on_the_command_line_are_explained() {
    let project = example("largest");
    project.twinrun(&["locate", "--quiet"]).expect(2, &["name one of largest, faulty"]);
    project
        .twinrun(&["locate", "faulty", "--formula", "best", "--quiet"])
        .expect(2, &["there is no formula `best`", "ochiai"]);
    project.twinrun(&["locate", "faulty", "--formula", "list"]).expect(0, &["tarantula"]);
    project
        .twinrun(&["locate", "faulty", "--fault", "largest.c:1", "--groups", "20", "--quiet"])
        .expect(2, &["not a line with code"]);
}

const COUNT: &str = "#include \"count.h\"\nint count(const char *text) {\n    int letters = 0;\n    for (int i = 0; text[i]; i++) {\n        letters++;\n        if (i > 0 && text[i - 1] == 'a' && text[i] == 'b')\n            letters++;\n    }\n    return letters;\n}\n";
const MAIN: &str = "#include <stdio.h>\n#include \"count.h\"\nint main(void) {\n    char text[100] = {0};\n    if (!fgets(text, sizeof text, stdin)) return 0;\n    printf(\"%d\\n\", count(text));\n    return 0;\n}\n";
const NATIVE: &str = "[subject.count]\ncommand = [\"./count\"]\nstdin = \"{text}\"\n\n[subject.count.parameters]\ntext = { text = { max = 6, alphabet = \"abc\" } }\n\n[subject.count.coverage]\nformat = \"FORMAT\"\n\n[subject.count.relation.reverse]\ntransform = [{ apply = \"reverse\", to = \"text\" }]\ncheck = [{ that = \"same_output\" }]\n";

fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: {program} is not installed");
    }
    there
}

/// A native program of two files that counts letters, and "ab" twice; built with these words.
fn native(format: &str, build: &[&str]) -> Project {
    let project = Project::new(&[
        ("count.h", "int count(const char *text);\n"),
        ("count.c", COUNT),
        ("main.c", MAIN),
        ("twinrun.toml", &NATIVE.replace("FORMAT", format)),
    ]);
    run(&project, build);
    project
}

fn run(project: &Project, words: &[&str]) {
    assert!(Command::new(words[0]).args(&words[1..]).current_dir(project.path()).status().unwrap().success());
}

const GCC: [&str; 7] = ["gcc", "-O0", "--coverage", "count.c", "main.c", "-o", "count"];
const COMMAND: [&str; 5] = ["locate", "count", "--groups", "25", "--quiet"];

#[test]
fn lines_of_a_native_program_are_ranked_from_gcov() {
    if !has("gcc") || !has("gcov") {
        return;
    }
    let project = native("gcov", &GCC);
    project.twinrun(&COMMAND).expect(1, &["1. count.c:7 in count"]);
}

#[test]
fn a_variable_needs_a_slice_and_a_label() {
    let project = example("sides");
    project
        .twinrun(&[
            "locate",
            "faulty",
            "--slice",
            "dynamic",
            "--variable",
            "nothing",
            "--groups",
            "100",
            "--quiet",
        ])
        .expect(2, &["no run labels an output `nothing`"]);
    project
        .twinrun(&["locate", "faulty", "--variable", "kind", "--quiet"])
        .expect(2, &["--slice dynamic or relevant"]);
}
