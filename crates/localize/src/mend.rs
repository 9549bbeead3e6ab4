//! Mending: which single change at a suspect turns violated groups into holding ones and leaves the rest as it was?
//!
//! A change that mends violations stands at the fault, or at a place through which its effect passes (Papadakis and Le Traon,
//! 2015; Moon, Kim, Kim and Yoo, 2014). Without an oracle a relation may also hold because both runs became equally wrong;
//! so a change counts the more, the more outputs of holding groups it leaves untouched.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twinrun_base::{Budget, Case, Hash, Limits, Verdict, cut};
use twinrun_jit::patch::{Change, Patch, patches};
use twinrun_jit::{Compiled, Config as JitConfig, Detail, Instance, Observation, RelationId};
use twinrun_subject::Module;
use twinrun_testing::engine::Modules;
use twinrun_testing::executor::ExecuteError;
use twinrun_testing::replay::Replay;
use twinrun_testing::shrink::measure;
use twinrun_testing::target::Target;

use crate::formulas::formula;
use crate::gather::{self, Gathered};
use crate::lines::Lines;
use crate::method::{DEFAULT_FORMULA, Mending, Method, Unit, counts};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Changes, the most suspicious blocks first.
    pub patches: usize,
    /// Violated groups that a change must mend.
    pub violated: usize,
    /// Of these, so many decide whether a change is tried further; then so many of those that no change of the first round
    /// mends, because they may stem from another fault.
    pub screened: usize,
    /// Holding groups that run the changed block and that it should leave as they are.
    pub held: usize,
    /// No further change is tried when it is spent.
    pub budget: Option<Budget>,
}

impl Default for Config {
    fn default() -> Config {
        Config { patches: 1500, violated: 12, screened: 2, held: 16, budget: None }
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
    /// Different answers of the mended groups' runs before the change.
    #[serde(default)]
    pub answers_before: u32,
    /// And with it: a change that mends by making every answer the same mends nothing.
    #[serde(default)]
    pub answers_after: u32,
    /// Each violated group that was tried, by its number in the evidence (or among the given samples), with what the change
    /// did to it.
    #[serde(default)]
    pub effects: Vec<(u32, Effect)>,
}

/// What a change is worth, beside the share of violated groups that it mends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Worth {
    /// The more, the more mended groups have a run that answers as before, and the more holding groups are left as they were.
    Answers,
    /// The more holding groups are left as they were, and the more different answers the mended groups still have.
    Kept,
    /// The more holding groups still hold: they may have held with wrong answers, so that keeping these counts for a quarter
    /// only. Different answers count here too: a change after which every run says the same mends nothing.
    Held,
}

/// What a change did to a violated group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// It does not hold.
    None,
    /// It holds, and every run answers otherwise.
    Whole,
    /// It holds, and some run answers as before.
    Partly,
}

impl Mended {
    /// The same, told from some of the violated groups alone; nothing where it mends none of them.
    pub fn among(&self, groups: &BTreeSet<u32>) -> Option<Mended> {
        let effects: Vec<(u32, Effect)> =
            self.effects.iter().filter(|(group, _)| groups.contains(group)).copied().collect();
        let mended = Mended { effects, ..self.clone() }.counted();
        (mended.mended > 0).then_some(mended)
    }

    /// Whether it mends a violated group.
    pub fn mends(&self, group: u32) -> bool {
        self.effects.iter().any(|(other, effect)| *other == group && *effect != Effect::None)
    }

    /// Whether it leaves holding groups as they were, but for one in ten, and the mended ones with answers of their own.
    pub fn leaves_the_rest(&self) -> bool {
        self.kept * 10 >= self.holding * 9 && self.variety() >= 1.0
    }

    /// With the counts that its effects give.
    fn counted(mut self) -> Mended {
        let count = |wanted: fn(Effect) -> bool| {
            self.effects.iter().filter(|(_, effect)| wanted(*effect)).count() as u32
        };
        (self.mended, self.partly) =
            (count(|effect| effect != Effect::None), count(|effect| effect == Effect::Partly));
        self.violated = self.effects.len() as u32;
        self
    }

    /// How well the change mends, from 0 to 1, told from answers.
    pub fn score(&self) -> f64 {
        self.worth(Worth::Answers)
    }

    /// How well the change mends, from 0 to 1; squared, because many changes mend a little.
    pub fn worth(&self, worth: Worth) -> f64 {
        let share = |part: u32, whole: u32| f64::from(part + 1) / f64::from(whole + 1);
        let mended = f64::from(self.mended) / f64::from(self.violated.max(1));
        let rest = match worth {
            Worth::Answers => share(self.partly, self.mended) * share(self.kept, self.holding),
            Worth::Kept => share(self.kept, self.holding) * self.variety(),
            Worth::Held => {
                let kept = 0.75 + 0.25 * share(self.kept, self.holding);
                share(self.held, self.holding) * self.variety() * kept
            }
        };
        (mended * rest).powi(2)
    }

    /// The share of different answers that the change leaves, at most 1. Runs of a violated group disagree: of each two
    /// answers, one was wrong and may go.
    pub fn variety(&self) -> f64 {
        let right = self.answers_before.div_ceil(2).max(1);
        (f64::from(self.answers_after) / f64::from(right)).min(1.0)
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
    let method = Method { unit: Unit::Block, mending: Mending::Off, ..Method::improved(formula) };
    let counts = counts(evidence, &method);
    let scores: Vec<f64> = counts.iter().map(|counts| (formula.score)(counts)).collect();
    let unions: Vec<Vec<u64>> =
        evidence.groups.iter().filter(|group| group.violated).map(|group| evidence.union(group)).collect();
    let mut order = evidence.lines.touched(unions.iter().map(Vec::as_slice));
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let (violated, holding) = (sampled(gathered, true), sampled(gathered, false));
    let samples = (of(gathered, &violated), of(gathered, &holding));
    let mut mended =
        in_rounds(modules, &evidence.lines, limits, &order, (&samples.0, &samples.1), config, ROUNDS)?;
    for (number, _) in mended.iter_mut().flat_map(|change| &mut change.effects) {
        *number = violated.get(*number as usize).map_or(*number, |group| *group as u32);
    }
    Ok(mended)
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
    of(gathered, &sampled(gathered, violated))
}

fn of(gathered: &Gathered, groups: &[usize]) -> Vec<Sample> {
    let evidence = &gathered.evidence;
    let sample = |index: &usize| {
        let group = &evidence.groups[*index];
        Sample {
            relation: evidence.relations[group.relation as usize].clone(),
            case: gathered.cases[*index].clone(),
            slice: evidence.union(group),
        }
    };
    groups.iter().map(sample).collect()
}

/// The numbers of these groups in the evidence.
fn sampled(gathered: &Gathered, violated: bool) -> Vec<usize> {
    let evidence = &gathered.evidence;
    let mut by_relation: Vec<Vec<usize>> = vec![Vec::new(); evidence.relations.len()];
    for (index, group) in evidence.groups.iter().enumerate().filter(|(_, group)| group.violated == violated) {
        by_relation[group.relation as usize].push(index);
    }
    for groups in &mut by_relation {
        if violated {
            groups.sort_by_cached_key(|group| measure(&gathered.cases[*group]));
            // Other ways through the subject first: groups that run the same tell the same.
            let mut seen = BTreeSet::new();
            let (fresh, others): (Vec<usize>, Vec<usize>) =
                groups.iter().partition(|group| seen.insert(evidence.groups[**group].runs.clone()));
            *groups = fresh.into_iter().chain(others).collect();
        } else {
            let (near, drawn): (Vec<usize>, Vec<usize>) =
                groups.iter().partition(|group| evidence.groups[**group].near);
            let most = near.len().max(drawn.len());
            *groups =
                (0..most).flat_map(|index| [near.get(index), drawn.get(index)]).flatten().copied().collect();
        }
    }
    let longest = by_relation.iter().map(Vec::len).max().unwrap_or(0);
    let in_turn = (0..longest)
        .flat_map(|place| by_relation.iter().filter_map(move |groups| groups.get(place).copied()));
    in_turn.take(MOST_SAMPLES).collect()
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
    samples: (&[Sample], &[Sample]),
    config: &Config,
) -> Result<Vec<Mended>, ExecuteError> {
    in_rounds(modules, lines, limits, order, samples, config, 1)
}

/// The module that is changed, and the number of its first block: the program where there is one.
pub(crate) fn subject_proper(modules: &Modules) -> (&Module, usize) {
    match modules.programs.first() {
        Some((_, program)) => (program, modules.relations.sites.blocks.len().next_multiple_of(64)),
        None => (&modules.relations, 0),
    }
}

/// The same; from the second round on, changes are screened by violated groups that none mended before.
fn in_rounds(
    modules: &Modules,
    lines: &Lines,
    limits: Limits,
    order: &[usize],
    (violated, holding): (&[Sample], &[Sample]),
    config: &Config,
    rounds: usize,
) -> Result<Vec<Mended>, ExecuteError> {
    let (module, first) = subject_proper(modules);
    let places: BTreeMap<usize, usize> = order.iter().copied().zip(0..).collect();
    let found = patches(&module.bytes, &module.sites, &|block| places.contains_key(&(block + first)))
        .map_err(ExecuteError::new)?;
    let chosen = choose(found, &places, first, config.patches);
    let mut bench = Bench::new(modules, limits, chosen.iter().map(|(_, patch)| *patch).collect())?;
    let violated = bench.baseline(violated, Verdict::Violated, config.violated)?;
    let holding = bench.baseline(holding, Verdict::Holds, usize::MAX)?;
    let mut kept: BTreeMap<usize, Mended> = BTreeMap::new();
    let mut screen: Vec<usize> = (0..violated.len().min(config.screened)).collect();
    for _ in 0..rounds {
        for (number, (block, patch)) in chosen.iter().enumerate() {
            if config.budget.is_some_and(Budget::is_over) || cut::is_requested() {
                break;
            }
            if kept.contains_key(&number) {
                continue;
            }
            let Some(line) = line_of(module, lines, patch.offset, block + first) else { continue };
            bench.patched.activate(Some(number));
            let Some(Tried { effects, before, after }) = try_on(&mut bench, &violated, &screen)? else {
                continue;
            };
            let mut result = Mended {
                line,
                block: (block + first) as u32,
                change: patch.change,
                mended: 0,
                partly: 0,
                violated: 0,
                held: 0,
                kept: 0,
                holding: 0,
                answers_before: before,
                answers_after: after,
                effects,
            }
            .counted();
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
            kept.insert(number, result);
        }
        let unmended = |sample: &usize| {
            let number = violated[*sample].number;
            !kept.values().any(|it| it.leaves_the_rest() && it.mends(number))
        };
        screen = (0..violated.len()).filter(unmended).take(config.screened).collect();
        if screen.is_empty() {
            break;
        }
    }
    bench.patched.activate(None);
    Ok(kept.into_values().collect())
}

/// Rounds of trying all changes: the second is for violated groups that the first mended none of.
const ROUNDS: usize = 2;

/// What a change does to the violated groups.
struct Tried {
    effects: Vec<(u32, Effect)>,
    /// Different answers of the mended groups before and after, run by run.
    before: u32,
    after: u32,
}

/// Tries the active change on each violated group; nothing where it mends none of those that are screened.
fn try_on(bench: &mut Bench, violated: &[Baseline], screen: &[usize]) -> Result<Option<Tried>, ExecuteError> {
    let mut effects = vec![Effect::None; violated.len()];
    let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
    let rest = (0..violated.len()).filter(|sample| !screen.contains(sample));
    for (tried, index) in screen.iter().copied().chain(rest).enumerate() {
        if tried == screen.len() && effects.iter().all(|effect| *effect == Effect::None) {
            return Ok(None);
        }
        let sample = &violated[index];
        let (verdict, answers) = bench.run(&sample.case)?;
        if verdict != Verdict::Holds {
            continue;
        }
        let as_before = answers.iter().zip(&sample.answers).any(|(now, then)| now == then);
        effects[index] = if as_before { Effect::Partly } else { Effect::Whole };
        before.extend(sample.answers.iter().copied().enumerate());
        after.extend(answers.into_iter().enumerate());
    }
    let mends = effects.iter().any(|effect| *effect != Effect::None);
    Ok(mends.then(|| Tried {
        effects: violated.iter().map(|sample| sample.number).zip(effects).collect(),
        before: before.len() as u32,
        after: after.len() as u32,
    }))
}

/// The patches of the most suspicious blocks, back in the order of the code.
fn choose(
    found: Vec<(usize, Patch)>,
    places: &BTreeMap<usize, usize>,
    first: usize,
    most: usize,
) -> Vec<(usize, Patch)> {
    let mut chosen = found;
    chosen.sort_by_key(|(block, _)| places.get(&(block + first)));
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
    /// Its place among the samples.
    number: u32,
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
        let plain = JitConfig { limits, coverage: false, operands: true, ..JitConfig::default() };
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
        for (number, Sample { relation, case, slice }) in (0..).zip(samples) {
            let relation = self.relations.relation(relation).map_err(ExecuteError::new)?;
            let case = (relation, case.clone());
            let (verdict, answers) = self.run(&case)?;
            if verdict == wanted {
                found.push(Baseline { number, case, slice: slice.clone(), answers });
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

/// What each run answered; where runs name no outputs, what the checks compared.
fn answers(observation: &Observation) -> Vec<Hash> {
    let told = |run: &twinrun_jit::RunRecord| run.run.program.is_some() || !run.run.outputs.is_empty();
    if !observation.runs().iter().any(told) {
        return observation.operands.iter().map(|operand| Hash::of([&operand.to_le_bytes()])).collect();
    }
    let answer = |run: &twinrun_jit::RunRecord| match &run.run.program {
        Some(program) => Hash::of([&program.exit.to_le_bytes()[..], &program.stdout]),
        None => Hash::of([format!("{:?}", run.run.outputs)]),
    };
    observation.runs().iter().map(answer).collect()
}
