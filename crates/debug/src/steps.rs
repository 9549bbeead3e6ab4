//! The instructions that the runs of a group execute, and which branch each of them goes with.

use std::collections::BTreeMap;

use twinrun_explore::Decided;
use twinrun_interp::code::Code;
use twinrun_interp::instr::{Form, Instr};
use twinrun_interp::{Observer, Position, Segment};

use crate::subject::Subject;

/// Watches the runs of a group.
pub(crate) struct Steps<'s> {
    subject: &'s Subject,
    /// The branches that the runs decided.
    pub(crate) trace: Vec<Decided>,
    steps: Vec<Step>,
    run: Option<u32>,
    runs: u32,
    user: BTreeMap<u32, bool>,
    /// The open calls when code was last executed outside of runs.
    outside: usize,
}

#[derive(Clone, Copy)]
struct Step {
    at: Position,
    frame: usize,
    what: What,
    /// Code of the relation itself, around the call that is the run: no part of the subject.
    relation: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Store,
    Branch,
    Other,
}

impl<'s> Steps<'s> {
    pub(crate) fn new(subject: &'s Subject) -> Steps<'s> {
        Steps {
            subject,
            trace: Vec::new(),
            steps: Vec::new(),
            run: None,
            runs: 0,
            user: BTreeMap::new(),
            outside: 0,
        }
    }

    /// For each place that was executed in user code, the branches that it goes with, by their position among the branches of the
    /// runs: the branch that it helps to decide or, when an assignment or a return of its function lies between, the branch before.
    pub(crate) fn owners(&self) -> BTreeMap<Position, Vec<usize>> {
        let mut owners: BTreeMap<Position, Vec<usize>> = BTreeMap::new();
        let mut branch = 0;
        let mut segment: Vec<Step> = Vec::new();
        let mut add = |at: Position, owner: usize| {
            let list = owners.entry(at).or_default();
            if list.last() != Some(&owner) {
                list.push(owner);
            }
        };
        for step in &self.steps {
            segment.push(*step);
            if step.what != What::Branch {
                continue;
            }
            for (index, it) in segment.iter().enumerate().filter(|(_, it)| !it.relation) {
                let decides = it.frame == step.frame && it.at.function == step.at.function;
                let assigns = |later: &Step| later.what == What::Store && later.frame == it.frame;
                let before = !decides || segment[index..].iter().any(assigns);
                // Before the first branch of all there is none to go with.
                add(it.at, if before { branch_before(branch) } else { branch });
            }
            branch += 1;
            segment.clear();
        }
        segment.iter().filter(|step| !step.relation).for_each(|step| add(step.at, branch_before(branch)));
        owners
    }
}

fn branch_before(branch: usize) -> usize {
    branch.saturating_sub(1)
}

impl Observer for Steps<'_> {
    const INSTRUCTIONS: bool = true;

    fn instruction(&mut self, at: Position, frame: usize, code: &Code, instr: Instr) {
        if self.run.is_none() {
            self.outside = frame;
            return;
        }
        if matches!(instr, Instr::Block { .. } | Instr::Loop) {
            return;
        }
        if !*self.user.entry(at.function).or_insert_with(|| self.subject.is_user(at.function)) {
            return;
        }
        let what = if code.site(at.pc).is_some() {
            What::Branch
        } else if matches!(instr.form(), Form::Store(_)) {
            What::Store
        } else {
            What::Other
        };
        self.steps.push(Step { at, frame, what, relation: frame <= self.outside });
    }

    fn branch(&mut self, at: Position, code: &Code, outcome: u32) {
        if let (Some(site), Some(_)) = (code.site(at.pc), self.run) {
            self.trace.push(Decided { site, at, outcome, run: self.run, decision: 0 });
        }
    }

    fn segment(&mut self, segment: Segment) {
        match segment {
            // A program that a relation runs outside of `RUN` is a run of its own; inside it belongs to the run that is open.
            Segment::Program if self.run.is_some() => {}
            Segment::Begin | Segment::Program => {
                self.run = Some(self.runs);
                self.runs += 1;
            }
            Segment::End => self.run = None,
        }
    }
}
