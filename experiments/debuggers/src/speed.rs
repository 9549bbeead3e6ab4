//! How many metamorphic test cases and five-round tests a second of processor time is good for.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::{Backend as _, Config, Limits, Program, run_test};
use twinrun_results::cpu_seconds;

use crate::Failure;

/// Tests that are timed.
const TESTS: usize = 400;

/// Metamorphic test cases and five-round tests in a second of processor time, ours and Node's together.
pub(crate) fn measure(binary: &Path, programs: &[Program]) -> Result<Option<(f64, f64)>, Failure> {
    if !binary.exists() {
        return Ok(None);
    }
    let mut node = Node::new(binary, Isolation::Context, Limits::default())?;
    // The first test starts the process and warms it up.
    run_test(&mut node, &programs[0], 1_000, &Config::default())?;
    let before = cpu_seconds();
    let began = Instant::now();
    let (mut cases, mut tests) = (0usize, 0usize);
    for (index, program) in programs.iter().cycle().enumerate() {
        let report = run_test(&mut node, program, 1_000 + index as u64, &Config::default())?;
        cases += report.rounds.len();
        tests += 1;
        if tests >= TESTS || began.elapsed() > Duration::from_secs(120) {
            break;
        }
    }
    // A child's time counts once it is waited for.
    node.discard();
    let spent = cpu_seconds() - before;
    Ok(Some((cases as f64 / spent, tests as f64 / spent)))
}

/// The rates of an earlier run.
pub(crate) fn earlier(root: &Path) -> Option<(f64, f64)> {
    let text = std::fs::read_to_string(root.join("experiments/results/debuggers.json")).ok()?;
    let totals = &serde_json::from_str::<Value>(&text).ok()?["totals"];
    Some((totals["tests_per_second"].as_f64()?, totals["five_round_tests_per_second"].as_f64()?))
}
