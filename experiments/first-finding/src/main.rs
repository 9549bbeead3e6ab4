//! `./x experiment first-finding`: seconds from a clone to the first finding, for someone who follows the README.
//!
//! The commands of the README are run in a fresh clone of this repository with an empty build folder; what a set-up has installed on
//! the machine before (packages, downloaded crates) stays, and the notes say so. `seconds_from_clone` is all of it,
//! `seconds_after_build` the second `./x demo` alone: the hunt that prints the finding with its localisations and writes the report.

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::json;
use twinrun_results::{Results, workspace_root};

/// What the demo must have printed for the finding to count, and what it stands for.
const SIGNS: [(&str, &str); 4] = [
    ("violated: faulty/reverse", "the finding"),
    ("suspects", "suspects"),
    ("critical branch", "the critical branch"),
    ("fails when", "the failure condition"),
];

struct Ran {
    seconds: f64,
    printed: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = workspace_root().join("target/first-finding");
    // Nothing of an earlier run may help.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let clone = folder.join("twinrun");
    let mut results = Results::new("first-finding");
    let mut row = |command: &str, ran: &Ran| {
        results.row(&json!({ "command": command, "seconds": (10.0 * ran.seconds).round() / 10.0 }));
    };
    let source = workspace_root().display().to_string();
    let cloned = run(&folder, "git", &["clone", "--quiet", &source, "twinrun"])?;
    row("git clone REPOSITORY twinrun", &cloned);
    let first = run(&clone, "./x", &["demo"])?;
    row("./x demo", &first);
    let again = run(&clone, "./x", &["demo"])?;
    row("./x demo (built already)", &again);
    for (sign, what) in SIGNS {
        if !first.printed.contains(sign) {
            return Err(
                format!("the demo printed nothing about {what} (`{sign}`):\n{}", first.printed).into()
            );
        }
    }
    let page = clone.join("examples/maxsub/.twinrun/report.html");
    let bytes = std::fs::metadata(&page)?.len();
    results.total("seconds_from_clone", (10.0 * (cloned.seconds + first.seconds)).round() / 10.0);
    results.total("seconds_after_build", (10.0 * again.seconds).round() / 10.0);
    results.total("report_bytes", bytes);
    results.notes.push(
        "A fresh clone, an empty build folder, wall-clock seconds. Packages of the system and the registry's download cache were there \
         already; the first set-up on a new machine downloads them besides."
            .to_owned(),
    );
    println!("{}", results.markdown());
    eprintln!("{}", results.write()?.display());
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<Ran, Box<dyn Error>> {
    let began = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        // The clone has its own build folder.
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_BUILD_DIR")
        .output()?;
    let seconds = began.elapsed().as_secs_f64();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let printed = text(&output.stdout) + &text(&output.stderr);
    if !output.status.success() {
        return Err(format!("{program} {} failed:\n{printed}", arguments.join(" ")).into());
    }
    Ok(Ran { seconds, printed })
}
