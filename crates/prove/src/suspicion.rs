//! Which lines lead to a failure: lines of the failing slices, ranked by four kinds of evidence.
//!
//! - Involvement: a line in what affects wrong outputs, and not in what affects right ones (Ochiai's formula over groups, as for metamorphic slices).
//! - Nearness: a line that affects the wrong output after the last right one was written (the published criterion).
//! - Asymmetry: what affects the output in one run of a failing group and not in the other. Code that both runs execute alike tends to err alike.
//! - Criticality: a branch whose other outcome, or a store whose other value, makes the failing group hold (predicate switching: Zhang, Gupta and Gupta,
//!   ICSE 2006; value replacement: Jeffrey, Gupta and Gupta, ISSTA 2008). Lines beside a critical one have half of its weight.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use twinrun_base::{Case, Verdict};
use twinrun_explore::{Engine, Replacement, Source};
use twinrun_interp::observers::dependence::Event;

use crate::error::Error;
use crate::trace::{Happened, Line, Raw, Traced, Watched};

/// Failing and holding groups that are looked at.
const MOST_FAILING: usize = 12;
const MOST_HOLDING: usize = 80;
/// Failing groups whose branches are switched.
const MOST_SWITCHED: usize = 5;
/// Occurrences of one branch outcome in one run that are switched, from either end.
const ENDS: usize = 4;
/// A changed run that takes so many times the work has gone astray.
const LONGER: u64 = 4;
/// Stores of one line whose value is replaced, from either end.
const STORES: usize = 3;

/// The lines of a slice in one run, and the outcomes that branches in it had.
type Ran = (BTreeSet<Line>, BTreeSet<(u32, u32)>);

/// The evidence against lines.
#[derive(Default)]
pub(crate) struct Suspicion {
    /// By descending suspicion.
    pub(crate) lines: Vec<(Line, f64)>,
    /// Lines with a critical branch.
    pub(crate) critical: BTreeSet<Line>,
}

#[derive(Default)]
struct Evidence {
    failing: f64,
    holding: f64,
    asymmetric: f64,
    critical: f64,
    near: f64,
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

/// Ranks the lines.
pub(crate) fn rank(
    watched: &Watched<'_>,
    engine: &mut Engine,
    failing: &[Case],
    holding: &[Case],
    until: Instant,
) -> Result<Suspicion, Error> {
    let hidden = watched.relation_lines();
    let mut evidence: BTreeMap<Line, Evidence> = BTreeMap::new();
    let mut failures = 0.0;
    let mut switched = 0.0;
    for case in failing.iter().take(MOST_FAILING) {
        if failures > 0.0 && Instant::now() >= until {
            break;
        }
        let traced = watched.run(case)?;
        let starts: Vec<Event> = wrong_outputs(watched, &traced).concat();
        let slice = traced.slice(&starts);
        let runs = involved(watched, &traced, &slice, &hidden);
        let near = near_lines(watched, &traced, &slice, &starts);
        failures += 1.0;
        let all: BTreeSet<Line> = runs.iter().flat_map(|(lines, _)| lines).copied().collect();
        let differing = differing_lines(watched, &traced, &runs);
        for line in all {
            let known = evidence.entry(line).or_default();
            known.failing += 1.0;
            known.near += f64::from(u8::from(near.contains(&line)));
            let in_some_only = !runs.iter().all(|(lines, _)| lines.contains(&line));
            if in_some_only || differing.contains(&line) {
                known.asymmetric += 1.0;
            }
        }
        if switched < MOST_SWITCHED as f64 && traced.verdict() == Verdict::Violated && Instant::now() < until
        {
            let mut critical = critical_lines(watched, engine, case, &traced, &slice, until)?;
            let values = critical_values(watched, engine, case, &traced, &slice, until)?;
            for line in values.iter().filter(|line| !hidden.contains(&line.0)) {
                evidence.entry(*line).or_default().critical += 1.0 / (values.len() as f64).sqrt();
            }
            critical.retain(|line| !hidden.contains(&line.0));
            if !critical.is_empty() || !values.is_empty() {
                switched += 1.0;
            }
            for line in &critical {
                evidence.entry(*line).or_default().critical += 1.0 / (critical.len() as f64).sqrt();
            }
        }
    }
    for case in spread(holding, MOST_HOLDING) {
        if Instant::now() >= until {
            break;
        }
        let traced = watched.run(case)?;
        let slice = traced.output_slice(watched.runs_programs());
        let runs = involved(watched, &traced, &slice, &hidden);
        let all: BTreeSet<Line> = runs.iter().flat_map(|(lines, _)| lines).copied().collect();
        for line in all {
            evidence.entry(line).or_default().holding += 1.0;
        }
    }
    let mut suspicion = Suspicion::default();
    let near_critical = |line: Line| -> f64 {
        // What stands beside a critical line may have made it so, or be missing there.
        let beside = [line.1.wrapping_sub(1), line.1 + 1, line.1.wrapping_sub(2), line.1 + 2];
        let best = beside.iter().filter_map(|&number| evidence.get(&(line.0, number)));
        best.map(|known| known.critical).fold(0.0, f64::max) / 2.0
    };
    let beside: BTreeMap<Line, f64> = evidence.keys().map(|&line| (line, near_critical(line))).collect();
    for (line, known) in evidence {
        let touched = known.failing + known.holding;
        let ochiai = if touched > 0.0 { known.failing / (failures * touched).sqrt() } else { 0.0 };
        let asymmetric = known.asymmetric / f64::max(failures, 1.0);
        let near = known.near / f64::max(failures, 1.0);
        let critical = if switched > 0.0 { known.critical.max(beside[&line]) / switched } else { 0.0 };
        if known.critical > 0.0 {
            suspicion.critical.insert(line);
        }
        if known.failing > 0.0 {
            suspicion.lines.push((line, ochiai + asymmetric / 2.0 + near / 4.0 + critical));
        }
    }
    suspicion.lines.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(suspicion)
}

/// Lines of the slice that were executed after the last right output of their run.
fn near_lines(watched: &Watched<'_>, traced: &Traced, slice: &[bool], starts: &[Event]) -> BTreeSet<Line> {
    let mut near = BTreeSet::new();
    for run in 0..traced.observation.runs.len() {
        let writers = traced.writers(run);
        let wrong = writers.iter().position(|writer| starts.contains(writer)).unwrap_or(writers.len());
        let last_right = wrong.checked_sub(1).map_or(0, |position| writers[position]);
        for event in traced.events(run).skip_while(|event| *event <= last_right) {
            if slice[event as usize]
                && let Some(line) = watched.line(traced, event)
            {
                near.insert(line);
            }
        }
    }
    near
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

/// Lines with a branch of the slice whose other outcome makes the group hold.
fn critical_lines(
    watched: &Watched<'_>,
    engine: &mut Engine,
    case: &Case,
    traced: &Traced,
    slice: &[bool],
    until: Instant,
) -> Result<BTreeSet<Line>, Error> {
    let mut critical = BTreeSet::new();
    engine.domain.forgetful = true;
    let path = engine.run(Source::Case(case.clone()))?;
    engine.most_work = Some(path.work * LONGER);
    for run in 0..path.runs {
        let decided: Vec<_> = path.decided.iter().filter(|decided| decided.run == Some(run)).collect();
        let rows: Vec<&Raw> = traced
            .rows()
            .iter()
            .filter(|row| row.run == run && matches!(row.happened, Happened::Branched { .. }))
            .collect();
        if decided.len() != rows.len() {
            continue;
        }
        let mut occurrences: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for (position, (row, decided)) in rows.iter().zip(&decided).enumerate() {
            if slice[row.event as usize] {
                occurrences.entry((decided.site, decided.outcome)).or_default().push(position);
            }
        }
        for positions in occurrences.into_values() {
            let count = positions.len();
            for (index, position) in positions.into_iter().enumerate() {
                if (ENDS..count.saturating_sub(ENDS)).contains(&index) || Instant::now() >= until {
                    continue;
                }
                let Some(line) = watched.line(traced, rows[position].event) else { continue };
                if critical.contains(&line) {
                    continue;
                }
                engine.domain.switched = Some(decided[position].decision);
                if engine.run(Source::Case(case.clone()))?.verdict == Verdict::Holds {
                    critical.insert(line);
                }
            }
        }
    }
    engine.domain.switched = None;
    engine.domain.forgetful = false;
    engine.most_work = None;
    Ok(critical)
}

/// Lines with a store of the slice whose other value makes the group hold.
fn critical_values(
    watched: &Watched<'_>,
    engine: &mut Engine,
    case: &Case,
    traced: &Traced,
    slice: &[bool],
    until: Instant,
) -> Result<BTreeSet<Line>, Error> {
    let functions: BTreeSet<Line> = watched.function_lines();
    let mut occurrences: BTreeMap<Line, Vec<u32>> = BTreeMap::new();
    for (number, &event) in traced.stores().iter().enumerate() {
        if slice.get(event as usize) == Some(&true)
            && let Some(line) = watched.line(traced, event)
            // Where a function begins, its parameters are only put away.
            && !functions.contains(&line)
        {
            occurrences.entry(line).or_default().push(number as u32);
        }
    }
    let mut critical = BTreeSet::new();
    engine.domain.forgetful = true;
    engine.most_work = Some(traced.observation.work * LONGER);
    for (line, numbers) in occurrences {
        let ends = numbers.iter().take(STORES).chain(numbers.iter().skip(STORES).rev().take(STORES));
        'line: for &number in ends {
            for replacement in [Replacement::More, Replacement::Less, Replacement::Other] {
                if Instant::now() >= until {
                    break 'line;
                }
                engine.domain.replaced = Some((number, replacement));
                if engine.run(Source::Case(case.clone()))?.verdict == Verdict::Holds {
                    critical.insert(line);
                    break 'line;
                }
            }
        }
    }
    engine.domain.replaced = None;
    engine.domain.forgetful = false;
    engine.most_work = None;
    Ok(critical)
}

/// So many of a list, evenly spread.
fn spread<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    let step = all.len().div_ceil(most).max(1);
    all.iter().step_by(step)
}
