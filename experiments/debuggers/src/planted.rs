//! Faults planted by a proxy (`plant.py`) between us and a real adapter: each has to be found.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use twinrun_debugger::backends::dap::{Dap, Description};
use twinrun_debugger::{Config, Limits, Program, confirm};

use crate::Failure;
use crate::trial::{Until, run};

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

/// Processor seconds for each kind, over its periods.
const SECONDS: f64 = 110.0;

/// One row a kind: which of its periods was found first, how often the fault acted until then, and after how many seconds. A kind that was
/// done before is not done again.
pub(crate) fn all(
    root: &Path,
    programs: &[Program],
    folder: &Path,
    out: &Path,
    only: &[String],
) -> Result<(), Failure> {
    let mut rows: BTreeMap<String, Value> = std::fs::read_to_string(out)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    for kind in KINDS {
        let asked = only.iter().any(|word| word == kind);
        if !(asked || only.is_empty() && !rows.contains_key(kind)) {
            continue;
        }
        rows.insert(kind.to_owned(), one(root, programs, folder, kind)?);
        std::fs::write(out, serde_json::to_string_pretty(&rows)?)?;
    }
    Ok(())
}

/// The fault acts at every opportunity, then at every second, then at every third, until one of them is found.
fn one(root: &Path, programs: &[Program], folder: &Path, kind: &str) -> Result<Value, Failure> {
    let adapter = Path::new("/usr/bin/lldb-dap-19");
    let limits = Limits { answer: Duration::from_secs(4), ..Limits::default() };
    // What the adapter does without a fault is none that was planted.
    let mut plain = Dap::new(Description::lldb(adapter), &folder.join("plain"), limits.clone())?;
    let (mut periods, mut left) = (Vec::new(), SECONDS);
    for (number, period) in [1, 2, 3].into_iter().enumerate() {
        let own = folder.join(format!("{kind}-{period}"));
        std::fs::create_dir_all(&own)?;
        let log = own.join("acted");
        std::fs::write(&log, "")?;
        let mut description = Description::lldb(adapter);
        let mut command =
            vec!["python3".to_owned(), root.join("experiments/debuggers/plant.py").display().to_string()];
        command.extend([kind.to_owned(), period.to_string(), log.display().to_string()]);
        command.append(&mut description.adapter);
        description.adapter = command;
        description.name = format!("{} with {kind} every {period}", description.name);
        let mut backend = Dap::new(description, &own, limits.clone())?;
        let until = Until { seconds: left / (3 - number) as f64, cases: usize::MAX };
        let (mut without, mut acted_before) = (0, 0);
        let trial = run(&mut backend, programs, &Config::default(), until, None, &mut |_, warning, _| {
            let acted = std::fs::metadata(&log).map_or(0, |known| known.len());
            let mut again = warning.clone();
            let fault = acted > acted_before && !confirm(&mut plain, &mut again, None).unwrap_or(false);
            acted_before = acted;
            without += usize::from(!fault);
            fault.then_some((warning, true))
        });
        left -= trial.cpu;
        let acted = std::fs::metadata(&log).map_or(0, |known| known.len());
        let how = trial.warnings.first().map(|found| {
            (found.transformation.clone(), found.text.lines().take(4).collect::<Vec<_>>().join(" | "))
        });
        eprintln!(
            "{kind} every {period}: acted {acted} times, {how:?} after {:.0} s, {} cases",
            trial.cpu, trial.cases
        );
        let found = how.is_some();
        periods.push(
            json!({ "period": period, "found": found, "acted": acted, "cpu": trial.cpu, "cases": trial.cases,
            "unsteady": trial.unsteady, "discarded": trial.discarded, "also_without": without,
            "by": how.as_ref().map(|how| &how.0), "how": how.as_ref().map(|how| &how.1) }),
        );
        if found {
            break;
        }
    }
    let found = periods.iter().any(|period| period["found"] == true && period["acted"] != 0);
    Ok(json!({ "kind": kind, "found": found, "periods": periods }))
}
