//! One job of testing: a number of cases of one relation, drawn from one seed, independent of all other jobs.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use twinrun_base::report::Counts;
use twinrun_base::{Case, Hash, Rng, Verdict};
use twinrun_campaign::Job;

use crate::executor::{Ending, ExecuteError, Executor};
use crate::generate::Generator;
use crate::replay::Replay;
use crate::shrink::measure;

/// The version of the algorithm: part of every job's identity.
const ALGORITHM: u32 = 1;
/// Distinct failures that one chunk remembers.
const MOST_FAILURES: usize = 64;
/// Time-outs after which a chunk gives up: each costs the whole work limit.
const MOST_TIMEOUTS: u64 = 10;
/// Every so many cases one is also run in the checked build, beside those that reach new code.
const CHECKED_EVERY: u64 = 64;
/// After so many groups that say nothing, none will.
const VACUOUS: u64 = 50;
/// Cases that failed in one way whose size is compared; later ones are only counted.
const COMPARED: u64 = 200;

/// A job: `cases` cases of one relation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chunk {
    algorithm: u32,
    /// [`crate::target::Target::identity`].
    pub target: Hash,
    /// For people.
    pub name: String,
    /// The seed of the whole test.
    pub seed: u64,
    /// Which chunk under this seed.
    pub index: u64,
    /// How many cases that are not discarded.
    pub cases: u64,
}

impl Chunk {
    /// The `index`-th chunk under a seed.
    pub fn new(target: Hash, name: String, seed: u64, index: u64, cases: u64) -> Chunk {
        Chunk { algorithm: ALGORITHM, target, name, seed, index, cases }
    }
}

impl Job for Chunk {
    fn label(&self) -> String {
        self.name.clone()
    }
}

/// One way in which cases failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// How the group ended.
    pub ending: Ending,
    /// Hash of the blocks that its runs touched.
    pub signature: u64,
    /// The smallest case seen.
    pub case: Case,
    /// How many cases failed in this way.
    pub count: u64,
    /// Only the checked build failed.
    pub checked: bool,
}

/// What a chunk found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ChunkResult {
    /// How the groups ended.
    pub counts: Counts,
    /// Blocks touched by some run, ascending.
    pub covered: Vec<u32>,
    /// Distinct failures.
    pub failures: Vec<Failure>,
    /// Cases that reached new code.
    pub corpus: Vec<Case>,
    /// Cases run in the checked build too.
    pub checked: u64,
    /// It gave up before all its cases were run.
    pub stopped: bool,
    /// Why, or what else the user should know.
    pub notices: Vec<String>,
}

/// Runs a chunk; `initial` cases begin its corpus, `stop` is asked now and then, `progress` hears how many cases are done.
///
/// # Errors
/// When an executor cannot answer.
pub fn run_chunk(
    chunk: &Chunk,
    plain: &mut dyn Executor,
    checked: Option<&mut dyn Executor>,
    initial: &[Case],
    stop: &dyn Fn() -> bool,
    progress: &dyn Fn(u64),
) -> Result<ChunkResult, ExecuteError> {
    let mut state = State::new(initial);
    let mut checked = checked;
    let mut generator = Generator::new(Rng::fork(chunk.seed, chunk.index), plain.dictionary());
    let most_tries = chunk.cases.saturating_mul(10).max(1000);
    let mut done = 0;
    for tries in 0..most_tries {
        if done == chunk.cases {
            break;
        }
        if tries % 256 == 255 {
            progress(done);
        }
        if (tries % 64 == 63 && stop()) || state.result.counts.timeout >= MOST_TIMEOUTS {
            state.result.stopped = true;
            break;
        }
        generator.begin(&state.corpus);
        let ending = plain.run(&mut generator)?;
        // What a cut ends says nothing; it is not counted.
        if ending.verdict == Verdict::Discarded && stop() {
            state.result.stopped = true;
            break;
        }
        if let Some(notice) = plain.notice() {
            // What was judged so far says nothing either.
            state.result = ChunkResult { notices: vec![notice], stopped: true, ..ChunkResult::default() };
            break;
        }
        state.result.counts.add(ending.verdict);
        if tries + 1 == VACUOUS && plain.vacuous().is_some() {
            break;
        }
        if ending.verdict == Verdict::Discarded {
            continue;
        }
        done += 1;
        let novel = state.note_coverage(plain.touched());
        match ending.verdict {
            Verdict::Holds => {}
            _ => state.note_failure(ending, plain.touched(), &generator, false),
        }
        if novel {
            state.corpus.push(Rc::new(generator.case()));
        }
        if let Some(checked) = checked.as_deref_mut()
            && ending.verdict != Verdict::Crashed
            && ending.verdict != Verdict::Timeout
            && (novel || done % CHECKED_EVERY == 0)
        {
            state.result.checked += 1;
            state.replay.begin(&generator.case());
            let ending = checked.run(&mut state.replay)?;
            if ending.verdict == Verdict::Crashed {
                state.result.counts.crashed += 1;
                state.note_failure(ending, checked.touched(), &generator, true);
            }
        }
    }
    progress(done);
    if let Some(reason) = plain.vacuous() {
        // Nothing compared is never success.
        let counts = &mut state.result.counts;
        counts.discarded += std::mem::take(&mut counts.holds);
        state.result.notices.push(reason);
        state.result.stopped = true;
    }
    Ok(state.finish())
}

/// What grows while a chunk runs.
struct State {
    result: ChunkResult,
    seen: Vec<u64>,
    corpus: Vec<Rc<Case>>,
    replay: Replay,
    failures: BTreeMap<(Ending, u64, bool), Failure>,
}

impl State {
    fn new(initial: &[Case]) -> State {
        State {
            result: ChunkResult::default(),
            seen: Vec::new(),
            corpus: initial.iter().cloned().map(Rc::new).collect(),
            replay: Replay::default(),
            failures: BTreeMap::new(),
        }
    }

    /// Remembers what was touched; true when some block was touched for the first time.
    fn note_coverage(&mut self, touched: &[u64]) -> bool {
        if self.seen.len() < touched.len() {
            self.seen.resize(touched.len(), 0);
        }
        let mut fresh = 0;
        for (seen, now) in self.seen.iter_mut().zip(touched) {
            fresh |= now & !*seen;
            *seen |= now;
        }
        fresh != 0
    }

    fn note_failure(&mut self, ending: Ending, touched: &[u64], generator: &Generator, checked: bool) {
        let signature = signature(touched);
        let full = self.failures.len() >= MOST_FAILURES;
        match self.failures.get_mut(&(ending, signature, checked)) {
            Some(failure) => {
                failure.count += 1;
                if failure.count <= COMPARED {
                    let case = generator.case();
                    if measure(&case) < measure(&failure.case) {
                        failure.case = case;
                    }
                }
            }
            // Too many ways: count it with the first of the same ending.
            None if full => {
                let first = self.failures.range_mut((ending, 0, checked)..).next();
                if let Some((_, failure)) = first.filter(|((other, ..), _)| *other == ending) {
                    failure.count += 1;
                }
            }
            None => {
                let failure = Failure { ending, signature, case: generator.case(), count: 1, checked };
                self.failures.insert((ending, signature, checked), failure);
            }
        }
    }

    fn finish(mut self) -> ChunkResult {
        self.result.covered = blocks(&self.seen).collect();
        self.result.failures = self.failures.into_values().collect();
        self.result.corpus = self.corpus.iter().map(|case| Case::clone(case)).collect();
        self.result
    }
}

/// A hash of which blocks were touched.
pub(crate) fn signature(touched: &[u64]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(touched)
}

/// The indices of the bits that are set.
pub(crate) fn blocks(words: &[u64]) -> impl Iterator<Item = u32> {
    (0..).zip(words).flat_map(|(index, word)| {
        (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| index * 64 + bit)
    })
}
