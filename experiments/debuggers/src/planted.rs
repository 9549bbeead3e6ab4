//! Faults planted by a proxy (`plant.py`) between us and a real adapter: each has to be found.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use twinrun_debugger::backends::dap::{Dap, Description};
use twinrun_debugger::{Backend, Config, Limits, Program};

use crate::Failure;
use crate::trial::run;

/// The kinds: eight that were named before, and four that somebody described who has seen no tester (`planted-unseen.md`).
const KINDS: [&str; 12] = [
    "dropped-pause",
    "moved-line",
    "stale-variable",
    "lost-breakpoint",
    "wrong-frame",
    "swallowed-output",
    "double-pause",
    "wrong-evaluate",
    "step-over-enters",
    "cleared-breakpoint-lives",
    "variable-missing",
    "late-output",
];

/// Processor seconds for each.
const SECONDS: f64 = 60.0;

/// One row a kind: which of its periods were found, and after how many seconds.
pub(crate) fn all(
    root: &Path,
    programs: &[Program],
    folder: &Path,
    only: &[String],
) -> Result<Vec<Value>, Failure> {
    let mut rows = Vec::new();
    for kind in KINDS.iter().filter(|kind| only.is_empty() || only.iter().any(|word| word == *kind)) {
        // It acts at every opportunity, at every second, at every third: a third of the time each, the rest where one ends sooner.
        let mut periods = Vec::new();
        let mut left = SECONDS;
        for (number, period) in [1, 2, 3].into_iter().enumerate() {
            let mut description = Description::lldb(Path::new("/usr/bin/lldb-dap-19"));
            let mut command =
                vec!["python3".to_owned(), root.join("experiments/debuggers/plant.py").display().to_string()];
            command.extend([(*kind).to_owned(), period.to_string()]);
            command.append(&mut description.adapter);
            description.adapter = command;
            description.name = format!("{} with {kind} every {period}", description.name);
            let limits = Limits { answer: Duration::from_secs(4), ..Limits::default() };
            let mut backend = Dap::new(description, &folder.join(format!("{kind}-{period}")), limits)?;
            let share = left / (3 - number) as f64;
            let trial = run(&mut backend, programs, &Config::default(), share, None, |_| true);
            backend.discard();
            left -= trial.cpu;
            let how = trial.warnings.first().map(|found| {
                (found.transformation.clone(), found.text.lines().take(4).collect::<Vec<_>>().join(" | "))
            });
            eprintln!("{kind} every {period}: {how:?} after {:.0} s, {} cases", trial.cpu, trial.cases);
            periods.push(
                json!({ "period": period, "found": how.is_some(), "cpu": trial.cpu, "cases": trial.cases,
                "unsteady": trial.unsteady.values().sum::<usize>(), "by": how.map(|how| how.0) }),
            );
        }
        let found = periods.iter().any(|period| period["found"] == true);
        rows.push(json!({ "kind": kind, "found": found, "periods": periods }));
    }
    Ok(rows)
}
