//! A campaign with one debugger for some seconds of processor time: what it counted, and each warning as JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_base::cut;
use twinrun_debugger::backends::chromium::Chromium;
use twinrun_debugger::backends::dap::{Dap, Description};
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::{
    Backend, Config, Limits, Program, Verdict, Warning, replay_data, run_test, transformations, turns,
};

use crate::Failure;
use crate::spent::Spent;

/// What a campaign counted and found.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Trial {
    /// The debugger with its version.
    pub(crate) debugger: String,
    pub(crate) tests: usize,
    pub(crate) cases: usize,
    pub(crate) sessions: usize,
    pub(crate) unsteady: BTreeMap<String, usize>,
    pub(crate) leaked: usize,
    pub(crate) discarded: BTreeMap<String, usize>,
    pub(crate) explained: BTreeMap<String, usize>,
    /// Processor seconds, ours and the debugger's.
    pub(crate) cpu: f64,
    pub(crate) warnings: Vec<Found>,
    /// Where the next slice of the campaign goes on: tests that were begun, over all programs and seeds.
    #[serde(default)]
    pub(crate) begun: usize,
}

/// A warning, reduced.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) cause: String,
    /// The cause as it was before it was reduced.
    #[serde(default)]
    pub(crate) first_cause: String,
    pub(crate) transformation: String,
    pub(crate) program: String,
    pub(crate) seed: u64,
    /// Processor seconds into the campaign.
    pub(crate) after: f64,
    pub(crate) text: String,
    pub(crate) data: Value,
}

/// How long a campaign goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    /// Processor seconds, with those of earlier slices.
    pub(crate) seconds: f64,
    /// Cases after which it has done enough.
    pub(crate) cases: usize,
}

/// What is made of a warning: what is kept of it, and whether it is the last one that is wanted.
pub(crate) type Attend<'a> = dyn FnMut(&mut dyn Backend, Warning, &Trial) -> Option<(Warning, bool)> + 'a;

/// Starts a debugger by its name in the study.
pub(crate) fn start(root: &Path, name: &str, folder: &Path) -> Result<Box<dyn Backend>, Failure> {
    let limits = Limits { answer: Duration::from_secs(5), ..Limits::default() };
    Ok(match name {
        "chromium" => {
            let mut browser = Chromium::new(Path::new("/usr/bin/chromium"), folder, limits)?;
            let tab = browser.another_tab()?;
            Box::new(tab)
        }
        "lldb-dap" => {
            Box::new(Dap::new(Description::lldb(Path::new("/usr/bin/lldb-dap-19")), folder, limits)?)
        }
        "debugpy" => {
            let packages = root.join(".deps/python");
            Box::new(Dap::new(Description::debugpy(Path::new("python3"), &packages)?, folder, limits)?)
        }
        "gdb" => {
            let gdb = root.join(".deps/gdb/run");
            Box::new(Dap::new(Description::gdb(&gdb), folder, limits)?)
        }
        "dlv" => Box::new(Dap::new(Description::delve(Path::new("/usr/bin/dlv")), folder, limits)?),
        node => {
            let binary: PathBuf =
                root.join(".deps/node").join(node.trim_start_matches("node-")).join("bin/node");
            Box::new(Node::new(&binary, Isolation::Context, limits)?)
        }
    })
}

/// Runs tests, in rounds through all programs, until the time is over or `attend` says so. A slice that was done before
/// is gone on with.
pub(crate) fn run(
    backend: &mut dyn Backend,
    programs: &[Program],
    config: &Config,
    until: Until,
    earlier: Option<Trial>,
    attend: &mut Attend<'_>,
) -> Trial {
    let mut trial = earlier.unwrap_or_default();
    backend.name().clone_into(&mut trial.debugger);
    let before = trial.cpu;
    let spent = Spent::begin();
    let began = Instant::now();
    let turns = turns(programs);
    let round: Vec<(usize, usize)> = turns
        .iter()
        .enumerate()
        .flat_map(|(program, count)| (0..*count).map(move |turn| (program, turn)))
        .collect();
    let mut now = 0.0;
    loop {
        // Looking costs a little; the wall clock is only for a debugger that waits more than it works.
        if trial.begun.is_multiple_of(4) {
            now = before + spent.seconds();
        }
        let waited = began.elapsed().as_secs_f64() > 12.0 * until.seconds;
        if now > until.seconds || waited || trial.cases >= until.cases || cut::is_requested() {
            break;
        }
        let (program, turn) = round[trial.begun % round.len()];
        let seed = (trial.begun / round.len() * turns[program] + turn) as u64;
        let program = &programs[program];
        trial.begun += 1;
        let config = Config { transformations: left(config, &trial), ..config.clone() };
        let report = match run_test(backend, program, seed, &config) {
            Ok(report) => report,
            Err(error) => {
                backend.discard();
                *trial.discarded.entry(error.to_string()).or_default() += 1;
                continue;
            }
        };
        trial.tests += 1;
        trial.cases += report.rounds.len();
        trial.sessions += report.sessions;
        for (why, times) in &report.explained {
            *trial.explained.entry(why.clone()).or_default() += times;
        }
        match report.verdict {
            Verdict::Holds => {}
            Verdict::Unsteady(what) => *trial.unsteady.entry(what).or_default() += 1,
            Verdict::Leaked(_) => trial.leaked += 1,
            Verdict::Discarded(why) => *trial.discarded.entry(why).or_default() += 1,
            Verdict::Warning(warning) => {
                let first_cause = warning.cause();
                let Some((warning, last)) = attend(backend, *warning, &trial) else { continue };
                let found = Found {
                    cause: warning.cause(),
                    first_cause,
                    transformation: warning.plan.transformation.clone(),
                    program: warning.initial.program.name.clone(),
                    seed,
                    after: before + spent.seconds(),
                    text: warning.text(),
                    data: replay_data(&warning),
                };
                trial.warnings.push(found);
                if last {
                    break;
                }
            }
        }
    }
    trial.cpu = before + spent.seconds();
    backend.discard();
    trial
}

/// Warnings after which a transformation has shown what it can show of this debugger: the time goes to the others.
const MOST_OF_ONE: usize = 10;

/// The transformations that a campaign still uses.
fn left(config: &Config, trial: &Trial) -> Vec<String> {
    let shown = |name: &str| trial.warnings.iter().filter(|found| found.transformation == name).count();
    let allowed = |name: &&str| {
        config.transformations.is_empty() || config.transformations.iter().any(|known| known == name)
    };
    let names = transformations::ALL.iter().map(|known| known.name());
    names.filter(allowed).filter(|name| shown(name) < MOST_OF_ONE).map(str::to_owned).collect()
}
