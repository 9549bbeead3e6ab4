//! The study of debuggers.
//!
//! Without words everything is done; each part is a command of its own, which goes on where it stopped:
//!
//! - `campaign NAME SECONDS`: debugs the half of the fetched programs that nobody looked at while the tester was worked on, until so many
//!   seconds of processor time are spent, and writes what it found under `.twinrun/debuggers/`; `undirected NAME SECONDS` is the same
//!   without sessions that aim, `dev NAME SECONDS` the same on the other half
//! - `adapters`: a campaign of at least a hundred cases with every debug adapter that is installed
//! - `planted [KIND...]`: faults planted by a proxy
//! - `robust`: the command line is stopped in the middle of its work; what is late and what is left over
//! - `warnings NAME [NUMBER]`: what a campaign found, for judging; each warning's script is run
//! - `totals`: puts the files and the judgements together

mod planted;
mod robust;
mod spent;
mod tables;
mod trial;

use std::path::{Path, PathBuf};
use std::process::Command;

use trial::Until;
use twinrun_debugger::{Config, Language, Program, javascript, reduce};
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
    ("gdb", 120.0),
];

/// The adapters among them, with the cases that make one count.
const ADAPTERS: [&str; 5] = ["chromium", "lldb-dap", "debugpy", "dlv", "gdb"];
const ENOUGH: usize = 110;

/// Warnings of one cause that are reduced; those after them are like them.
const REDUCED: usize = 2;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "experiment").collect();
    let root = workspace_root();
    let folder = root.join(".twinrun/debuggers");
    std::fs::create_dir_all(&folder)?;
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let plain = Config::default();
    match words.as_slice() {
        [] => {
            let fetched = Command::new(root.join("experiments/debuggers/fetch")).arg("all").status()?;
            if !fetched.success() {
                eprintln!("not everything could be fetched; what is missing is left out");
            }
            for (name, seconds) in DEBUGGERS {
                let until = Until { seconds: *seconds, cases: usize::MAX };
                if let Err(error) =
                    campaign(&root, "held", name, until, &plain, &folder.join(format!("{name}.json")))
                {
                    eprintln!("{name} is left out: {error}");
                }
            }
            adapters(&root, &folder)?;
            plant(&root, &folder, &[])?;
            robust::write(&root, &folder)?;
            tables::write(&root, &folder)
        }
        [what @ ("campaign" | "undirected" | "dev"), name, seconds] => {
            let (half, config, end) = match *what {
                "undirected" => ("held", Config { directed: false, ..plain }, "-undirected"),
                "dev" => ("dev", plain, "-dev"),
                _ => ("held", plain, ""),
            };
            let until = Until { seconds: seconds.parse()?, cases: usize::MAX };
            campaign(&root, half, name, until, &config, &folder.join(format!("{name}{end}.json")))
        }
        ["adapters"] => adapters(&root, &folder),
        ["planted", ..] => plant(&root, &folder, &arguments[1..]),
        ["robust"] => robust::write(&root, &folder),
        ["warnings", name] => tables::warnings(&root, &folder, name, None),
        ["warnings", name, number] => tables::warnings(&root, &folder, name, Some(number.parse()?)),
        ["totals"] => tables::write(&root, &folder),
        _ => Err("see the head of main.rs for what can be asked for".into()),
    }
}

fn adapters(root: &Path, folder: &Path) -> Result<(), Failure> {
    for (name, _) in DEBUGGERS.iter().filter(|(name, _)| ADAPTERS.contains(name)) {
        let until = Until { seconds: 240.0, cases: ENOUGH };
        if let Err(error) =
            campaign(root, "held", name, until, &Config::default(), &folder.join(format!("{name}.json")))
        {
            eprintln!("{name} is left out: {error}");
        }
    }
    Ok(())
}

fn campaign(
    root: &Path,
    half: &str,
    name: &str,
    until: Until,
    config: &Config,
    out: &Path,
) -> Result<(), Failure> {
    let programs = match name {
        "lldb-dap" | "gdb" => own(&root.join("subjects/debugger-c"))?,
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
    let trial =
        trial::run(backend.as_mut(), &programs, config, until, earlier, &mut |backend, warning, trial| {
            let cause = warning.cause();
            let known = trial.warnings.iter().filter(|found| found.first_cause == cause).count();
            let reduced = if known < REDUCED { reduce(backend, &warning, 80).ok() } else { None };
            Some((reduced.unwrap_or(warning), false))
        });
    drop(backend);
    let _ = std::fs::remove_dir_all(&scratch);
    eprintln!(
        "{}: {} tests, {} cases, {} warnings, {:.0} s",
        trial.debugger,
        trial.tests,
        trial.cases,
        trial.warnings.len(),
        trial.cpu
    );
    std::fs::write(out, serde_json::to_string_pretty(&trial)?)?;
    Ok(())
}

fn plant(root: &Path, folder: &Path, only: &[String]) -> Result<(), Failure> {
    let scratch = std::env::temp_dir().join(format!("twinrun-planted-{}", std::process::id()));
    let programs = own(&root.join("subjects/debugger-c"))?;
    let done = planted::all(root, &programs, &scratch, &folder.join("planted.json"), only);
    let _ = std::fs::remove_dir_all(&scratch);
    done
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
