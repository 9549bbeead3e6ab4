//! One test: a random initial session, then rounds of random transformations, each compared with the session before it.

use serde::{Deserialize, Serialize};

use crate::backend::Backend;
use crate::compare::{Difference, DifferenceKind, Relation};
use crate::edit::apply;
use crate::error::{Error, Result};
use crate::follow::{FollowUp, Plan, Test, follow, is_interactive};
use crate::guards;
use crate::initial::{Mix, initial_session};
use crate::outline::Outline;
use crate::program::Program;
use crate::random::Random;
use crate::session::replay;
use crate::trace::{Action, Answer, Control, Ending, Trace};
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
}

impl Default for Config {
    fn default() -> Self {
        Config { rounds: 5, mix: Mix::default(), transformations: Vec::new() }
    }
}

/// What came of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All rounds were as expected.
    Holds,
    /// The initial session does not repeat: nothing can be compared.
    Unsteady,
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
    let trace = match initial_session(backend, program, &outline, &config.mix, &mut random) {
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
    report.sessions += 1;
    let second = replay(backend, program, &test.trace.actions())?;
    if second != test.trace {
        report.verdict = Verdict::Unsteady;
        return Ok(report);
    }
    while report.rounds.len() < config.rounds {
        let Some(plan) = next_plan(backend, &test, config, &mut random, &mut report.sessions)? else { break };
        report.rounds.push(plan.transformation.clone());
        report.sessions += 1;
        let follow_up = match follow(backend, &test, &plan) {
            Ok(follow_up) => follow_up,
            // The parser of the debugger knows less of the language than ours, or more.
            Err(Error::Program(words)) => {
                report.verdict = Verdict::Discarded(words);
                return Ok(report);
            }
            Err(other) => return Err(other),
        };
        if let Some(difference) = follow_up.difference.clone() {
            report.verdict = judge(backend, &report, test, plan, follow_up, difference)?;
            return Ok(report);
        }
        test = follow_up.test;
    }
    Ok(report)
}

/// Draws a transformation that applies. Before a program is changed, every slid breakpoint is replaced by its place.
fn next_plan(
    backend: &mut dyn Backend,
    test: &Test,
    config: &Config,
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
        let scene = Scene {
            test,
            outline: &outline,
            unreached: unreached.as_deref().unwrap_or_default(),
            capabilities: backend.capabilities(),
        };
        if transformation.rewrites()
            && let Some(slide) = transformations::named("slide").plan(&scene, random)
        {
            return Ok(Some(slide));
        }
        if let Some(plan) = transformation.plan(&scene, random) {
            return Ok(Some(plan));
        }
    }
    Ok(None)
}

fn judge(
    backend: &mut dyn Backend,
    report: &Report,
    initial: Test,
    plan: Plan,
    follow_up: FollowUp,
    difference: Difference,
) -> Result<Verdict> {
    if !plan.edits.is_empty() && changes_behaviour(backend, &initial.program, &plan)? {
        return Ok(Verdict::Discarded(format!("{} changes what this program does", plan.transformation)));
    }
    if let Some(why) = guards::false_kind(&initial, &plan, &follow_up, &difference)? {
        return Ok(Verdict::Discarded(why.to_owned()));
    }
    let mut warning = Warning {
        debugger: backend.name().to_owned(),
        seed: report.seed,
        rounds: report.rounds.clone(),
        interactive: is_interactive(&plan),
        plan,
        initial,
        follow_up,
        difference,
        reduced: false,
    };
    Ok(match confirm(backend, &mut warning)? {
        true => Verdict::Warning(Box::new(warning)),
        false => Verdict::Leaked(Box::new(warning)),
    })
}

/// Repeats a warning, each session in a fresh process; the warning takes over what is seen there.
///
/// # Errors
/// When the debugger talks nonsense.
pub fn confirm(backend: &mut dyn Backend, warning: &mut Warning) -> Result<bool> {
    backend.discard();
    let trace = replay(backend, &warning.initial.program, &warning.initial.trace.actions())?;
    backend.discard();
    let initial = Test { program: warning.initial.program.clone(), trace };
    let follow_up = if warning.plan.transformation == NONE {
        lone_follow_up(backend, &initial.program, &warning.follow_up.test.trace.actions())?
    } else {
        follow(backend, &initial, &warning.plan)?
    };
    backend.discard();
    let same = follow_up.difference.as_ref().is_some_and(|found| found.kind == warning.difference.kind);
    if let (true, Some(difference)) = (same, follow_up.difference.clone()) {
        warning.initial = initial;
        warning.follow_up = follow_up;
        warning.difference = difference;
    }
    Ok(same)
}

/// The name of the transformation when the actions alone, against no actions at all, make the difference.
pub(crate) const NONE: &str = "debugging-at-all";

/// Whether the edits change what the program does when nobody debugs it: then the transformation was wrong here.
fn changes_behaviour(backend: &mut dyn Backend, program: &Program, plan: &Plan) -> Result<bool> {
    let one = replay(backend, program, &[])?;
    let two = replay(backend, &program.with_source(apply(&program.source, &plan.edits)), &[])?;
    Ok(one.output != two.output || one.ending != two.ending)
}

fn fingerprint(text: &str) -> u64 {
    let hash = blake3::hash(text.as_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("a hash has more than eight bytes"))
}

fn lost(trace: &Trace) -> bool {
    matches!(trace.ending, Ending::Crashed(_) | Ending::Silent | Ending::Exited(_))
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
    let Some(difference) = follow_up.difference.clone() else { return Ok(Verdict::Unsteady) };
    if difference.kind == DifferenceKind::Silence {
        // A session of many steps through a slow program is no silence of the debugger.
        return Ok(Verdict::Discarded("slow under the debugger".to_owned()));
    }
    Ok(Verdict::Warning(Box::new(Warning {
        debugger: backend.name().to_owned(),
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
fn lone_follow_up(backend: &mut dyn Backend, program: &Program, actions: &[Action]) -> Result<FollowUp> {
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
