//! A report as text for people, JSON, SARIF and a heat map in HTML. Pure functions; the source text comes from the caller.

mod html;
mod human;
mod sarif;

use std::path::Path;

use twinrun_report::Sources;

use crate::report::Report;

pub use html::html;
pub use human::human;
pub use sarif::sarif;

/// The files that a report names.
fn files(report: &Report) -> impl Iterator<Item = &str> {
    let heat = report.heat.iter().map(|heat| heat.location.file.as_str());
    heat.chain(report.suspects.iter().map(|suspect| suspect.location.file.as_str()))
}

/// Reads the files that a report names, relative to the project's folder.
pub fn sources(report: &Report, folder: &Path) -> Sources {
    let mut sources = Sources::default();
    sources.read_more(folder, files(report));
    sources
}

/// The report as JSON.
pub fn json(report: &Report) -> String {
    serde_json::to_string_pretty(report).map(|text| text + "\n").unwrap_or_default()
}

/// What a state means and what to do, where there is something to say.
pub fn advice(report: &Report) -> Option<String> {
    use crate::report::State;
    let groups = &report.groups;
    match report.state {
        State::Ranked => None,
        State::NoViolations => Some(format!(
            "No group was violated: {} groups hold. There is nothing to locate. If you know of a fault, the relations do not notice it: add one that \
             does, or draw more groups with --groups.",
            groups.holding
        )),
        State::NoGroups => Some(
            "No group ended, so that nothing can be said: see the notes, allow other cases, or give them more work with limits in twinrun.toml.".to_owned(),
        ),
        State::NoHolding => Some(format!(
            "No group holds: all {} groups are violated, so that nothing tells the lines apart that they run. The relation itself may be wrong; else add \
             one that holds on some inputs, or allow simpler inputs.",
            groups.violated
        )),
        State::AllTie => Some(
            "All suspects tie: the violated groups run the same lines as the holding ones. Try --slice relevant, further relations, or inputs that take \
             other ways through the subject."
                .to_owned(),
        ),
        State::NoCoverage => Some(
            "Groups were violated, but no coverage was observed: build with debug information (-g -O0), or for a command say where its coverage comes \
             from (`coverage` in twinrun.toml)."
                .to_owned(),
        ),
    }
}
