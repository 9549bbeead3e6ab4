//! The programs under debugging: our own and those fetched from npm.

use std::fs;
use std::path::{Path, PathBuf};

use twinrun_debugger::{Language, Outline, Program, javascript};

/// Our own programs of a folder, in the order of their names.
pub(crate) fn own(folder: &Path) -> Vec<Program> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.iter().filter_map(|file| read(file)).collect()
}

/// Variants of our own programs: every fifth one strict, every tenth one joined with its neighbour.
pub(crate) fn variants(programs: &[Program]) -> Vec<Program> {
    let strict = programs
        .iter()
        .step_by(5)
        .map(javascript::strict)
        .filter(|program| Outline::of(program).is_ok_and(|outline| !outline.dynamic_scope));
    let joined =
        programs.chunks(10).filter_map(|chunk| javascript::concatenate(&[chunk.first()?, chunk.last()?]));
    strict.chain(joined).collect()
}

/// Fetched programs that parse: snippets of test262 longer than one line's worth, and the small files of Octane.
pub(crate) fn fetched(folder: &Path) -> Vec<Program> {
    let mut programs = Vec::new();
    for part in ["pass", "pass-explicit"] {
        for program in own(&folder.join("test262-parser-tests").join(part)) {
            // Modules cannot be run as scripts; empty and tiny snippets have nothing to pause at.
            if program.source.len() > 20 && !program.name.contains(".module.") {
                programs.push(program);
            }
        }
    }
    let octane = folder.join("benchmark-octane/lib/octane");
    let base = fs::read_to_string(octane.join("base.js")).unwrap_or_default();
    for name in ["richards", "deltablue", "navier-stokes", "splay"] {
        if let Ok(source) = fs::read_to_string(octane.join(format!("{name}.js"))) {
            let run = "\nBenchmarkSuite.suites.forEach(function (s) { s.benchmarks.forEach(function (b) {\n  b.Setup();\n  b.run();\n  b.TearDown();\n}); });\n";
            let source = javascript::steady(&format!("{base}\n{source}{run}"));
            programs.push(Program::new(&format!("octane-{name}.js"), Language::JavaScript, &source));
        }
    }
    programs.retain(|program| Outline::of(program).is_ok());
    programs
}

fn read(file: &Path) -> Option<Program> {
    let name = file.file_name()?.to_str()?;
    let language = Language::of_file(name)?;
    let source = fs::read_to_string(file).ok()?;
    let source = if language == Language::JavaScript { javascript::steady(&source) } else { source };
    Some(Program::new(name, language, &source))
}
