//! A coordinator: the runner of a campaign whose jobs go to the queue and whose results come from the bucket.
//!
//! Truth is the set of results in the bucket, read at the beginning and whenever the news were interrupted. News (a watch on
//! the bucket, events of workers) only make it quick. A job that is neither in the bucket nor in the queue is queued again,
//! whatever became of it.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use async_nats::jetstream::kv::{Operation, Watch};
use futures_util::{StreamExt, stream};
use tokio::time::{interval, sleep, timeout};
use twinrun_campaign::remote::{Blob, Desk, Refused};
use twinrun_campaign::{Runner, Setting};

use crate::bus::{Bus, json};
use crate::config::Config;
use crate::error::Error;
use crate::message::{Assignment, Order, Outcome, Reply, Sign, Text, answered, shown};
use crate::names::{ANY, Class, FORMAT, word};
use crate::presence::nobody;
use crate::status::workers;

/// Requests that are under way at once.
const AT_ONCE: usize = 128;
/// How often to look whether all is done or somebody wants to stop.
const TICK: Duration = Duration::from_millis(20);
/// How long to wait when the server does not answer.
const PAUSE: Duration = Duration::from_millis(200);
/// How long the last words may take: the server may be away, and the report should come soon.
const FAREWELL: Duration = Duration::from_millis(700);
/// So long nobody takes any job before it is looked who is there.
const LONELY: Duration = Duration::from_secs(5);
/// Without news for so long the set of results is read again.
const QUIET: Duration = Duration::from_secs(2);

/// Runs the jobs of campaigns on a cluster.
pub struct Coordinator {
    config: Config,
    log: Box<dyn Fn(&str) + Send + Sync>,
}

impl std::fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Coordinator({})", self.config.name)
    }
}

impl Coordinator {
    /// A coordinator on a cluster; `log` hears what people should know.
    pub fn new(config: Config, log: impl Fn(&str) + Send + Sync + 'static) -> Coordinator {
        Coordinator { config, log: Box::new(log) }
    }
}

impl Runner for Coordinator {
    fn run(&self, setting: &Setting, desk: &dyn Desk) -> Result<(), String> {
        let runtime = crate::runtime().map_err(|error| error.to_string())?;
        runtime.block_on(async {
            let errand = Errands::begin(self, setting, desk).await.map_err(|error| error.to_string())?;
            errand.run().await;
            Ok(())
        })
    }
}

/// The jobs of one run.
struct Errands<'a> {
    bus: Bus,
    setting: &'a Setting,
    setting_blob: Blob,
    desk: &'a dyn Desk,
    log: &'a (dyn Fn(&str) + Send + Sync),
    class: Class,
    label: &'a str,
    version: &'a str,
    campaign: String,
    keys: Vec<String>,
    places: BTreeMap<String, usize>,
    /// When each job that somebody runs was last heard of, and how often each was queued.
    heard: RefCell<BTreeMap<usize, Instant>>,
    rounds: RefCell<BTreeMap<usize, u32>>,
    workers: RefCell<BTreeMap<String, usize>>,
    told: RefCell<BTreeSet<String>>,
    news: Cell<Instant>,
    swept: Cell<Instant>,
    lease: Duration,
}

impl<'a> Errands<'a> {
    async fn begin(
        coordinator: &'a Coordinator,
        setting: &'a Setting,
        desk: &'a dyn Desk,
    ) -> Result<Errands<'a>, Error> {
        let config = &coordinator.config;
        let label = word(config.label.as_deref().unwrap_or(ANY))?;
        let class = if setting.commands { Class::Commands } else { Class::Sandbox };
        let stopped = || desk.stopping().is_some();
        let (who, wanted) = ("twinrun coordinator", [(class, label)]);
        let (bus, queues) = Bus::open_patiently(config, who, &wanted, &stopped, &*coordinator.log).await?;
        let lease = queues[0].cached_info().config.ack_wait;
        let setting_blob = Blob::new(canonical(&setting.data).into_bytes());
        let campaign = bus.names.campaign_of(&setting.kind, &setting_blob.hash);
        let key = |errand: &twinrun_campaign::remote::Errand| {
            bus.names.key(&setting.kind, &setting_blob.hash, errand.id)
        };
        let keys: Vec<String> = desk.errands().iter().map(key).collect();
        let places = keys.iter().cloned().zip(0..).collect();
        Ok(Errands {
            lease,
            setting,
            setting_blob,
            desk,
            log: &*coordinator.log,
            class,
            label,
            version: &config.version,
            campaign,
            keys,
            places,
            heard: RefCell::default(),
            rounds: RefCell::default(),
            workers: RefCell::default(),
            told: RefCell::default(),
            news: Cell::new(Instant::now()),
            swept: Cell::new(Instant::now()),
            bus,
        })
    }

    /// Works until every job is settled or the campaign stops.
    async fn run(&self) {
        // Before anything is looked up, so that nothing falls between the two.
        let watch = self.bus.results.watch_all().await.ok();
        tokio::select! {
            () = self.watch_results(watch) => {}
            () = self.hear_events() => {}
            () = self.keep_going() => {}
        }
        if self.desk.any_open() {
            self.cancel().await;
        }
        let _ = timeout(FAREWELL, self.bus.client.flush()).await;
    }

    async fn keep_going(&self) {
        self.provide().await;
        self.resume(self.desk.retry_failed()).await;
        self.queue_open().await;
        let mut ticks = interval(TICK);
        let mut patience = QUIET;
        let mut asked = Instant::now();
        while self.desk.any_open() && self.desk.stopping().is_none() {
            ticks.tick().await;
            self.hand_in_own().await;
            if self.workers.borrow().is_empty() && asked.elapsed() >= LONELY {
                self.tell_who_is_there().await;
                asked = Instant::now();
            }
            if self.news.get() > self.swept.get() {
                patience = QUIET;
            }
            if self.news.get().max(self.swept.get()).elapsed() >= patience {
                self.sweep().await;
                self.swept.set(Instant::now());
                // Long jobs are quiet too: asking for all of them all the time would be a burden for the server.
                patience = (patience * 2).min(self.lease.max(QUIET));
            }
        }
        self.hand_in_own().await;
    }

    /// Jobs that nobody takes look like jobs that take long; people should know which it is.
    async fn tell_who_is_there(&self) {
        let Ok(workers) = workers(&self.bus).await else { return };
        if let Some(reason) = nobody(&workers, self.version, self.class, self.label)
            && self.told.borrow_mut().insert(reason.clone())
        {
            (self.log)(&format!("the jobs wait, {reason}"));
        }
    }

    /// Puts what the jobs need into the store.
    async fn provide(&self) {
        let blobs = std::iter::once(&self.setting_blob).chain(&self.setting.blobs);
        stream::iter(blobs).for_each_concurrent(8, |blob| self.put(blob)).await;
    }

    async fn put(&self, blob: &Blob) {
        while self.desk.stopping().is_none() && self.bus.put(blob).await.is_err() {
            sleep(PAUSE).await;
        }
    }

    /// Takes the results that are there already, of an earlier run or of another coordinator.
    async fn resume(&self, retry_failed: bool) {
        let all = stream::iter(0..self.keys.len());
        let look = |place: usize| async move {
            while self.desk.is_open(place) && self.desk.stopping().is_none() {
                match self.bus.recorded(&self.keys[place]).await {
                    Ok(Some(bytes)) if retry_failed && is_failure(&bytes) => {
                        if self.bus.forget(&self.keys[place]).await.is_ok() {
                            return;
                        }
                    }
                    Ok(Some(bytes)) => return self.take(place, &bytes).await,
                    Ok(None) => return,
                    Err(_) => sleep(PAUSE).await,
                }
            }
        };
        all.for_each_concurrent(AT_ONCE, look).await;
    }

    async fn queue_open(&self) {
        let open = (0..self.keys.len()).filter(|place| self.desk.is_open(*place));
        stream::iter(open).for_each_concurrent(AT_ONCE, |place| self.queue(place)).await;
    }

    /// Queues a job until the server has it.
    async fn queue(&self, place: usize) {
        let errand = &self.desk.errands()[place];
        while self.desk.is_open(place) && self.desk.stopping().is_none() {
            let round = self.rounds.borrow().get(&place).copied().unwrap_or(0);
            let sent = async {
                let assignment = Assignment {
                    format: FORMAT,
                    kind: self.setting.kind.clone(),
                    setting: self.setting_blob.hash.clone(),
                    allowance: self.setting.allowance.clone(),
                    id: errand.id,
                    spec: self.bus.text(errand.spec.clone()).await?,
                };
                let (key, subject) = (&self.keys[place], self.subject(place));
                let ack = self.bus.queue_job(subject, key, round, json(&assignment)).await?;
                ack.await.map_err(|error| Error::Server { what: "queueing a job", reason: error.to_string() })
            };
            match sent.await {
                Ok(_) => return,
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    fn subject(&self, place: usize) -> String {
        self.bus.names.job(self.class, self.label, &self.campaign, &self.keys[place])
    }

    /// Takes an answer. What is none is removed, and its job runs again.
    async fn take(&self, place: usize, bytes: &[u8]) {
        let key = &self.keys[place];
        let problem = match self.settle(place, bytes).await {
            Ok(()) | Err(Trouble::Closed) => return,
            // Nobody knows: the next sweep looks again.
            Err(Trouble::Server) => return,
            Err(Trouble::NoAnswer(problem)) => problem,
        };
        (self.log)(&format!("the answer of a job was refused, the job runs again: {}", shown(&problem)));
        if self.bus.forget(key).await.is_ok() {
            *self.rounds.borrow_mut().entry(place).or_default() += 1;
            self.queue(place).await;
        }
    }

    async fn settle(&self, place: usize, bytes: &[u8]) -> Result<(), Trouble> {
        let reply =
            Reply::read(bytes, &self.keys[place]).map_err(|error| Trouble::NoAnswer(error.to_string()))?;
        let answer = match &reply.outcome {
            Outcome::Failed(reason) => Err(reason.clone()),
            Outcome::Finished(text) => {
                let text = self.text(text).await?;
                Ok(answered(&text).map_err(Trouble::NoAnswer)?)
            }
        };
        self.news.set(Instant::now());
        self.desk.settle(place, reply.elapsed_ms, answer).map_err(|refused| match refused {
            Refused::NotAResult(problem) => Trouble::NoAnswer(problem),
            Refused::Closed => Trouble::Closed,
        })
    }

    async fn text(&self, text: &Text) -> Result<String, Trouble> {
        match self.bus.read(text).await {
            Ok(text) => Ok(text),
            Err(error @ Error::Blob { .. }) => Err(Trouble::NoAnswer(error.to_string())),
            Err(_) => Err(Trouble::Server),
        }
    }

    /// Hears of results as they are recorded.
    async fn watch_results(&self, mut ready: Option<Watch>) {
        loop {
            let watch = match ready.take() {
                Some(watch) => Ok(watch),
                None => self.bus.results.watch_all().await,
            };
            let Ok(mut watch) = watch else {
                sleep(PAUSE).await;
                continue;
            };
            while let Some(Ok(entry)) = watch.next().await {
                if entry.operation != Operation::Put {
                    continue;
                }
                if let Some(&place) = self.places.get(&entry.key)
                    && self.desk.is_open(place)
                {
                    self.take(place, &entry.value).await;
                }
            }
            // What came meanwhile is found by the sweep.
            sleep(PAUSE).await;
        }
    }

    /// Hears what workers tell.
    async fn hear_events(&self) {
        loop {
            if let Ok(mut events) = self.bus.client.subscribe(self.bus.names.events(&self.campaign)).await {
                while let Some(message) = events.next().await {
                    if let Ok(sign) = serde_json::from_slice(&message.payload) {
                        self.hear(sign).await;
                    }
                }
            }
            sleep(PAUSE).await;
        }
    }

    async fn hear(&self, sign: Sign) {
        match sign {
            Sign::Runs { key, worker } => {
                let Some(&place) = self.places.get(&key) else { return };
                self.heard.borrow_mut().insert(place, Instant::now());
                let number = {
                    let mut workers = self.workers.borrow_mut();
                    let next = workers.len();
                    *workers.entry(worker).or_insert(next)
                };
                self.desk.started(place, number);
            }
            Sign::Progress { key, done, total, note } => {
                let Some(&place) = self.places.get(&key) else { return };
                self.heard.borrow_mut().insert(place, Instant::now());
                self.desk.progress(place, done, total, &shown(&note));
            }
            Sign::Cannot { key, worker, reason } => {
                let Some(&place) = self.places.get(&key) else { return };
                self.desk.vanished(place);
                let text =
                    format!("worker {} cannot run jobs of this campaign: {}", shown(&worker), shown(&reason));
                // Not many kinds of reasons: whoever sends more than that has other things in mind.
                let room = self.told.borrow().len() < 100;
                if room && self.told.borrow_mut().insert(text.clone()) {
                    (self.log)(&text);
                }
            }
            Sign::Missing { hash } => {
                let known = std::iter::once(&self.setting_blob).chain(&self.setting.blobs);
                if let Some(blob) = known.into_iter().find(|blob| blob.hash == hash) {
                    self.put(blob).await;
                } else if let Some(errand) = self.desk.errands().iter().find(|it| it.id.to_string() == hash) {
                    self.put(&Blob::new(errand.spec.as_bytes())).await;
                }
            }
        }
    }

    /// Reads the set of results again, and queues what is neither there nor waiting.
    async fn sweep(&self) {
        let now = Instant::now();
        let vanished = |at: &Instant| now.duration_since(*at) > self.lease * 2;
        let lost: Vec<usize> =
            self.heard.borrow().iter().filter(|(_, at)| vanished(at)).map(|(place, _)| *place).collect();
        for place in lost {
            self.heard.borrow_mut().remove(&place);
            self.desk.vanished(place);
        }
        // A server that came back without its storage has nothing of all this.
        if self.bus.ensure().await.is_err() || self.bus.queue(self.class, self.label).await.is_err() {
            return;
        }
        self.provide().await;
        let open = (0..self.keys.len()).filter(|place| self.desk.is_open(*place));
        let look = |place: usize| async move {
            // First the queue: a job leaves it only after its result is recorded.
            let Ok(queued) = self.bus.is_queued(&self.subject(place)).await else { return };
            match self.bus.recorded(&self.keys[place]).await {
                Ok(Some(bytes)) => self.take(place, &bytes).await,
                Ok(None) if !queued => {
                    *self.rounds.borrow_mut().entry(place).or_default() += 1;
                    self.queue(place).await;
                }
                _ => {}
            }
        };
        stream::iter(open).for_each_concurrent(AT_ONCE, look).await;
    }

    /// Answers that threads of this process gave are for the others too.
    async fn hand_in_own(&self) {
        for (place, elapsed_ms, answer) in self.desk.answered_here() {
            let text = match answer {
                Ok(result) => self.bus.text(result.to_string()).await.map(Ok),
                Err(reason) => Ok(Err(reason)),
            };
            if let Ok(text) = text {
                let reply = Reply::new(&self.keys[place], "coordinator", elapsed_ms, text);
                if self.bus.record(&reply).await.is_ok() {
                    let _ = self.bus.jobs.purge().filter(self.subject(place)).await;
                }
            }
        }
    }

    /// Nobody waits for the rest: it leaves the queue, and what runs is stopped. Another coordinator of the same campaign
    /// queues again what it still needs.
    async fn cancel(&self) {
        let end = async {
            let subjects = self.bus.names.campaign(self.class, self.label, &self.campaign);
            let _ = self.bus.jobs.purge().filter(subjects).await;
            self.bus.tell(self.bus.names.control(), &Order::Cancel { campaign: self.campaign.clone() }).await;
        };
        let _ = timeout(FAREWELL, end).await;
    }
}

/// Why an answer was not taken.
enum Trouble {
    NoAnswer(String),
    Server,
    Closed,
}

fn is_failure(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Reply>(bytes).is_ok_and(|reply| matches!(reply.outcome, Outcome::Failed(_)))
}

/// JSON with sorted keys: equal data, equal text, equal hash.
fn canonical(value: &serde_json::Value) -> String {
    use serde_json::Value;
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(sorted).collect(),
            Value::Object(fields) => {
                let ordered: BTreeMap<&String, Value> =
                    fields.iter().map(|(key, value)| (key, sorted(value))).collect();
                Value::Object(ordered.into_iter().map(|(key, value)| (key.clone(), value)).collect())
            }
            scalar => scalar.clone(),
        }
    }
    sorted(value).to_string()
}
