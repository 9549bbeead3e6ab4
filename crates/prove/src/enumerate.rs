//! The whole of a proof: merged paths first, then the feasible pairs of paths with their failure conditions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use twinrun_base::{Case, Domain, Location, Verdict as Ending};
use twinrun_explore::{
    Config as Limits, Coverage, Drawn, Engine, Explorer, Kind, Pairs, Path, Place, RunPath, Source, Strategy,
    Watching,
};
use twinrun_solve::Solver;
use twinrun_subject::module::Storage;
use twinrun_term::{Model, Sort, Term, Terms, readable};
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::executor::Executor;
use twinrun_testing::target::{Build, Target};

use crate::certificate::{Covered, obligations};
use crate::conditions::{Conjunction, Minimiser};
use crate::error::Error;
use crate::failure_report::{self, FailureReport, Material};
use crate::prepare::{Config, Loaded, Progress, solver};
use crate::report::{
    Failure, Obligation, Output, PairCounts, Report, RunPathSummary, Safety, Suspected, Verdict,
};
use crate::trace::Watched;
use crate::{apart, carry, loops, merged, permutations, safety, witness};

/// What an enumeration does, for its progress.
pub(crate) const PHASE: &str = "pairs of paths";
/// The version of the report's form.
const VERSION: u32 = 1;
/// So many holding paths of a pair are compared with a failing one.
const MOST_HOLDING: usize = 64;
/// A failure report has at least this long.
const LEAST_FOR_REPORT: Duration = Duration::from_secs(3);
/// So many branches of a path are told.
const MOST_BRANCHES: usize = 40;

/// Tries to prove a relation; tells every condition under which it fails otherwise.
///
/// # Errors
/// When the relation cannot be run; whatever the subject does is in the report.
pub fn prove(
    subject: &WasmSubject,
    relation: &str,
    config: &Config,
    tell: &mut dyn FnMut(Progress),
) -> Result<Report, Error> {
    let began = Instant::now();
    let until = began + config.time;
    let target = subject.target(relation)?;
    let loaded = Loaded::new(subject.modules())?;
    let mut report = Report {
        version: VERSION,
        subject: target.subject().to_owned(),
        relation: relation.to_owned(),
        verdict: Verdict::Unknown { reasons: Vec::new() },
        inputs: Vec::new(),
        merged: None,
        generators: None,
        carry: None,
        loops: None,
        pairs: None,
        paths: Vec::new(),
        fails_when: None,
        failures: Vec::new(),
        failures_left_out: 0,
        suspected: None,
        safety: Safety::Unknown { reasons: vec!["it was not asked for".to_owned()] },
        failure_report: None,
        notes: Vec::new(),
        follows: Vec::new(),
        obligations: Vec::new(),
    };
    let (watching, names) = watching(subject);
    if !watching.any.is_empty()
        && let Some(mut executor) = target.executor(Build::Plain)?
    {
        let mut engine = loaded.engine(relation, config.limits)?;
        let (proof, obligations) = loops::prove(&mut engine, &watching, config, &mut *executor, until)?;
        report.obligations = obligations;
        if proof.proved {
            report.carry = carry::find(&mut engine, &watching, &names)?;
        }
        let verdict = match (proof.proved, &proof.witness) {
            (true, _) => Verdict::ProvedOverReals,
            (false, Some(_)) => Verdict::Violated,
            (false, None) => Verdict::Unknown { reasons: proof.reasons.clone() },
        };
        let first = engine.run(Source::Model(Model::new()))?;
        report.inputs = describe(&first.drawn);
        report.loops = Some(proof);
        report.verdict = verdict;
        return Ok(report);
    }
    let mut violated = false;
    // The world of a whole program has one state, not one for each side of a branch.
    let merges = !config.no_merging && config.paths.is_none() && loaded.programs.is_empty();
    if merges && !config.pairs {
        let share = began + config.time.mul_f64(0.4);
        if let Some(proved) =
            permutations::prove(&loaded, relation, config, (&watching, &names), share, tell)?
        {
            report.verdict = Verdict::Proved;
            report.inputs = proved.inputs;
            report.merged = Some(proved.merged);
            report.generators = Some(proved.proof);
            report.carry = Some(proved.carry);
            certify(&mut report, proved.obligations);
        }
    }
    if merges && report.verdict != Verdict::Proved {
        let share = began + config.time.mul_f64(0.4);
        let mut outcome = merged::explore(&loaded, relation, config, share, true, tell)?;
        violated = outcome.violated.is_some();
        report.merged = Some(outcome.summary.clone());
        if !violated && outcome.crashed.is_empty() {
            let complete = outcome.coverage.is_complete() && outcome.timeouts == 0;
            if complete {
                report.verdict = Verdict::Proved;
                let terms = &mut outcome.explorer.engine.domain.terms;
                certify(&mut report, obligations(terms, &outcome.covered));
            } else {
                let mut reasons = outcome.reasons.clone();
                reasons.extend(open_reasons(&outcome.coverage, outcome.timeouts));
                report.verdict = Verdict::Unknown { reasons };
            }
        }
        report.inputs = outcome.inputs;
    }
    if report.verdict != Verdict::Proved || config.pairs {
        let left = until.saturating_duration_since(Instant::now());
        let share = Instant::now() + left.mul_f64(if config.no_safety { 1.0 } else { 0.8 });
        let mut enumeration = Enumeration::run(&loaded, relation, config, share, tell)?;
        let executor = target.executor(Build::Plain)?;
        if let Some(mut executor) = executor {
            enumeration.explain(subject, config, until, &mut *executor, &mut report)?;
        }
        if let Some(sources) = &config.sources {
            report.failure_report =
                enumeration.failure_report(&loaded, subject, config, sources.clone(), until, &report)?;
        }
        enumeration.conclude(subject, config, &mut report, violated);
    }
    if report.verdict == Verdict::Proved && report.carry.is_none() && loaded.programs.is_empty() {
        let mut engine = loaded.engine(relation, config.limits)?;
        report.carry = carry::find(&mut engine, &watching, &names)?;
    }
    if !config.no_safety {
        let checked = subject.checked_modules();
        report.safety = match (checked, target.executor(Build::Checked)?) {
            (Some(modules), Some(mut executor)) => {
                let loaded = Loaded::new(modules)?;
                let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(200));
                safety::check(&loaded, relation, config, Instant::now() + left, &mut *executor, tell)?
            }
            _ => Safety::Unknown { reasons: vec!["this subject has no checked build".to_owned()] },
        };
    }
    Ok(report)
}

/// The functions whose loops are looked at, and those that stand for any function.
fn watching(subject: &WasmSubject) -> (Watching, FxHashMap<u32, String>) {
    let module = &subject.modules().relations;
    let mut watching = Watching::default();
    let mut names = FxHashMap::default();
    for function in module.sites.functions.iter().filter(|function| function.user) {
        names.insert(function.index, function.name.clone());
        if function.name.starts_with(loops::ANY) {
            watching.any.push((function.index, function.name.clone()));
        } else {
            watching.functions.push(function.index);
        }
    }
    if !watching.any.is_empty() {
        let variables = module.variables().into_iter().map(|variable| {
            let place = match variable.storage {
                Storage::Static(address) => Place::Static(address),
                Storage::Frame { function, local, offset } => Place::Frame { function, local, offset },
            };
            (variable.name, place)
        });
        watching.variables = variables.collect();
    }
    (watching, names)
}

/// Keeps the obligations of a proof.
fn certify(report: &mut Report, obligations: Option<Vec<Obligation>>) {
    match obligations {
        Some(obligations) => report.obligations = obligations,
        None => report.notes.push("the proof has too many paths for a certificate".to_owned()),
    }
}

/// What the declarations of a path's inputs say.
pub(crate) fn given(path: &Path) -> Vec<Term> {
    let inputs = path.conditions.iter().filter(|condition| condition.kind == Kind::Input);
    inputs.map(|condition| condition.term).collect()
}

/// Why an exploration is not complete.
pub(crate) fn open_reasons(coverage: &Coverage, timeouts: u64) -> Vec<String> {
    let told = [
        (coverage.open, "branches were still open at the end"),
        (coverage.unknown, "branches could not be decided by the solver"),
        (coverage.approximated, "paths were found only by fixing inputs"),
        (coverage.diverged, "paths did not follow their prediction"),
        (coverage.beyond_depth, "branches lie beyond the depth"),
        (timeouts, "paths ran into the limit of work"),
    ];
    told.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect()
}

/// One line for each input: its name and the values that it may have.
pub(crate) fn describe(drawn: &[Drawn]) -> Vec<String> {
    let whole = |lo: i64, hi: i64| match (lo, hi) {
        (lo, hi) if lo == i64::from(i32::MIN) && hi == i64::from(i32::MAX) => "any 32-bit integer".to_owned(),
        (i64::MIN, i64::MAX) => "any 64-bit integer".to_owned(),
        (lo, hi) => format!("{lo} to {hi}"),
    };
    let line = |drawn: &Drawn| match &drawn.domain {
        Domain::Int { lo, hi, .. } => format!("{}: {}", drawn.name, whole(*lo, *hi)),
        Domain::Ints { shape, lo, hi, .. } => {
            format!("{}: {} integers, each {}", drawn.name, shape.count(), whole(*lo, *hi))
        }
        Domain::Float { lo, hi } => format!("{}: any double from {lo:?} to {hi:?}", drawn.name),
        Domain::Floats { shape, lo, hi } => {
            format!("{}: {} doubles, each from {lo:?} to {hi:?}", drawn.name, shape.count())
        }
        Domain::Text { min, max, alphabet } if alphabet.is_empty() => {
            format!("{}: text of {min} to {max} characters", drawn.name)
        }
        Domain::Text { min, max, alphabet } => {
            let letters = String::from_utf8_lossy(alphabet);
            format!("{}: text of {min} to {max} characters of {letters:?}", drawn.name)
        }
        Domain::Permutation { n } => format!("{}: a permutation of {n}", drawn.name),
        Domain::Ops { max, .. } => format!("{}: up to {max} operations", drawn.name),
    };
    drawn.iter().map(line).collect()
}

/// All pairs that were found, with their paths.
struct Enumeration {
    explorer: Explorer,
    pairs: Pairs,
    /// The paths of each pair, in the order of the pairs.
    found: BTreeMap<Vec<RunPath>, Vec<Path>>,
    covered: Vec<Covered>,
    timeouts: u64,
    crashed: u64,
    /// What parts that were explored apart covered, and why branches stayed undecided in them.
    apart: (Coverage, BTreeSet<String>),
}

impl Enumeration {
    fn run(
        loaded: &Loaded,
        relation: &str,
        config: &Config,
        until: Instant,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Enumeration, Error> {
        let engine = loaded.engine(relation, config.limits)?;
        // Where not all pairs are wanted, those that reach new branches come first.
        let some = config.enough.is_some() || config.paths.is_some();
        let strategy = if some { Strategy::Diverse } else { Strategy::DepthFirst };
        let limits = Limits {
            deadline: Some(until),
            max_depth: config.depth,
            max_paths: config.paths,
            strategy,
            ..Limits::default()
        };
        let explorer =
            Explorer::new(engine, solver(&config.solver, until), limits, Source::Model(Model::new()));
        let mut all = Enumeration {
            explorer,
            pairs: Pairs::default(),
            found: BTreeMap::new(),
            covered: Vec::new(),
            timeouts: 0,
            crashed: 0,
            apart: (Coverage::default(), BTreeSet::new()),
        };
        if config.jobs > 1 && !some {
            let found = apart::explore(&mut all.explorer, loaded, relation, config, until, tell)?;
            for case in found.cases {
                let path = all.explorer.engine.run(Source::Case(case))?;
                all.take(path);
            }
            all.apart = (found.coverage, found.reasons);
            return Ok(all);
        }
        while let Some(path) = all.explorer.next_path()? {
            let coverage = all.explorer.coverage();
            tell(Progress { phase: PHASE, done: coverage.paths, left: coverage.open });
            all.take(path);
            let broken = || all.pairs.outcomes.values().filter(|outcomes| outcomes.broken).count();
            if config.enough.is_some_and(|enough| all.pairs.failing() + broken() >= enough) {
                break;
            }
        }
        Ok(all)
    }

    /// Takes in a path.
    fn take(&mut self, path: Path) {
        self.pairs.add(&path);
        match path.verdict {
            Ending::Timeout => self.timeouts += 1,
            Ending::Crashed => self.crashed += 1,
            _ => self.covered.push(Covered::of(&path)),
        }
        if path.verdict != Ending::Discarded {
            self.found.entry(path.run_paths()).or_default().push(path);
        }
    }

    fn coverage(&self) -> Coverage {
        self.explorer.coverage().plus(self.apart.0)
    }

    fn is_complete(&self) -> bool {
        self.coverage().is_complete()
    }

    /// The verdict, where merging has not told it.
    fn conclude(&mut self, subject: &WasmSubject, config: &Config, report: &mut Report, violated: bool) {
        let coverage = self.coverage();
        if self.pairs.failing() > 0 || violated {
            report.verdict = Verdict::Violated;
            report.obligations.clear();
            return;
        }
        if report.verdict == Verdict::Proved {
            return;
        }
        let bounded = Coverage { beyond_depth: 0, ..coverage };
        if self.crashed > 0 {
            report.verdict = Verdict::Unknown {
                reasons: vec![format!("{} paths crash before the relation can be judged", self.crashed)],
            };
        } else if coverage.is_complete() && self.timeouts == 0 {
            report.verdict = Verdict::Proved;
            let certificate = obligations(&mut self.explorer.engine.domain.terms, &self.covered);
            certify(report, certificate);
        } else if config.paths.is_some() && self.timeouts == 0 {
            let modules = subject.modules();
            let sites = modules.programs.first().map_or(&modules.relations, |(_, program)| program);
            report.verdict = Verdict::Tested {
                paths: coverage.paths,
                outcomes: (self.explorer.covered().len(), 2 * sites.sites.branches.len()),
                open: coverage.open + coverage.unknown,
            };
        } else if bounded.is_complete() {
            report.verdict = Verdict::ProvedUpTo {
                bound: match coverage.beyond_depth {
                    0 => "runs within the limit of work".to_owned(),
                    _ => "paths within the given number of branches".to_owned(),
                },
                places: Vec::new(),
                remaining: open_reasons(&coverage, self.timeouts).join("; "),
            };
        } else {
            let mut reasons: Vec<String> = self.explorer.reasons().union(&self.apart.1).cloned().collect();
            reasons.extend(open_reasons(&coverage, self.timeouts));
            report.verdict = Verdict::Unknown { reasons };
        }
    }

    /// Counts, conditions, triggers and witnesses.
    fn explain(
        &mut self,
        subject: &WasmSubject,
        config: &Config,
        until: Instant,
        executor: &mut dyn Executor,
        report: &mut Report,
    ) -> Result<(), Error> {
        let complete = self.is_complete();
        let numbers = self.number(subject, report);
        let first_run: BTreeSet<&RunPath> = self.found.keys().filter_map(|runs| runs.first()).collect();
        report.pairs = Some(PairCounts {
            pairs: self.pairs.count(),
            failing: self.pairs.failing(),
            mixed: self.pairs.mixed(),
            broken: self.pairs.outcomes.values().filter(|outcomes| outcomes.broken).count(),
            first_run_paths: first_run.len(),
            paths: self.coverage().paths,
            complete,
        });
        if let Some(path) = self.found.values().flatten().next() {
            report.inputs = describe(&path.drawn);
        }
        let failing: Vec<Vec<RunPath>> = self.failing();
        let mut finder = solver(&config.solver, until.max(Instant::now() + Duration::from_secs(2)));
        let mut everything: Vec<Conjunction> = Vec::new();
        let mut all_inputs = Vec::new();
        let mut told: Vec<Failure> = Vec::new();
        for runs in failing.iter().take(config.failures) {
            let (mut failure, alternatives) =
                self.failure(runs, subject, config, &mut finder, until, executor)?;
            failure.paths = runs.iter().map(|path| numbers[path]).collect();
            everything.extend(alternatives);
            all_inputs = given(&self.found[runs][0]);
            told.push(failure);
        }
        report.failures_left_out = failing.len().saturating_sub(told.len());
        if !told.is_empty() {
            let mut minimiser = Minimiser {
                terms: &mut self.explorer.engine.domain.terms,
                solver: &mut finder,
                until: until.min(Instant::now() + config.patience),
                given: all_inputs,
            };
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
        Ok(())
    }

    /// The chain of events of the first failure, with what leads to it.
    fn failure_report(
        &mut self,
        loaded: &Loaded,
        subject: &WasmSubject,
        config: &Config,
        sources: PathBuf,
        until: Instant,
        report: &Report,
    ) -> Result<Option<FailureReport>, Error> {
        let Some(suspected) = &report.suspected else { return Ok(None) };
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
        let run = suspected.run as usize - 1;
        let until = until.max(Instant::now() + LEAST_FOR_REPORT);
        let engine = &mut self.explorer.engine;
        failure_report::make(Material {
            watched: &watched,
            engine,
            failing,
            holding,
            suspected: run,
            sources,
            until,
        })
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
        let mut numbers: FxHashMap<RunPath, usize> = FxHashMap::default();
        for (runs, outcomes) in &self.pairs.outcomes {
            let mut seen: Vec<usize> = Vec::new();
            for path in runs {
                let next = numbers.len() + 1;
                let number = *numbers.entry(path.clone()).or_insert(next);
                if number == next {
                    let branch = |&(site, outcome): &(u32, u32)| {
                        let place = sites.branches.get(site as usize).and_then(|branch| branch.place);
                        let line = place.map_or(0, |place| place.line);
                        format!("{line}:{outcome}")
                    };
                    let branches = path.iter().take(MOST_BRANCHES).map(branch).collect();
                    report.paths.push(RunPathSummary { branches, violations: 0 });
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
        finder: &mut Solver,
        until: Instant,
        executor: &mut dyn Executor,
    ) -> Result<(Failure, Vec<Conjunction>), Error> {
        let paths = self.found.get(runs).cloned().unwrap_or_default();
        let failing: Vec<&Path> = paths.iter().filter(|path| path.verdict == Ending::Violated).collect();
        let holding: Vec<&Path> = paths.iter().filter(|path| path.verdict == Ending::Holds).collect();
        let first = failing[0];
        let mut minimiser = Minimiser {
            terms: &mut self.explorer.engine.domain.terms,
            solver: finder,
            until: until.min(Instant::now() + config.patience),
            given: given(first),
        };
        let causes: Vec<Conjunction> =
            failing.iter().map(|path| minimiser.minimal(&path.condition_terms())).collect();
        let causes = minimiser.union(causes);
        let preserves: Vec<Conjunction> = holding
            .iter()
            .take(MOST_HOLDING)
            .map(|path| minimiser.minimal(&path.condition_terms()))
            .collect();
        let compared = holding.len() <= MOST_HOLDING;
        let trigger = (!preserves.is_empty() && compared).then(|| {
            let mut triggers: Vec<Conjunction> =
                causes.iter().map(|cause| minimiser.trigger(cause, &preserves)).collect();
            triggers.sort();
            triggers.dedup();
            minimiser.show(&triggers, true)
        });
        let preserves = minimiser.union(preserves);
        let holds_when = (!preserves.is_empty()).then(|| minimiser.show(&preserves, compared));
        let fails_when = minimiser.show(&causes, true);
        let engine = &mut self.explorer.engine;
        let case = witness::small(engine, finder, first);
        let again = engine.run(Source::Case(case.clone()))?;
        let wraps = wrapped(engine, subject);
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
            witness: Some(witness::replay(executor, case, wraps)?),
        };
        debug_assert_eq!(again.verdict, Ending::Violated);
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

/// A named value: one term, several, or a text.
pub(crate) fn value_text(terms: &Terms, values: &[Term]) -> String {
    if let [value] = values
        && terms.sort(*value) != Sort::Bv(8)
    {
        return readable::show(terms, *value);
    }
    let bytes = values.iter().all(|&value| terms.sort(value) == Sort::Bv(8));
    let one = |&value: &Term| match terms.as_bv(value) {
        Some(byte) if bytes => format!("{:?}", char::from(byte as u8)),
        _ => readable::show(terms, value),
    };
    let parts: Vec<String> = values.iter().map(one).collect();
    if bytes { format!("text {}", parts.join(" ")) } else { format!("[{}]", parts.join(", ")) }
}
