//! Failing pairs in words: conditions, triggers, witnesses, the suspected path.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use twinrun_base::work::SECOND;
use twinrun_base::{Budget, Case, Location, Verdict as Ending};
use twinrun_explore::{Engine, Path, RunPath, Source};
use twinrun_solve::Solver;
use twinrun_term::{Sort, Term, Terms, readable};
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::executor::Executor;

use crate::conditions::{Conjunction, Minimiser};
use crate::enumerate::Enumeration;
use crate::error::Error;
use crate::failure_report::{self, FailureReport, Material};
use crate::prepare::{Config, Loaded, solver};
use crate::report::{Failure, Output, PairCounts, Report, RunPathSummary, Suspected};
use crate::trace::Watched;
use crate::whole::{describe, given_to_all};
use crate::witness;
use crate::{mends, suspicion};

/// So many holding paths of a pair are compared with a failing one.
const MOST_HOLDING: usize = 64;
/// So many holding groups show whether a change leaves them as they are.
const MOST_KEPT: usize = 500;
/// A failure report has at least this long.
const LEAST_FOR_REPORT: u64 = 3 * SECOND;
/// So many branches of a path are told.
const MOST_BRANCHES: usize = 40;

impl Enumeration {
    /// Counts, conditions, triggers and witnesses.
    pub(crate) fn explain(
        &mut self,
        subject: &WasmSubject,
        config: &Config,
        until: Budget,
        executor: &mut dyn Executor,
        report: &mut Report,
    ) -> Result<(), Error> {
        let complete = self.tells_everything();
        let numbers = self.number(subject, report);
        let first_run: BTreeSet<&RunPath> = self.found.keys().filter_map(|runs| runs.first()).collect();
        report.pairs = Some(PairCounts {
            pairs: self.pairs.count(),
            failing: self.pairs.failing(),
            mixed: self.pairs.mixed(),
            broken: self.pairs.outcomes.values().filter(|outcomes| outcomes.broken).count(),
            first_run_paths: first_run.len(),
            paths: self.coverage().paths,
            complete: self.is_complete(),
        });
        if let Some(path) = self.found.values().flatten().next() {
            report.inputs = describe(&path.drawn);
        }
        let mut failing: Vec<Vec<RunPath>> = self.failing();
        // The minimal case that testing found lies on one of the pairs: that one is always told, after the first, which tells most.
        let last = config.failures.max(1).min(failing.len());
        if let Some(beyond) = failing.iter().skip(last).position(|runs| self.known.contains(runs))
            && last > 1
        {
            failing.swap(last - 1, last + beyond);
        }
        let mut finder = solver(&config.solver, until.at_least(2 * SECOND));
        let mut everything: Vec<Conjunction> = Vec::new();
        let mut told: Vec<Failure> = Vec::new();
        for runs in failing.iter().take(config.failures) {
            let (mut failure, alternatives) =
                self.failure(runs, subject, config, (&mut finder, until), executor)?;
            failure.paths = runs.iter().map(|path| numbers[path]).collect();
            everything.extend(alternatives);
            told.push(failure);
        }
        report.failures_left_out = failing.len().saturating_sub(told.len());
        if !told.is_empty() {
            let explained = failing.iter().take(told.len()).flat_map(|runs| &self.found[runs]);
            let all_inputs = given_to_all(&self.explorer.engine.domain.terms, &explained.collect::<Vec<_>>());
            let mut minimiser = Minimiser {
                terms: &mut self.explorer.engine.domain.terms,
                solver: &mut finder,
                until: until.at_most(config.patience),
                given: all_inputs,
                extents: Vec::new(),
            };
            for path in failing.iter().take(told.len()).flat_map(|runs| &self.found[runs]) {
                minimiser.rest_on(path);
            }
            let exact = complete && report.failures_left_out == 0;
            let whole = minimiser.union(everything);
            report.fails_when = Some(minimiser.show(&whole, exact));
            let counts = |failure: &Failure| -> Vec<usize> {
                failure.paths.iter().map(|&path| report.paths[path - 1].violations).collect()
            };
            let violations = counts(&told[0]);
            let most = violations.iter().max().copied().unwrap_or(0);
            let run = match config.suspect {
                Some(run) if (1..=violations.len() as u32).contains(&run) => run,
                // Of equals the follow-up: it has the rarer form of input.
                _ => violations.iter().rposition(|&count| count == most).unwrap_or(0) as u32 + 1,
            };
            let path = told[0].paths.get(run as usize - 1).copied().unwrap_or(0);
            report.suspected = Some(Suspected { run, path, violations });
        }
        report.failures = told;
        if config.pairs {
            report.tables = Some(self.tables(&numbers, &report.failures, config, until.at_least(2 * SECOND)));
        }
        Ok(())
    }

    /// The chain of events of the first failure, with what leads to it.
    pub(crate) fn failure_report(
        &mut self,
        loaded: &Loaded,
        subject: &WasmSubject,
        config: &Config,
        sources: PathBuf,
        until: Budget,
        report: &Report,
    ) -> Result<Option<FailureReport>, Error> {
        let (Some(blamed), Some(failure)) = (&report.suspected, report.failures.first()) else {
            return Ok(None);
        };
        let watched = Watched::new(subject.modules(), loaded, &report.relation, config.limits)?;
        let witnesses = report.failures.iter().filter_map(|failure| failure.witness.as_ref());
        let mut failing: Vec<Case> =
            witnesses.filter(|witness| witness.confirmed).map(|witness| witness.case.clone()).collect();
        let terms = &self.explorer.engine.domain.terms;
        let of = |verdict: Ending| {
            let all = self.found.values().flatten().filter(move |path| path.verdict == verdict);
            all.map(|path| path.case(terms, &path.model))
        };
        failing.extend(of(Ending::Violated));
        let holding: Vec<Case> = of(Ending::Holds).collect();
        let until = until.at_least(LEAST_FOR_REPORT);
        let near: Vec<&Case> = suspicion::spread(&holding, MOST_KEPT).collect();
        let mends = mends::find(subject, &report.relation, config.limits, &failing, &near, until)?;
        let engine = &mut self.explorer.engine;
        failure_report::make(Material {
            mends,
            watched: &watched,
            engine,
            failing,
            holding,
            failure,
            blamed,
            is_chosen: config.suspect == Some(blamed.run),
            sources,
            until,
        })
    }

    /// Whether the paths that were found say of every input whether it fails. A path that ends in a crash says nothing of what its inputs would have given
    /// where the crash is one of the paths alone, which follow undefined bits less exactly than the engines.
    fn tells_everything(&self) -> bool {
        self.is_complete() && self.pairs.outcomes.values().all(|outcomes| !outcomes.broken)
    }

    /// Failing pairs: mixed ones first, since they have a trigger; then short paths.
    fn failing(&self) -> Vec<Vec<RunPath>> {
        let outcomes = &self.pairs.outcomes;
        let mut failing: Vec<&Vec<RunPath>> =
            outcomes.iter().filter(|(_, outcomes)| outcomes.violated).map(|(runs, _)| runs).collect();
        failing.sort_by_key(|runs| {
            (!outcomes[*runs].holds, runs.iter().map(Vec::len).sum::<usize>(), (*runs).clone())
        });
        failing.into_iter().cloned().collect()
    }

    /// Numbers all run paths from 1 and counts their violations in either role.
    fn number(&self, subject: &WasmSubject, report: &mut Report) -> FxHashMap<RunPath, usize> {
        let modules = subject.modules();
        let sites = modules.programs.first().map_or(&modules.relations.sites, |(_, program)| &program.sites);
        let terms = &self.explorer.engine.domain.terms;
        let mut numbers: FxHashMap<RunPath, usize> = FxHashMap::default();
        for (runs, outcomes) in &self.pairs.outcomes {
            let mut seen: Vec<usize> = Vec::new();
            for (run, path) in runs.iter().enumerate() {
                let next = numbers.len() + 1;
                let number = *numbers.entry(path.clone()).or_insert(next);
                if number == next {
                    let line = |&(site, _): &(u32, u32)| {
                        let place = sites.branches.get(site as usize).and_then(|branch| branch.place);
                        place.map_or(0, |place| place.line)
                    };
                    let found = self.found.get(runs).and_then(|paths| paths.first());
                    let conditions = found.iter().flat_map(|found| &found.conditions);
                    let own: Vec<Term> = conditions
                        .filter(|condition| condition.run == Some(run as u32))
                        .map(|condition| condition.term)
                        .take(MOST_BRANCHES)
                        .collect();
                    report.paths.push(RunPathSummary {
                        lines: path.iter().take(MOST_BRANCHES).map(line).collect(),
                        decided: readable::show_all(terms, &own),
                        violations: 0,
                    });
                }
                if outcomes.violated && !seen.contains(&number) {
                    seen.push(number);
                    report.paths[number - 1].violations += 1;
                }
            }
        }
        numbers
    }

    /// One failing pair.
    fn failure(
        &mut self,
        runs: &[RunPath],
        subject: &WasmSubject,
        config: &Config,
        (finder, until): (&mut Solver, Budget),
        executor: &mut dyn Executor,
    ) -> Result<(Failure, Vec<Conjunction>), Error> {
        // Where paths are missing, some of them may belong to this pair.
        let complete = self.tells_everything();
        let paths = self.found.get(runs).cloned().unwrap_or_default();
        let failing: Vec<&Path> = paths.iter().filter(|path| path.verdict == Ending::Violated).collect();
        let holding: Vec<&Path> = paths.iter().filter(|path| path.verdict == Ending::Holds).collect();
        let first = failing[0];
        let all_inputs = given_to_all(&self.explorer.engine.domain.terms, &paths.iter().collect::<Vec<_>>());
        let mut minimiser = Minimiser {
            terms: &mut self.explorer.engine.domain.terms,
            solver: finder,
            until: until.at_most(config.patience),
            given: all_inputs,
            extents: Vec::new(),
        };
        let causes: Vec<Conjunction> = failing.iter().map(|path| minimiser.minimal(path)).collect();
        let causes = minimiser.union(causes);
        let preserves: Vec<Conjunction> =
            holding.iter().take(MOST_HOLDING).map(|path| minimiser.minimal(path)).collect();
        let compared = holding.len() <= MOST_HOLDING;
        let trigger = (!preserves.is_empty() && compared).then(|| {
            let mut triggers: Vec<Conjunction> =
                causes.iter().map(|cause| minimiser.trigger(cause, &preserves)).collect();
            triggers.sort();
            triggers.dedup();
            minimiser.show(&triggers, complete)
        });
        let preserves = minimiser.union(preserves);
        let holds_when = (!preserves.is_empty()).then(|| minimiser.show(&preserves, complete && compared));
        let fails_when = minimiser.show(&causes, complete);
        let engine = &mut self.explorer.engine;
        let case = witness::small(engine, finder, first);
        // Where the time is over, the path does not come to its end.
        let again = engine.run(Source::Case(case.clone()))?;
        let wraps = if again.verdict == Ending::Violated { wrapped(engine, subject) } else { Vec::new() };
        let check = first.checks.iter().find(|check| !check.held);
        let terms = &engine.domain.terms;
        let outputs = first.told.iter().filter(|told| told.output).map(|told| Output {
            run: told.run + 1,
            name: told.name.clone(),
            value: value_text(terms, &told.values),
        });
        let failure = Failure {
            paths: Vec::new(),
            check: check.map(|check| check.text.clone()).unwrap_or_default(),
            line: check.map_or(0, |check| check.line),
            fails_when,
            holds_when,
            trigger,
            outputs: outputs.collect(),
            sides: check
                .and_then(|check| check.sides)
                .map(|(left, right)| (readable::show(terms, left), readable::show(terms, right))),
            witness: Some(witness::replay(executor, case, Ending::Violated, wraps)?),
        };
        Ok((failure, causes))
    }
}

/// Where the last path wrapped around.
fn wrapped(engine: &Engine, subject: &WasmSubject) -> Vec<Location> {
    let module = &subject.modules().relations;
    let offsets = engine.domain.wraps.iter().filter_map(|&at| engine.offset(at));
    let mut places: Vec<Location> = offsets.filter_map(|offset| module.location_at(offset)).collect();
    places.sort();
    places.dedup();
    places
}

/// A named value: one term, several, or a text such as `"Please " t[0] t[1] "!"`.
pub(crate) fn value_text(terms: &Terms, values: &[Term]) -> String {
    if let [value] = values
        && terms.sort(*value) != Sort::Bv(8)
    {
        return readable::show(terms, *value);
    }
    if !values.iter().all(|&value| terms.sort(value) == Sort::Bv(8)) {
        let parts: Vec<String> = values.iter().map(|&value| readable::show(terms, value)).collect();
        return format!("[{}]", parts.join(", "));
    }
    let mut parts: Vec<String> = Vec::new();
    let mut known: Vec<u8> = Vec::new();
    for &value in values {
        match terms.as_bv(value) {
            Some(byte) => known.push(byte as u8),
            None => {
                quote(&mut parts, &mut known);
                parts.push(readable::show(terms, value));
            }
        }
    }
    if !known.is_empty() || parts.is_empty() {
        parts.push(format!("\"{}\"", known.escape_ascii()));
    }
    parts.join(" ")
}

/// The known bytes before a part that is not known.
fn quote(parts: &mut Vec<String>, known: &mut Vec<u8>) {
    if !known.is_empty() {
        parts.push(format!("\"{}\"", known.escape_ascii()));
        known.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_text_is_quoted() {
        let mut terms = Terms::new();
        let t = terms.symbol("t[0]", Sort::Bv(8), None);
        let mut values: Vec<Term> = b"Say \"".iter().map(|&byte| terms.bv(8, byte.into())).collect();
        values.push(t);
        values.push(terms.bv(8, 10));
        assert_eq!(value_text(&terms, &values), r#""Say \"" t[0] "\n""#);
        assert_eq!(value_text(&terms, &[t]), "t[0]");
        assert_eq!(value_text(&terms, &[]), "\"\"");
    }
}
