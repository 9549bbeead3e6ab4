//! Running a campaign: workers take jobs, one collector records results and tells of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::{Config, Context, Halt};
use crate::error::Error;
use crate::event::{Event, What};
use crate::job::{Job, JobId, spell};
use crate::journal::{Answer, Journal, Line, Record};
use crate::ledger::{Ledger, Outcome};
use crate::lock::Lock;
use crate::panics;

/// As much as a main thread has: engines and parsers recurse.
const STACK: usize = 8 << 20;
/// At most so many results share one commit.
const BATCH: usize = 256;

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

        let next = AtomicUsize::new(0);
        thread::scope(|scope| -> Result<(), Error> {
            // Bounded, so that a slow disk holds the workers back. Leaving this block drops the receiver, and a worker
            // whose message nobody takes ends: that is how an error (or a panic of `on_event`) stops the workers.
            let (sender, receiver) = crossbeam_channel::bounded(4 * BATCH);
            for worker in 0..workers.min(pending.len()) {
                let (sender, shared) = (sender.clone(), (&next, &pending, &spelled, &work));
                let body = move || {
                    let (next, pending, spelled, work) = shared;
                    while config.stopping().is_none() {
                        let Some(&index) = pending.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                        if attend(index, worker, &spelled[index], config, work, &sender).is_none() {
                            break;
                        }
                    }
                };
                thread::Builder::new()
                    .name(format!("worker {worker}"))
                    .stack_size(STACK)
                    .spawn_scoped(scope, body)
                    .map_err(|source| Error::Thread { source })?;
            }
            drop(sender);
            self.collect(&receiver, &spelled, &places, |what| emit(&mut ledger, what))
        })?;

        let ended = ledger.ended(config.stopping());
        emit(&mut ledger, ended);
        ledger.outcome()
    }

    /// Records and tells, until the last worker is gone.
    fn collect<J>(
        &mut self,
        receiver: &Receiver<Message>,
        spelled: &[Spelled<J>],
        places: &BTreeMap<JobId, Vec<usize>>,
        mut emit: impl FnMut(What),
    ) -> Result<(), Error> {
        while let Ok(first) = receiver.recv() {
            let batch: Vec<Message> =
                std::iter::once(first).chain(receiver.try_iter().take(BATCH - 1)).collect();
            let lines: Vec<Line<'_>> = batch
                .iter()
                .filter_map(|message| match message {
                    Message::Say(_) => None,
                    Message::Settle(job, record) => {
                        Some(Line { id: spelled[*job].id, spec: &spelled[*job].spec, record })
                    }
                })
                .collect();
            if !lines.is_empty() {
                self.journal.record(&self.name, &lines)?;
            }
            for message in batch {
                match message {
                    Message::Say(what) => emit(what),
                    Message::Settle(job, record) => {
                        let id = spelled[job].id;
                        for &place in &places[&id] {
                            emit(settled(place, id, &record, place != job));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// From a worker to the collector.
pub(crate) enum Message {
    /// Only to be told.
    Say(What),
    /// To be recorded, then told.
    Settle(usize, Record),
}

/// A job with its identity, as read back from its canonical JSON.
struct Spelled<J> {
    id: JobId,
    spec: String,
    job: J,
}

/// Runs one job on a worker; `None` when the collector is gone.
fn attend<J: Job, R: Serialize + DeserializeOwned>(
    index: usize,
    worker: usize,
    Spelled { id, job, .. }: &Spelled<J>,
    config: &Config,
    work: &impl Fn(&J, &Context<'_>) -> Result<R, Halt>,
    messages: &Sender<Message>,
) -> Option<()> {
    let label = panics::catch(|| job.label()).unwrap_or_else(|message| message);
    messages.send(Message::Say(What::Started { job: index, id: *id, label, worker })).ok()?;
    let context = Context { job: index, id: *id, config, messages, last_progress: Default::default() };
    let began = Instant::now();
    let answer = match panics::catch(|| work(job, &context).map(|result| write(&result))) {
        Ok(Ok(Ok(result))) => Answer::Finished(result),
        Ok(Ok(Err(message)) | Err(Halt::Failed(message))) | Err(message) => Answer::Failed(message),
        Ok(Err(Halt::Interrupted)) => {
            return messages.send(Message::Say(What::Interrupted { job: index, id: *id })).ok();
        }
    };
    let record = Record { elapsed_ms: millis(began), answer };
    messages.send(Message::Settle(index, record)).ok()
}

/// The result as JSON, provided that it can be read back: otherwise the journal would be of no use.
fn write<R: Serialize + DeserializeOwned>(result: &R) -> Result<serde_json::Value, String> {
    let value =
        serde_json::to_value(result).map_err(|error| format!("the result is not plain data: {error}"))?;
    R::deserialize(&value)
        .map_err(|error| format!("the result cannot be read back from its JSON: {error}"))?;
    Ok(value)
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
