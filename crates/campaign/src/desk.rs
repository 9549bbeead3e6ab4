//! Who has which job, and the desk at which a runner takes and settles them.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::Sender;
use serde_json::Value;
use twinrun_base::Cut;

use crate::context::stopping;
use crate::event::{Stop, What};
use crate::journal::{Answer, Record};
use crate::remote::{Answered, Desk, Errand, Refused};
use crate::run::{Message, Shared};

const OPEN: u8 = 0;
/// Somebody elsewhere runs it.
const AWAY: u8 = 1;
/// A thread of this process runs it.
const HERE: u8 = 2;
const SETTLED: u8 = 3;

/// How long a thread without a job waits before it looks again.
const IDLE: Duration = Duration::from_millis(20);

/// Who has which of the pending jobs.
pub(crate) struct Board {
    states: Vec<AtomicU8>,
    open: AtomicUsize,
    here: Mutex<Vec<(usize, Record)>>,
}

impl Board {
    pub(crate) fn new(jobs: usize) -> Board {
        let states = (0..jobs).map(|_| AtomicU8::new(OPEN)).collect();
        Board { states, open: AtomicUsize::new(jobs), here: Mutex::default() }
    }

    /// A job for a thread of this process while a runner has the others: from the end, because the runner begins at the
    /// other one. `None` when nothing is left to do.
    pub(crate) fn take(&self, cut: &Cut) -> Option<usize> {
        while stopping(cut).is_none() && self.open.load(Ordering::Acquire) > 0 {
            let taken = (0..self.states.len()).rev().find(|place| self.change(*place, OPEN, HERE));
            if taken.is_some() {
                return taken;
            }
            thread::sleep(IDLE);
        }
        None
    }

    /// Notes an answer; false when there already is one.
    fn settle(&self, place: usize) -> bool {
        let fresh = self.states[place].swap(SETTLED, Ordering::AcqRel) != SETTLED;
        if fresh {
            self.open.fetch_sub(1, Ordering::AcqRel);
        }
        fresh
    }

    fn change(&self, place: usize, from: u8, to: u8) -> bool {
        self.states[place].compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// The desk of one run of a campaign.
pub(crate) struct Counter<'a, J> {
    pub(crate) shared: &'a Shared<'a, J>,
    pub(crate) messages: Sender<Message>,
    pub(crate) errands: Vec<Errand>,
    /// Whether a value can be read as a result.
    pub(crate) check: fn(&Value) -> Result<(), String>,
}

impl<J: Sync> Counter<'_, J> {
    fn say(&self, what: What) {
        // Nobody listens any more only when the campaign is being torn down.
        let _ = self.messages.send(Message::Say(what));
    }
}

impl<J: Sync> Desk for Counter<'_, J> {
    fn errands(&self) -> &[Errand] {
        &self.errands
    }

    fn is_open(&self, errand: usize) -> bool {
        self.shared.board.states[errand].load(Ordering::Acquire) != SETTLED
    }

    fn any_open(&self) -> bool {
        self.shared.board.open.load(Ordering::Acquire) > 0
    }

    fn stopping(&self) -> Option<Stop> {
        stopping(self.shared.cut)
    }

    fn started(&self, errand: usize, worker: usize) {
        if self.shared.board.change(errand, OPEN, AWAY) {
            let Errand { id, label, .. } = &self.errands[errand];
            let job = self.shared.pending[errand];
            self.say(What::Started { job, id: *id, label: label.clone(), worker });
        }
    }

    fn vanished(&self, errand: usize) {
        self.shared.board.change(errand, AWAY, OPEN);
    }

    fn retry_failed(&self) -> bool {
        self.shared.config.retry_failed
    }

    fn progress(&self, errand: usize, done: u64, total: Option<u64>, note: &str) {
        if self.is_open(errand) {
            let job = self.shared.pending[errand];
            self.say(What::Progress { job, done, total, note: note.to_string() });
        }
    }

    fn settle(&self, errand: usize, elapsed_ms: u64, answer: Answered) -> Result<(), Refused> {
        let answer = match answer {
            Ok(result) => {
                (self.check)(&result).map_err(Refused::NotAResult)?;
                Answer::Finished(result)
            }
            Err(message) => Answer::Failed(message),
        };
        // The first word about a job may be its answer.
        self.started(errand, 0);
        match self.shared.settle(errand, Record { elapsed_ms, answer }, &self.messages) {
            Some(()) => Ok(()),
            None => Err(Refused::Closed),
        }
    }

    fn answered_here(&self) -> Vec<(usize, u64, Answered)> {
        let mut here = self.shared.board.here.lock().unwrap_or_else(PoisonError::into_inner);
        let plain = |(place, Record { elapsed_ms, answer })| match answer {
            Answer::Finished(result) => (place, elapsed_ms, Ok(result)),
            Answer::Failed(message) => (place, elapsed_ms, Err(message)),
        };
        here.drain(..).map(plain).collect()
    }
}

impl<J> Shared<'_, J> {
    /// Commits an answer and sends it to the collector; `None` when nobody listens any more.
    pub(crate) fn settle(&self, place: usize, record: Record, messages: &Sender<Message>) -> Option<()> {
        let here = self.board.states[place].load(Ordering::Acquire) == HERE;
        if !self.board.settle(place) {
            return Some(());
        }
        if here && self.config.remote.is_some() {
            let mut answered = self.board.here.lock().unwrap_or_else(PoisonError::into_inner);
            answered.push((place, record.clone()));
        }
        let index = self.pending[place];
        match self.commit(index, &record) {
            Ok(()) => messages.send(Message::Settled(index, record)).ok(),
            Err(error) => {
                let _ = messages.send(Message::Broken(error));
                None
            }
        }
    }
}
