//! Warnings judged by hand, one by one: `judged.json` says of each whether it points to a bug of the debugger, and why.

use std::path::Path;

use serde::Deserialize;
use twinrun_debugger::Warning;

use crate::Failure;

/// The judgement on one warning.
#[derive(Debug, Deserialize)]
pub(crate) struct Judgement {
    /// The debugger with its version.
    debugger: String,
    /// The program.
    program: String,
    /// The seed of the test.
    seed: u64,
    /// The rounds of the test: a changed method makes other tests of the same seed.
    rounds: String,
    /// Whether it is a bug of the debugger.
    pub(crate) bug: bool,
    /// Why.
    pub(crate) why: String,
}

/// All judgements, read anew in every run: judging needs no new build.
pub(crate) fn judgements(root: &Path) -> Result<Vec<Judgement>, Failure> {
    let text = std::fs::read_to_string(root.join("experiments/debuggers/judged.json"))?;
    Ok(serde_json::from_str(&text)?)
}

/// The judgement on a warning, if anybody has looked at it.
pub(crate) fn judge<'j>(judgements: &'j [Judgement], warning: &Warning) -> Option<&'j Judgement> {
    let rounds = warning.rounds.join(", ");
    judgements.iter().find(|judgement| {
        judgement.debugger == warning.debugger
            && judgement.program == warning.initial.program.name
            && judgement.seed == warning.seed
            && judgement.rounds == rounds
    })
}
