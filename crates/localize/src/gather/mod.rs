//! Gathering evidence: draw groups of each relation, then make some violated cases smaller and keep every group on the way.
//! Those near groups differ from a violated one in little, and about as many hold as are violated: they tell suspects apart
//! that drawn groups leave equal.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Group, Inputs, Rng, Verdict, cut};
use twinrun_testing::executor::{Ending, ExecuteError, Executor, Explained};
use twinrun_testing::generate::Generator;
use twinrun_testing::recorder::Recorder;
use twinrun_testing::replay::Replay;
use twinrun_testing::shrink::{measure, shrink};
use twinrun_testing::target::{Build, Target};

use crate::coverage::Importer;
use crate::evidence::{Evidence, GroupRecord};
use crate::lines::Lines;

/// How much is gathered.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The seed.
    pub seed: u64,
    /// Groups drawn for each relation.
    pub groups: usize,
    /// Violated cases of each relation that are made smaller.
    pub shrunk: usize,
    /// Near groups kept from each of them.
    pub near: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 1, groups: 1000, shrunk: 3, near: 200 }
    }
}

/// Evidence with the cases behind it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Gathered {
    /// The evidence.
    pub evidence: Evidence,
    /// The case of each group of the evidence.
    pub cases: Vec<Case>,
    /// Groups that crashed; they count as violated.
    pub crashed: usize,
    /// Groups that did not end; they count nothing.
    pub timeouts: usize,
    /// Cases that the relations discarded.
    pub discarded: usize,
    /// What the user should know.
    pub notices: Vec<String>,
}

impl Gathered {
    /// Adds what [`gather_one`] gave, as if it had been gathered here: relations in their order give the same as [`gather`].
    pub fn absorb(&mut self, part: Gathered) {
        let Evidence { slices, groups, .. } = part.evidence;
        for GroupRecord { relation, violated, near, runs } in groups {
            let of_runs = runs.iter().filter_map(|run| slices.get(*run as usize)).cloned().collect();
            self.evidence.add(relation as usize, violated, near, of_runs);
        }
        self.cases.extend(part.cases);
        self.crashed += part.crashed;
        self.timeouts += part.timeouts;
        self.discarded += part.discarded;
        self.notices.extend(part.notices);
    }
}

/// Time-outs after which drawing for one relation ends: each costs the whole work limit.
const MOST_TIMEOUTS: usize = 10;

/// Draws groups of all targets. `progress` hears of every relation how many groups are drawn, and answers whether to stop.
///
/// # Errors
/// When an engine cannot answer.
pub fn gather(
    targets: &[&dyn Target],
    sites: Sites,
    config: &Config,
    progress: &dyn Fn(usize, usize) -> bool,
) -> Result<Gathered, ExecuteError> {
    let relations = targets.iter().map(|target| target.relation().to_owned()).collect();
    let (lines, mut importer) = match sites {
        Sites::Observed(lines) => (lines, None),
        Sites::Imported(importer) => (Lines::default(), Some(importer)),
    };
    let mut gathered = Gathered { evidence: Evidence::new(lines, relations), ..Gathered::default() };
    for (relation, target) in targets.iter().enumerate() {
        let Some(executor) = target.executor(Build::Plain)? else { continue };
        let mut executor: Box<dyn Executor + '_> = match &mut importer {
            Some(importer) => Box::new(Importing { executor, importer, slices: Vec::new() }),
            None => executor,
        };
        collect(relation, *target, &mut *executor, config, &mut gathered, progress)?;
    }
    if let Some(importer) = importer {
        gathered.evidence.lines = importer.lines();
    }
    Ok(gathered)
}

/// Draws groups of one relation alone, the one with this number; for another process, which does not need the lines.
///
/// # Errors
/// When an engine cannot answer.
pub fn gather_one(
    relation: usize,
    target: &dyn Target,
    config: &Config,
    progress: &dyn Fn(usize, usize) -> bool,
) -> Result<Gathered, ExecuteError> {
    let mut gathered = Gathered::default();
    if let Some(mut executor) = target.executor(Build::Plain)? {
        collect(relation, target, &mut *executor, config, &mut gathered, progress)?;
    }
    Ok(gathered)
}

fn collect(
    relation: usize,
    target: &dyn Target,
    executor: &mut dyn Executor,
    config: &Config,
    gathered: &mut Gathered,
    progress: &dyn Fn(usize, usize) -> bool,
) -> Result<(), ExecuteError> {
    draw(relation, executor, config, gathered, progress)?;
    let near = config.near.min(target.pace().shrink as usize);
    approach(relation, executor, &Config { near, ..*config }, gathered)
}

fn draw(
    relation: usize,
    executor: &mut dyn Executor,
    config: &Config,
    gathered: &mut Gathered,
    progress: &dyn Fn(usize, usize) -> bool,
) -> Result<(), ExecuteError> {
    let dictionary = executor.dictionary().to_vec();
    let mut generator = Generator::new(Rng::fork(config.seed, relation as u64), &dictionary);
    let mut corpus: Vec<Rc<Case>> = Vec::new();
    let mut seen: Vec<u64> = Vec::new();
    let (mut drawn, mut timeouts) = (0, 0);
    for _ in 0..config.groups.saturating_mul(10) {
        if drawn == config.groups || timeouts == MOST_TIMEOUTS || progress(relation, drawn) {
            break;
        }
        generator.begin(&corpus);
        let ending = executor.run(&mut generator)?;
        if let Some(notice) = executor.notice() {
            gathered.notices.push(notice);
            break;
        }
        match ending.verdict {
            Verdict::Discarded => {
                gathered.discarded += 1;
                continue;
            }
            Verdict::Timeout => {
                gathered.timeouts += 1;
                timeouts += 1;
                continue;
            }
            Verdict::Crashed => gathered.crashed += 1,
            Verdict::Holds | Verdict::Violated => {}
        }
        drawn += 1;
        let case = generator.case();
        if novel(&mut seen, executor.touched()) {
            corpus.push(Rc::new(case.clone()));
        }
        gathered.evidence.add(relation, ending.verdict != Verdict::Holds, false, executor.slices());
        gathered.cases.push(case);
    }
    Ok(())
}

fn novel(seen: &mut Vec<u64>, touched: &[u64]) -> bool {
    if seen.len() < touched.len() {
        seen.resize(touched.len(), 0);
    }
    let mut fresh = 0;
    for (seen, now) in seen.iter_mut().zip(touched) {
        fresh |= now & !*seen;
        *seen |= now;
    }
    fresh != 0
}

/// Makes the smallest violated cases with distinct slices smaller still, and keeps every group on the way.
///
/// # Errors
/// When the engine cannot answer.
pub fn approach(
    relation: usize,
    executor: &mut dyn Executor,
    config: &Config,
    gathered: &mut Gathered,
) -> Result<(), ExecuteError> {
    let groups = gathered.evidence.groups.iter().zip(&gathered.cases);
    let mut violated: Vec<(&Vec<u32>, &Case)> = groups
        .filter(|(group, _)| group.violated && group.relation as usize == relation)
        .map(|(group, case)| (&group.runs, case))
        .collect();
    violated.sort_by_cached_key(|(_, case)| measure(case));
    let mut chosen: Vec<(&Vec<u32>, Case)> = Vec::new();
    for (runs, case) in violated {
        if chosen.len() < config.shrunk && chosen.iter().all(|(other, _)| *other != runs) {
            chosen.push((runs, case.clone()));
        }
    }
    let cases: Vec<Case> = chosen.into_iter().map(|(_, case)| case).collect();
    for case in cases {
        let mut replay = Replay::default();
        replay.begin(&case);
        let ending = executor.run(&mut replay)?;
        if ending.verdict != Verdict::Violated {
            continue;
        }
        let mut keeper = Keeper { executor, kept: Vec::new() };
        shrink(&mut keeper, &case, ending, config.near as u64, &cut::is_requested)?;
        for (verdict, slices, case) in keeper.kept {
            gathered.evidence.add(relation, verdict != Verdict::Holds, true, slices);
            gathered.cases.push(case);
        }
    }
    Ok(())
}

/// Where slices come from.
pub enum Sites {
    /// The engine observes blocks of these lines.
    Observed(Lines),
    /// Other tools write coverage.
    Imported(Importer),
}

/// An executor whose slices are what other tools wrote.
struct Importing<'a, 'e> {
    executor: Box<dyn Executor + 'e>,
    importer: &'a mut Importer,
    slices: Vec<Vec<u64>>,
}

impl Executor for Importing<'_, '_> {
    fn run(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
        let ending = self.executor.run(inputs)?;
        self.slices.clear();
        for text in self.executor.imported() {
            self.slices.push(self.importer.slice(text).map_err(ExecuteError::new)?);
        }
        Ok(ending)
    }

    fn touched(&self) -> &[u64] {
        &[]
    }

    fn slices(&self) -> Vec<Vec<u64>> {
        self.slices.clone()
    }

    fn explain(&mut self, case: &Case) -> Result<Explained, ExecuteError> {
        self.executor.explain(case)
    }

    fn notice(&mut self) -> Option<String> {
        self.executor.notice()
    }
}

/// An executor that keeps every group.
struct Keeper<'a> {
    executor: &'a mut dyn Executor,
    kept: Vec<(Verdict, Vec<Vec<u64>>, Case)>,
}

impl Executor for Keeper<'_> {
    fn run(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
        let mut recorder = Recorder::new(inputs);
        let ending = self.executor.run(&mut recorder)?;
        if matches!(ending.verdict, Verdict::Holds | Verdict::Violated | Verdict::Crashed) {
            self.kept.push((ending.verdict, self.executor.slices(), recorder.case()));
        }
        Ok(ending)
    }

    fn touched(&self) -> &[u64] {
        self.executor.touched()
    }

    fn explain(&mut self, case: &Case) -> Result<Explained, ExecuteError> {
        self.executor.explain(case)
    }
}

/// One group with all that is known about it, for reports.
///
/// # Errors
/// When the engine cannot answer.
pub fn explain(target: &dyn Target, case: &Case) -> Result<Option<Group>, ExecuteError> {
    let Some(mut executor) = target.executor(Build::Plain)? else { return Ok(None) };
    Ok(Some(executor.explain(case)?.group))
}
