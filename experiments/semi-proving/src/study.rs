//! One faulty version against all relations.

use std::error::Error;
use std::path::Path;

use serde::{Deserialize, Serialize};
use twinrun_base::work::SECOND;
use twinrun_campaign::Job;
use twinrun_prove::{Config, Report, Verdict, prove};
use twinrun_results::cpu_seconds;
use twinrun_solve::Program;
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::WasmSubject;

use crate::faults::Fault;

/// The published kinds of relations, and the relations that make up each.
pub(crate) const KINDS: [(&str, &[&str]); 4] = [
    ("MR1", &["complement"]),
    ("MR2", &["bracket"]),
    ("MR3", &["whole_line", "different_replacements"]),
    ("MR4", &["permute_class", "expand_class"]),
];

/// The version of the method: another one makes recorded cells void.
const ALGORITHM: u32 = 2;

/// No relation is known to need a quarter of this; paths are counted, so that a busy machine changes nothing.
const LIMIT: u64 = 240 * SECOND;

/// One faulty version.
#[derive(Serialize, Deserialize)]
pub(crate) struct Version {
    pub(crate) name: String,
    paths: u64,
    enough: usize,
    algorithm: u32,
    commit: String,
}

impl Version {
    pub(crate) fn new(name: &str, paths: u64, enough: usize, commit: String) -> Version {
        Version { name: name.to_owned(), paths, enough, algorithm: ALGORITHM, commit }
    }
}

impl Job for Version {
    fn label(&self) -> String {
        self.name.clone()
    }
}

/// What one relation showed of one version.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) relation: String,
    /// A pair on which the relation fails, confirmed in the other engine.
    pub(crate) detected: bool,
    /// A run that crashes.
    pub(crate) crashed: bool,
    pub(crate) fault_highlighted: bool,
    /// The place of the faulty line in the ranking, counted from 1; none when it is not there.
    pub(crate) fault_rank: Option<usize>,
    pub(crate) lines_percent: f64,
    pub(crate) rows_percent: f64,
    pub(crate) rows: usize,
    pub(crate) pairs: usize,
    pub(crate) failing: usize,
    pub(crate) complete: bool,
    pub(crate) seconds: f64,
    pub(crate) fails_when: String,
    pub(crate) witness: String,
}

/// Proves all relations of a version; looks for crashes of the checked build where no relation fails.
pub(crate) fn run(
    version: &Version,
    fault: Option<&Fault>,
    subject: &Path,
    work: &Path,
    root: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Cell>, Box<dyn Error>> {
    let folder = work.join(&version.name);
    let lines = match fault {
        Some(fault) => fault.apply(subject, &folder)?,
        None => Vec::new(),
    };
    let folder = if fault.is_some() { folder } else { subject.to_path_buf() };
    let project = Project::find(&folder)?;
    let opened = open(&project, "replace", &Environment::of_process(root))?;
    let SubjectKind::Module(modules) = opened.kind else { return Err("the subject is no module".into()) };
    let built = WasmSubject::of_built("replace", modules, opened.limits, "semi-proving")?;
    let config = Config {
        work: LIMIT,
        paths: Some(version.paths),
        no_safety: true,
        failures: 3,
        enough: Some(version.enough),
        sources: Some(folder.clone()),
        ..Config::new(Program::find(root)?)
    };
    let mut cells = Vec::new();
    for relation in KINDS.iter().flat_map(|(_, relations)| relations.iter()) {
        tell(relation);
        let before = cpu_seconds();
        let report = prove(&built, relation, &config, &mut |_| ())?;
        cells.push(cell(&report, fault, &lines, cpu_seconds() - before));
    }
    if !cells.iter().any(|cell: &Cell| cell.detected) {
        // Nothing failed: does anything crash in the checked build?
        if let Some(checked) = built.checked_modules() {
            let checked = WasmSubject::new("replace", checked.clone(), None, opened.limits, "semi-proving")?;
            for cell in &mut cells {
                let before = cpu_seconds();
                let report = prove(&checked, &cell.relation, &config, &mut |_| ())?;
                cell.crashed |= report.pairs.is_some_and(|pairs| pairs.broken > 0);
                cell.seconds += cpu_seconds() - before;
            }
        }
    }
    Ok(cells)
}

fn cell(report: &Report, fault: Option<&Fault>, lines: &[u32], seconds: f64) -> Cell {
    let pairs = report.pairs;
    let confirmed = report
        .failures
        .iter()
        .filter_map(|failure| failure.witness.as_ref())
        .any(|witness| witness.confirmed);
    let told = report.failure_report.as_ref();
    let at_fault = |file: &str, line: u32| {
        fault.is_some_and(|fault| file.ends_with(&fault.file)) && lines.contains(&line)
    };
    Cell {
        relation: report.relation.clone(),
        detected: report.verdict == Verdict::Violated && confirmed,
        crashed: pairs.is_some_and(|pairs| pairs.broken > 0),
        fault_highlighted: told.is_some_and(|told| {
            told.lines.iter().any(|line| at_fault(&line.location.file, line.location.line))
        }),
        fault_rank: told.and_then(|told| {
            let mut all = told.lines.iter().chain(&told.next);
            all.position(|line| at_fault(&line.location.file, line.location.line)).map(|place| place + 1)
        }),
        lines_percent: told.map_or(0.0, twinrun_prove::FailureReport::lines_percent),
        rows_percent: told.map_or(0.0, twinrun_prove::FailureReport::rows_percent),
        rows: told.map_or(0, |told| told.trace_rows),
        pairs: pairs.map_or(0, |pairs| pairs.pairs),
        failing: pairs.map_or(0, |pairs| pairs.failing),
        complete: pairs.is_some_and(|pairs| pairs.complete),
        seconds,
        fails_when: report
            .failures
            .first()
            .map(|failure| failure.fails_when.to_string().chars().take(160).collect())
            .unwrap_or_default(),
        witness: String::new(),
    }
}
