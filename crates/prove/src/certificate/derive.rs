//! The certificate of a proof: executed once more, over terms that are not simplified.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use twinrun_base::Budget;
use twinrun_explore::{Kind as Came, Path, Reduction, Source};
use twinrun_solve::logic;
use twinrun_term::{Integers, Model, Term, Terms, Theories, smt};
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::target::Build;

use super::{Bounds, Certificate, Entry, Kind, Manifest, Obligation, VERSION, executed, sha256};
use crate::error::Error;
use crate::merged::{self, Way};
use crate::net::Net;
use crate::prepare::{Builds, Config};
use crate::verdict::{AllCases, By, Evidence, Proof};
use crate::whole::{describe, watching};
use crate::{exhaust, loops};

/// Deriving may cost this many times what finding the proof might: terms that are not simplified are larger.
const DERIVING: u64 = 4;
/// So many steps of the translation to integers are one obligation.
const STEPS: usize = 200;
/// So many conclusions are one obligation.
const CONCLUSIONS: usize = 32;

/// What a certificate needs to know of a path.
pub(crate) struct Covered {
    /// The conditions in order; whether each is what the declaration of an input says.
    conditions: Vec<(Term, bool)>,
    checks: Vec<(Term, String)>,
}

impl Covered {
    pub(crate) fn of(path: &Path) -> Covered {
        let own = path.conditions.iter().filter(|condition| condition.kind != Came::Check);
        let conditions = own.map(|condition| (condition.term, condition.kind == Came::Input)).collect();
        let checks =
            path.checks.iter().map(|check| (check.property, format!("line {}: {}", check.line, check.text)));
        Covered { conditions, checks: checks.collect() }
    }
}

/// Derives the certificate of a relation that was proved in a certain way, from the module alone.
///
/// # Errors
/// When the relation cannot be run. What keeps it from being proved this way comes back as reasons.
pub fn derive(
    subject: &WasmSubject,
    builds: &Builds,
    relation: &str,
    way: By,
    config: &Config,
) -> Result<Result<Certificate, Vec<String>>, Error> {
    let until = Budget::of(config.work.saturating_mul(DERIVING));
    let derived = match way {
        By::MergedPaths | By::Permutations | By::Paths => of_paths(builds, relation, way, config, until)?,
        By::AllCases => of_all_cases(subject, builds, relation, config, until)?,
        By::Invariants => of_invariants(subject, builds, relation, config, until)?,
    };
    let derived = match derived {
        Ok(derived) => derived,
        Err(reasons) => return Ok(Err(reasons)),
    };
    let mut files = BTreeMap::new();
    let mut entries = Vec::new();
    for (number, obligation) in derived.obligations.into_iter().enumerate() {
        let file = format!("{:05}.smt2", number + 1);
        let sha256 = sha256(obligation.text.as_bytes());
        entries.push(Entry { file: file.clone(), sha256, kind: obligation.kind, states: obligation.states });
        files.insert(file, obligation.text);
    }
    let states = match way {
        By::Invariants => "holds over the reals and over integers without overflow, for any number of turns",
        _ => "holds for all inputs of the declared ranges",
    };
    let manifest = Manifest {
        version: VERSION,
        subject: subject.name().to_owned(),
        relation: relation.to_owned(),
        module: executed(subject.modules()),
        states: states.to_owned(),
        way,
        bounds: Bounds::of(config.limits, config.depth),
        inputs: derived.inputs,
        paths: derived.paths,
        checks: derived.checks,
        reductions: derived.reductions,
        rules: derived.rules,
        obligations: entries,
    };
    Ok(Ok(Certificate { manifest, files }))
}

/// What a certificate is made of.
#[derive(Default)]
struct Derived {
    inputs: Vec<String>,
    paths: u64,
    checks: u64,
    reductions: BTreeMap<String, u64>,
    rules: Vec<String>,
    obligations: Vec<Obligation>,
}

fn of_paths(
    builds: &Builds,
    relation: &str,
    by: By,
    config: &Config,
    until: Budget,
) -> Result<Result<Derived, Vec<String>>, Error> {
    let config = Config { no_merging: by == By::Paths, ..config.clone() };
    let way = Way { stop_at_violation: true, split_permutations: by == By::Permutations, plain: true };
    let mut outcome = merged::explore(&builds.plain, relation, &config, until, way, &mut |_| ())?;
    let evidence: Evidence = outcome.evidence;
    if let Err(mut gaps) = Proof::of(&evidence, None) {
        gaps.extend(outcome.reasons);
        return Ok(Err(gaps));
    }
    let domain = &mut outcome.explorer.engine.domain;
    let reductions: Vec<Reduction> = domain.reductions().cloned().collect();
    let terms = &mut domain.terms;
    let mut derived = Derived {
        inputs: outcome.inputs,
        paths: outcome.covered.len() as u64,
        checks: outcome.covered.iter().map(|path| path.checks.len() as u64).sum(),
        ..Derived::default()
    };
    let mut integers = Integers::with_lemmas();
    for (number, path) in outcome.covered.iter().enumerate() {
        for (property, text) in &path.checks {
            let mut query: Vec<Term> = path.conditions.iter().map(|(term, _)| *term).collect();
            query.push(terms.not(*property));
            let states = format!("on path {} the check holds, {text}", number + 1);
            derived.obligations.push(obligation(terms, &mut integers, &query, Kind::Check, states));
        }
    }
    let uncovered = uncovered(terms, &outcome.covered);
    let states = "the paths cover all inputs".to_owned();
    derived.obligations.push(obligation(terms, &mut integers, &uncovered, Kind::Coverage, states));
    conclusions(terms, &mut integers, &reductions, &mut derived);
    translation(terms, &integers, &mut derived);
    derived.rules = terms.rules().map(|rule| rule.name().to_owned()).collect();
    Ok(Ok(derived))
}

/// That an input lies on no path. What is not as the inputs are declared on a path need not lie on one.
fn uncovered(terms: &mut Terms, paths: &[Covered]) -> Vec<Term> {
    let mut all = Vec::new();
    for path in paths {
        let mut covered = terms.bool(true);
        for &(condition, is_declared) in path.conditions.iter().rev() {
            covered =
                if is_declared { terms.implies(condition, covered) } else { terms.and2(condition, covered) };
        }
        all.push(terms.not(covered));
    }
    all
}

/// The obligations of what was concluded on the way. Conclusions from the same conditions stand together.
fn conclusions(terms: &mut Terms, integers: &mut Integers, reductions: &[Reduction], derived: &mut Derived) {
    let mut by_path: IndexMap<&[Term], Vec<Term>> = IndexMap::new();
    for reduction in reductions {
        *derived.reductions.entry(reduction.what.to_owned()).or_default() += 1;
        by_path.entry(&reduction.path).or_default().push(reduction.claim);
    }
    let mut wrong: Vec<(Term, usize)> = Vec::new();
    for (path, claims) in by_path {
        let negated: Vec<Term> = claims.iter().map(|&claim| terms.not(claim)).collect();
        let mut parts = path.to_vec();
        parts.push(terms.or(&negated));
        wrong.push((terms.and(&parts), claims.len()));
    }
    for chunk in wrong.chunks(CONCLUSIONS) {
        let any: Vec<Term> = chunk.iter().map(|(term, _)| *term).collect();
        let query = [terms.or(&any)];
        let count: usize = chunk.iter().map(|(_, count)| count).sum();
        let states = format!("{count} conclusions follow from the conditions before them");
        derived.obligations.push(obligation(terms, integers, &query, Kind::Reduction, states));
    }
}

/// The obligations of the translation to integers: linear steps together, products one by one.
fn translation(terms: &mut Terms, integers: &Integers, derived: &mut Derived) {
    let nonlinear = |terms: &Terms, term: Term| terms.theories(term).contains(Theories::NONLINEAR);
    let (products, linear): (Vec<Term>, Vec<Term>) =
        integers.lemmas().partition(|&lemma| nonlinear(terms, lemma));
    let chunks = linear.chunks(STEPS).chain(products.chunks(1));
    for chunk in chunks {
        let wrong: Vec<Term> = chunk.iter().map(|&lemma| terms.not(lemma)).collect();
        let query = [terms.or(&wrong)];
        let states =
            format!("{} steps of the translation to integers keep their bounds and windows", chunk.len());
        derived.obligations.push(written(terms, &query, Kind::Translation, states));
    }
}

/// A question that must be unsatisfiable, over integers where that is exact.
fn obligation(
    terms: &mut Terms,
    integers: &mut Integers,
    query: &[Term],
    kind: Kind,
    states: String,
) -> Obligation {
    let translated: Option<Vec<Term>> = query.iter().map(|&term| integers.translate(terms, term)).collect();
    written(terms, translated.as_deref().unwrap_or(query), kind, states)
}

fn written(terms: &Terms, query: &[Term], kind: Kind, states: String) -> Obligation {
    let text = smt::script(terms, query, logic(terms, query), &states);
    Obligation { kind, states, text }
}

fn of_all_cases(
    subject: &WasmSubject,
    builds: &Builds,
    relation: &str,
    config: &Config,
    until: Budget,
) -> Result<Result<Derived, Vec<String>>, Error> {
    let target = subject.target(relation)?;
    let Some(mut net) = Net::new(&target, Build::Watched, until)? else { return Err(Error::NoEngine) };
    let mut engine = builds.plain.engine(relation, config.limits)?;
    let all: AllCases = exhaust::run(&mut net, &mut engine, &|| until.is_over())?;
    if let Err(gaps) = Proof::of_all_cases(&all) {
        return Ok(Err(gaps));
    }
    let first = engine.run(Source::Model(Model::new()))?;
    Ok(Ok(Derived {
        inputs: describe(&first.drawn),
        paths: all.run,
        checks: all.holds,
        ..Derived::default()
    }))
}

fn of_invariants(
    subject: &WasmSubject,
    builds: &Builds,
    relation: &str,
    config: &Config,
    until: Budget,
) -> Result<Result<Derived, Vec<String>>, Error> {
    let target = subject.target(relation)?;
    let Some(mut net) = Net::new(&target, Build::Watched, until)? else { return Err(Error::NoEngine) };
    let mut engine = builds.plain.engine(relation, config.limits)?;
    let (watching, _) = watching(subject);
    let (proof, obligations) = loops::prove(&mut engine, &watching, config, net.executor(), until)?;
    if let Err(gaps) = Proof::over_reals(&proof, None) {
        return Ok(Err(gaps));
    }
    let first = engine.run(Source::Model(Model::new()))?;
    Ok(Ok(Derived {
        inputs: describe(&first.drawn),
        paths: proof.ways.len() as u64,
        checks: first.checks.len() as u64,
        obligations,
        ..Derived::default()
    }))
}
