//! Running a campaign: workers take jobs and record their results, one collector tells of them.
//!
//! A worker takes its next job only after the commit of the last one, so a kill costs the jobs that were running and no
//! other. A commit takes about 0.1 ms: bundle work that is finer than that into one job.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crossbeam_channel::Sender;
use serde::Serialize;
use serde::de::DeserializeOwned;
use twinrun_base::{Cut, cut};

use crate::context::{Config, Context, Halt, stopping};
use crate::desk::{Board, Counter};
use crate::error::Error;
use crate::event::{Event, What};
use crate::job::{Job, JobId, spell};
use crate::journal::{Answer, Journal, Record};
use crate::ledger::{Ledger, Outcome};
use crate::lock::Lock;
use crate::panics;
use crate::remote::{Errand, Remote};

/// Engines and parsers recurse, and compiled groups want 49 MiB; on less they would switch stacks for every group. What is
/// not used costs nothing.
const STACK: usize = 64 << 20;
/// Events that may wait for a slow listener before the workers do.
const BACKLOG: usize = 1024;

/// A named set of results in a journal, held by this process alone.
pub struct Campaign {
    name: String,
    journal: Journal,
    // Declared last, so that it is released after the journal is closed.
    _lock: Option<Lock>,
}

impl Campaign {
    /// Opens the journal at `path`, or makes it. Several campaigns may use one journal, one after the other.
    pub fn open(path: impl AsRef<Path>, name: &str) -> Result<Self, Error> {
        let path = path.as_ref();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|source| Error::Create { path: folder.to_path_buf(), source })?;
        }
        let lock = Lock::take(path, name)?;
        Ok(Self { name: name.to_string(), journal: Journal::open(path)?, _lock: Some(lock) })
    }

    /// A campaign that is forgotten with this value: for tests and short work.
    pub fn in_memory(name: &str) -> Result<Self, Error> {
        Ok(Self { name: name.to_string(), journal: Journal::in_memory()?, _lock: None })
    }

    /// The ids of all jobs, of this and earlier runs, that have a result or a recorded failure.
    pub fn recorded(&self) -> Result<Vec<JobId>, Error> {
        self.journal.ids(&self.name)
    }

    /// Forgets everything that was recorded, so that the next run begins anew.
    pub fn forget(&mut self) -> Result<(), Error> {
        self.journal.forget(&self.name)
    }

    /// Runs the jobs that are not recorded yet, and gives the results of all, in the order of the jobs.
    ///
    /// `work` runs on the workers and returns a job's result; `on_event` runs on the calling thread. A result is
    /// committed to the journal before its event is sent. Equal jobs run once.
    pub fn run<J: Job, R: Serialize + DeserializeOwned>(
        &mut self,
        jobs: &[J],
        config: &Config,
        work: impl Fn(&J, &Context<'_>) -> Result<R, Halt> + Sync,
        mut on_event: impl FnMut(&Event),
    ) -> Result<Outcome<R>, Error> {
        let began = Instant::now();
        let mut ledger = Ledger::default();
        let mut emit = |ledger: &mut Ledger, what| {
            let event = Event { at_ms: millis(began), what };
            ledger.apply(&event);
            on_event(&event);
        };

        let spelled: Vec<Spelled<J>> = jobs
            .iter()
            .enumerate()
            .map(|(index, job)| spell(index, job).map(|(id, spec, job)| Spelled { id, spec, job }))
            .collect::<Result<_, _>>()?;
        let workers = config.threads();
        emit(&mut ledger, What::Began { campaign: self.name.clone(), jobs: jobs.len(), workers });

        let mut places: BTreeMap<JobId, Vec<usize>> = BTreeMap::new();
        let mut pending = Vec::new();
        for (index, Spelled { id, .. }) in spelled.iter().enumerate() {
            match self.journal.look_up(&self.name, *id)? {
                Some(record) if !(config.retry_failed && matches!(record.answer, Answer::Failed(_))) => {
                    emit(&mut ledger, settled(index, *id, &record, true));
                }
                _ => {
                    let places = places.entry(*id).or_default();
                    if places.is_empty() {
                        pending.push(index);
                    }
                    places.push(index);
                }
            }
        }

        let cut = config.cut();
        let shared = Shared {
            config,
            cut: &cut,
            spelled: &spelled,
            pending: &pending,
            next: AtomicUsize::new(0),
            board: Board::new(pending.len()),
            journal: Mutex::new((&mut self.journal, &self.name)),
        };
        let remote = config.remote.as_ref().filter(|_| !pending.is_empty());
        thread::scope(|scope| -> Result<(), Error> {
            // Leaving this block drops the receiver, and a worker whose message nobody takes ends: that is how an error
            // (or a panic of `on_event`) stops the workers.
            let (sender, receiver) = crossbeam_channel::bounded(BACKLOG);
            if let Some(Remote { runner, setting, .. }) = remote {
                let counter = shared.counter(sender.clone(), |value| read::<R>(value));
                let cut = cut.clone();
                spawn(scope, "runner".to_string(), move || {
                    if let Err(message) = cut::within(Some(cut), || runner.run(setting, &counter)) {
                        let _ = counter.messages.send(Message::Broken(Error::Runner(message)));
                    }
                })?;
            }
            let here = if remote.is_none_or(|remote| remote.local) { workers.min(pending.len()) } else { 0 };
            for worker in 0..here {
                let (sender, shared, work, outer) = (sender.clone(), &shared, &work, cut::current());
                spawn(scope, format!("worker {worker}"), move || {
                    cut::within(outer, || while attend(worker, shared, work, &sender).is_some() {});
                })?;
            }
            drop(sender);
            for message in receiver {
                match message {
                    Message::Say(what) => emit(&mut ledger, what),
                    Message::Settled(job, record) => {
                        let id = spelled[job].id;
                        for &place in &places[&id] {
                            emit(&mut ledger, settled(place, id, &record, place != job));
                        }
                    }
                    Message::Broken(error) => return Err(error),
                }
            }
            Ok(())
        })?;

        let ended = ledger.ended(stopping(&cut));
        emit(&mut ledger, ended);
        ledger.outcome()
    }
}

/// From a worker to the collector.
pub(crate) enum Message {
    /// Something happened.
    Say(What),
    /// A job's answer is recorded.
    Settled(usize, Record),
    /// The journal cannot be written.
    Broken(Error),
}

/// A job with its identity, as read back from its canonical JSON.
pub(crate) struct Spelled<J> {
    id: JobId,
    spec: String,
    job: J,
}

/// What the workers share.
pub(crate) struct Shared<'a, J> {
    pub(crate) config: &'a Config,
    pub(crate) cut: &'a Cut,
    spelled: &'a [Spelled<J>],
    /// The places of the jobs that are to be run, each of several equal ones once.
    pub(crate) pending: &'a [usize],
    next: AtomicUsize,
    pub(crate) board: Board,
    journal: Mutex<(&'a mut Journal, &'a str)>,
}

impl<'a, J: Job> Shared<'a, J> {
    /// The desk for a runner.
    fn counter(
        &'a self,
        messages: Sender<Message>,
        check: fn(&serde_json::Value) -> Result<(), String>,
    ) -> Counter<'a, J> {
        let errand = |index: &usize| {
            let Spelled { id, spec, job } = &self.spelled[*index];
            Errand { id: *id, spec: spec.clone(), label: label(job) }
        };
        Counter { shared: self, messages, errands: self.pending.iter().map(errand).collect(), check }
    }
}

impl<J> Shared<'_, J> {
    /// The next job for a thread of this process, by its place among the pending ones.
    fn take(&self) -> Option<usize> {
        match self.config.remote {
            Some(_) => self.board.take(self.cut),
            None => {
                Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|place| *place < self.pending.len())
            }
        }
    }

    pub(crate) fn commit(&self, index: usize, record: &Record) -> Result<(), Error> {
        let Spelled { id, spec, .. } = &self.spelled[index];
        // Nothing panics while the lock is held except SQLite's own wrapper, and then its transaction is undone.
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        let (journal, campaign) = &mut *journal;
        journal.record(campaign, *id, spec, record)
    }
}

fn spawn<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    name: String,
    work: impl FnOnce() + Send + 'scope,
) -> Result<(), Error> {
    let thread = thread::Builder::new().name(name).stack_size(STACK).spawn_scoped(scope, work);
    thread.map(drop).map_err(|source| Error::Thread { source })
}

fn label(job: &impl Job) -> String {
    panics::catch(|| job.label()).unwrap_or_else(|message| message)
}

/// Runs one job on a worker; `None` when this worker has nothing more to do.
fn attend<J: Job, R: Serialize + DeserializeOwned>(
    worker: usize,
    shared: &Shared<'_, J>,
    work: &impl Fn(&J, &Context<'_>) -> Result<R, Halt>,
    messages: &Sender<Message>,
) -> Option<()> {
    let cut = shared.cut;
    if stopping(cut).is_some() {
        return None;
    }
    let place = shared.take()?;
    let index = shared.pending[place];
    let Spelled { id, job, .. } = &shared.spelled[index];
    messages.send(Message::Say(What::Started { job: index, id: *id, label: label(job), worker })).ok()?;

    // Nobody listens any more only when the campaign is being torn down.
    let say = |what| drop(messages.send(Message::Say(what)));
    let context = Context { job: index, id: *id, cut, say: &say, last_progress: Default::default() };
    let began = Instant::now();
    let answer = match panics::catch(|| work(job, &context).map(|result| write(&result))) {
        Ok(Ok(Ok(result))) => Answer::Finished(result),
        Ok(Ok(Err(message)) | Err(Halt::Failed(message))) | Err(message) => Answer::Failed(message),
        Ok(Err(Halt::Interrupted)) => {
            return messages.send(Message::Say(What::Interrupted { job: index, id: *id })).ok();
        }
    };
    shared.settle(place, Record { elapsed_ms: millis(began), answer }, messages)
}

/// The result as JSON, provided that it can be read back: otherwise the journal would be of no use.
fn write<R: Serialize + DeserializeOwned>(result: &R) -> Result<serde_json::Value, String> {
    let value =
        serde_json::to_value(result).map_err(|error| format!("the result is not plain data: {error}"))?;
    read::<R>(&value)?;
    Ok(value)
}

fn read<R: DeserializeOwned>(value: &serde_json::Value) -> Result<(), String> {
    let read = R::deserialize(value);
    read.map(drop).map_err(|error| format!("the result cannot be read back from its JSON: {error}"))
}

fn settled(job: usize, id: JobId, Record { elapsed_ms, answer }: &Record, recorded: bool) -> What {
    let elapsed_ms = *elapsed_ms;
    match answer.clone() {
        Answer::Finished(result) => What::Finished { job, id, elapsed_ms, result, recorded },
        Answer::Failed(message) => What::Failed { job, id, elapsed_ms, message, recorded },
    }
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
