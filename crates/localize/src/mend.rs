//! Mending: which single change at a suspect turns violated groups into holding ones and leaves the rest as it was?
//!
//! A change that mends violations stands at the fault, or at a place through which its effect passes (Papadakis and Le Traon,
//! 2015; Moon, Kim, Kim and Yoo, 2014). Without an oracle a relation may also hold because both runs became equally wrong;
//! so a change counts the more, the more outputs of holding groups it leaves untouched.

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Hash, Limits, Verdict};
use twinrun_jit::patch::{Change, Patch, patches};
use twinrun_jit::{Compiled, Config as JitConfig, Detail, Instance, Observation, RelationId};
use twinrun_subject::Module;
use twinrun_testing::engine::Modules;
use twinrun_testing::executor::ExecuteError;
use twinrun_testing::replay::Replay;
use twinrun_testing::shrink::measure;
use twinrun_testing::target::Target;

use crate::evidence::bits;
use crate::formulas::formula;
use crate::gather::{self, Gathered};
use crate::lines::Lines;
use crate::method::{DEFAULT_FORMULA, Mending, Method, counts};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Changes, the most suspicious blocks first.
    pub patches: usize,
    /// Violated groups that a change must mend.
    pub violated: usize,
    /// Of these, so many decide whether a change is tried further.
    pub screened: usize,
    /// Holding groups that run the changed block and that it should leave as they are.
    pub held: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config { patches: 1500, violated: 8, screened: 2, held: 16 }
    }
}

/// What one change did; only those that mend something are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mended {
    /// The line: index into [`Lines::lines`].
    pub line: u32,
    /// The block.
    pub block: u32,
    /// What was changed.
    pub change: Change,
    /// Violated groups that hold with it.
    pub mended: u32,
    /// Of these, groups in which some run answers as before.
    pub partly: u32,
    /// Violated groups that were tried.
    pub violated: u32,
    /// Holding groups that still hold.
    pub held: u32,
    /// Of these, groups in which every run answers as before.
    pub kept: u32,
    /// Holding groups that run the changed block and were tried.
    pub holding: u32,
}

impl Mended {
    /// How well the change mends, from 0 to 1: the share of violations mended, of these the share in which some run answers
    /// as before (a real mend changes the wrong answers only), and the share of holding groups left as they were; squared,
    /// because many changes mend a little.
    pub fn score(&self) -> f64 {
        let share = |part: u32, whole: u32| f64::from(part + 1) / f64::from(whole + 1);
        let mended = f64::from(self.mended) / f64::from(self.violated.max(1));
        (mended * share(self.partly, self.mended) * share(self.kept, self.holding)).powi(2)
    }
}

/// Tries changes at the suspects of gathered evidence: the blocks that violated groups touch, those first that a formula
/// suspects most.
///
/// # Errors
/// When the engine cannot answer.
pub fn suspects(
    modules: &Modules,
    limits: Limits,
    gathered: &Gathered,
    config: &Config,
) -> Result<Vec<Mended>, ExecuteError> {
    let evidence = &gathered.evidence;
    let Some(formula) = formula(DEFAULT_FORMULA) else { return Ok(Vec::new()) };
    let counts = counts(evidence, &Method { mending: Mending::Off, ..Method::improved(formula) });
    let scores: Vec<f64> = counts.iter().map(|counts| (formula.score)(counts)).collect();
    let mut touched: Vec<u64> = Vec::new();
    for group in evidence.groups.iter().filter(|group| group.violated) {
        let union = evidence.union(group);
        touched.resize(touched.len().max(union.len()), 0);
        touched.iter_mut().zip(union).for_each(|(mine, theirs)| *mine |= theirs);
    }
    let known = |block: &usize| evidence.lines.blocks.get(*block).is_some_and(|lines| !lines.is_empty());
    let mut order: Vec<usize> = bits(&touched).filter(known).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let samples = (sample(gathered, true), sample(gathered, false));
    mend(modules, &evidence.lines, limits, &order, (&samples.0, &samples.1), config)
}

/// Limits for groups with a change: three times the work of the gathered ones, so that a change that loops for ever costs little.
///
/// # Errors
/// When the engine cannot answer.
pub fn limits(targets: &[&dyn Target], gathered: &Gathered, limits: Limits) -> Result<Limits, ExecuteError> {
    let mut work = 0;
    for (relation, target) in targets.iter().enumerate() {
        let of_relation = gathered.evidence.groups.iter().zip(&gathered.cases);
        let mut cases = of_relation.filter(|(group, _)| group.relation as usize == relation);
        for (_, case) in cases.by_ref().take(20) {
            work = work.max(gather::explain(*target, case)?.map_or(0, |group| group.work));
        }
    }
    Ok(Limits { work: (work * 3).clamp(20_000, limits.work.max(20_000)), ..limits })
}

/// A change that leaves less than half of so many holding groups as they were is not tried further.
const HOPELESS: u32 = 16;

/// Samples from which groups are taken.
const MOST_SAMPLES: usize = 150;

/// Groups of every relation in turn: violated ones smallest first, holding ones near and drawn in turn.
pub(crate) fn sample(gathered: &Gathered, violated: bool) -> Vec<Sample> {
    let evidence = &gathered.evidence;
    let mut by_relation: Vec<Vec<usize>> = vec![Vec::new(); evidence.relations.len()];
    for (index, group) in evidence.groups.iter().enumerate().filter(|(_, group)| group.violated == violated) {
        by_relation[group.relation as usize].push(index);
    }
    for groups in &mut by_relation {
        if violated {
            groups.sort_by_cached_key(|group| measure(&gathered.cases[*group]));
        } else {
            let (near, drawn): (Vec<usize>, Vec<usize>) =
                groups.iter().partition(|group| evidence.groups[**group].near);
            let most = near.len().max(drawn.len());
            *groups =
                (0..most).flat_map(|index| [near.get(index), drawn.get(index)]).flatten().copied().collect();
        }
    }
    let longest = by_relation.iter().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..longest).flat_map(|place| {
        let here = by_relation.iter().enumerate();
        here.filter_map(move |(relation, groups)| Some((relation, *groups.get(place)?)))
    });
    in_turn
        .take(MOST_SAMPLES)
        .map(|(relation, group)| Sample {
            relation: evidence.relations[relation].clone(),
            case: gathered.cases[group].clone(),
            slice: evidence.union(&evidence.groups[group]),
        })
        .collect()
}

/// A group to try changes on.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The relation's name.
    pub relation: String,
    /// The case.
    pub case: Case,
    /// The blocks that its runs touch.
    pub slice: Vec<u64>,
}

/// Tries changes in the blocks of `order` (most suspicious first, numbered as in [`Lines::blocks`]).
///
/// `limits` should be not much above what the groups need: a change may well make a loop endless.
///
/// # Errors
/// When the engine cannot answer.
pub fn mend(
    modules: &Modules,
    lines: &Lines,
    limits: Limits,
    order: &[usize],
    (violated, holding): (&[Sample], &[Sample]),
    config: &Config,
) -> Result<Vec<Mended>, ExecuteError> {
    // The subject proper is the program where there is one.
    let (module, first) = match modules.programs.first() {
        Some((_, program)) => (program, modules.relations.sites.blocks.len().next_multiple_of(64)),
        None => (&modules.relations, 0),
    };
    let found = patches(&module.bytes, &module.sites, &|block| order.contains(&(block + first)))
        .map_err(ExecuteError::new)?;
    let chosen = choose(found, order, first, config.patches);
    let mut bench = Bench::new(modules, limits, chosen.iter().map(|(_, patch)| *patch).collect())?;
    let violated = bench.baseline(violated, Verdict::Violated, config.violated)?;
    let holding = bench.baseline(holding, Verdict::Holds, usize::MAX)?;
    let mut kept = Vec::new();
    if violated.is_empty() {
        return Ok(kept);
    }
    for (number, (block, patch)) in chosen.iter().enumerate() {
        let Some(line) = line_of(module, lines, patch.offset, block + first) else { continue };
        bench.patched.activate(Some(number));
        let mut result = Mended {
            line,
            block: (block + first) as u32,
            change: patch.change,
            mended: 0,
            partly: 0,
            violated: violated.len() as u32,
            held: 0,
            kept: 0,
            holding: 0,
        };
        for (index, sample) in violated.iter().enumerate() {
            if index == config.screened && result.mended == 0 {
                break;
            }
            let (verdict, answers) = bench.run(&sample.case)?;
            if verdict == Verdict::Holds {
                result.mended += 1;
                result.partly +=
                    u32::from(answers.iter().zip(&sample.answers).any(|(now, then)| now == then));
            }
        }
        if result.mended == 0 {
            continue;
        }
        // Groups that do not run the changed block cannot change.
        let touching = holding.iter().filter(|sample| sample.touches(block + first)).take(config.held);
        for sample in touching {
            result.holding += 1;
            let (verdict, answers) = bench.run(&sample.case)?;
            result.held += u32::from(verdict == Verdict::Holds);
            result.kept += u32::from(verdict == Verdict::Holds && answers == sample.answers);
            if result.holding >= HOPELESS && result.kept * 2 < result.holding {
                break;
            }
        }
        kept.push(result);
    }
    bench.patched.activate(None);
    Ok(kept)
}

/// The patches of the most suspicious blocks, back in the order of the code.
fn choose(found: Vec<(usize, Patch)>, order: &[usize], first: usize, most: usize) -> Vec<(usize, Patch)> {
    let mut chosen = Vec::new();
    for block in order {
        let of_block = found.iter().filter(|(at, _)| at + first == *block);
        chosen.extend(of_block.copied());
        if chosen.len() >= most {
            break;
        }
    }
    chosen.truncate(most);
    chosen.sort_by_key(|(_, patch)| patch.offset);
    chosen
}

pub(crate) fn line_of(module: &Module, lines: &Lines, offset: u32, block: usize) -> Option<u32> {
    let exact = module.location_at(offset).and_then(|it| lines.find(&it.file, it.line));
    exact.map(|line| line as u32).or_else(|| lines.blocks.get(block)?.first().copied())
}

/// A sampled group with what its runs answered without a change.
pub(crate) struct Baseline {
    pub(crate) case: (RelationId, Case),
    slice: Vec<u64>,
    pub(crate) answers: Vec<Hash>,
}

impl Baseline {
    pub(crate) fn touches(&self, block: usize) -> bool {
        self.slice.get(block / 64).is_some_and(|word| word >> (block % 64) & 1 == 1)
    }
}

/// The patched module, ready to run.
pub(crate) struct Bench {
    /// The module whose patches are switched.
    pub(crate) patched: Compiled,
    /// The module with the relations.
    relations: Compiled,
    instance: Instance,
    replay: Replay,
}

impl Bench {
    pub(crate) fn new(modules: &Modules, limits: Limits, patches: Vec<Patch>) -> Result<Bench, ExecuteError> {
        let plain = JitConfig { limits, coverage: false, ..JitConfig::default() };
        let changed = JitConfig { patches, ..plain.clone() };
        let compile = |module: &Module, config: &JitConfig| {
            Compiled::new(&module.bytes, &module.sites, config).map_err(ExecuteError::new)
        };
        let own = if modules.programs.is_empty() { &changed } else { &plain };
        let mut relations = compile(&modules.relations, own)?;
        let mut patched = relations.clone();
        for (index, (name, program)) in modules.programs.iter().enumerate() {
            let program = compile(program, if index == 0 { &changed } else { &plain })?;
            if index == 0 {
                patched = program.clone();
            }
            relations = relations.with_program(name, program);
        }
        let instance = relations.instance().map_err(ExecuteError::new)?;
        Ok(Bench { patched, relations, instance, replay: Replay::default() })
    }

    /// The first of some groups that really end so, with what their runs answer.
    pub(crate) fn baseline(
        &mut self,
        samples: &[Sample],
        wanted: Verdict,
        most: usize,
    ) -> Result<Vec<Baseline>, ExecuteError> {
        let mut found = Vec::new();
        for Sample { relation, case, slice } in samples {
            let relation = self.relations.relation(relation).map_err(ExecuteError::new)?;
            let case = (relation, case.clone());
            let (verdict, answers) = self.run(&case)?;
            if verdict == wanted {
                found.push(Baseline { case, slice: slice.clone(), answers });
            }
            if found.len() == most {
                break;
            }
        }
        Ok(found)
    }

    pub(crate) fn run(
        &mut self,
        (relation, case): &(RelationId, Case),
    ) -> Result<(Verdict, Vec<Hash>), ExecuteError> {
        self.replay.begin(case);
        let verdict =
            self.instance.run_group(*relation, &mut self.replay, Detail::Full).map_err(ExecuteError::new)?;
        Ok((verdict, answers(self.instance.observation())))
    }
}

/// What each run answered.
fn answers(observation: &Observation) -> Vec<Hash> {
    let answer = |run: &twinrun_jit::RunRecord| match &run.run.program {
        Some(program) => Hash::of([&program.exit.to_le_bytes()[..], &program.stdout]),
        None => Hash::of([format!("{:?}", run.run.outputs)]),
    };
    observation.runs().iter().map(answer).collect()
}
