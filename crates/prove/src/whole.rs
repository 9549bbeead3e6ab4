//! The whole of a proof: merged paths first, then the feasible pairs of paths with their failure conditions.

use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use twinrun_base::Domain;
use twinrun_explore::{Coverage, Drawn, Kind, Path, Place, Source, Watching};
use twinrun_subject::module::Storage;
use twinrun_term::{Model, Term};
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::target::{Build, Target};

use crate::certificate::obligations;
use crate::enumerate::Enumeration;
use crate::error::Error;
use crate::prepare::{Config, Loaded, Progress};
use crate::report::{Obligation, Report, Safety, Verdict};
use crate::{carry, loops, merged, permutations, safety};

/// The version of the report's form.
const VERSION: u32 = 1;

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
        if let (false, Some(mut checked)) = (config.no_safety, target.executor(Build::Checked)?) {
            let inputs = first.case(&engine.domain.terms, &first.model).inputs;
            report.safety = safety::sample(&mut *checked, &loops::drawn_cases(&inputs))?;
        }
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
pub(crate) fn certify(report: &mut Report, obligations: Option<Vec<Obligation>>) {
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
