//! Warnings judged by hand: `judged.json` says of each kind of warning whether it points to a bug of the debugger.

use serde::Deserialize;
use twinrun_debugger::Warning;

/// A judgement on all warnings that fit.
#[derive(Debug, Deserialize)]
pub(crate) struct Judgement {
    /// How the debugger's name begins.
    pub(crate) debugger: String,
    /// The group, or how it begins.
    pub(crate) group: String,
    /// Whether it is a bug of the debugger.
    pub(crate) bug: bool,
    /// Why.
    pub(crate) why: String,
}

/// All judgements, the more special ones first.
pub(crate) fn judgements() -> Vec<Judgement> {
    serde_json::from_str(include_str!("../judged.json")).expect("judged.json is a list of judgements")
}

/// The judgement on a warning.
pub(crate) fn judge<'j>(judgements: &'j [Judgement], warning: &Warning) -> Option<&'j Judgement> {
    let group = warning.group();
    judgements.iter().find(|judgement| {
        warning.debugger.starts_with(&judgement.debugger) && group.starts_with(&judgement.group)
    })
}
