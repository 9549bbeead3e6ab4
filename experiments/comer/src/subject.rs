//! A subject of the study: its model, its program and its mutants, built natively and run as processes.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use twinrun_combine::groups::{Group, Test, concretise};
use twinrun_combine::readers::read_toml;
use twinrun_combine::{Config, Model, Random, Scalar, generate};
use twinrun_results::workspace_root;
use twinrun_whatif::{Language, apply, mutants};

use crate::features::{Feature, features};

pub(crate) struct Subject {
    pub name: String,
    pub model: Model,
    pub kind: Kind,
    features: OnceLock<Vec<Feature>>,
}

/// What is run.
pub(crate) enum Kind {
    /// A program and its mutants.
    Mutants { original: Program, mutants: Vec<Program> },
    /// A Python subject with several versions of SciPy: their names and how each is run.
    Versions(Vec<(String, Program)>),
}

/// How a program is started.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    command: Vec<PathBuf>,
    /// Where Python finds its modules.
    modules: Option<PathBuf>,
}

impl Program {
    fn native(path: &Path) -> Program {
        Program { command: vec![path.to_path_buf()], modules: None }
    }
}

/// What a program did with tests and groups.
pub(crate) struct Outcome {
    /// A digest of each test's output; 0 for a crash or a time-out.
    pub digests: Vec<u64>,
    /// For each group: 0 holds, 1 violated, 2 not judged.
    pub verdicts: Vec<u8>,
}

impl Subject {
    /// Builds the program and up to `wanted` valid mutants: those that compile, neither crash nor hang on the
    /// reference tests, and differ from the original on at least one of them.
    pub(crate) fn load(folder: &Path, work: &Path, wanted: usize) -> Result<Subject, String> {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(folder.join("model.toml")).map_err(|error| error.to_string())?;
        let model = read_toml(&text).map_err(|error| format!("model.toml: {error}"))?;
        if wanted == 0 {
            let kind = Kind::Mutants { original: Program::native(work), mutants: Vec::new() };
            return Ok(Subject { name, model, kind, features: OnceLock::new() });
        }
        if folder.join("subject.py").exists() {
            return Ok(Subject {
                name,
                model,
                kind: Kind::Versions(versions(folder)?),
                features: OnceLock::new(),
            });
        }
        std::fs::create_dir_all(work).map_err(|error| error.to_string())?;
        let common = folder.with_file_name("common");
        compile(&folder.join("subject.c"), &work.join("subject.o"))?;
        compile(&common.join("driver.c"), &work.join("driver.o"))?;
        link(&folder.join("program.c"), work, &work.join("original"))?;
        let original = Program::native(&work.join("original"));
        let tests = reference_tests(&model);
        let expected = run(&original, &tests, &[]).ok_or("the program fails on the reference tests")?;
        if let Some(at) = expected.digests.iter().position(|digest| *digest == 0) {
            let values: Vec<String> = tests[at].values().map(ToString::to_string).collect();
            return Err(format!("the program crashes or hangs on {}", values.join(" ")));
        }
        let source = std::fs::read_to_string(folder.join("program.c")).map_err(|error| error.to_string())?;
        let mut found = mutants(&source, "program.c", Language::C).map_err(|error| error.to_string())?;
        Random::new(2021).shuffle(&mut found);
        let mut valid = Vec::new();
        for (index, mutant) in found.iter().enumerate() {
            if valid.len() == wanted {
                break;
            }
            let file = work.join(format!("mutant{index}.c"));
            let path = work.join(format!("mutant{index}"));
            std::fs::write(&file, apply(&source, mutant)).map_err(|error| error.to_string())?;
            if !path.exists() && link(&file, work, &path).is_err() {
                continue;
            }
            let program = Program::native(&path);
            let Some(outcome) = run(&program, &tests, &[]) else { continue };
            if !outcome.digests.contains(&0) && outcome.digests != expected.digests {
                valid.push(program);
            }
        }
        Ok(Subject {
            name,
            model,
            kind: Kind::Mutants { original, mutants: valid },
            features: OnceLock::new(),
        })
    }

    /// The features of its relations, which do not depend on strength or repetition.
    pub(crate) fn features(&self) -> &[Feature] {
        self.features.get_or_init(|| features(self))
    }

    /// The program that is right, as far as is known.
    pub(crate) fn reference(&self) -> &Program {
        match &self.kind {
            Kind::Mutants { original, .. } => original,
            Kind::Versions(versions) => &versions[versions.len() - 1].1,
        }
    }
}

/// The versions of SciPy that are installed under `.deps`, oldest first.
fn versions(folder: &Path) -> Result<Vec<(String, Program)>, String> {
    let driver = folder.with_file_name("common").join("driver.py");
    let program = |modules: PathBuf| Program {
        command: vec!["python3".into(), driver.clone(), folder.to_path_buf()],
        modules: Some(modules),
    };
    let found: Vec<(String, Program)> = SCIPY
        .iter()
        .map(|version| (format!("SciPy {version}"), workspace_root().join(format!(".deps/scipy-{version}"))))
        .filter(|(_, modules)| modules.join("scipy").exists())
        .map(|(name, modules)| (name, program(modules)))
        .collect();
    if found.is_empty() {
        return Err("no SciPy under .deps: `./x experiment comer` installs it".to_owned());
    }
    Ok(found)
}

/// The oldest version that installs on a current Python, and the newest; `x` installs them.
const SCIPY: [&str; 2] = ["1.9.2", "1.17.1"];

/// Tests that tell valid mutants from others: a 3-way array made concrete three times.
fn reference_tests(model: &Model) -> Vec<Test> {
    let strength = Some(3.min(model.parameters.len()));
    let array = generate(model, &Config { strength, seed: 99, ..Config::default() }).unwrap_or_default();
    (0..3).flat_map(|seed| concretise(model, &array.rows, &[], &mut Random::new(seed)).tests).collect()
}

fn compile(file: &Path, object: &Path) -> Result<(), String> {
    compiler(&["-c", &file.to_string_lossy(), "-o", &object.to_string_lossy()])
}

fn link(program: &Path, work: &Path, out: &Path) -> Result<(), String> {
    let (subject, driver) = (work.join("subject.o"), work.join("driver.o"));
    compiler(&[
        &program.to_string_lossy(),
        &subject.to_string_lossy(),
        &driver.to_string_lossy(),
        "-lm",
        "-o",
        &out.to_string_lossy(),
    ])
}

fn compiler(arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("cc")
        .args(["-O1", "-w"])
        .args(arguments)
        .output()
        .map_err(|error| format!("cc: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Runs tests and judges groups of two; nothing when the process itself failed.
pub(crate) fn run(program: &Program, tests: &[Test], groups: &[Group]) -> Option<Outcome> {
    let width = tests.first().map_or(0, |test| test.cells.len());
    let mut input: Vec<u8> = Vec::new();
    for number in [width, tests.len(), groups.len()] {
        input.extend((number as i32).to_le_bytes());
    }
    for value in tests.iter().flat_map(Test::values) {
        input.extend(value.number().unwrap_or(0.0).to_le_bytes());
    }
    for group in groups {
        for number in [group.relation, group.tests[0], group.tests[1]] {
            input.extend((number as i32).to_le_bytes());
        }
    }
    let mut command = Command::new("timeout");
    // A mutant that destroyed its own watch is ended from outside.
    command.arg(if program.modules.is_some() { "600" } else { "10" }).args(&program.command);
    if let Some(modules) = &program.modules {
        command.env("PYTHONPATH", modules).env("OPENBLAS_NUM_THREADS", "1");
    }
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
    let mut output = Vec::new();
    child.stdout.take()?.read_to_end(&mut output).ok()?;
    let written = writer.join().unwrap_or(false);
    let success = child.wait().ok()?.success();
    if !success || !written || output.len() != tests.len() * 8 + groups.len() {
        return None;
    }
    let (digests, verdicts) = output.split_at(tests.len() * 8);
    let digest = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
    Some(Outcome { digests: digests.chunks(8).map(digest).collect(), verdicts: verdicts.to_vec() })
}

/// Whether every value of the model is a number, as the driver needs.
pub(crate) fn numeric(tests: &[Test]) -> bool {
    tests.iter().all(|test| test.values().all(|value| matches!(value, Scalar::Number(_))))
}
