//! Cases before and behind a proof: groups of the relation in the other engine, drawn and at the boundaries of its inputs.
//!
//! A violation that testing finds needs no proof attempt; and what is about to be called proved is tested again, so that a disagreement between prover and
//! engine becomes a bug report and never a proof.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use twinrun_base::{Budget, Case, Rng, Verdict};
use twinrun_testing::boundary;
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::executor::{Ending, Executor};
use twinrun_testing::generate::Generator;
use twinrun_testing::replay::Replay;
use twinrun_testing::shrink::{measure, shrink};
use twinrun_testing::target::{Build, Target};

use crate::error::Error;
use crate::prepare::Config;
use crate::report::Witness;
use crate::witness;

/// Groups that are drawn before anything is proved.
pub(crate) const FIRST: u64 = 1_000;
/// Groups that are drawn in all before "proved" is said.
pub(crate) const WHOLE: u64 = 10_000;
/// At most so many cases at boundaries are run.
const MOST_BOUNDARY: usize = 40_000;
/// How much work these may be: a million groups of a small program, fewer of a long one.
pub(crate) const FIRST_WORK: u64 = 50_000_000;
pub(crate) const WHOLE_WORK: u64 = 200_000_000;
const BOUNDARY_WORK: u64 = 100_000_000;
/// What a group costs at least, beside what it counts.
const LEAST_WORK: u64 = 100;
/// So many groups that run into the limit of work are enough.
const MOST_TIMEOUTS: u64 = 10;
/// Shrinking runs at most so many groups, and does about so much work.
const SHRINKING: u64 = 4_000;
const SHRINKING_WORK: u64 = 100_000_000;
/// The same cases every time.
const SEED: u64 = 0x6e65_7400;

/// How many groups were run in the other engine, and how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tested {
    /// Groups with drawn inputs that were judged.
    pub drawn: u64,
    /// Groups with pairs of boundary values.
    pub boundary: u64,
    /// Whether these are all pairs of boundary values.
    pub all_pairs: bool,
    /// Of all, those that an assumption discarded.
    pub discarded: u64,
    /// Of all, those that ran into the limit of work.
    pub timeouts: u64,
    /// Whether groups are so long that fewer than planned were run.
    pub limited: bool,
    /// Whether testing was cut by the time or by groups that do not end.
    pub cut: bool,
}

/// Whether the test before a proof finds a group that fails in this build: as many groups and pairs of boundary values as before "proved" is said.
///
/// # Errors
/// When the relation cannot be run.
pub fn pretest(
    subject: &WasmSubject,
    relation: &str,
    build: Build,
    config: &Config,
) -> Result<Option<Verdict>, Error> {
    let target = subject.target(relation)?;
    let Some(mut net) = Net::new(&target, build, Budget::of(config.work))? else { return Ok(None) };
    net.draw(FIRST, FIRST_WORK)?;
    net.boundaries()?;
    net.draw(WHOLE, WHOLE_WORK)?;
    let failing =
        |(ending, _): &&(Ending, Case)| matches!(ending.verdict, Verdict::Violated | Verdict::Crashed);
    Ok(net.failing.iter().find(failing).map(|(ending, _)| ending.verdict))
}

/// Runs groups of one relation.
pub(crate) struct Net<'a> {
    executor: Box<dyn Executor + 'a>,
    corpus: Vec<Rc<Case>>,
    /// Blocks that some group has touched.
    seen: Vec<u64>,
    /// How much work is left, and how many groups were begun.
    left: u64,
    groups: u64,
    pub(crate) tested: Tested,
    failing: Vec<(Ending, Case)>,
    /// Those that were shrunk, one for each way to end.
    shrunk: Vec<Witness>,
    until: Budget,
}

impl<'a> Net<'a> {
    /// Nothing where there is no such build.
    pub(crate) fn new(target: &'a dyn Target, build: Build, until: Budget) -> Result<Option<Net<'a>>, Error> {
        let Some(executor) = target.executor(build)? else { return Ok(None) };
        let tested = Tested { all_pairs: true, ..Tested::default() };
        let (corpus, seen, failing, shrunk) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Some(Net { executor, corpus, seen, left: 0, groups: 0, tested, failing, shrunk, until }))
    }

    /// Draws groups until so many were judged in all, within this much more work.
    pub(crate) fn draw(&mut self, wanted: u64, work: u64) -> Result<(), Error> {
        self.left = self.left.saturating_add(work);
        let dictionary = self.executor.dictionary().to_vec();
        let mut generator = Generator::new(Rng::fork(SEED, self.tested.drawn), &dictionary);
        // Where assumptions discard nearly everything, drawing more finds nothing either.
        let most_tries = wanted.saturating_mul(10);
        for _ in 0..most_tries {
            if self.tested.drawn >= wanted || self.is_over() {
                break;
            }
            generator.begin(&self.corpus);
            let ending = self.executor.run(&mut generator)?;
            if self.take(ending, || generator.case()) {
                self.tested.drawn += 1;
            }
            let touched = self.executor.touched();
            self.seen.resize(touched.len(), 0);
            let fresh = self.seen.iter().zip(touched).any(|(seen, now)| now & !seen != 0);
            self.seen.iter_mut().zip(touched).for_each(|(seen, now)| *seen |= now);
            if fresh || self.corpus.is_empty() {
                self.corpus.push(Rc::new(generator.case()));
            }
        }
        Ok(())
    }

    /// Counts a group; whether it was judged.
    fn take(&mut self, ending: Ending, case: impl FnOnce() -> Case) -> bool {
        self.left = self.left.saturating_sub(self.executor.work().max(LEAST_WORK));
        match ending.verdict {
            Verdict::Holds => true,
            Verdict::Discarded => {
                self.tested.discarded += 1;
                false
            }
            verdict => {
                self.tested.timeouts += u64::from(verdict == Verdict::Timeout);
                if !self.failing.iter().any(|(known, _)| *known == ending) {
                    self.failing.push((ending, case()));
                }
                true
            }
        }
    }

    /// Whether no more groups are run: too much work, too many of them without end, or the time is over.
    fn is_over(&mut self) -> bool {
        self.groups += 1;
        if self.left == 0 {
            self.tested.limited = true;
        }
        if self.tested.timeouts >= MOST_TIMEOUTS || self.until.is_over() {
            self.tested.cut = true;
        }
        self.left == 0 || self.tested.cut
    }

    /// Runs pairs of boundary values around the drawn case with the most numbers.
    pub(crate) fn boundaries(&mut self) -> Result<(), Error> {
        let Some(base) = self.corpus.iter().max_by_key(|case| measure(case)).cloned() else {
            return Ok(());
        };
        let work = self.left;
        self.left = self.left.max(BOUNDARY_WORK);
        let (cases, all) = boundary::pairs(&base, MOST_BOUNDARY);
        self.tested.all_pairs &= all;
        let mut replay = Replay::default();
        for case in &cases {
            if self.is_over() {
                self.tested.all_pairs = false;
                break;
            }
            replay.begin(case);
            let ending = self.executor.run(&mut replay)?;
            self.take(ending, || replay.drawn());
            self.tested.boundary += 1;
        }
        self.left = work;
        Ok(())
    }

    /// A case that ends like this, as small as it gets, with what the engine saw.
    pub(crate) fn failing(&mut self, verdict: Verdict) -> Result<Option<Witness>, Error> {
        if let Some(known) = self.shrunk.iter().find(|known| known.replayed.verdict == verdict) {
            return Ok(Some(known.clone()));
        }
        let known = self.failing.iter().find(|(ending, _)| ending.verdict == verdict).cloned();
        let Some((ending, case)) = known else { return Ok(None) };
        // Long groups are shrunk with fewer of them.
        let mut replay = Replay::default();
        replay.begin(&case);
        self.executor.run(&mut replay)?;
        let most = (SHRINKING_WORK / self.executor.work().max(1)).clamp(100, SHRINKING);
        let shrunk = shrink(&mut *self.executor, &case, ending, most, &|| false)?;
        let witness = witness::replay(&mut *self.executor, shrunk.case, verdict, Vec::new())?;
        self.shrunk.push(witness.clone());
        Ok(Some(witness))
    }

    /// Remembers a case that failed.
    pub(crate) fn know(&mut self, ending: Ending, case: Case) {
        self.failing.push((ending, case));
    }

    /// Runs a case that the prover found; whether the engine sees a failure too, which is then known here.
    pub(crate) fn confirm(&mut self, case: &Case, verdict: Verdict) -> Result<bool, Error> {
        let mut replay = Replay::default();
        replay.begin(case);
        let ending = self.executor.run_watched(&mut replay)?;
        if ending.verdict == verdict {
            self.failing.push((ending, replay.drawn()));
        }
        Ok(ending.verdict == verdict)
    }

    /// The engine itself.
    pub(crate) fn executor(&mut self) -> &mut (dyn Executor + 'a) {
        &mut *self.executor
    }
}
