//! What the relations say of a mutant.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use twinrun_base::{Rng, Verdict};
use twinrun_testing::generate::Generator;
use twinrun_testing::target::Build;

use super::Fate;
use crate::error::Error;
use crate::targets::Ready;

/// What the runs of each relation give, by relation.
pub(crate) type Outputs = Vec<(String, Vec<String>)>;

/// What became of a mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) fate: Fate,
    /// The relations that are violated.
    pub(crate) killed_by: Vec<String>,
    /// The relations whose runs give something else than the original's.
    pub(crate) different: BTreeSet<String>,
}

impl Judged {
    /// Nothing had to be run.
    pub(crate) fn unrun(fate: Fate) -> Judged {
        Judged { fate, killed_by: Vec::new(), different: BTreeSet::new() }
    }
}

/// How many cases show what the runs give.
const SHOWN: u64 = 50;

/// What the runs of each relation give on the first cases, as far as the relation labels it.
pub(super) fn outputs(ready: &Ready, seed: u64, cases: u64) -> Result<Outputs, Error> {
    let mut all = Vec::new();
    for relation in &ready.relations {
        let target = ready.target(relation)?;
        let Some(mut executor) = target.executor(Build::Plain)? else { continue };
        let mut generator = Generator::new(Rng::new(seed), &[]);
        let mut given = Vec::new();
        for _ in 0..SHOWN.min(cases) {
            generator.begin(&[]);
            executor.run(&mut generator)?;
            let group = executor.explain(&generator.case())?.group;
            given.push(
                group.runs.iter().map(|run| format!("{:?}", run.outputs)).collect::<Vec<_>>().join(";"),
            );
        }
        all.push((relation.clone(), given));
    }
    Ok(all)
}

/// Runs all relations of a mutant; also the relations whose runs give something else than the original's.
pub(crate) fn judge(
    ready: &Ready,
    seed: u64,
    cases: u64,
    expected: &[(String, Vec<String>)],
) -> Result<Judged, Error> {
    let mut killed_by = Vec::new();
    let mut crashed = false;
    for relation in &ready.relations {
        let target = ready.target(relation)?;
        let Some(mut executor) = target.executor(Build::Plain)? else { continue };
        let mut generator = Generator::new(Rng::new(seed), &[]);
        for _ in 0..cases {
            generator.begin(&[]);
            match executor.run(&mut generator)?.verdict {
                Verdict::Violated => {
                    killed_by.push(relation.clone());
                    break;
                }
                Verdict::Crashed | Verdict::Timeout => {
                    crashed = true;
                    break;
                }
                Verdict::Holds | Verdict::Discarded => {}
            }
        }
    }
    let fate = if !killed_by.is_empty() {
        Fate::Killed
    } else if crashed {
        Fate::Crashed
    } else {
        Fate::Survived
    };
    let different = match fate {
        Fate::Crashed => BTreeSet::new(),
        _ => {
            let now = outputs(ready, seed, cases)?;
            let pairs = now.iter().zip(expected);
            pairs.filter(|(now, before)| now.1 != before.1).map(|(now, _)| now.0.clone()).collect()
        }
    };
    Ok(Judged { fate, killed_by, different })
}

/// The share of touched blocks that not all runs of a group touch, on average over some cases.
pub(super) fn run_difference(ready: &Ready, relation: &str, seed: u64, cases: u64) -> Result<f64, Error> {
    let target = ready.target(relation)?;
    let Some(mut executor) = target.executor(Build::Plain)? else { return Ok(0.0) };
    let mut generator = Generator::new(Rng::new(seed), &[]);
    let (mut sum, mut groups) = (0.0, 0.0f64);
    for _ in 0..SHOWN.min(cases) {
        generator.begin(&[]);
        executor.run(&mut generator)?;
        let coverage = executor.explain(&generator.case())?.coverage;
        let sets: Vec<BTreeSet<u32>> =
            coverage.into_iter().map(|blocks| blocks.into_iter().collect()).collect();
        let all: BTreeSet<u32> = sets.iter().flatten().copied().collect();
        if sets.len() > 1 && !all.is_empty() {
            let shared = all.iter().filter(|block| sets.iter().all(|set| set.contains(block))).count();
            sum += 1.0 - shared as f64 / all.len() as f64;
            groups += 1.0;
        }
    }
    Ok(sum / groups.max(1.0))
}

/// The blocks that runs touch on the first cases.
pub(super) fn touched(ready: &Ready, seed: u64, cases: u64) -> Result<BTreeSet<u32>, Error> {
    let mut blocks = BTreeSet::new();
    for relation in &ready.relations {
        let target = ready.target(relation)?;
        let Some(mut executor) = target.executor(Build::Plain)? else { continue };
        let mut generator = Generator::new(Rng::new(seed), &[]);
        for _ in 0..SHOWN.min(cases) {
            generator.begin(&[]);
            executor.run(&mut generator)?;
            blocks.extend(executor.explain(&generator.case())?.coverage.into_iter().flatten());
        }
    }
    Ok(blocks)
}
