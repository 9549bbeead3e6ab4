//! The six ways to tests that are compared.

use std::time::Duration;

use twinrun_combine::groups::{ConcreteStage, Method, Richness, concretise, follow_ups, make as made, plan};
use twinrun_combine::{Config, Model, Random, generate};

/// In the order of [`make`].
pub(crate) const METHODS: [&str; 6] = ["random", "plain", "concretised", "published", "ours", "follow-ups"];
/// Plain arrays, values at random.
pub(crate) const PLAIN: usize = 1;
/// Plain arrays, values chosen for groups.
pub(crate) const CONCRETISED: usize = 2;
/// The published sampling.
pub(crate) const PUBLISHED: usize = 3;
/// Ours.
pub(crate) const OURS: usize = 4;

/// Tests of one method.
pub(crate) struct Made {
    pub stage: ConcreteStage,
    /// CPU seconds of the abstract and the concrete stage.
    pub seconds: (f64, f64),
}

/// Makes tests by one method; `plain` is the array without relations.
pub(crate) fn make(method: usize, model: &Model, strength: usize, seed: u64, plain: &[Vec<usize>]) -> Made {
    let start = cpu();
    let config = Config { strength: Some(strength), seed, ..Config::default() };
    let (rows, planned) = match method {
        0 => (random_rows(model, plain.len(), seed), Vec::new()),
        1 => (plain.to_vec(), Vec::new()),
        2 => (plain.to_vec(), plan(model, plain).unwrap_or_default()),
        3 => made(model, Method::Published, &config, Richness::default()).unwrap_or_default(),
        4 => made(model, Method::Enriched, &config, Richness::default()).unwrap_or_default(),
        _ => follow_ups(model, plain, seed).unwrap_or_default(),
    };
    let middle = cpu();
    let stage = concretise(model, &rows, &planned, &mut Random::new(seed));
    let seconds = ((middle - start).as_secs_f64(), (cpu() - middle).as_secs_f64());
    Made { stage, seconds }
}

/// The plain array of a seed.
pub(crate) fn plain(model: &Model, strength: usize, seed: u64) -> Vec<Vec<usize>> {
    generate(model, &Config { strength: Some(strength), seed, ..Config::default() })
        .map(|array| array.rows)
        .unwrap_or_default()
}

/// Rows drawn one by one, each valid: an array of strength 1 for each draw gives some, the first is taken.
fn random_rows(model: &Model, count: usize, seed: u64) -> Vec<Vec<usize>> {
    twinrun_combine::random_rows(model, count, seed).unwrap_or_default()
}

/// CPU time of this thread.
pub(crate) fn cpu() -> Duration {
    // SAFETY: `timespec` is plain data for which all-zero is valid, and the call only writes into it.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time);
        time
    };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
