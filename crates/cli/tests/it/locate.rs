//! `twinrun locate` on real projects: small faults come first, and what cannot be ranked is said clearly.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

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
const NATIVE: &str = "[subject.count]\ncommand = [\"./count\"]\nstdin = \"{text}\"\n\n[subject.count.parameters]\ntext = { text = { max = 6, alphabet = \"abc\" } }\n\n[subject.count.coverage]\nFORMAT\n\n[subject.count.relation.reverse]\ntransform = [{ apply = \"reverse\", to = \"text\" }]\ncheck = [{ that = \"same_output\" }]\n";

fn has(program: &str) -> bool {
    runs(program, Command::new(program).arg("--version"))
}

fn runs(what: &str, command: &mut Command) -> bool {
    let there = command.output().is_ok_and(|output| output.status.success());
    if !there {
        let _ = writeln!(std::io::stderr(), "skipped: {what} is not installed");
    }
    there
}

/// A native program of two files that counts letters, and "ab" twice; built with these words.
fn native(format: &str, build: &[&str]) -> Project {
    let project = Project::new(&[
        ("count.h", "int count(const char *text);\n"),
        ("count.c", COUNT),
        ("main.c", MAIN),
        ("twinrun.toml", &NATIVE.replace("FORMAT", &format!("format = \"{format}\""))),
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
fn notes_of_another_build_are_refused() {
    if !has("gcc") || !has("gcov") {
        return;
    }
    let project = native("gcov", &GCC);
    // Compiled again, but not linked: the program does not belong to these notes.
    let longer = COUNT.replace("int letters = 0;", "int letters = 0; if (!text) return 0;");
    fs::write(project.path().join("count.c"), longer).unwrap();
    run(&project, &["gcc", "-O0", "--coverage", "-c", "count.c", "-o", "count-count.o"]);
    let future = SystemTime::now() + Duration::from_secs(3600);
    File::options().write(true).open(project.path().join("count")).unwrap().set_modified(future).unwrap();
    project.twinrun(&COMMAND).expect(3, &["the coverage belongs to another build", "build again"]);
}

#[test]
fn a_source_that_changed_since_the_build_is_refused() {
    if !has("gcc") || !has("gcov") {
        return;
    }
    let project = native("gcov", &GCC);
    let future = SystemTime::now() + Duration::from_secs(3600);
    let source = File::options().write(true).open(project.path().join("count.c")).unwrap();
    source.set_modified(future).unwrap();
    project.twinrun(&COMMAND).expect(3, &["count.c changed since the build", "build again"]);
}

#[test]
fn a_native_program_without_coverage_is_told_how_to_build() {
    if !has("gcc") {
        return;
    }
    let project = native("gcov", &["gcc", "-O0", "count.c", "main.c", "-o", "count"]);
    project.twinrun(&COMMAND).expect(3, &["a run left no coverage", "--coverage"]);
}

#[test]
fn lines_of_a_native_program_are_ranked_from_llvm_cov() {
    let clang = ["clang", "clang-19"].into_iter().find(|name| has(name));
    let tools = |names: [&str; 2]| names.into_iter().any(has);
    let Some(clang) = clang else { return };
    if !tools(["llvm-cov", "llvm-cov-19"]) || !tools(["llvm-profdata", "llvm-profdata-19"]) {
        return;
    }
    let flags = ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"];
    let mut build = vec![clang];
    build.extend(flags);
    build.extend(["count.c", "main.c", "-o", "count"]);
    native("llvm-cov", &build).twinrun(&COMMAND).expect(1, &["1. count.c:7 in count"]);
}

const COUNT_IN_PYTHON: &str = "import sys\n\n\ndef count(text):\n    letters = 0\n    for i in range(len(text)):\n        letters += 1\n        if i > 0 and text[i - 1] == 'a' and text[i] == 'b':\n            letters += 1\n    return letters\n\n\nprint(count(sys.stdin.read()))\n";

#[test]
fn lines_of_a_python_program_are_ranked_from_coverage_py() {
    let wheels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/coverage");
    let wheels = wheels.canonicalize().unwrap_or(wheels);
    let python = ["-m", "coverage", "--version"];
    if !runs("coverage.py", Command::new("python3").args(python).env("PYTHONPATH", &wheels)) {
        return;
    }
    let coverage = format!(
        "format = \"lcov\"\nenv = {{ COVERAGE_FILE = \"{{folder}}/data\", PYTHONPATH = \"{}\" }}\n\
         collect = [[\"python3\", \"-m\", \"coverage\", \"lcov\", \"-q\", \"-o\", \"-\"]]",
        wheels.display()
    );
    let toml = NATIVE.replace("./count", "./count.py").replace("FORMAT", &coverage);
    let script = format!("#!/usr/bin/env -S python3 -m coverage run\n{COUNT_IN_PYTHON}");
    let project = Project::new(&[("count.py", &script), ("twinrun.toml", &toml)]);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(project.path().join("count.py"), executable).unwrap();
    project
        .twinrun(&["locate", "count", "--groups", "8", "--quiet"])
        .expect(1, &["1. count.py:10", "letters += 1"]);
}

/// A command that only repeats its input; its coverage is what lies in `run.info`.
fn with_lcov(info: &str, map: &str) -> Project {
    let coverage = format!("format = \"lcov\"\ncollect = [[\"cat\", \"{{project}}/run.info\"]]\n{map}");
    let toml = NATIVE.replace("\"./count\"", "\"cat\"").replace("FORMAT", &coverage);
    Project::new(&[("src/a.txt", "one\ntwo\n"), ("run.info", info), ("twinrun.toml", &toml)])
}

#[test]
fn coverage_that_cannot_be_used_is_explained() {
    let whole = "SF:/build/7/src/a.txt\nDA:1,1\nDA:2,1\nend_of_record\n";
    let check = |info: &str, map: &str, code: i32, said: &[&str]| {
        with_lcov(info, map).twinrun(&COMMAND).expect(code, said);
    };
    check("", "", 3, &["the coverage is empty"]);
    check("SF:src/a.txt\nDA:1,1\n", "", 3, &["the coverage is truncated", "no end_of_record"]);
    check("<html>\n", "", 3, &["this is not LCOV coverage", "line 1"]);
    check("SF:src/a.txt\nDA:90,1\nend_of_record\n", "", 3, &["src/a.txt changed since the build", "line 90"]);
    check("SF:/usr/bin/env\nDA:1,1\nend_of_record\n", "", 3, &["belongs to another build"]);
    check(whole, "", 3, &["/build/7/src/a.txt, which is not here", "map = "]);
    check(whole, "map = { \"/build/7/\" = \"\" }", 1, &["All suspects tie", "src/a.txt:1"]);
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
