//! Repairs: edits after which every relation holds on every case that was tried, and the answers are still worth something.
//!
//! Generate and validate, as GenProg (Weimer et al., 2009) and its successors, with relations for an oracle; all edits run from one compiled module.
//! A relation is a weak oracle: a program that always answers 0 satisfies many. So an edit must leave the answers various, and one that leaves the answers of
//! passing cases as they were comes before one that does not.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use twinrun_base::{Budget, Case, Limits, Rng, Verdict, cut, work};
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::executor::ExecuteError;
use twinrun_testing::generate::Generator;
use twinrun_testing::target::{Build, Target as _};

use crate::bench::{Answer, Bench};
use crate::build::{Edited, edited};
use crate::cases::{Amount, Cases, Executed, Stored, executed, fails};
use crate::edits::Edit;
use crate::error::Error;
use crate::evidence::{LineEffect, lines};
use crate::matrix::{Effect, Matrix, fill};

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Config {
    /// The seed of all draws.
    pub seed: u64,
    /// Cases and how many of them are kept.
    pub amount: Amount,
    /// Cases that are known already, with their relations: those of findings.
    pub given: Vec<(String, Case)>,
    /// Edits at most; the lines that failing cases run most before others.
    pub edits: usize,
    /// Counted work for trying them.
    pub work: u64,
    /// Groups that were not used for choosing, of each relation, in which a repair must break nothing.
    pub fresh: u64,
    /// Repairs that are told.
    pub told: usize,
    /// Texts of files that no edit may give: a study must not find what it took away.
    pub forbidden: Vec<String>,
}

impl Default for Config {
    fn default() -> Config {
        let amount = Amount { drawn: 4_000, failing: 150, holding: 150 };
        Config {
            seed: 1,
            amount,
            given: Vec::new(),
            edits: 16_000,
            work: 60 * work::SECOND,
            fresh: 10_000,
            told: 3,
            forbidden: Vec::new(),
        }
    }
}

/// One repair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Repair {
    /// The file, relative to the project where it lies inside.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The kind of edit.
    pub kind: String,
    /// What it does, on one line.
    pub change: String,
    /// A unified diff.
    pub diff: String,
    /// The same as a replacement: from which byte on, how many bytes, by what.
    pub edit: (usize, usize, String),
    /// How likely it is meant, among all that satisfy the relations; a weight, not a calibrated probability.
    pub share: f64,
    /// Failing cases, all of which it fixes.
    pub fixes: usize,
    /// Passing cases, none of which it breaks.
    pub passing: usize,
    /// Passing cases that answer otherwise with it.
    pub changes: usize,
    /// Fresh groups, in all of which every relation holds.
    pub fresh: u64,
    /// Other edits that answer the same on every case that was tried.
    pub alike: Vec<String>,
    /// The quickest case that was seen on which it answers otherwise than the first repair.
    pub differs: Option<Difference>,
}

/// A case on which two repairs answer differently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The relation.
    pub relation: String,
    /// The inputs.
    pub case: Case,
    /// What the checks compare with the first repair.
    pub first: Vec<i64>,
    /// And with this one.
    pub this: Vec<i64>,
}

/// What a search gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The relations that fail.
    pub violated: Vec<String>,
    /// Failing cases that were judged.
    pub failing: usize,
    /// Passing ones.
    pub passing: usize,
    /// Edits that were proposed.
    pub edits: usize,
    /// Of these, edits that do not compile or have no place where they could be switched.
    pub dropped: usize,
    /// Edits that were tried.
    pub tried: usize,
    /// Edits that fix every failing case and break no passing one.
    pub perfect: usize,
    /// Whether all edits were tried.
    pub complete: bool,
    /// Lines at which an edit fixes something, the likeliest first.
    pub lines: Vec<LineEffect>,
    /// The repairs, the likeliest first.
    pub repairs: Vec<Repair>,
    /// The edits that fix all and break nothing, the likeliest classes first: from what the likeliest is chosen.
    #[serde(default)]
    pub choices: Vec<Choice>,
}

/// An edit that fixes every failing case and breaks no passing one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Edits of one class answer alike on every case.
    pub class: usize,
    /// The file, relative to the project where it lies inside.
    pub file: String,
    /// The line, of an insertion the one before it.
    pub line: u32,
    /// The line behind an insertion.
    pub behind: Option<u32>,
    /// The kind of edit.
    pub kind: String,
    /// From which byte on, how many bytes, by what.
    pub edit: (usize, usize, String),
    /// See [`crate::edits::Edit::weight`].
    pub weight: f64,
    /// What it does to cases.
    pub effect: Effect,
    /// How likely it is the one that is meant.
    pub share: f64,
}

/// Edits that are told as choices.
const CHOICES: usize = 400;

/// The likeliest edits of each class in turn.
fn choices(classes: &[Class], edited: &Edited) -> Vec<Choice> {
    let each = (CHOICES / classes.len().max(1)).max(1);
    let mut choices = Vec::new();
    for (number, class) in classes.iter().take(CHOICES).enumerate() {
        choices.extend(class.members.iter().take(each).map(|member| {
            let (place, edit) = &edited.edits[member.effect.edit];
            Choice {
                class: number,
                file: edited.files[*place].shown.clone(),
                line: edit.line,
                behind: edit.behind,
                kind: edit.kind.to_owned(),
                edit: (edit.range.start, edit.range.len(), edit.replacement.clone()),
                weight: edit.weight,
                effect: member.effect.clone(),
                share: class.share * member.share,
            }
        }));
    }
    choices
}

/// A repair, carried out.
pub struct Repaired {
    /// The file with the repair in it.
    pub text: String,
    /// The repaired subject.
    pub subject: WasmSubject,
}

/// Looks for repairs of a subject; each comes with what was built from it.
///
/// # Errors
/// When the subject has no source that can be edited, or cannot be built or run.
pub fn repair(
    project: &Project,
    name: &str,
    original: &WasmSubject,
    relations: &[String],
    environment: &Environment,
    config: &Config,
) -> Result<(Outcome, Vec<Repaired>), Error> {
    let mut plain = Bench::new(original.modules(), original.limits())?;
    let dictionary = dictionary(original, relations)?;
    let mut cases = Cases::draw(&mut plain, relations, &dictionary, config)?;
    let mut outcome = Outcome { complete: true, violated: cases.violated.clone(), ..Outcome::default() };
    if cases.failing.is_empty() {
        outcome.passing = cases.holding.len();
        return Ok((outcome, Vec::new()));
    }
    let executed = executed(original, &cases, 40)?;
    let edited = edited(project, name, environment, &executed, config)?;
    outcome.edits = edited.edits.len();
    outcome.dropped = edited.dropped();
    let mut bench = Bench::new(&edited.modules, limits(original.limits(), &cases))?;
    only_unchanged(&mut bench, &mut cases)?;
    (outcome.failing, outcome.passing) = (cases.failing.len(), cases.holding.len());
    let order = order(&edited, &executed);
    let matrix = fill(&mut bench, &order, &cases, Budget::of(config.work))?;
    (outcome.tried, outcome.complete) = (matrix.tried.len(), matrix.complete);
    outcome.perfect = matrix.answers.len();
    let classes = classes(&matrix, &edited);
    outcome.lines = lines(&matrix, &edited, &classes, &executed);
    outcome.choices = choices(&classes, &edited);
    let mut repaired = Vec::new();
    for class in &classes {
        if outcome.repairs.len() == config.told || cut::is_requested() {
            break;
        }
        let best = &class.members[0];
        bench.switch(Some(best.effect.edit));
        let fresh = fresh(&mut bench, relations, &dictionary, config)?;
        bench.switch(None);
        let Some(fresh) = fresh else { continue };
        let (place, edit) = &edited.edits[best.effect.edit];
        let file = &edited.files[*place];
        let text = edit.apply(&file.text);
        let Some(subject) = built(project, name, environment, &file.path, &text)? else {
            continue;
        };
        if !confirmed(&subject, relations, &cases, config.seed)? {
            continue;
        }
        let differs = match outcome.repairs.is_empty() {
            false => difference(&matrix, classes[0].members[0].effect.edit, best.effect.edit, &cases),
            true => None,
        };
        outcome.repairs.push(Repair {
            file: file.shown.clone(),
            line: edit.line,
            kind: edit.kind.to_owned(),
            change: edit.describe(&file.text),
            diff: crate::diff::unified(&file.shown, &file.text, &text),
            edit: (edit.range.start, edit.range.len(), edit.replacement.clone()),
            share: class.share,
            fixes: cases.failing.len(),
            passing: cases.holding.len(),
            changes: (best.effect.passing - best.effect.kept) as usize,
            fresh,
            alike: class.members[1..].iter().map(|it| edited.described(it.effect.edit)).collect(),
            differs,
        });
        repaired.push(Repaired { text, subject });
    }
    Ok((outcome, repaired))
}

/// The edits in the module, those on lines that failing cases run and passing ones do not before others.
fn order(edited: &Edited, executed: &Executed) -> Vec<usize> {
    let mut order: Vec<usize> = (0..edited.edits.len()).filter(|index| edited.live[*index]).collect();
    let suspicion = |index: &usize| {
        let (place, edit) = &edited.edits[*index];
        executed.suspicion(&edited.files[*place].shown, edit.line)
    };
    order.sort_by(|a, b| suspicion(b).total_cmp(&suspicion(a)).then(a.cmp(b)));
    order
}

/// Numbers that occur in the subject's code.
fn dictionary(subject: &WasmSubject, relations: &[String]) -> Result<Vec<i64>, ExecuteError> {
    let Some(relation) = relations.first() else { return Ok(Vec::new()) };
    let target = subject.target(relation)?;
    Ok(target.executor(Build::Plain)?.map(|executor| executor.dictionary().to_vec()).unwrap_or_default())
}

/// An edit may take longer than what it repairs, but not for ever: faults that end runs early are repaired by longer runs. What does not end without it
/// tells nothing of how long runs should be.
fn limits(limits: Limits, cases: &Cases) -> Limits {
    let ends = cases.all().filter(|stored| stored.answer.verdict != Verdict::Timeout);
    let most = ends.map(|stored| stored.answer.work).max();
    Limits { work: limits.work.min(most.map_or(UNKNOWN, |most| LONGER * most + SHORT)), ..limits }
}

/// How many times the work of the longest case a case may take under an edit, and what no edit is refused for.
const LONGER: u64 = 8;
const SHORT: u64 = 10_000;
/// The same where no case ends.
const UNKNOWN: u64 = 100_000;

/// Keeps the cases that answer, with nothing switched on, as in the plain build. Others depend on where things lie in memory: nothing can be told from them.
fn only_unchanged(bench: &mut Bench, cases: &mut Cases) -> Result<(), Error> {
    bench.switch(None);
    let mut differs = None;
    for part in [&mut cases.failing, &mut cases.holding] {
        let mut kept = Vec::new();
        for mut stored in std::mem::take(part) {
            let answer = bench.run(&stored.relation, &stored.case)?;
            // The limit of work is lower here.
            let same = (answer.verdict, &answer.values) == (stored.answer.verdict, &stored.answer.values);
            if same || stored.answer.verdict == Verdict::Timeout {
                stored.answer.work = answer.work;
                kept.push(stored);
            } else {
                differs = Some(stored);
            }
        }
        *part = kept;
    }
    match differs {
        Some(Stored { relation, case, .. }) if cases.failing.is_empty() => {
            let inputs: Vec<String> = case.inputs.iter().map(ToString::to_string).collect();
            Err(Error::NotPlain { relation, case: inputs.join(", ") })
        }
        _ => Ok(()),
    }
}

/// Perfect edits with the same answers everywhere.
pub(crate) struct Class {
    /// The likeliest first.
    pub(crate) members: Vec<Member>,
    /// How likely one of them is meant.
    pub(crate) share: f64,
}

/// One of a class.
pub(crate) struct Member {
    pub(crate) effect: Effect,
    score: f64,
    /// How likely it is the one, if it is one of its class.
    pub(crate) share: f64,
}

/// How likely a perfect edit is the one that is meant, as a logarithm.
fn score(effect: &Effect, edit: &Edit) -> f64 {
    let share = |part: u32, of: u32| if of == 0 { 1.0 } else { f64::from(part) / f64::from(of) };
    let kept = share(effect.kept, effect.passing);
    let partly = share(effect.partly, effect.failing);
    // What makes answers alike repairs little.
    let various = effect.variety.clamp(0.1, 1.0).ln();
    2.0 * kept + partly + various + edit.weight.ln() - 0.01 * edit.replacement.len() as f64
}

/// How sharply scores are told apart.
const SHARPNESS: f64 = 3.0;

fn shares(scores: &[f64]) -> Vec<f64> {
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    let weights: Vec<f64> = scores.iter().map(|score| (SHARPNESS * (score - best)).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Perfect edits with the same answers everywhere, the likeliest of each class and of all classes first.
fn classes(matrix: &Matrix, edited: &Edited) -> Vec<Class> {
    let mut by_answers: BTreeMap<Vec<&[u64]>, Vec<Member>> = BTreeMap::new();
    for effect in matrix.effects.iter().filter(|effect| effect.perfect) {
        let answers = matrix.answers.get(&effect.edit).into_iter().flatten();
        let key = answers.map(|answer| answer.values.as_slice()).collect();
        let score = score(effect, &edited.edits[effect.edit].1);
        by_answers.entry(key).or_default().push(Member { effect: effect.clone(), score, share: 0.0 });
    }
    let mut classes: Vec<Class> =
        by_answers.into_values().map(|members| Class { members, share: 0.0 }).collect();
    for class in &mut classes {
        class.members.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.effect.edit.cmp(&b.effect.edit)));
        let shares = shares(&class.members.iter().map(|it| it.score).collect::<Vec<_>>());
        class.members.iter_mut().zip(shares).for_each(|(member, share)| member.share = share);
    }
    let best = |class: &Class| (class.members[0].score, class.members[0].effect.edit);
    classes.sort_by(|a, b| best(b).0.total_cmp(&best(a).0).then(best(a).1.cmp(&best(b).1)));
    let shares = shares(&classes.iter().map(|class| best(class).0).collect::<Vec<_>>());
    classes.iter_mut().zip(shares).for_each(|(class, share)| class.share = share);
    classes
}

/// Runs groups that were not used for choosing under the edit that is switched on; none where one fails.
fn fresh(
    bench: &mut Bench,
    relations: &[String],
    dictionary: &[i64],
    config: &Config,
) -> Result<Option<u64>, ExecuteError> {
    let mut groups = 0;
    for relation in relations {
        let mut generator = Generator::new(Rng::new(config.seed.wrapping_add(0x5eed)), dictionary);
        for _ in 0..config.fresh {
            generator.begin(&[]);
            let answer = bench.draw(relation, &mut generator)?;
            if fails(answer.verdict) || cut::is_requested() {
                return Ok(None);
            }
            groups += u64::from(answer.verdict == Verdict::Holds);
        }
    }
    Ok(Some(groups))
}

/// The subject with another text for a file; none where it does not compile.
fn built(
    project: &Project,
    name: &str,
    environment: &Environment,
    file: &Path,
    text: &str,
) -> Result<Option<WasmSubject>, Error> {
    let mut project = project.clone();
    project.replaced.insert(file.to_owned(), text.into());
    let opened = cut::uncounted(|| open(&project, name, environment));
    let Ok(opened) = opened else { return Ok(None) };
    let SubjectKind::Module(modules) = opened.kind else { return Ok(None) };
    Ok(Some(WasmSubject::of_built(name, modules, opened.limits, env!("CARGO_PKG_VERSION"))?))
}

/// Groups in the checked build that a repair must survive, of each relation.
const CHECKED: u64 = 1_000;

/// Whether the true build, with its safety checks, does what the switched one did.
fn confirmed(
    subject: &WasmSubject,
    relations: &[String],
    cases: &Cases,
    seed: u64,
) -> Result<bool, ExecuteError> {
    let mut bench = Bench::new(subject.modules(), subject.limits())?;
    for stored in cases.all() {
        if bench.run(&stored.relation, &stored.case)?.verdict != Verdict::Holds {
            return Ok(false);
        }
    }
    for relation in relations {
        let target = subject.target(relation)?;
        let Some(mut executor) = target.executor(Build::Checked)? else { continue };
        let mut generator = Generator::new(Rng::new(seed), executor.dictionary());
        for _ in 0..CHECKED {
            generator.begin(&[]);
            if fails(executor.run(&mut generator)?.verdict) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The quickest case on which two edits answer differently.
fn difference(matrix: &Matrix, first: usize, this: usize, cases: &Cases) -> Option<Difference> {
    let (first, this) = (matrix.answers.get(&first)?, matrix.answers.get(&this)?);
    let differing = (0..first.len()).filter(|place| first[*place].values != this[*place].values);
    // What checks compare can be shown.
    let place = differing.min_by_key(|place| {
        (first[*place].compared_values() == this[*place].compared_values(), first[*place].work)
    })?;
    let stored = cases.all().nth(place)?;
    let signed = |answer: &Answer| answer.compared_values().iter().map(|value| *value as i64).collect();
    Some(Difference {
        relation: stored.relation.clone(),
        case: stored.case.clone(),
        first: signed(&first[place]),
        this: signed(&this[place]),
    })
}
