//! One fault: built, run on the suite, judged by the relations and by the correct version.

use serde::{Deserialize, Serialize};
use twinrun_base::{Limits, Verdict};
use twinrun_campaign::Job;
use twinrun_jit::{Compiled, Config, Detail};
use twinrun_localize::evidence::Evidence;
use twinrun_localize::gather::{self, Gathered, approach};
use twinrun_localize::lines::Lines;
use twinrun_localize::mend::{self, Mended, suspects};
use twinrun_testing::engine::Modules;
use twinrun_testing::executor::ExecuteError;
use twinrun_testing::replay::Replay;

use crate::program::{Fault, original};
use crate::runner::{Runner, compile};
use crate::suite::{Suite, asked_and_answered};

/// The version of what a job does: part of its identity.
pub(crate) const ALGORITHM: u32 = 5;

/// A job: one fault of one program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Trial {
    pub(crate) algorithm: u32,
    pub(crate) program: String,
    /// Hash of the sources.
    pub(crate) sources: String,
    pub(crate) fault: Fault,
    pub(crate) groups: usize,
    pub(crate) seed: u64,
}

impl Job for Trial {
    fn label(&self) -> String {
        format!("{} {}", self.program, self.fault.name)
    }
}

/// What came of a fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) state: State,
    /// The faulty lines.
    pub(crate) wanted: Vec<usize>,
    /// Those of the second fault, where there are two.
    #[serde(default)]
    pub(crate) also_wanted: Vec<usize>,
    pub(crate) evidence: Evidence,
    /// For each drawn group, which runs answer wrongly.
    pub(crate) failed: Vec<Vec<bool>>,
    pub(crate) mended: Vec<Mended>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum State {
    /// It does not compile.
    NotBuilt,
    /// No run of the suite answers differently.
    NotKilled,
    /// Some run crashes or does not end.
    Crashing,
    /// No line with code is near the fault.
    NoLine,
    /// Killed: some run answers wrongly.
    Killed,
}

impl Outcome {
    fn left_out(state: State) -> Outcome {
        Outcome {
            state,
            wanted: Vec::new(),
            also_wanted: Vec::new(),
            evidence: Evidence::default(),
            failed: Vec::new(),
            mended: Vec::new(),
        }
    }
}

/// Judges a fault.
pub(crate) fn judge(
    suite: &Suite,
    relations: &Compiled,
    modules: Option<Modules>,
    fault: &Fault,
) -> Result<Outcome, ExecuteError> {
    let Some(modules) = modules else { return Ok(Outcome::left_out(State::NotBuilt)) };
    let lines = Lines::of(&modules);
    let also_wanted = fault.also.as_ref().map_or_else(Vec::new, |also| wanted(&lines, also));
    let wanted = wanted(&lines, fault);
    if wanted.is_empty() || (fault.also.is_some() && also_wanted.is_empty()) {
        return Ok(Outcome::left_out(State::NoLine));
    }
    let config = relations.config().clone();
    let compiled = compile(&modules, Some(relations), &config)?;
    let mut runner = Runner::new(&compiled)?;
    let mut gathered =
        Gathered { evidence: Evidence::new(lines, suite.relations.clone()), ..Gathered::default() };
    let mut failed = Vec::new();
    let mut replay = Replay::default();
    for (group, (relation, case, answers)) in suite.groups.iter().enumerate() {
        runner.relation(&suite.relations[*relation])?;
        suite.replay(group, &mut replay);
        let verdict = runner.group(&mut replay, Detail::Full)?;
        match verdict {
            Verdict::Crashed | Verdict::Timeout => return Ok(Outcome::left_out(State::Crashing)),
            Verdict::Discarded => continue,
            Verdict::Holds | Verdict::Violated => {}
        }
        let slices = twinrun_testing::executor::Executor::slices(&runner);
        let mut wrong = Vec::new();
        for (index, run) in runner.instance.observation().runs().iter().enumerate() {
            let Some(program) = &run.run.program else { continue };
            let (asked, answered) = asked_and_answered(program);
            let expected = match answers.get(index) {
                Some((correct, answer)) if *correct == asked => *answer,
                _ => suite.answer(program)?,
            };
            wrong.push(answered != expected);
        }
        gathered.evidence.add(*relation, verdict == Verdict::Violated, false, slices);
        gathered.cases.push(case.clone());
        failed.push(wrong);
    }
    if !failed.iter().flatten().any(|failed| *failed) && gathered.evidence.violations() == 0 {
        return Ok(Outcome::left_out(State::NotKilled));
    }
    let mut mended = Vec::new();
    if gathered.evidence.violations() > 0 {
        let near = gather::Config { shrunk: 2, near: 60, ..gather::Config::default() };
        for (relation, name) in suite.relations.iter().enumerate() {
            runner.relation(name)?;
            approach(relation, &mut runner, &near, &mut gathered)?;
        }
        let limits = Limits { work: (suite.work * 3).max(20_000), ..Limits::default() };
        mended = suspects(&modules, limits, &gathered, &mend::Config::default())?;
    }
    Ok(Outcome { state: State::Killed, wanted, also_wanted, evidence: gathered.evidence, failed, mended })
}

/// The faulty lines among those with code, or where the fault has none the nearest before and behind it.
fn wanted(lines: &Lines, fault: &Fault) -> Vec<usize> {
    let name = fault.file.rsplit('/').next().unwrap_or(&fault.file);
    let (first, last) = fault.lines(&original(&fault.file));
    let of_file: Vec<(usize, u32)> = lines
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.location.file.rsplit('/').next() == Some(name))
        .map(|(index, line)| (index, line.location.line))
        .collect();
    let exact: Vec<usize> =
        of_file.iter().filter(|(_, line)| (first..=last).contains(line)).map(|(index, _)| *index).collect();
    if !exact.is_empty() {
        return exact;
    }
    let before = of_file.iter().rev().find(|(_, line)| *line < first);
    let behind = of_file.iter().find(|(_, line)| *line > last);
    before.into_iter().chain(behind).map(|(index, _)| *index).collect()
}

/// The limits that the correct version's groups suggest.
pub(crate) fn config(suite: &Suite) -> Config {
    let limits = Limits { work: (suite.work * 10).max(100_000), ..Limits::default() };
    Config { limits, ..Config::default() }
}
