//! What a group leaves behind besides its verdict.

use twinrun_base::{Crash, FailedCheck, Run};

use crate::bits::Bits;

/// How much of a group is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The verdict, work, and what the configuration records (coverage, counts, trace). Allocates nothing.
    Verdict,
    /// Also what each run was given and gave.
    Full,
}

/// One run as the engine saw it.
#[derive(Clone, Debug, Default)]
pub struct RunRecord {
    /// Which program it was (index into [`crate::Compiled::programs`]); `None`: a run of the relation's own module. All
    /// numbers below count in the site table of that module.
    pub program: Option<usize>,
    /// The blocks of user code that it touched.
    pub covered: Bits,
    /// How often each edge happened, by edge ([`crate::Edges`]).
    pub counts: Vec<u32>,
    /// The edges in the order in which they happened.
    pub trace: Vec<u32>,
    /// What it was given and gave ([`Detail::Full`]).
    pub run: Run,
}

impl RunRecord {
    pub(crate) fn clear(&mut self) {
        self.program = None;
        self.covered.clear();
        self.counts.clear();
        self.trace.clear();
        self.run.given.clear();
        self.run.outputs.clear();
        self.run.program = None;
    }
}

/// What the last group left behind.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// Space for runs; only the first `started` are of this group.
    pub(crate) runs: Vec<RunRecord>,
    pub(crate) started: usize,
    /// The check that failed, for [`twinrun_base::Verdict::Violated`].
    pub check: Option<FailedCheck>,
    /// The crash, for [`twinrun_base::Verdict::Crashed`].
    pub crash: Option<Crash>,
    /// Checks that were made, the failed one included.
    pub checks: u32,
    /// What the checks compared, in order, left before right ([`crate::Config::operands`]): whole numbers and floats by their bits, texts by a hash.
    pub operands: Vec<u64>,
    /// Work done: see `passes/work.rs` for what counts.
    pub work: u64,
    /// Whether static data was changed (outside the stack, the heap and the allocator's books). A relation that keeps its
    /// own arrays in static data sets it too.
    pub statics_changed: bool,
}

impl Observation {
    /// The runs that were started, in order.
    pub fn runs(&self) -> &[RunRecord] {
        &self.runs[..self.started]
    }

    pub(crate) fn clear(&mut self) {
        self.started = 0;
        self.check = None;
        self.crash = None;
        self.checks = 0;
        self.operands.clear();
        self.work = 0;
        self.statics_changed = false;
    }

    /// Starts the record of the next run.
    pub(crate) fn start(&mut self) -> &mut RunRecord {
        if self.runs.len() == self.started {
            self.runs.push(RunRecord::default());
        }
        self.started += 1;
        let record = &mut self.runs[self.started - 1];
        record.clear();
        record
    }

    /// The record of the run that was started last.
    pub(crate) fn last(&mut self) -> Option<&mut RunRecord> {
        self.runs[..self.started].last_mut()
    }
}
