//! The study of debuggers.
//!
//! Usage: `twinrun-experiment-debuggers [campaign NAME SECONDS | undirected NAME SECONDS | planted [KIND...] | totals]`. Without words
//! everything is done. A campaign debugs the half of the fetched programs that nobody looked at while the tester was worked on, for so
//! many seconds of processor time (more when it is asked for again), and writes what it found under `.twinrun/debuggers/`; `totals` puts the files together.
//! `dev NAME SECONDS` is the same on the other half.

mod planted;
mod spent;
mod tables;
mod trial;

use std::path::{Path, PathBuf};
use std::process::Command;

use twinrun_debugger::{Config, Language, Program, javascript};
use twinrun_results::workspace_root;

type Failure = Box<dyn std::error::Error>;

/// What is tested, with the processor seconds that each gets.
const DEBUGGERS: &[(&str, f64)] = &[
    ("node-11.15.0", 200.0),
    ("node-18.20.8", 100.0),
    ("node-24.1.0", 120.0),
    ("node-26.10.0", 150.0),
    ("chromium", 120.0),
    ("lldb-dap", 80.0),
    ("debugpy", 110.0),
    ("dlv", 80.0),
];

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "experiment").collect();
    let root = workspace_root();
    let folder = root.join(".twinrun/debuggers");
    std::fs::create_dir_all(&folder)?;
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            let fetched = Command::new(root.join("experiments/debuggers/fetch")).arg("all").status()?;
            if !fetched.success() {
                eprintln!("not everything could be fetched; what is missing is left out");
            }
            for (name, seconds) in DEBUGGERS {
                if let Err(error) = campaign(
                    &root,
                    "held",
                    name,
                    *seconds,
                    Config::default(),
                    &folder.join(format!("{name}.json")),
                ) {
                    eprintln!("{name} is left out: {error}");
                }
            }
            plant(&root, &folder, &[])?;
            tables::write(&root, &folder)
        }
        ["campaign", name, seconds] => campaign(
            &root,
            "held",
            name,
            seconds.parse()?,
            Config::default(),
            &folder.join(format!("{name}.json")),
        ),
        ["undirected", name, seconds] => {
            let config = Config { directed: false, ..Config::default() };
            campaign(
                &root,
                "held",
                name,
                seconds.parse()?,
                config,
                &folder.join(format!("{name}-undirected.json")),
            )
        }
        ["dev", name, seconds] => campaign(
            &root,
            "dev",
            name,
            seconds.parse()?,
            Config::default(),
            &folder.join(format!("{name}-dev.json")),
        ),
        ["planted", ..] => plant(&root, &folder, &arguments[1..]),
        ["totals"] => tables::write(&root, &folder),
        _ => Err("see the head of main.rs for what can be asked for".into()),
    }
}

fn campaign(
    root: &Path,
    half: &str,
    name: &str,
    seconds: f64,
    config: Config,
    out: &Path,
) -> Result<(), Failure> {
    let programs = match name {
        "lldb-dap" => own(&root.join("subjects/debugger-c"))?,
        "debugpy" => own(&root.join("subjects/debugger-python"))?,
        "dlv" => own(&root.join("subjects/debugger-go"))?,
        _ => {
            let list: Vec<(String, String)> = serde_json::from_str(&std::fs::read_to_string(
                root.join(format!(".deps/unseen-{half}.json")),
            )?)?;
            list.iter()
                .map(|(name, source)| Program::new(name, Language::JavaScript, &javascript::steady(source)))
                .collect()
        }
    };
    let scratch = std::env::temp_dir().join(format!("twinrun-debuggers-{}", std::process::id()));
    let mut backend = trial::start(root, name, &scratch)?;
    let earlier = std::fs::read_to_string(out).ok().and_then(|text| serde_json::from_str(&text).ok());
    let trial = trial::run(backend.as_mut(), &programs, &config, seconds, earlier, |_| false);
    drop(backend);
    let _ = std::fs::remove_dir_all(&scratch);
    eprintln!(
        "{}: {} tests, {} cases, {} warnings",
        trial.debugger,
        trial.tests,
        trial.cases,
        trial.warnings.len()
    );
    std::fs::write(out, serde_json::to_string_pretty(&trial)?)?;
    Ok(())
}

fn plant(root: &Path, folder: &Path, only: &[String]) -> Result<(), Failure> {
    let scratch = std::env::temp_dir().join(format!("twinrun-planted-{}", std::process::id()));
    let rows = planted::all(root, &own(&root.join("subjects/debugger-c"))?, &scratch, only)?;
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::write(folder.join("planted.json"), serde_json::to_string_pretty(&rows)?)?;
    Ok(())
}

/// The programs of a folder, in the order of their names.
fn own(folder: &Path) -> Result<Vec<Program>, Failure> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut programs = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(language) = Language::of_file(&name) {
            programs.push(Program::new(&name, language, &std::fs::read_to_string(&file)?));
        }
    }
    Ok(programs)
}
