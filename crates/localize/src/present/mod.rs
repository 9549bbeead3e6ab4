//! A report as text for people, JSON, SARIF and a heat map in HTML. Pure functions; the source text comes from the caller.

mod html;
mod human;
mod sarif;

use std::collections::BTreeMap;

use crate::report::Report;

pub use html::html;
pub use human::human;
pub use sarif::sarif;

/// The lines of source files, by path.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<String, Vec<String>>);

impl Sources {
    /// Reads the files that a report names; `read` gives the text of one, if it can.
    pub fn of(report: &Report, read: impl Fn(&str) -> Option<String>) -> Sources {
        let mut sources = BTreeMap::new();
        let heat = report.heat.iter().map(|heat| &heat.location.file);
        for file in heat.chain(report.suspects.iter().map(|suspect| &suspect.location.file)) {
            if !sources.contains_key(file)
                && let Some(text) = read(file)
            {
                sources.insert(file.clone(), text.lines().map(str::to_owned).collect());
            }
        }
        Sources(sources)
    }

    /// A line, counted from 1.
    pub fn line(&self, file: &str, line: u32) -> Option<&str> {
        self.0.get(file)?.get((line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// All files with their lines.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(file, lines)| (file.as_str(), lines.as_slice()))
    }
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
