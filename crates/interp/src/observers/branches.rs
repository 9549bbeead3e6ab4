//! The branch trace, cut into runs.

use std::ops::Range;

use crate::code::Code;
use crate::domain::Position;
use crate::imports::Segment;
use crate::observers::Observer;

/// One decided branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Event {
    /// A branch of user code: its index in the site table and its outcome.
    User {
        /// The index.
        branch: u32,
        /// The outcome.
        outcome: u32,
    },
    /// A branch elsewhere: never a suspect, still a condition of the path.
    Other {
        /// Where.
        at: Position,
        /// The outcome.
        outcome: u32,
    },
}

/// Records every decided branch.
#[derive(Clone, Debug, Default)]
pub struct Branches {
    /// The branches in order.
    pub trace: Vec<Event>,
    /// The part of the trace that each run made.
    pub runs: Vec<Range<usize>>,
    /// Whether branches outside user code are left out.
    pub user_only: bool,
    open: bool,
}

impl Branches {
    /// Branches of user code only.
    pub fn of_user_code() -> Branches {
        Branches { user_only: true, ..Branches::default() }
    }

    /// The (branch, outcome) pairs of user code, in order.
    pub fn user(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.trace.iter().filter_map(|event| match *event {
            Event::User { branch, outcome } => Some((branch, outcome)),
            Event::Other { .. } => None,
        })
    }
}

impl Observer for Branches {
    fn branch(&mut self, at: Position, code: &Code, outcome: u32) {
        match code.site(at.pc) {
            Some(branch) => self.trace.push(Event::User { branch, outcome }),
            None if self.user_only => return,
            None => self.trace.push(Event::Other { at, outcome }),
        }
        if self.open
            && let Some(run) = self.runs.last_mut()
        {
            run.end = self.trace.len();
        }
    }

    fn segment(&mut self, segment: Segment) {
        let here = self.trace.len();
        match segment {
            Segment::Program if self.open => {
                if let Some(run) = self.runs.last_mut() {
                    *run = here..here;
                }
            }
            Segment::Begin | Segment::Program => self.runs.push(here..here),
            Segment::End => {}
        }
        self.open = segment != Segment::End;
    }
}
