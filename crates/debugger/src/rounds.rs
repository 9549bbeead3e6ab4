//! One test: a random initial session, then rounds of random transformations, each compared with the session before it.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::backend::Backend;
use crate::compare::{Difference, DifferenceKind, Relation};
use crate::directed::{Target, directed_session, target};
use crate::edit::apply;
use crate::error::{Error, Result};
use crate::examine::{Examined, confirm, examine};
use crate::follow::{FollowUp, Plan, Test, is_interactive};
use crate::initial::{Mix, initial_session};
use crate::outline::Outline;
use crate::program::Program;
use crate::random::Random;
use crate::session::replay;
use crate::trace::{Action, Answer, Control, Ending, Pause, Special, Step, Trace};
use crate::transformations::{self, Scene, Transformation, surprises};
use crate::warning::Warning;

/// How a test is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// Most rounds.
    pub rounds: usize,
    /// The initial sessions.
    pub mix: Mix,
    /// The transformations to use, by name; all when empty.
    #[serde(default)]
    pub transformations: Vec<String>,
    /// Whether every second test aims at a combination that was not covered yet.
    #[serde(default = "yes")]
    pub directed: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config { rounds: 8, mix: Mix::default(), transformations: Vec::new(), directed: true }
    }
}

fn yes() -> bool {
    true
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All rounds were as expected.
    Holds,
    /// The initial session does not repeat, so that nothing can be compared: what differs.
    Unsteady(String),
    /// The test could not be done: why.
    Discarded(String),
    /// A difference that was seen again in a fresh process.
    Warning(Box<Warning>),
    /// A difference that a fresh process does not show: state leaked between sessions.
    Leaked(Box<Warning>),
}

/// A test with its costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The program's name.
    pub program: String,
    /// The seed of all choices.
    pub seed: u64,
    /// The transformation of each round.
    pub rounds: Vec<String>,
    /// Sessions that were run.
    pub sessions: usize,
    /// Differences that something else than the debugger explains, by cause.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub explained: BTreeMap<String, usize>,
    /// What came of it.
    pub verdict: Verdict,
}

/// Runs one test.
///
/// # Errors
/// When the debugger does not start or talks nonsense.
pub fn run_test(backend: &mut dyn Backend, program: &Program, seed: u64, config: &Config) -> Result<Report> {
    let mut report = Report {
        program: program.name.clone(),
        seed,
        rounds: Vec::new(),
        sessions: 0,
        explained: BTreeMap::new(),
        verdict: Verdict::Holds,
    };
    let outline = match Outline::of(program) {
        Ok(outline) => outline,
        Err(Error::Program(words)) => {
            report.verdict = Verdict::Discarded(words);
            return Ok(report);
        }
        Err(other) => return Err(other),
    };
    // The same seed makes other choices for another program.
    let mut random = Random::new(seed ^ fingerprint(&program.source));
    // Every second test of a program is directed; programs begin at different combinations.
    let allowed = |name: &str| {
        config.transformations.is_empty() || config.transformations.iter().any(|known| known == name)
    };
    let mut aimed = (config.directed && seed % 2 == fingerprint(&program.source) % 2)
        .then(|| target(&outline, allowed, seed / 2 + fingerprint(&program.source) % 9973))
        .flatten();
    let directed = aimed.is_some();
    let unreached = never_run(backend, program);
    let session = match aimed {
        Some(aimed) => {
            directed_session(backend, program, &outline, &unreached, aimed, &config.mix, &mut random)
        }
        None => initial_session(backend, program, &outline, &unreached, &config.mix, &mut random),
    };
    let trace = match session {
        Ok(trace) => trace,
        Err(Error::Program(words)) => {
            report.verdict = Verdict::Discarded(words);
            return Ok(report);
        }
        Err(other) => return Err(other),
    };
    report.sessions += 1;
    let mut test = Test { program: program.clone(), trace };
    if lost(&test.trace) {
        report.verdict = judge_lost(backend, &test, seed, &mut report.sessions)?;
        return Ok(report);
    }
    // Whether output comes in no certain order with the pauses, so that it is compared at the end alone.
    let mut loose = false;
    if let Some(difference) = written_otherwise(backend, program, &test.trace)? {
        let follow_up =
            FollowUp { test: test.clone(), pairs: Vec::new(), difference: Some(difference.clone()) };
        report.rounds.push(NONE.to_owned());
        let warning = Warning {
            debugger: backend.name().to_owned(),
            adapter: backend.description(),
            seed,
            rounds: report.rounds.clone(),
            interactive: false,
            plan: Plan { transformation: NONE.to_owned(), ..Plan::default() },
            initial: test,
            follow_up,
            difference,
            reduced: false,
        };
        report.verdict = Verdict::Warning(Box::new(warning));
        return Ok(report);
    }
    while report.rounds.len() < config.rounds {
        // What breaks a law by itself needs no other session to compare with.
        let lawless =
            report.rounds.is_empty() && allowed(transformations::LAWS) && transformations::breaks_laws(&test);
        let plan = match aimed.take() {
            _ if lawless => {
                Some(Plan { transformation: transformations::LAWS.to_owned(), ..Plan::default() })
            }
            Some(target) => {
                let plan = aimed_plan(backend, &test, target, &mut random, &mut report.sessions)?;
                // Before a program is changed, its breakpoints are put where they slid to.
                let first = plan.as_ref().is_some_and(|plan| plan.transformation != target.transformation);
                aimed = Some(target).filter(|_| first);
                plan
            }
            None => None,
        };
        let plan = match plan {
            Some(plan) => Some(plan),
            None => next_plan(backend, &test, config, directed, &mut random, &mut report.sessions)?,
        };
        let Some(plan) = plan else { break };
        report.rounds.push(plan.transformation.clone());
        let examined = match examine(backend, &test, &plan) {
            Ok(examined) => examined,
            // The parser of the debugger knows less of the language than ours, or more.
            Err(Error::Program(words)) => {
                report.verdict = Verdict::Discarded(words);
                return Ok(report);
            }
            Err(other) => return Err(other),
        };
        report.sessions += examined.sessions;
        match (examined.follow_up.difference.clone(), examined.explained) {
            // What is no part of the grammar is not taken along.
            (None, _) if has_specials(&examined.follow_up.test.trace) => {}
            (None, _) => {
                test = examined.follow_up.test;
                if loose {
                    forget_printed(&mut test.trace);
                }
            }
            // The test goes on without this round.
            (Some(_), Some(why)) => *report.explained.entry(why.to_owned()).or_default() += 1,
            (Some(difference), None) => {
                // What holds throughout was steady; only where a session differs it has to be asked whether it repeats at all.
                report.sessions += 1;
                let second = replay(backend, &test.program, &test.trace.actions())?;
                if !loose && unsteady(&test.trace, &second) {
                    loose = true;
                    forget_printed(&mut test.trace);
                    if !unsteady(&test.trace, &second) {
                        continue;
                    }
                }
                if unsteady(&test.trace, &second) {
                    report.verdict = Verdict::Unsteady(how_unsteady(&test.trace, &second));
                    return Ok(report);
                }
                report.verdict = judge(backend, &report, test, plan, examined, difference)?;
                return Ok(report);
            }
        }
    }
    Ok(report)
}

fn has_specials(trace: &Trace) -> bool {
    let special = |action: &Action| matches!(action, Action::Special(special) if !matches!(special, Special::Look { .. }));
    trace.steps.iter().any(|step| special(&step.action))
}

/// The plan that a directed session was made for; none when it does not apply to what came of the session.
fn aimed_plan(
    backend: &mut dyn Backend,
    test: &Test,
    target: Target,
    random: &mut Random,
    sessions: &mut usize,
) -> Result<Option<Plan>> {
    let transformation = transformations::named(target.transformation);
    let outline = Outline::of(&test.program)?;
    let mut unreached = Vec::new();
    let mut places = Vec::new();
    if transformation.needs_coverage() {
        *sessions += 1;
        unreached = backend.unreached(&test.program)?;
    }
    if transformation.needs_places() {
        *sessions += 1;
        places = backend.places(&test.program)?.unwrap_or_default();
    }
    let capabilities = backend.capabilities();
    let scene = Scene { test, outline: &outline, unreached: &unreached, places: &places, capabilities };
    if transformation.rewrites()
        && let Some(slide) = transformations::named("slide").plan(&scene, random)
    {
        return Ok(Some(slide));
    }
    Ok(transformation.aim(&scene, random))
}

/// Draws a transformation that applies. Before a program is changed, every slid breakpoint is replaced by its place.
fn next_plan(
    backend: &mut dyn Backend,
    test: &Test,
    config: &Config,
    directed: bool,
    random: &mut Random,
    sessions: &mut usize,
) -> Result<Option<Plan>> {
    let mut left: Vec<&dyn Transformation> = transformations::ALL
        .iter()
        .copied()
        .filter(|known| {
            config.transformations.is_empty()
                || config.transformations.iter().any(|name| name == known.name())
        })
        .collect();
    // Those with the most choices of their own are drawn more often.
    for (name, more) in [("insert-dead-code", 2), ("add-breakpoint", 1), ("replace-continue", 1)] {
        if let Some(&known) = left.iter().find(|known| known.name() == name) {
            left.extend(std::iter::repeat_n(known, more));
        }
    }
    let outline = Outline::of(&test.program)?;
    let mut unreached = None;
    let mut places = None;
    // A continue that paused without a breakpoint asks to be looked at.
    let surprised = !surprises(test).is_empty() && random.chance(50);
    while !left.is_empty() {
        let at = match left.iter().position(|known| known.name() == "replace-continue") {
            Some(at) if surprised => at,
            _ => random.below(left.len()),
        };
        let transformation = left.swap_remove(at);
        if transformation.needs_coverage() && unreached.is_none() {
            *sessions += 1;
            unreached = Some(backend.unreached(&test.program)?);
        }
        if transformation.needs_places() && places.is_none() {
            *sessions += 1;
            places = Some(backend.places(&test.program)?.unwrap_or_default());
        }
        let scene = Scene {
            test,
            outline: &outline,
            unreached: unreached.as_deref().unwrap_or_default(),
            places: places.as_deref().unwrap_or_default(),
            capabilities: backend.capabilities(),
        };
        if transformation.rewrites()
            && let Some(slide) = transformations::named("slide").plan(&scene, random)
        {
            return Ok(Some(slide));
        }
        // What made a session worth aiming one transformation at makes it worth aiming the others.
        let plan =
            if directed { transformation.aim(&scene, random) } else { transformation.plan(&scene, random) };
        if let Some(plan) = plan {
            return Ok(Some(plan));
        }
    }
    Ok(None)
}

/// What never runs, where the debugger tells; a debugger that dies of being asked is not asked again.
fn never_run(backend: &mut dyn Backend, program: &Program) -> Vec<Range<usize>> {
    if !backend.capabilities().coverage {
        return Vec::new();
    }
    backend.unreached(program).unwrap_or_else(|_| {
        backend.discard();
        Vec::new()
    })
}

fn judge(
    backend: &mut dyn Backend,
    report: &Report,
    initial: Test,
    plan: Plan,
    examined: Examined,
    difference: Difference,
) -> Result<Verdict> {
    if !plan.edits.is_empty() && changes_behaviour(backend, &initial.program, &plan)? {
        return Ok(Verdict::Discarded(format!("{} changes what this program does", plan.transformation)));
    }
    let mut warning = Warning {
        debugger: backend.name().to_owned(),
        adapter: backend.description(),
        seed: report.seed,
        rounds: report.rounds.clone(),
        interactive: is_interactive(&plan),
        plan,
        initial,
        follow_up: examined.follow_up,
        difference,
        reduced: false,
    };
    Ok(match confirm(backend, &mut warning, examined.prediction.as_ref())? {
        true => Verdict::Warning(Box::new(warning)),
        false => Verdict::Leaked(Box::new(warning)),
    })
}

/// The name of the transformation when the actions alone, against no actions at all, make the difference.
pub(crate) const NONE: &str = "debugging-at-all";

/// Whether the edits change what the program does when nobody debugs it: then the transformation was wrong here.
fn changes_behaviour(backend: &mut dyn Backend, program: &Program, plan: &Plan) -> Result<bool> {
    let one = replay(backend, program, &[])?;
    let two = replay(backend, &program.with_source(apply(&program.source, &plan.edits)), &[])?;
    Ok(one.output != two.output || one.ending != two.ending)
}

/// How the output of a session differs from what the program writes when nobody debugs it, where that can be told.
fn written_otherwise(
    backend: &mut dyn Backend,
    program: &Program,
    trace: &Trace,
) -> Result<Option<Difference>> {
    if trace.ending != Ending::Finished {
        return Ok(None);
    }
    let Some(written) = backend.undebugged(program)?.filter(|written| *written != trace.output) else {
        return Ok(None);
    };
    let plain = Trace { steps: Vec::new(), output: written, ending: Ending::Finished };
    Ok(Relation::default().compare_behaviour(&plain, trace))
}

fn fingerprint(text: &str) -> u64 {
    let hash = blake3::hash(text.as_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has more than eight bytes"))
}

/// Whether two sessions of the same actions differ in what is compared, up to where the program ended.
fn unsteady(one: &Trace, two: &Trace) -> bool {
    let relation = Relation::default();
    let differs = |first: &Answer, second: &Answer| {
        std::mem::discriminant(first) != std::mem::discriminant(second)
            || relation.compare(first, second).is_some()
    };
    let (first, second) = (until_end(one), until_end(two));
    first.len() != second.len()
        || first.iter().zip(second).any(|(first, second)| differs(&first.answer, &second.answer))
        || relation.compare_behaviour(one, two).is_some()
}

fn until_end(trace: &Trace) -> &[Step] {
    let end = trace.steps.iter().position(|step| matches!(step.answer, Answer::Ended(_)));
    &trace.steps[..end.map_or(trace.steps.len(), |end| end + 1)]
}

fn forget_printed(trace: &mut Trace) {
    for step in &mut trace.steps {
        if let Answer::Paused(pause) = &mut step.answer {
            pause.printed = None;
        }
    }
}

/// The first thing in which two sessions of the same actions on the same program differ.
fn how_unsteady(one: &Trace, two: &Trace) -> String {
    let relation = Relation::default();
    let mut pairs = one.steps.iter().zip(&two.steps);
    if let Some((first, second)) = pairs.find(|(first, second)| first != second) {
        let control = &first.action;
        let label = match control {
            Action::Set { .. } => "a breakpoint".to_owned(),
            other => other.to_string(),
        };
        if let Some(difference) = relation.compare(&first.answer, &second.answer) {
            return format!("{label}: {}, then {}", difference.expected, difference.found);
        }
        if let (Answer::Paused(here), Answer::Paused(there)) = (&first.answer, &second.answer) {
            let scopes = |pause: &Pause| -> Vec<String> {
                pause.frames.iter().flat_map(|frame| &frame.scopes).map(|scope| scope.label.clone()).collect()
            };
            return format!(
                "{label}: paused for {:?} (breakpoint named: {}; scopes {}), then for {:?} ({}; {})",
                here.reason,
                here.at_breakpoint,
                scopes(here).join(" "),
                there.reason,
                there.at_breakpoint,
                scopes(there).join(" ")
            );
        }
        return format!("{label}: {}, then {}", first.answer, second.answer);
    }
    match relation.compare_behaviour(one, two) {
        Some(difference) => format!("{}, then {}", difference.expected, difference.found),
        None => format!("{} steps, then {}", one.steps.len(), two.steps.len()),
    }
}

fn lost(trace: &Trace) -> bool {
    matches!(trace.ending, Ending::Crashed(_) | Ending::Silent | Ending::Exited(_) | Ending::Nonsense(_))
}

/// A first session that ends badly is the program's own fault if it does so undebugged, too.
fn judge_lost(backend: &mut dyn Backend, test: &Test, seed: u64, sessions: &mut usize) -> Result<Verdict> {
    backend.discard();
    *sessions += 2;
    let plain = replay(backend, &test.program, &[Action::Control(Control::Continue)])?;
    if lost(&plain) {
        return Ok(Verdict::Discarded(format!("the program itself: {}", plain.ending)));
    }
    backend.discard();
    let actions = test.trace.actions();
    let follow_up = lone_follow_up(backend, &test.program, &actions)?;
    backend.discard();
    let Some(difference) = follow_up.difference.clone() else {
        let what = format!("{} at first, and nothing of it in a fresh process", test.trace.ending);
        return Ok(Verdict::Unsteady(what));
    };
    if difference.kind == DifferenceKind::Silence {
        // A session of many steps through a slow program is no silence of the debugger.
        return Ok(Verdict::Discarded("slow under the debugger".to_owned()));
    }
    Ok(Verdict::Warning(Box::new(Warning {
        debugger: backend.name().to_owned(),
        adapter: backend.description(),
        seed,
        rounds: Vec::new(),
        interactive: false,
        plan: Plan { transformation: NONE.to_owned(), ..Plan::default() },
        initial: Test { program: test.program.clone(), trace: plain },
        follow_up,
        difference,
        reduced: false,
    })))
}

/// The actions against a run without any.
pub(crate) fn lone_follow_up(
    backend: &mut dyn Backend,
    program: &Program,
    actions: &[Action],
) -> Result<FollowUp> {
    let plain = replay(backend, program, &[Action::Control(Control::Continue)])?;
    backend.discard();
    let trace = replay(backend, program, actions)?;
    let difference = Relation::default().compare_behaviour(&plain, &trace);
    let pairs = trace
        .steps
        .iter()
        .position(|step| matches!(step.answer, Answer::Ended(_)))
        .map(|step| (plain.steps.len() - 1, step));
    Ok(FollowUp {
        test: Test { program: program.clone(), trace },
        pairs: pairs.into_iter().collect(),
        difference,
    })
}
