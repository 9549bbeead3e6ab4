//! Methods: from evidence to one score for each line.

use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, GroupRecord, bits};
use crate::formulas::{Counts, Formula};
use crate::mend::{Mended, Worth};

/// How evidence becomes scores.
#[derive(Clone, Copy)]
pub struct Method {
    /// The formula.
    pub formula: &'static Formula,
    /// What counts as one site.
    pub unit: Unit,
    /// Whether near groups count beside the drawn ones.
    pub near: bool,
    /// Whether holding groups of relations that were never violated are left out: they hold whatever the fault does.
    pub demanding: bool,
    /// How a group's runs become its slice.
    pub runs: Runs,
    /// What changes that mend violations say.
    pub mending: Mending,
    /// What a change that mends is worth.
    pub worth: Worth,
}

/// What counts as one site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// A line, touched where one of its blocks is: as published.
    Line,
    /// A block; a line is as suspicious as its most suspicious block.
    Block,
}

/// How a group's runs become its slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Runs {
    /// What some run touched: the metamorphic slice as published.
    Union,
    /// Each run counts by how likely it is the one that failed, told from the other groups.
    Likely,
}

/// The formula that the study chose.
pub const DEFAULT_FORMULA: &str = "op2";

/// What changes that mend violations say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mending {
    /// Nothing: none is tried.
    Off,
    /// Lines at which a change mends come first, by how well it mends.
    First,
    /// Both kinds of evidence added up, the formula's counting twice.
    Beside,
    /// Both kinds of evidence added up, each counting the same.
    Even,
}

impl Method {
    /// What the study chose: everything that earned its place.
    pub const fn improved(formula: &'static Formula) -> Method {
        Method {
            formula,
            unit: Unit::Line,
            near: true,
            demanding: false,
            runs: Runs::Union,
            mending: Mending::Even,
            worth: Worth::Held,
        }
    }

    /// The published method with a formula.
    pub const fn published(formula: &'static Formula) -> Method {
        Method {
            formula,
            unit: Unit::Line,
            near: false,
            demanding: false,
            runs: Runs::Union,
            mending: Mending::Off,
            worth: Worth::Held,
        }
    }
}

/// The counts of every site of the method's unit. Likely runs are told for blocks only.
pub fn counts(evidence: &Evidence, method: &Method) -> Vec<Counts> {
    let groups = chosen(evidence, method);
    match (method.unit, method.runs) {
        (Unit::Line, _) => by_line(evidence, &groups),
        (Unit::Block, Runs::Union) => union(evidence, &groups),
        (Unit::Block, Runs::Likely) => likely(evidence, &groups, method.formula),
    }
}

/// The counts of every line, as published: a line is touched where one of its blocks is.
pub fn line_counts(evidence: &Evidence, method: &Method) -> Vec<Counts> {
    by_line(evidence, &chosen(evidence, method))
}

/// The score of every line, greatest first suspected.
pub fn scores(evidence: &Evidence, mended: &[Mended], method: &Method) -> Vec<f64> {
    scores_of(evidence, &counts(evidence, method), mended, method)
}

/// The same from counts that are known already.
pub fn scores_of(evidence: &Evidence, counts: &[Counts], mended: &[Mended], method: &Method) -> Vec<f64> {
    let scores: Vec<f64> = counts.iter().map(|counts| (method.formula.score)(counts)).collect();
    let lines = match method.unit {
        Unit::Block => evidence.lines.fold(&scores),
        Unit::Line => scores,
    };
    if method.mending == Mending::Off { lines } else { with_mending(&lines, mended, method) }
}

/// The groups that count.
fn chosen<'e>(evidence: &'e Evidence, method: &Method) -> Vec<&'e GroupRecord> {
    let strong: Vec<bool> = evidence.by_relation().iter().map(|(violated, _)| *violated > 0).collect();
    let any = strong.contains(&true);
    let counts = |group: &&GroupRecord| {
        (method.near || !group.near) && (!method.demanding || !any || strong[group.relation as usize])
    };
    evidence.groups.iter().filter(counts).collect()
}

fn union(evidence: &Evidence, groups: &[&GroupRecord]) -> Vec<Counts> {
    let mut tally = Tally::new(evidence.lines.blocks.len());
    for group in groups {
        tally.add(bits(&evidence.union(group)), group.violated, 1.0);
    }
    tally.counts()
}

fn by_line(evidence: &Evidence, groups: &[&GroupRecord]) -> Vec<Counts> {
    let mut tally = Tally::new(evidence.lines.lines.len());
    let mut touched = vec![usize::MAX; evidence.lines.lines.len()];
    for (number, group) in groups.iter().enumerate() {
        let mut lines = Vec::new();
        for block in bits(&evidence.union(group)) {
            for line in evidence.lines.blocks.get(block).into_iter().flatten() {
                if std::mem::replace(&mut touched[*line as usize], number) != number {
                    lines.push(*line as usize);
                }
            }
        }
        tally.add(lines.into_iter(), group.violated, 1.0);
    }
    tally.counts()
}

/// Rounds after which the likelihoods hardly change.
const ROUNDS: usize = 4;

/// In a violated group at least one run failed, most often one. Each run gets a share of the violation; the shares follow
/// the suspicion of what only it touched, and the suspicion follows the shares (expectation and maximisation in turn).
fn likely(evidence: &Evidence, groups: &[&GroupRecord], formula: &Formula) -> Vec<Counts> {
    let blocks = evidence.lines.blocks.len();
    let mut shares: Vec<Vec<f64>> =
        groups.iter().map(|group| vec![1.0 / group.runs.len().max(1) as f64; group.runs.len()]).collect();
    let mut counts = Vec::new();
    for round in 0..=ROUNDS {
        let mut tally = Tally::new(blocks);
        for (group, shares) in groups.iter().zip(&shares) {
            let share = |run: usize| if group.violated { shares[run] } else { 1.0 / group.runs.len() as f64 };
            for (run, slice) in group.runs.iter().enumerate() {
                tally.add(bits(&evidence.slices[*slice as usize]), group.violated, share(run));
            }
        }
        counts = tally.counts();
        if round == ROUNDS {
            break;
        }
        let scores: Vec<f64> = counts.iter().map(|counts| (formula.score)(counts)).collect();
        let best = scores.iter().copied().fold(f64::MIN, f64::max);
        let least = scores.iter().copied().fold(f64::MAX, f64::min);
        let scale = |score: f64| ((score - least) / (best - least).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        for (group, shares) in groups.iter().zip(&mut shares).filter(|(group, _)| group.violated) {
            let weights: Vec<f64> = group
                .runs
                .iter()
                .map(|slice| {
                    let of_run =
                        bits(&evidence.slices[*slice as usize]).filter_map(|block| scores.get(block));
                    of_run.map(|score| scale(*score)).fold(0.0, f64::max).powi(4) + 1e-6
                })
                .collect();
            let sum: f64 = weights.iter().sum();
            shares.iter_mut().zip(weights).for_each(|(share, weight)| *share = weight / sum);
        }
    }
    counts
}

/// Joins the formula's order of the lines with how well changes at them mend.
fn with_mending(lines: &[f64], mended: &[Mended], method: &Method) -> Vec<f64> {
    let mut best = vec![0.0f64; lines.len()];
    for mend in mended {
        let score = &mut best[mend.line as usize];
        *score = score.max(mend.worth(method.worth));
    }
    let place = places(lines);
    let join = |(mend, place): (&f64, &f64)| match method.mending {
        Mending::Beside => place + mend / 2.0,
        Mending::Even => place + mend,
        _ => (mend * 1000.0).round() + place * 0.999,
    };
    best.iter().zip(&place).map(join).collect()
}

/// For each line the share of lines that are less suspicious: formulas have their own scales, and equals stay equals.
fn places(lines: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by(|a, b| lines[*a].total_cmp(&lines[*b]));
    let mut places = vec![0.0; lines.len()];
    let mut below = 0;
    for (index, line) in order.iter().enumerate() {
        if index > 0 && lines[*line].total_cmp(&lines[order[index - 1]]).is_ne() {
            below = index;
        }
        places[*line] = below as f64 / lines.len() as f64;
    }
    places
}

/// Weighted counts of violated and holding groups.
struct Tally {
    ef: Vec<f64>,
    ep: Vec<f64>,
    f: f64,
    p: f64,
}

impl Tally {
    fn new(sites: usize) -> Tally {
        Tally { ef: vec![0.0; sites], ep: vec![0.0; sites], f: 0.0, p: 0.0 }
    }

    fn add(&mut self, sites: impl Iterator<Item = usize>, violated: bool, weight: f64) {
        let (counts, sum) = if violated { (&mut self.ef, &mut self.f) } else { (&mut self.ep, &mut self.p) };
        *sum += weight;
        for site in sites {
            if let Some(count) = counts.get_mut(site) {
                *count += weight;
            }
        }
    }

    fn counts(&self) -> Vec<Counts> {
        let counts = |(ef, ep): (&f64, &f64)| Counts {
            ef: *ef,
            ep: *ep,
            nf: (self.f - ef).max(0.0),
            np: (self.p - ep).max(0.0),
        };
        self.ef.iter().zip(&self.ep).map(counts).collect()
    }
}
