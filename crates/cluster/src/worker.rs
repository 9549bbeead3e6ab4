//! A worker: takes jobs from the queue, runs them in children, records their answers.
//!
//! The order of every job is: look whether its answer is recorded already, run, record, acknowledge. Whatever dies in between,
//! the job is handed out again, and an answer that is recorded is never worked for twice. While an answer is on its way to the
//! bucket, the next job is asked for already: the two do not need each other, and short jobs cost one way to the server less.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tokio::sync::Notify;
use tokio::time::{interval, sleep, timeout};

use crate::bus::{Bus, PRESENCE, json};
use crate::child::{Says, Told};
use crate::config::Config;
use crate::error::Error;
use crate::message::{Assignment, Order, Reply, Sign, shown};
use crate::names::{ANY, Class, word};
pub use crate::presence::Presence;
use crate::shelf::Shelf;
pub use crate::supervisor::Program;
use crate::supervisor::Supervised;

/// How a worker works.
#[derive(Clone, Debug)]
pub struct Options {
    /// Its name among all workers.
    pub name: String,
    /// Jobs at once, each in a child.
    pub jobs: usize,
    /// Takes jobs with these labels beside those with none.
    pub labels: Vec<String>,
    /// Takes jobs that run programs of this machine.
    pub commands: bool,
    /// Where contents are kept.
    pub folder: PathBuf,
    /// How a child is started.
    pub child: Program,
    /// End when there has been nothing to do for this long.
    pub idle: Option<Duration>,
}

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Jobs answered.
    pub answered: u64,
    /// Messages that were no jobs.
    pub refused: u64,
    /// Children that died.
    pub deaths: u64,
}

/// A child that dies this often with one job does so because of the job.
const DEATHS: u32 = 3;
/// How long one request for a job waits at the server.
const WAIT: Duration = Duration::from_secs(5);
/// The same with several queues: another one may have something.
const TURN: Duration = Duration::from_millis(200);
/// How long to wait when the server does not answer.
const PAUSE: Duration = Duration::from_millis(200);
/// How long a job rests that a worker could not run.
const REST: Duration = Duration::from_secs(2);
/// Beats between two looks at what waits for other versions.
const LOOK: u64 = 6;
/// A job that nobody could run this often is not handed out any more; whoever still wants it queues it again.
const MOST_TRIES: i64 = 100;

/// Works until it is told to drain, or `stop` is notified, or there was nothing to do for the time that the options say.
///
/// # Errors
/// When the server cannot be reached at the beginning, or the worker's folder cannot be used; later troubles pass.
pub async fn work(
    config: &Config,
    options: &Options,
    stop: Rc<Notify>,
    log: &dyn Fn(&str),
) -> Result<Summary, Error> {
    word(&options.name)?;
    let mut places = Vec::new();
    let classes: &[Class] =
        if options.commands { &[Class::Sandbox, Class::Commands] } else { &[Class::Sandbox] };
    for class in classes {
        for label in [ANY].into_iter().chain(options.labels.iter().map(String::as_str)) {
            places.push((*class, word(label)?));
        }
    }
    let who = format!("twinrun worker {}", options.name);
    let opened = Bus::open_patiently(config, &who, &places, &|| false, log);
    let (bus, queues) = tokio::select! {
        opened = opened => opened?,
        () = stop.notified() => return Ok(Summary::default()),
    };
    let places = places.into_iter().map(|(class, label)| (class, label.to_owned())).collect();
    // Whoever made the queue chose its lease.
    let lease = queues.iter().map(|queue| queue.cached_info().config.ack_wait).min().unwrap_or(config.lease);
    let shelf = Shelf::open(&options.folder)?;
    let state = State {
        bus,
        config,
        options,
        shelf,
        queues,
        places,
        lease: lease.max(Duration::from_millis(30)),
        log,
        draining: Cell::new(false),
        drained: Notify::new(),
        running: RefCell::default(),
        last_job: Cell::new(Instant::now()),
        others: RefCell::default(),
        answered: Cell::default(),
        refused: Cell::default(),
        deaths: Cell::default(),
    };
    state.tell_of_other_versions().await;
    let slots = futures_util::future::join_all((0..options.jobs.max(1)).map(|slot| state.slot(slot)));
    tokio::pin!(slots);
    let end = async {
        stop.notified().await;
        state.drain();
        std::future::pending::<()>().await;
    };
    tokio::select! {
        _ = &mut slots => {}
        () = state.listen() => {}
        () = state.beat() => {}
        () = end => {}
    }
    // The server may be away, and nobody waits for a good-bye.
    let farewell = async {
        let _ = state.bus.workers.purge(&options.name).await;
        let _ = state.bus.client.flush().await;
    };
    let _ = timeout(Duration::from_secs(2), farewell).await;
    Ok(Summary { answered: state.answered.get(), refused: state.refused.get(), deaths: state.deaths.get() })
}

struct State<'a> {
    bus: Bus,
    config: &'a Config,
    options: &'a Options,
    shelf: Shelf,
    queues: Vec<Consumer<pull::Config>>,
    places: Vec<(Class, String)>,
    lease: Duration,
    log: &'a dyn Fn(&str),
    draining: Cell<bool>,
    drained: Notify,
    /// By campaign, to tell those who run its jobs that nobody waits for them.
    running: RefCell<BTreeMap<usize, (String, Rc<Notify>)>>,
    last_job: Cell<Instant>,
    /// Queues of other versions that were told of.
    others: RefCell<BTreeSet<String>>,
    answered: Cell<u64>,
    refused: Cell<u64>,
    deaths: Cell<u64>,
}

/// What to do with a message after all.
enum Fate {
    /// Its answer is to be recorded.
    Answered(Answer),
    /// Its answer is recorded, or nobody waits for it.
    Done,
    /// It is no job.
    Refused(String),
    /// Somebody else may run it.
    NotHere(String),
}

/// What came out of a job.
struct Answer {
    key: String,
    elapsed_ms: u64,
    outcome: Result<String, String>,
}

/// A message whose job has ended, and what is still to be done with it.
struct Ended {
    message: Message,
    fate: Fate,
}

impl State<'_> {
    fn drain(&self) {
        if !self.draining.replace(true) {
            (self.log)("draining: what runs is finished, nothing more is taken");
        }
        self.drained.notify_waiters();
    }

    /// Takes and runs jobs, one after the other.
    async fn slot(&self, slot: usize) {
        let mut child = None;
        let mut turn = slot;
        let mut ended = None;
        loop {
            if self
                .options
                .idle
                .is_some_and(|idle| self.running.borrow().is_empty() && self.last_job.get().elapsed() > idle)
            {
                self.drain();
            }
            if self.draining.get() {
                return self.conclude(ended.take()).await;
            }
            turn += 1;
            let queue = &self.queues[turn % self.queues.len()];
            // The next job runs while the last answer is on its way: recording it waits for the server's disk.
            let run = async {
                let message = tokio::select! {
                    message = self.next(queue) => message?,
                    () = self.drained.notified() => return None,
                };
                if self.draining.get() {
                    // It came while the last answer was on its way: another worker has it at once.
                    let _ = message.ack_with(AckKind::Nak(None)).await;
                    return None;
                }
                self.last_job.set(Instant::now());
                let fate = self.attend(slot, &message, &mut child).await;
                self.running.borrow_mut().remove(&slot);
                self.last_job.set(Instant::now());
                Some(Ended { message, fate })
            };
            let (next, ()) = tokio::join!(run, self.conclude(ended.take()));
            ended = next;
        }
    }

    async fn next(&self, queue: &Consumer<pull::Config>) -> Option<Message> {
        let wait = if self.queues.len() == 1 { WAIT } else { TURN };
        let batch = queue.batch().max_messages(1).expires(wait).messages();
        let got = async {
            match batch.await {
                Ok(mut batch) => batch.next().await,
                Err(error) => Some(Err(error.to_string().into())),
            }
        };
        // The server may vanish in the middle, and then no answer ever comes.
        match timeout(wait + Duration::from_secs(2), got).await {
            Ok(Some(Ok(message))) => Some(message),
            Ok(None) => None,
            Ok(Some(Err(_))) | Err(_) => {
                sleep(PAUSE).await;
                // A server that came back without its storage has no queue.
                if self.bus.ensure().await.is_ok() {
                    for (class, label) in &self.places {
                        let _ = self.bus.queue(*class, label).await;
                    }
                }
                None
            }
        }
    }

    /// Records the answer of a job that has ended, and says what becomes of its message.
    async fn conclude(&self, ended: Option<Ended>) {
        let Some(Ended { message, fate }) = ended else { return };
        let delivered = message.info().map_or(0, |info| info.delivered);
        let kind = match fate {
            Fate::Answered(answer) => {
                self.record(&answer, &message).await;
                self.answered.set(self.answered.get() + 1);
                AckKind::Ack
            }
            Fate::Done => AckKind::Ack,
            Fate::Refused(reason) => {
                self.refused.set(self.refused.get() + 1);
                (self.log)(&format!("refused a message: {}", shown(&reason)));
                AckKind::Term
            }
            Fate::NotHere(reason) => {
                (self.log)(&format!("cannot run a job: {}", shown(&reason)));
                if delivered > MOST_TRIES { AckKind::Term } else { AckKind::Nak(Some(REST)) }
            }
        };
        // A lost acknowledgement costs one look into the bucket.
        let _ = message.ack_with(kind).await;
    }

    /// One job from reading it to its answer.
    async fn attend(&self, slot: usize, message: &Message, child: &mut Option<Supervised>) -> Fate {
        let read = Assignment::read(&message.payload, message.subject.as_str(), &self.bus.names);
        let (assignment, campaign, key) = match read {
            Ok(read) => read,
            Err(error) => return Fate::Refused(error.to_string()),
        };
        if self.is_recorded(&key).await {
            return Fate::Done;
        }
        let cancelled = Rc::new(Notify::new());
        self.running.borrow_mut().insert(slot, (campaign.clone(), Rc::clone(&cancelled)));
        let events = self.bus.names.events(&campaign);
        let worker = self.options.name.clone();
        self.bus.tell(events.clone(), &Sign::Runs { key: key.clone(), worker: worker.clone() }).await;
        let spec = match self.bus.read(&assignment.spec).await {
            Ok(spec) => spec,
            Err(error) => return self.missing(&events, &key, error).await,
        };
        let Assignment { kind, setting, allowance, id, .. } = assignment;
        let job = Told::Run { kind, setting, allowance, id, spec };
        let began = Instant::now();
        let mut deaths = 0;
        let outcome = loop {
            let running = match child
                .take()
                .map_or_else(|| Supervised::start(&self.options.child, &self.options.folder), Ok)
            {
                Ok(running) => child.insert(running),
                Err(error) => return Fate::NotHere(error.to_string()),
            };
            let said = self.converse(running, &job, message, &events, &key, &cancelled).await;
            match said {
                Said::Answer(answer) => break answer,
                Said::Interrupted => return Fate::Done,
                Said::Cannot(reason) => {
                    let sign = Sign::Cannot { key, worker, reason: reason.clone() };
                    self.bus.tell(events, &sign).await;
                    return Fate::NotHere(reason);
                }
                Said::Died => {
                    let reason = match child.take() {
                        Some(dead) => dead.obituary(),
                        None => String::new(),
                    };
                    self.deaths.set(self.deaths.get() + 1);
                    deaths += 1;
                    (self.log)(&format!("a child died ({}): attempt {deaths} of {DEATHS}", shown(&reason)));
                    if deaths == DEATHS {
                        break Err(format!(
                            "the process that ran it died {DEATHS} times, at last with {reason}"
                        ));
                    }
                }
            }
        };
        let elapsed_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Fate::Answered(Answer { key, elapsed_ms, outcome })
    }

    async fn is_recorded(&self, key: &str) -> bool {
        loop {
            match self.bus.recorded(key).await {
                // Something else under the key is the coordinator's to remove.
                Ok(recorded) => return recorded.is_some_and(|bytes| Reply::read(&bytes, key).is_ok()),
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Contents of a job are not to be had.
    async fn missing(&self, events: &str, key: &str, error: Error) -> Fate {
        if let Error::Blob { hash, .. } = &error {
            self.bus.tell(events.to_owned(), &Sign::Missing { hash: hash.clone() }).await;
        }
        let (reason, worker) = (error.to_string(), self.options.name.clone());
        let sign = Sign::Cannot { key: key.to_owned(), worker, reason: reason.clone() };
        self.bus.tell(events.to_owned(), &sign).await;
        Fate::NotHere(reason)
    }

    /// Talks with a child until it has run the job; meanwhile the lease is extended.
    async fn converse(
        &self,
        child: &mut Supervised,
        job: &Told,
        message: &Message,
        events: &str,
        key: &str,
        cancelled: &Notify,
    ) -> Said {
        child.tell(job);
        let mut beats = interval(self.lease / 3);
        beats.tick().await;
        loop {
            let says = tokio::select! {
                says = child.hear() => says,
                _ = beats.tick() => {
                    let _ = message.ack_with(AckKind::Progress).await;
                    let sign = Sign::Runs { key: key.to_owned(), worker: self.options.name.clone() };
                    self.bus.tell(events.to_owned(), &sign).await;
                    continue;
                }
                () = cancelled.notified() => {
                    child.tell(&Told::Stop);
                    continue;
                }
            };
            match says {
                Some(Says::Finished(text)) => return Said::Answer(Ok(text)),
                Some(Says::Failed(reason)) => return Said::Answer(Err(reason)),
                Some(Says::Interrupted) => return Said::Interrupted,
                Some(Says::Cannot(reason)) => return Said::Cannot(reason),
                Some(Says::Need(hash)) => {
                    let problem = self.provide(&hash, events).await.err().map(|error| error.to_string());
                    child.tell(&Told::Have { hash, problem });
                }
                Some(Says::Progress { done, total, note }) => {
                    let sign = Sign::Progress { key: key.to_owned(), done, total, note };
                    self.bus.tell(events.to_owned(), &sign).await;
                }
                None => return Said::Died,
            }
        }
    }

    /// Puts contents into the folder.
    async fn provide(&self, hash: &str, events: &str) -> Result<(), Error> {
        if self.shelf.has(hash) && self.shelf.get(hash).is_ok() {
            return Ok(());
        }
        match self.bus.get(hash).await {
            Ok(bytes) => self.shelf.put(hash, &bytes),
            Err(error) => {
                self.bus.discard(hash).await;
                self.bus.tell(events.to_owned(), &Sign::Missing { hash: hash.to_owned() }).await;
                Err(error)
            }
        }
    }

    /// Records an answer, however long the server is away.
    async fn record(&self, Answer { key, elapsed_ms, outcome }: &Answer, message: &Message) {
        let mut beats = interval(self.lease / 3);
        let keep = async {
            loop {
                let text = match outcome {
                    Ok(text) => self.bus.text(text.clone()).await.map(Ok),
                    Err(reason) => Ok(Err(reason.clone())),
                };
                if let Ok(text) = text {
                    let reply = Reply::new(key, &self.options.name, *elapsed_ms, text);
                    if self.bus.record(&reply).await.is_ok() {
                        return;
                    }
                }
                sleep(PAUSE).await;
            }
        };
        tokio::pin!(keep);
        beats.tick().await;
        loop {
            tokio::select! {
                () = &mut keep => return,
                _ = beats.tick() => drop(message.ack_with(AckKind::Progress).await),
            }
        }
    }

    /// Hears what workers are told.
    async fn listen(&self) {
        loop {
            if let Ok(mut orders) = self.bus.client.subscribe(self.bus.names.control()).await {
                while let Some(message) = orders.next().await {
                    match serde_json::from_slice(&message.payload) {
                        Ok(Order::Drain { worker }) => {
                            if worker.is_none_or(|worker| worker == self.options.name) {
                                self.drain();
                            }
                        }
                        Ok(Order::Cancel { campaign }) => {
                            for (_, cancelled) in self.running.borrow().values().filter(|it| it.0 == campaign)
                            {
                                cancelled.notify_one();
                            }
                        }
                        Err(_) => {}
                    }
                }
            }
            sleep(PAUSE).await;
        }
    }

    /// Says that it is there.
    async fn beat(&self) {
        let mut beats = interval(PRESENCE / 4);
        for beat in 0_u64.. {
            beats.tick().await;
            if beat % LOOK == LOOK - 1 {
                self.tell_of_other_versions().await;
            }
            let _ = self.bus.workers.put(&self.options.name, json(&self.presence()).into()).await;
        }
    }

    fn presence(&self) -> Presence {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        Presence {
            worker: self.options.name.clone(),
            host: host.trim().to_owned(),
            process: std::process::id(),
            version: self.config.version.clone(),
            jobs: self.options.jobs,
            labels: self.options.labels.clone(),
            commands: self.options.commands,
            running: self.running.borrow().len(),
            answered: self.answered.get(),
            refused: self.refused.get(),
            deaths: self.deaths.get(),
            draining: self.draining.get(),
        }
    }

    /// Jobs of other versions are not for this worker, and whoever waits for them should know.
    async fn tell_of_other_versions(&self) {
        let mut consumers = self.bus.jobs.consumers();
        while let Some(Ok(info)) = consumers.next().await {
            let waiting = info.num_pending + info.num_ack_pending as u64;
            let own = info.name.starts_with(&format!("{}-", self.bus.names.token));
            // Once for each queue: it may wait for long.
            if waiting > 0 && !own && self.others.borrow_mut().insert(info.name.clone()) {
                let (other, version) = (shown(&info.name), &self.config.version);
                (self.log)(&format!(
                    "{waiting} jobs wait for another version ({other}); this worker is of version {version} and leaves them"
                ));
            }
        }
    }
}

/// How a talk with a child ended.
enum Said {
    Answer(Result<String, String>),
    Interrupted,
    Cannot(String),
    Died,
}
