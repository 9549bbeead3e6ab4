//! The programs under debugging: our own and those fetched from npm.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// Fetched programs that parse: snippets of test262 that are no modules, and the files of Octane that need no other.
pub(crate) fn fetched(folder: &Path) -> Vec<Program> {
    let mut programs = Vec::new();
    for part in ["pass", "pass-explicit"] {
        for mut program in own(&folder.join("test262-parser-tests").join(part)) {
            // The same names stand in both folders.
            program.name = format!("{part}-{}", program.name);
            // Empty and tiny snippets have nothing to pause at.
            if program.source.len() > 20 && !program.name.contains(".module.") {
                programs.push(program);
            }
        }
    }
    let octane = folder.join("benchmark-octane/lib/octane");
    let base = fs::read_to_string(octane.join("base.js")).unwrap_or_default();
    for name in ["richards", "deltablue", "crypto", "raytrace", "earley-boyer", "navier-stokes", "splay"] {
        if let Ok(source) = fs::read_to_string(octane.join(format!("{name}.js"))) {
            let run = "\nBenchmarkSuite.suites.forEach(function (s) { s.benchmarks.forEach(function (b) {\n  b.Setup();\n  b.run();\n  b.TearDown();\n}); });\n";
            let source = javascript::steady(&format!("{base}\n{source}{run}"));
            programs.push(Program::new(&format!("octane-{name}.js"), Language::JavaScript, &source));
        }
    }
    programs.retain(|program| Outline::of(program).is_ok());
    programs
}

/// Snippets joined into larger programs, as in the published study: five each, in the given order. Most of them fail at some
/// name that nobody declared, so that each stands in a `try` of its own; what does not parse together is left out.
pub(crate) fn joined(snippets: &[Program]) -> Vec<Program> {
    let snippets: Vec<&Program> = snippets.iter().filter(|program| program.source.len() < 2_000).collect();
    let join = |chunk: &[&Program]| {
        let source: String =
            chunk.iter().map(|program| format!("try {{\n{}\n}} catch {{ }}\n", program.source)).collect();
        let name = format!("joined-{}", chunk.first().map_or("", |program| &program.name));
        Program::new(&name, Language::JavaScript, &source)
    };
    let all = snippets.chunks(5).map(join);
    all.filter(|program| Outline::of(program).is_ok()).collect()
}

/// Reads programs as JSON and prints the names of those that compile and end, with or without an exception, within 0.7 seconds.
const RUN: &str = "const vm = require('vm');
for (const [name, source] of JSON.parse(require('fs').readFileSync(0, 'utf8'))) {
  try {
    const script = new vm.Script(source);
    try {
      script.runInContext(vm.createContext({}, { microtaskMode: 'afterEvaluate' }), { timeout: 700 });
    } catch (error) {
      if (error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') continue;
    }
    process.stdout.write(name + '\\n');
  } catch {}
}";

/// The programs that run to an end by themselves; all of them when that cannot be tried. Tried once and then read from
/// `known`, so that a busy moment does not change the programs between two runs.
pub(crate) fn that_run(node: &Path, programs: Vec<Program>, known: &Path) -> Vec<Program> {
    let names = match fs::read_to_string(known) {
        Ok(text) => Some(text.lines().map(str::to_owned).collect()),
        Err(_) => names_that_run(node, &programs),
    };
    let Some(ending): Option<BTreeSet<String>> = names else { return programs };
    let list: Vec<&str> = ending.iter().map(String::as_str).collect();
    if let Err(error) = fs::write(known, list.join("\n")) {
        eprintln!("cannot write {}: {error}", known.display());
    }
    programs.into_iter().filter(|program| ending.contains(&program.name)).collect()
}

fn names_that_run(node: &Path, programs: &[Program]) -> Option<BTreeSet<String>> {
    let list: Vec<(&str, &str)> =
        programs.iter().map(|program| (program.name.as_str(), program.source.as_str())).collect();
    let mut child = Command::new(node)
        .args(["-e", RUN])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(serde_json::to_string(&list).ok()?.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn read(file: &Path) -> Option<Program> {
    let name = file.file_name()?.to_str()?;
    let language = Language::of_file(name)?;
    let source = fs::read_to_string(file).ok()?;
    let source = if language == Language::JavaScript { javascript::steady(&source) } else { source };
    Some(Program::new(name, language, &source))
}
