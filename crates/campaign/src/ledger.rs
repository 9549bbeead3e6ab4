//! The outcome of a campaign, folded from its events.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Error;
use crate::event::{Event, Stop, What};

/// What a campaign has to say: one entry for each job, in the order of the jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<R> {
    /// One for each job, in their order.
    pub entries: Vec<Entry<R>>,
    /// Why jobs are open, if any are.
    pub stopped: Option<Stop>,
}

/// What is known of one job.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry<R> {
    /// Its result.
    Finished(R),
    /// It panicked or gave up.
    Failed(String),
    /// It has not run, or was interrupted: running the campaign again continues with it.
    Open,
}

impl<R> Outcome<R> {
    /// Whether every job has a result or a recorded failure.
    pub fn is_complete(&self) -> bool {
        self.open().next().is_none()
    }

    /// The results with the places of their jobs.
    pub fn finished(&self) -> impl Iterator<Item = (usize, &R)> {
        self.entries.iter().enumerate().filter_map(|(job, entry)| match entry {
            Entry::Finished(result) => Some((job, result)),
            _ => None,
        })
    }

    /// The failures with the places of their jobs.
    pub fn failed(&self) -> impl Iterator<Item = (usize, &str)> {
        self.entries.iter().enumerate().filter_map(|(job, entry)| match entry {
            Entry::Failed(message) => Some((job, message.as_str())),
            _ => None,
        })
    }

    /// The places of the jobs that have neither.
    pub fn open(&self) -> impl Iterator<Item = usize> {
        self.entries.iter().enumerate().filter_map(|(job, entry)| matches!(entry, Entry::Open).then_some(job))
    }
}

/// Folds events; knows nothing but what they say, so that a recording gives the same outcome as the run.
#[derive(Default)]
pub(crate) struct Ledger {
    entries: Vec<Entry<Value>>,
    stopped: Option<Stop>,
}

impl Ledger {
    pub(crate) fn apply(&mut self, event: &Event) {
        match &event.what {
            What::Began { jobs, .. } => {
                self.entries = vec![Entry::Open; *jobs];
                self.stopped = None;
            }
            What::Finished { job, result, .. } => self.settle(*job, Entry::Finished(result.clone())),
            What::Failed { job, message, .. } => self.settle(*job, Entry::Failed(message.clone())),
            What::Ended { stop, .. } => self.stopped = *stop,
            What::Started { .. } | What::Progress { .. } | What::Interrupted { .. } => {}
        }
    }

    /// The closing event. Its numbers are those of the set of entries, never of a running count.
    pub(crate) fn ended(&self, stop: Option<Stop>) -> What {
        let count =
            |wanted: fn(&Entry<Value>) -> bool| self.entries.iter().filter(|entry| wanted(entry)).count();
        let open = count(|entry| matches!(entry, Entry::Open));
        What::Ended {
            finished: count(|entry| matches!(entry, Entry::Finished(_))),
            failed: count(|entry| matches!(entry, Entry::Failed(_))),
            open,
            stop: stop.filter(|_| open > 0),
        }
    }

    pub(crate) fn outcome<R: DeserializeOwned>(self) -> Result<Outcome<R>, Error> {
        let understand = |(index, entry)| match entry {
            Entry::Finished(value) => serde_json::from_value(value)
                .map(Entry::Finished)
                .map_err(|error| Error::Result { index, reason: error.to_string() }),
            Entry::Failed(message) => Ok(Entry::Failed(message)),
            Entry::Open => Ok(Entry::Open),
        };
        let entries = self.entries.into_iter().enumerate().map(understand).collect::<Result<_, _>>()?;
        Ok(Outcome { entries, stopped: self.stopped })
    }

    fn settle(&mut self, job: usize, entry: Entry<Value>) {
        if let Some(place) = self.entries.get_mut(job) {
            *place = entry;
        }
    }
}
