//! Which lines lead to a failure: lines of the failing slices, ranked by three kinds of evidence.
//!
//! - Involvement: a line in what affects wrong outputs, and not in what affects right ones (Ochiai's formula over groups, as for metamorphic slices).
//! - Asymmetry: what affects the output in one run of a failing group and not in the other. Code that both runs execute alike tends to err alike.
//! - Mending: one change of the line, in all runs, makes failing groups hold and leaves the answers of holding ones as they are ([`crate::mends`]). Lines
//!   beside such a line have half of its weight: what is missing has no line of its own.

use std::collections::{BTreeMap, BTreeSet};

use twinrun_base::{Budget, Case, Verdict};
use twinrun_interp::observers::dependence::Event;
use twinrun_localize::mend::Mended;

use crate::error::Error;
use crate::mends::Mends;
use crate::trace::{Happened, Line, Traced, Watched};

/// Failing and holding groups that are looked at.
const MOST_FAILING: usize = 12;
const MOST_HOLDING: usize = 80;
/// So far from a line that mends, lines count as beside it.
const BESIDE: u32 = 2;

/// The lines of a slice in one run, and the outcomes that branches in it had.
type Ran = (BTreeSet<Line>, BTreeSet<(u32, u32)>);

/// A line with the evidence against it.
pub(crate) struct Suspect<'a> {
    pub(crate) line: Line,
    pub(crate) score: f64,
    /// The change of it that mends best.
    pub(crate) mended: Option<&'a Mended>,
}

#[derive(Default)]
struct Evidence {
    failing: f64,
    holding: f64,
    asymmetric: f64,
}

/// The events from which the wrong output of each run is followed backwards.
pub(crate) fn wrong_outputs(watched: &Watched<'_>, traced: &Traced) -> Vec<Vec<Event>> {
    let runs = &traced.observation.runs;
    if !watched.runs_programs() {
        let starts: Vec<Event> = traced.last_check().into_iter().collect();
        return vec![starts; runs.len()];
    }
    let programs: Vec<_> = runs.iter().filter_map(|record| record.run.program.as_ref()).collect();
    let end = |run: usize| -> Vec<Event> { traced.last_host_call(run).into_iter().collect() };
    if traced.verdict() == Verdict::Crashed || programs.iter().any(|program| program.exit != 0) {
        let bad = |run: usize| programs.get(run).is_none_or(|program| program.exit != 0);
        return (0..runs.len()).map(|run| if bad(run) { end(run) } else { Vec::new() }).collect();
    }
    let first = programs.first().map(|program| &program.stdout[..]).unwrap_or_default();
    let last = programs.last().map(|program| &program.stdout[..]).unwrap_or_default();
    let same = first.iter().zip(last).take_while(|(a, b)| a == b).count();
    (0..runs.len())
        .map(|run| {
            let writers = traced.writers(run);
            if first == last {
                return writers;
            }
            match writers.get(same) {
                Some(&writer) => vec![writer],
                // The output stops too early.
                None => end(run).into_iter().chain(writers.last().copied()).collect(),
            }
        })
        .collect()
}

/// For each run the lines of a slice, and the outcomes that branches in it had.
fn involved(watched: &Watched<'_>, traced: &Traced, slice: &[bool], hidden: &[u32]) -> Vec<Ran> {
    let runs = traced.observation.runs.len();
    let mut found = vec![(BTreeSet::new(), BTreeSet::new()); runs];
    for (run, (lines, _)) in found.iter_mut().enumerate() {
        let mut last = None;
        for event in traced.events(run) {
            if slice[event as usize]
                && let Some(line) = watched.line(traced, event)
                && last != Some(line)
                && !hidden.contains(&line.0)
            {
                lines.insert(line);
                last = Some(line);
            }
        }
    }
    for row in traced.rows() {
        if let (Happened::Branched { site, outcome }, true) = (row.happened, slice[row.event as usize])
            && let Some((_, outcomes)) = found.get_mut(row.run as usize)
        {
            outcomes.insert((site, outcome));
        }
    }
    found
}

/// Ranks the lines, the most suspicious first. Where one run is looked at only, what the others do is no evidence.
pub(crate) fn rank<'a>(
    watched: &Watched<'_>,
    failing: &[Case],
    holding: &[Case],
    mends: &'a Mends,
    only: Option<usize>,
    until: Budget,
) -> Result<Vec<Suspect<'a>>, Error> {
    let wanted = |run: usize| only.is_none_or(|only| only == run);
    let hidden = watched.relation_lines();
    let mut evidence: BTreeMap<Line, Evidence> = BTreeMap::new();
    let mut failures = 0.0;
    let mut silent = false;
    for case in failing.iter().take(MOST_FAILING) {
        if failures > 0.0 && until.is_over() {
            break;
        }
        let traced = watched.run(case)?;
        silent |= watched.runs_programs() && is_silent(&traced);
        let slice = if silent {
            traced.everything()
        } else {
            traced.slice(&wrong_outputs(watched, &traced).concat())
        };
        let runs = involved(watched, &traced, &slice, &hidden);
        failures += 1.0;
        let own = runs.iter().enumerate().filter(|(run, _)| wanted(*run));
        let all: BTreeSet<Line> = own.flat_map(|(_, (lines, _))| lines).copied().collect();
        let differing = differing_lines(watched, &traced, &runs);
        for line in all {
            let known = evidence.entry(line).or_default();
            known.failing += 1.0;
            let in_some_only = !runs.iter().all(|(lines, _)| lines.contains(&line));
            if in_some_only || differing.contains(&line) {
                known.asymmetric += 1.0;
            }
        }
    }
    for case in spread(holding, MOST_HOLDING) {
        if until.is_over() {
            break;
        }
        let traced = watched.run(case)?;
        let slice = if silent { traced.everything() } else { traced.output_slice(watched.runs_programs()) };
        let runs = involved(watched, &traced, &slice, &hidden);
        let own = runs.iter().enumerate().filter(|(run, _)| wanted(*run));
        let all: BTreeSet<Line> = own.flat_map(|(_, (lines, _))| lines).copied().collect();
        for line in all {
            evidence.entry(line).or_default().holding += 1.0;
        }
    }
    let mut mended = mends.best(watched);
    mended.retain(|line, _| !hidden.contains(&line.0));
    for line in mended.keys() {
        evidence.entry(*line).or_default();
    }
    let beside = |(file, number): Line| -> f64 {
        let near = mended.range((file, number.saturating_sub(BESIDE))..=(file, number + BESIDE));
        near.map(|(_, mended)| mended.score()).fold(0.0, f64::max) / 2.0
    };
    let suspect = |(line, known): (Line, Evidence)| {
        let touched = known.failing + known.holding;
        let ochiai = if touched > 0.0 { known.failing / (failures * touched).sqrt() } else { 0.0 };
        let asymmetric = known.asymmetric / f64::max(failures, 1.0);
        let own = mended.get(&line).copied();
        let mending = own.map_or(0.0, Mended::score).max(beside(line));
        Suspect { line, score: ochiai + asymmetric / 2.0 + mending, mended: own }
    };
    let involved =
        evidence.into_iter().filter(|(line, known)| known.failing > 0.0 || mended.contains_key(line));
    let mut suspects: Vec<Suspect<'a>> = involved.map(suspect).collect();
    suspects.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.line.cmp(&b.line)));
    Ok(suspects)
}

/// Whether a run wrote nothing at all: what did not happen has no slice, so that everything executed counts.
fn is_silent(traced: &Traced) -> bool {
    (0..traced.observation.runs.len()).all(|run| traced.writers(run).is_empty())
}

/// Lines whose branches had other outcomes in one run than in the others.
fn differing_lines(watched: &Watched<'_>, traced: &Traced, runs: &[Ran]) -> BTreeSet<Line> {
    let mut differing = BTreeSet::new();
    let Some((_, first)) = runs.first() else { return differing };
    for row in traced.rows() {
        if let Happened::Branched { site, outcome } = row.happened
            && let Some(line) = watched.line(traced, row.event)
            && runs
                .iter()
                .any(|(_, outcomes)| outcomes.contains(&(site, outcome)) != first.contains(&(site, outcome)))
        {
            differing.insert(line);
        }
    }
    differing
}

/// So many of a list, evenly spread.
pub(crate) fn spread<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    let step = all.len().div_ceil(most).max(1);
    all.iter().step_by(step)
}
