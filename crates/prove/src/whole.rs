//! The whole of a proof: cases first, then merged paths, then the feasible pairs of paths with their failure conditions, then cases again.

use rustc_hash::{FxHashMap, FxHashSet};
use twinrun_base::cut;
use twinrun_base::work::SECOND;
use twinrun_base::{Budget, Case, CrashKind, Domain, Verdict as Ending};
use twinrun_explore::{Drawn, Engine, Kind, Path, Place, Source, Watching};
use twinrun_subject::module::Storage;
use twinrun_term::{Model, Symbol, Term, Terms};
use twinrun_testing::engine::{WasmSubject, WasmTarget};
use twinrun_testing::target::{Build, Target};

use crate::enumerate::Enumeration;
use crate::error::Error;
use crate::merged::Way;
use crate::net::{FIRST, FIRST_WORK, Net, WHOLE, WHOLE_WORK};
use crate::prepare::{Builds, Config, Loaded, Progress};
use crate::report::{Disagreement, Report, Safety};
use crate::verdict::{Evidence, Proof, Verdict};
use crate::{carry, exhaust, loops, merged, safety};

/// The version of the report's form.
const VERSION: u32 = 3;
/// So many values of an input may be as many turns.
const MANY: i128 = 40;

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
    prove_built(subject, &Builds::of(subject, config)?, relation, config, tell)
}

/// The same for a subject whose builds are decoded already.
///
/// # Errors
/// When the relation cannot be run.
pub fn prove_built(
    subject: &WasmSubject,
    builds: &Builds,
    relation: &str,
    config: &Config,
    tell: &mut dyn FnMut(Progress),
) -> Result<Report, Error> {
    let until = Budget::of(config.work);
    let target = subject.target(relation)?;
    let (loaded, checked) = (&builds.plain, builds.checked.as_ref());
    let (watching, names) = watching(subject);
    let Some(net) = Net::new(&target, Build::Watched, until)? else { return Err(Error::NoEngine) };
    let report = empty(target.subject(), relation);
    let mut work = Work {
        subject,
        target: &target,
        loaded,
        checked,
        config,
        watching,
        names,
        until,
        net,
        report,
        unconfirmed: None,
    };
    if !config.no_pretest {
        work.net.draw(FIRST, FIRST_WORK)?;
        work.net.boundaries()?;
    }
    let outcome = if work.watching.any.is_empty() { work.prove(tell) } else { work.prove_loops() };
    if let Err(error) = outcome {
        // A cut ends the search for conditions, not what is known already: the failing case that testing found is told, without a limit of time because
        // it only has to be run once more.
        let known = cut::is_requested() && cut::within(None, || work.fails(false))?;
        if !known {
            return Err(error);
        }
    }
    if !config.no_pretest {
        work.report.tested = Some(work.net.tested);
    }
    Ok(work.report)
}

/// What trying invariants gave.
enum Turns {
    /// No loop took a turn.
    None,
    /// The relation is not proved this way.
    Open,
    /// It is, and all is told.
    Proved,
}

/// A proof on its way.
struct Work<'a> {
    subject: &'a WasmSubject,
    target: &'a WasmTarget<'a>,
    loaded: &'a Loaded,
    checked: Option<&'a Loaded>,
    config: &'a Config,
    watching: Watching,
    names: FxHashMap<u32, String>,
    until: Budget,
    net: Net<'a>,
    report: Report,
    /// A failing case that the other engine does not confirm.
    unconfirmed: Option<(Case, Ending)>,
}

impl Work<'_> {
    fn prove(&mut self, tell: &mut dyn FnMut(Progress)) -> Result<(), Error> {
        let relation = self.report.relation.clone();
        let mut known = self.failing()?;
        let mut evidence = None;
        // The world of a whole program has one state, not one for each side of a branch.
        let merges =
            !self.config.no_merging && self.config.paths.is_none() && self.loaded.programs.is_empty();
        let proved = |evidence: &Option<Evidence>| evidence.as_ref().is_some_and(|it| it.gaps().is_empty());
        // Where running all cases or invariants may do, paths are tried for a short while first: what they prove says more.
        let few = known.is_empty() && self.may_exhaust() && exhaust::are_few(&mut self.net)?;
        let turns = merges && known.is_empty() && self.may_turn()?;
        if merges && known.is_empty() {
            evidence = self.merge(&mut known, if few || turns { 0.1 } else { 0.4 }, tell)?;
        }
        let mut has_turns = false;
        if turns && known.is_empty() && !proved(&evidence) {
            match self.prove_turns()? {
                Turns::Proved => return Ok(()),
                Turns::Open => has_turns = true,
                Turns::None => {}
            }
            known = self.failing()?;
        }
        if few && known.is_empty() && !proved(&evidence) {
            self.exhaust(self.until.share(0.3))?;
        }
        let is_open = matches!(self.report.verdict, Verdict::Unknown { .. });
        if merges && turns && !has_turns && is_open && known.is_empty() && !proved(&evidence) {
            evidence = self.merge(&mut known, 0.4, tell)?;
        }
        let open = matches!(self.report.verdict, Verdict::Unknown { .. });
        if open && !proved(&evidence) || self.config.pairs {
            let share = self.until.share(if self.config.no_safety { 1.0 } else { 0.8 });
            let mut enumeration = Enumeration::run(self.loaded, &relation, self.config, share, tell)?;
            for case in &known {
                enumeration.add(case)?;
            }
            let (config, until) = (self.config, self.until);
            enumeration.explain(self.subject, config, until, self.net.executor(), &mut self.report)?;
            if let Some(sources) = &config.sources {
                let sources = sources.clone();
                self.report.failure_report = enumeration.failure_report(
                    self.loaded,
                    self.subject,
                    config,
                    sources,
                    until,
                    &self.report,
                )?;
            }
            for (case, ending, doubtful) in enumeration.failing_cases() {
                self.confirm(&case, ending, doubtful)?;
            }
            if open && (!proved(&evidence) || enumeration.evidence().gaps() != Vec::<String>::new()) {
                self.report.verdict = enumeration.bounded(self.subject, config, self.tested());
                let own = enumeration.evidence();
                // Pairs that are not all do not unmake a proof with paths merged.
                if !proved(&evidence) {
                    evidence = Some(own);
                }
            }
        }
        if open {
            self.conclude(evidence.as_ref())?;
            self.exhaust(self.until)?;
        }
        if self.report.verdict.is_proved() && self.loaded.programs.is_empty() {
            let mut engine = self.loaded.engine(&relation, self.config.limits)?;
            self.report.carry = carry::find(&mut engine, &self.watching, &self.names)?;
        }
        self.safety(tell)
    }

    /// The proof with paths merged: what it showed, if it showed anything. Failing cases are added to those that are known.
    fn merge(
        &mut self,
        known: &mut Vec<Case>,
        part: f64,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Option<Evidence>, Error> {
        let relation = self.report.relation.clone();
        let share = self.until.share(part);
        let first = self.loaded.engine(&relation, self.config.limits)?.run(Source::Model(Model::new()))?;
        let permutes = first.drawn.iter().any(|drawn| matches!(drawn.domain, Domain::Permutation { .. }));
        let mut evidence = None;
        for split_permutations in [true, false].into_iter().filter(|split| permutes || !split) {
            let way = Way { stop_at_violation: true, split_permutations, plain: false };
            let mut outcome = merged::explore(self.loaded, &relation, self.config, share, way, tell)?;
            self.report.merged = Some(outcome.summary.clone());
            self.report.inputs = std::mem::take(&mut outcome.inputs);
            let violated = outcome.violated.take().map(|case| (case, Ending::Violated, false));
            let crashed =
                outcome.crashed.drain(..).map(|(path, case)| (case, Ending::Crashed, is_doubtful(&path)));
            for (case, ending, doubtful) in violated.into_iter().chain(crashed) {
                if self.confirm(&case, ending, doubtful)? {
                    known.push(case);
                }
            }
            let done = outcome.evidence.gaps().is_empty() || !known.is_empty();
            self.report.verdict = Verdict::Unknown { reasons: outcome.reasons };
            evidence = Some(outcome.evidence);
            if done {
                break;
            }
        }
        Ok(evidence)
    }

    /// The cases that testing found to fail.
    fn failing(&mut self) -> Result<Vec<Case>, Error> {
        for ending in [Ending::Violated, Ending::Crashed] {
            if let Some(witness) = self.net.failing(ending)? {
                return Ok(vec![witness.case]);
            }
        }
        Ok(Vec::new())
    }

    /// Runs a failing case of the prover in the other engine.
    /// What is doubtful need not be confirmed: it keeps the paths from being a proof.
    fn confirm(&mut self, case: &Case, ending: Ending, doubtful: bool) -> Result<bool, Error> {
        let confirmed = self.net.confirm(case, ending)?;
        if !confirmed && !doubtful {
            self.unconfirmed.get_or_insert((case.clone(), ending));
        }
        Ok(confirmed)
    }

    fn tested(&self) -> Option<&crate::net::Tested> {
        (!self.config.no_pretest).then_some(&self.net.tested)
    }

    /// The verdict: what the other engine has seen comes first, then a proof that it does not contradict.
    fn conclude(&mut self, evidence: Option<&Evidence>) -> Result<(), Error> {
        let complete = evidence.is_some_and(|evidence| evidence.gaps().is_empty());
        if complete && self.failing()?.is_empty() && !self.config.no_pretest {
            self.net.draw(WHOLE, WHOLE_WORK)?;
        }
        let fails = self.fails(complete)?;
        if let Some((case, ending)) = self.unconfirmed.take()
            && self.report.disagreement.is_none()
        {
            self.disagree(format!("{ending} for this case"), case)?;
            if fails {
                return Ok(());
            }
            self.report.verdict =
                Verdict::unknown("the prover found a failing case that the other engine does not confirm");
            return Ok(());
        }
        let Some(evidence) = evidence.filter(|_| !fails) else { return Ok(()) };
        match Proof::of(evidence, self.tested()) {
            Ok(proof) => self.report.verdict = Verdict::Proved(proof),
            Err(gaps) => {
                if let Verdict::Unknown { reasons } = &mut self.report.verdict {
                    reasons.extend(gaps);
                    reasons.dedup();
                }
            }
        }
        Ok(())
    }

    /// Takes over a failing case that the other engine has seen, if there is one. What the prover had called proved is then a disagreement.
    fn fails(&mut self, proved: bool) -> Result<bool, Error> {
        for ending in [Ending::Violated, Ending::Crashed] {
            let Some(witness) = self.net.failing(ending)? else { continue };
            if proved {
                self.disagree("proved".to_owned(), witness.case.clone())?;
            }
            self.report.verdict =
                if ending == Ending::Violated { Verdict::Violated } else { Verdict::Crashed };
            self.report.witness = Some(witness);
            if let Some(pairs) = &mut self.report.pairs {
                // The case that is known lies on a pair, also where no pair was found to fail in the time.
                match ending {
                    Ending::Violated => pairs.failing = pairs.failing.max(1),
                    _ => pairs.broken = pairs.broken.max(1),
                }
                pairs.pairs = pairs.pairs.max(1);
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn disagree(&mut self, prover: String, case: Case) -> Result<(), Error> {
        let engine = self.net.executor().explain(&case)?.group.verdict.to_string();
        self.report.notes.push(
            "PROVER AND ENGINE DISAGREE: one of them is wrong. Please report this, with the subject and the case"
                .to_owned(),
        );
        self.report.disagreement = Some(Disagreement { prover, engine, case });
        Ok(())
    }

    fn may_exhaust(&self) -> bool {
        !self.config.no_enumeration && self.config.paths.is_none()
    }

    /// Where nothing else has decided and there are few cases, all of them are run.
    fn exhaust(&mut self, until: Budget) -> Result<(), Error> {
        let open =
            matches!(self.report.verdict, Verdict::Unknown { .. }) && self.report.disagreement.is_none();
        if !open || !self.may_exhaust() {
            return Ok(());
        }
        let mut engine = self.loaded.engine(&self.report.relation, self.config.limits)?;
        let all = exhaust::run(&mut self.net, &mut engine, &|| until.is_over())?;
        if self.fails(false)? {
            return Ok(());
        }
        if let Ok(proof) = Proof::of_all_cases(&all) {
            self.report.verdict = Verdict::Proved(proof);
        }
        Ok(())
    }

    /// Whether an input may say how many turns a loop has, and nothing but numbers are drawn.
    fn may_turn(&self) -> Result<bool, Error> {
        let mut engine = self.loaded.engine(&self.report.relation, self.config.limits)?;
        let first = engine.run(Source::Model(Model::new()))?;
        let number = |drawn: &Drawn| matches!(drawn.domain, Domain::Int { .. } | Domain::Float { .. });
        let wide = |drawn: &Drawn| matches!(drawn.domain, Domain::Int { lo, hi, .. } if i128::from(hi) - i128::from(lo) >= MANY);
        Ok(first.drawn.iter().all(number) && first.drawn.iter().any(wide))
    }

    /// The relation for any number of turns, where it has loops.
    fn prove_turns(&mut self) -> Result<Turns, Error> {
        let mut engine = self.loaded.engine(&self.report.relation, self.config.limits)?;
        let share = self.until.share(0.3);
        let executor = self.net.executor();
        let (proof, _) = loops::prove(&mut engine, &self.watching, self.config, executor, share)?;
        if let Some(case) = &proof.witness {
            self.net.confirm(case, Ending::Violated)?;
        }
        if !proof.turns {
            return Ok(Turns::None);
        }
        if !proof.proved {
            let tried = !proof.reasons.is_empty();
            let note = || format!("for any number of turns: {}", proof.reasons.join("; "));
            self.report.notes.extend(tried.then(note));
            return Ok(Turns::Open);
        }
        self.report.merged = None;
        self.conclude_loops(engine, proof)?;
        Ok(Turns::Proved)
    }

    /// The relation for any number of turns of its loops, over the reals.
    fn prove_loops(&mut self) -> Result<(), Error> {
        let mut engine = self.loaded.engine(&self.report.relation, self.config.limits)?;
        let executor = self.net.executor();
        let (proof, _) = loops::prove(&mut engine, &self.watching, self.config, executor, self.until)?;
        self.conclude_loops(engine, proof)
    }

    fn conclude_loops(&mut self, mut engine: Engine, proof: loops::LoopProof) -> Result<(), Error> {
        if let Some(case) = &proof.witness {
            self.net.confirm(case, Ending::Violated)?;
        }
        if proof.proved && !self.config.no_pretest {
            self.net.draw(WHOLE, WHOLE_WORK)?;
        }
        // Doubles may violate what the reals have: that is no disagreement.
        if !self.fails(false)? {
            self.report.verdict = match Proof::over_reals(&proof, self.tested()) {
                Ok(over_reals) => {
                    self.report.carry = carry::find(&mut engine, &self.watching, &self.names)?;
                    Verdict::ProvedOverReals(over_reals)
                }
                Err(reasons) => Verdict::Unknown { reasons },
            };
        }
        let first = engine.run(Source::Model(Model::new()))?;
        self.report.inputs = describe(&first.drawn);
        if let (false, Some(mut checked)) = (self.config.no_safety, self.target.executor(Build::Checked)?) {
            let inputs = first.case(&engine.domain.terms, &first.model).inputs;
            self.report.safety = safety::sample(&mut *checked, &loops::drawn_cases(&inputs))?;
        }
        self.report.loops = Some(proof);
        Ok(())
    }

    fn safety(&mut self, tell: &mut dyn FnMut(Progress)) -> Result<(), Error> {
        if self.config.no_safety {
            return Ok(());
        }
        let until = self.until.at_least(SECOND / 5);
        let net = Net::new(self.target, Build::Checked, until)?;
        self.report.safety = match (self.checked, net) {
            (Some(loaded), Some(mut net)) => {
                safety::check(loaded, &self.report.relation, self.config, until, &mut net, tell)?
            }
            _ => Safety::Unknown { reasons: vec!["this subject has no checked build".to_owned()] },
        };
        Ok(())
    }
}

/// A report that says nothing yet.
fn empty(subject: &str, relation: &str) -> Report {
    Report {
        version: VERSION,
        subject: subject.to_owned(),
        relation: relation.to_owned(),
        verdict: Verdict::Unknown { reasons: Vec::new() },
        inputs: Vec::new(),
        merged: None,
        carry: None,
        loops: None,
        pairs: None,
        paths: Vec::new(),
        tables: None,
        witness: None,
        disagreement: None,
        tested: None,
        fails_when: None,
        failures: Vec::new(),
        failures_left_out: 0,
        suspected: None,
        safety: Safety::Unknown { reasons: vec!["it was not asked for".to_owned()] },
        failure_report: None,
        notes: Vec::new(),
        follows: Vec::new(),
    }
}

/// The functions whose loops are looked at, and those that stand for any function.
pub(crate) fn watching(subject: &WasmSubject) -> (Watching, FxHashMap<u32, String>) {
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
    let variables = module.variables().into_iter().map(|variable| {
        let place = match variable.storage {
            Storage::Static(address) => Place::Static(address),
            Storage::Frame { function, local, offset } => Place::Frame { function, local, offset },
        };
        (variable.name, place)
    });
    watching.variables = variables.collect();
    (watching, names)
}

/// What the declarations of a path's inputs say.
pub(crate) fn given(path: &Path) -> Vec<Term> {
    let inputs = path.conditions.iter().filter(|condition| condition.kind == Kind::Input);
    inputs.map(|condition| condition.term).collect()
}

/// What the declarations say on every one of these paths that draws the same inputs. A range may depend on what was drawn before: where one path has an input between
/// 0 and 1 and another the same one between 0 and 5, neither bound can be taken for granted when conditions of both are put together.
pub(crate) fn given_to_all(terms: &Terms, paths: &[&Path]) -> Vec<Term> {
    let known: Vec<(FxHashSet<Term>, FxHashSet<Symbol>)> = paths
        .iter()
        .map(|path| {
            let drawn = path.drawn.iter().flat_map(|drawn| drawn.symbols.iter().copied());
            (given(path).into_iter().collect(), drawn.collect())
        })
        .collect();
    let mut seen = FxHashSet::default();
    let mut all = Vec::new();
    for condition in paths.iter().flat_map(|path| given(path)) {
        let contradicts = |(given, drawn): &(FxHashSet<Term>, FxHashSet<Symbol>)| {
            !given.contains(&condition) && terms.free_symbols(condition).iter().any(|it| drawn.contains(it))
        };
        if seen.insert(condition) && !known.iter().any(contradicts) {
            all.push(condition);
        }
    }
    all
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

/// Whether a crash of a path need not be one of the engine: paths follow undefined bits less exactly than the shadow interpreter.
pub(crate) fn is_doubtful(path: &Path) -> bool {
    path.crash.as_ref().is_some_and(|crash| crash.kind == CrashKind::Uninitialised)
}
