//! The failure report: the chain of events of all runs, up to where the output was normal, and the rows and lines that lead to the failure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use twinrun_base::{Budget, Case, Location};
use twinrun_explore::{Engine, Kind, Path, Source};
use twinrun_interp::observers::dependence::Event;
use twinrun_localize::report::words;
use twinrun_term::readable;

use crate::error::Error;
use crate::explain::value_text;
use crate::human::case_text;
use crate::mends::Mends;
use crate::report::{Failure, Suspected};
use crate::source_lines;
use crate::suspicion::{self, Suspect};
use crate::trace::{Happened, Line, Raw, Traced, Watched};

/// At most this share of the source lines is highlighted,
const LINES: f64 = 0.05;
/// and at most this share of the trace rows.
const ROWS: f64 = 0.07;

/// What led to a failure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailureReport {
    /// The inputs of the runs that are told.
    pub case: Case,
    /// The run that is suspected, counted from 1.
    pub suspected_run: u32,
    /// Everything that happened, in order.
    pub rows: Vec<Row>,
    /// The number of the row up to which the suspected run's output was normal.
    pub normal_until: Option<usize>,
    /// The lines that lead to the failure, the most suspicious first.
    pub lines: Vec<SuspectLine>,
    /// The lines that come next, not highlighted any more.
    #[serde(default)]
    pub next: Vec<SuspectLine>,
    /// Lines of source code of the subject, without blanks and comments.
    pub source_lines: usize,
    /// Rows that tell of the trace.
    pub trace_rows: usize,
    /// Highlighted ones among them.
    pub highlighted_rows: usize,
}

impl FailureReport {
    /// The highlighted share of source lines, in percent.
    pub fn lines_percent(&self) -> f64 {
        percent(self.lines.len(), self.source_lines)
    }

    /// The highlighted share of trace rows, in percent.
    pub fn rows_percent(&self) -> f64 {
        percent(self.highlighted_rows, self.trace_rows)
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// A highlighted line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuspectLine {
    /// Where.
    pub location: Location,
    /// How suspicious it is.
    pub score: f64,
    /// The change of it that mends best, in words; none when no change of it makes a failing group hold.
    #[serde(default)]
    pub mend: Option<String>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The run, counted from 1.
    pub run: u32,
    /// What kind of row.
    pub kind: RowKind,
    /// In words.
    pub text: String,
    /// Where.
    pub location: Option<Location>,
    /// Whether it leads to the failure.
    pub highlighted: bool,
}

/// What a row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// A symbolic input of a run.
    Input,
    /// Part of the trace: a function entered or left, a branch taken.
    Trace,
    /// A constraint that the branch before it added.
    Constraint,
    /// A symbolic output of a run.
    Output,
    /// The output has been normal up to here.
    Normal,
    /// The check that failed.
    Failure,
    /// What was expected instead: what the other run answers.
    Expected,
    /// What the inputs that fail on these paths have, and those that do not fail lack.
    Trigger,
    /// Inputs that show it.
    Example,
    /// In how many violations a run's path occurs, and which run is suspected therefore.
    Violations,
}

impl RowKind {
    /// All of them.
    pub const ALL: [RowKind; 10] = [
        RowKind::Input,
        RowKind::Trace,
        RowKind::Constraint,
        RowKind::Output,
        RowKind::Normal,
        RowKind::Failure,
        RowKind::Expected,
        RowKind::Trigger,
        RowKind::Example,
        RowKind::Violations,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            RowKind::Input => "input",
            RowKind::Trace => "trace",
            RowKind::Constraint => "constraint",
            RowKind::Output => "output",
            RowKind::Normal => "normal",
            RowKind::Failure => "failure",
            RowKind::Expected => "expected",
            RowKind::Trigger => "trigger",
            RowKind::Example => "example",
            RowKind::Violations => "violations",
        }
    }
}

impl std::str::FromStr for RowKind {
    type Err = String;

    fn from_str(text: &str) -> Result<RowKind, String> {
        let all = RowKind::ALL;
        all.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            let names: Vec<&str> = all.into_iter().map(RowKind::name).collect();
            format!("`{text}` is no kind of row: there are {}", names.join(", "))
        })
    }
}

/// What a report is made of.
pub(crate) struct Material<'a> {
    pub(crate) watched: &'a Watched<'a>,
    pub(crate) engine: &'a mut Engine,
    /// Cases that violate the relation, that of the report first.
    pub(crate) failing: Vec<Case>,
    /// Cases for which it holds.
    pub(crate) holding: Vec<Case>,
    /// Changes that make failing cases hold.
    pub(crate) mends: Mends,
    /// The failing pair that is told, and which path of it is suspected.
    pub(crate) failure: &'a Failure,
    pub(crate) blamed: &'a Suspected,
    /// Whether somebody chose the suspected run: what the other runs do is then no evidence.
    pub(crate) is_chosen: bool,
    /// Where the source files of the subject lie.
    pub(crate) sources: PathBuf,
    pub(crate) until: Budget,
}

/// Makes the report of the first failing case.
pub(crate) fn make(material: Material<'_>) -> Result<Option<FailureReport>, Error> {
    let Material { watched, engine, failing, holding, mends, failure, blamed, is_chosen, sources, until } =
        material;
    let Some(case) = failing.first().cloned() else { return Ok(None) };
    let suspected = blamed.run as usize - 1;
    let only = is_chosen.then_some(suspected);
    let suspects = suspicion::rank(watched, &failing, &holding, &mends, only, until)?;
    let traced = watched.run(&case)?;
    let path = engine.run(Source::Case(case.clone()))?;
    let module = watched.subject();
    let files: Vec<PathBuf> = (0..module.sites.files.len() as u32)
        .filter(|file| module.user_file(*file) && !watched.relation_lines().contains(file))
        .map(|file| sources.join(&module.sites.files[file as usize]))
        .collect();
    let source_lines = source_lines::count(&files);
    let most = ((source_lines as f64 * LINES) as usize).max(1);
    let (chosen, next) = suspects.split_at(most.min(suspects.len()));
    let starts = suspicion::wrong_outputs(watched, &traced);
    let slice = traced.slice(&starts.concat());
    let normal = normal_until(&traced, suspected, &starts);
    // What the suspected run did after its output was last normal; all that it did where none of that is suspicious. Another run is never highlighted.
    let own = |row: &Raw| row.run as usize == suspected;
    let after = |row: &Raw| own(row) && normal.is_none_or(|event| row.event > event);
    let mut highlighted = highlight(watched, &traced, &slice, chosen, after);
    if highlighted.is_empty() {
        highlighted = highlight(watched, &traced, &slice, chosen, own);
    }
    let mut report = FailureReport {
        case,
        suspected_run: suspected as u32 + 1,
        rows: Vec::new(),
        normal_until: None,
        lines: lines(watched, chosen),
        next: lines(watched, next),
        source_lines,
        trace_rows: traced.rows().len(),
        highlighted_rows: highlighted.len(),
    };
    tell(&mut report, watched, engine, &traced, &path, &highlighted, normal);
    conclude(&mut report, failure, blamed);
    Ok(Some(report))
}

fn lines(watched: &Watched<'_>, suspects: &[Suspect<'_>]) -> Vec<SuspectLine> {
    let files = &watched.subject().sites.files;
    let line = |suspect: &Suspect<'_>| {
        let (file, line) = suspect.line;
        SuspectLine {
            location: Location { file: files[file as usize].clone(), line, column: 0 },
            score: suspect.score,
            mend: suspect.mended.map(|mended| {
                format!(
                    "{} fixes {} of {} failing groups and leaves {} of {} holding ones as they are",
                    words(mended.change),
                    mended.mended,
                    mended.violated,
                    mended.kept,
                    mended.holding
                )
            }),
        }
    };
    suspects.iter().map(line).collect()
}

/// The rows to highlight, as positions in the trace: of the most suspicious lines, the latest first.
fn highlight(
    watched: &Watched<'_>,
    traced: &Traced,
    slice: &[bool],
    chosen: &[Suspect<'_>],
    wanted: impl Fn(&Raw) -> bool,
) -> BTreeSet<usize> {
    let most = ((traced.rows().len() as f64 * ROWS) as usize).max(1);
    let mut by_line: BTreeMap<Line, Vec<usize>> = BTreeMap::new();
    for (position, row) in traced.rows().iter().enumerate() {
        if slice[row.event as usize]
            && wanted(row)
            && let Some(line) = watched.line(traced, row.event)
        {
            by_line.entry(line).or_default().push(position);
        }
    }
    let mut highlighted = BTreeSet::new();
    // One round gives every line its latest row, the next its second latest, and so on.
    for round in 0.. {
        let mut any = false;
        for suspect in chosen {
            let Some(positions) = by_line.get(&suspect.line) else { continue };
            if let Some(&position) = positions.iter().rev().nth(round) {
                any = true;
                if highlighted.len() < most {
                    highlighted.insert(position);
                }
            }
        }
        if !any || highlighted.len() >= most {
            break;
        }
    }
    highlighted
}

/// The last event of the suspected run that wrote an output that was still right.
fn normal_until(traced: &Traced, suspected: usize, starts: &[Vec<Event>]) -> Option<Event> {
    let writers = traced.writers(suspected);
    let wrong = starts.get(suspected)?.first().copied()?;
    let position = writers.iter().position(|&writer| writer == wrong).unwrap_or(writers.len());
    position.checked_sub(1).map(|position| writers[position])
}

/// What the paper's reports end with: the failure, what was expected, the trigger, an example, and why this run is suspected.
fn conclude(report: &mut FailureReport, failure: &Failure, blamed: &Suspected) {
    let run = report.suspected_run;
    let mut say = |run: u32, kind: RowKind, text: String| {
        report.rows.push(Row { run, kind, text, location: None, highlighted: false });
    };
    say(run, RowKind::Failure, format!("failure detected: line {}: {}", failure.line, failure.check));
    // The outputs of the suspected run, as another run has them.
    for output in failure.outputs.iter().filter(|output| output.run == run) {
        let other = failure.outputs.iter().find(|it| it.run != run && it.name == output.name);
        if let Some(other) = other.filter(|other| other.value != output.value) {
            say(
                run,
                RowKind::Expected,
                format!("{} = {}, as run {} answers", other.name, other.value, other.run),
            );
        }
    }
    if let (true, Some((left, right))) = (failure.outputs.is_empty(), &failure.sides) {
        say(run, RowKind::Expected, format!("left {left}, right {right}"));
    }
    if let Some(trigger) = &failure.trigger {
        say(run, RowKind::Trigger, trigger.to_string());
    }
    if let Some(witness) = &failure.witness {
        say(run, RowKind::Example, case_text(&witness.case));
    }
    for (number, count) in (1..).zip(&blamed.violations) {
        say(number, RowKind::Violations, format!("its path occurs in {count} failing pairs"));
    }
    say(run, RowKind::Violations, "its path is suspected".to_owned());
}

/// Puts everything into words.
fn tell(
    report: &mut FailureReport,
    watched: &Watched<'_>,
    engine: &Engine,
    traced: &Traced,
    path: &Path,
    highlighted: &BTreeSet<usize>,
    normal: Option<Event>,
) {
    let module = watched.subject();
    let terms = &engine.domain.terms;
    let name = |index: u32| {
        let function = module.sites.functions.iter().find(|function| function.index == index);
        function.map_or_else(|| format!("function {index}"), |function| function.name.clone())
    };
    let said = |run: u32, output: bool| -> Vec<Row> {
        let own = path.told.iter().filter(|told| told.run == run && told.output == output);
        own.map(|told| Row {
            run: run + 1,
            kind: if output { RowKind::Output } else { RowKind::Input },
            text: format!("{} = {}", told.name, value_text(terms, &told.values)),
            location: None,
            highlighted: false,
        })
        .collect()
    };
    let mut decided = path.decided.iter().filter(|decided| decided.run.is_some());
    let mut current = None;
    for (position, row) in traced.rows().iter().enumerate() {
        if current != Some(row.run) {
            if let Some(last) = current {
                report.rows.extend(said(last, true));
            }
            report.rows.extend(said(row.run, false));
            current = Some(row.run);
        }
        if row.run + 1 == report.suspected_run
            && report.normal_until.is_none()
            && normal.is_some_and(|event| row.event > event)
        {
            report.normal_until = Some(report.rows.len());
            report.rows.push(Row {
                run: row.run + 1,
                kind: RowKind::Normal,
                text: "output has been normal up to this point".to_owned(),
                location: None,
                highlighted: false,
            });
        }
        let line = watched.line(traced, row.event);
        let location = line.map(|(file, line)| Location {
            file: module.sites.files[file as usize].clone(),
            line,
            column: 0,
        });
        let (text, constraint) = match row.happened {
            Happened::Entered(function) => (format!("entered {}", name(function)), None),
            Happened::Left(function) => (format!("returned from {}", name(function)), None),
            Happened::Branched { outcome, .. } => {
                let decision = decided.next().map(|decided| decided.decision);
                let added = path.conditions.iter().find(|condition| {
                    Some(condition.decision) == decision
                        && matches!(condition.kind, Kind::Branch { .. } | Kind::Switch { .. })
                });
                let text = match outcome {
                    0 => "false branch taken".to_owned(),
                    1 => "true branch taken".to_owned(),
                    other => format!("branch {other} taken"),
                };
                (text, added.map(|condition| readable::show(terms, condition.term)))
            }
        };
        let is_highlighted = highlighted.contains(&position);
        report.rows.push(Row {
            run: row.run + 1,
            kind: RowKind::Trace,
            text,
            location: location.clone(),
            highlighted: is_highlighted,
        });
        if let Some(constraint) = constraint {
            report.rows.push(Row {
                run: row.run + 1,
                kind: RowKind::Constraint,
                text: constraint,
                location,
                highlighted: is_highlighted,
            });
        }
    }
    if let Some(last) = current {
        report.rows.extend(said(last, true));
    }
}
