//! The server's side: streams and buckets, made when first needed, and what is done with them.

use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::consumer::{AckPolicy, Consumer};
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::kv::{self, CreateErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DirectGetErrorKind, RetentionPolicy, Stream};
use async_nats::jetstream::{self, context::PublishAckFuture};
use serde::Serialize;
use tokio::io::AsyncReadExt;
use tokio::time::sleep;
use twinrun_campaign::remote::{Blob, hash};

use crate::config::Config;
use crate::error::{Error, server};
use crate::message::{Reply, Text};
use crate::names::{Class, Names};

/// Contents above this are refused: a module with its debug information has a few megabytes.
const MOST_CONTENTS: usize = 512 << 20;
/// How long contents may take to arrive.
const PATIENCE: Duration = Duration::from_secs(120);
/// So long a coordinator or a worker waits for a server that does not answer at the beginning.
const WELCOME: Duration = Duration::from_secs(20);
/// And so long between two attempts.
const PAUSE: Duration = Duration::from_millis(300);
/// The server forgets a worker that has not been heard of for this long.
pub(crate) const PRESENCE: Duration = Duration::from_secs(20);
/// Jobs that may be with workers at once.
const MOST_IN_FLIGHT: i64 = 65_536;
/// Workers that may wait at once.
const MOST_WAITING: i64 = 8192;

/// A connection with all that a cluster keeps on its server.
#[derive(Clone)]
pub struct Bus {
    /// The connection.
    pub client: Client,
    /// JetStream on it.
    pub jetstream: jetstream::Context,
    /// The names.
    pub names: Names,
    config: Config,
    pub(crate) jobs: Stream,
    pub(crate) results: kv::Store,
    pub(crate) workers: kv::Store,
    pub(crate) contents: ObjectStore,
}

impl Bus {
    /// Connects, and makes what is not there yet.
    ///
    /// # Errors
    /// When the server cannot be reached, refuses us, or has no JetStream.
    pub async fn open(config: &Config, who: &str) -> Result<Bus, Error> {
        let names = config.names()?;
        let client = config.connect(who).await?;
        let jetstream = jetstream::new(client.clone());
        let (jobs, results, workers, contents) = ensure(config, &names, &jetstream).await?;
        let config = config.clone();
        Ok(Bus { client, jetstream, names, config, jobs, results, workers, contents })
    }

    /// The same, and the queues that are wanted, for whom a server that is just being started is worth waiting for: a
    /// coordinator, a worker. `log` hears of it.
    ///
    /// # Errors
    /// When nobody answered for a while, the server refuses us, or `stopped` says that nobody waits any more.
    pub(crate) async fn open_patiently(
        config: &Config,
        who: &str,
        queues: &[(Class, &str)],
        stopped: &dyn Fn() -> bool,
        log: &dyn Fn(&str),
    ) -> Result<(Bus, Vec<Consumer<pull::Config>>), Error> {
        let (began, mut refusals, mut told) = (Instant::now(), 0, false);
        loop {
            let opened = async {
                let bus = Bus::open(config, who).await?;
                let mut consumers = Vec::new();
                for (class, label) in queues {
                    consumers.push(bus.queue(*class, label).await?);
                }
                Ok((bus, consumers))
            };
            let error = match opened.await {
                Ok(opened) => return Ok(opened),
                Err(error) => error,
            };
            let again = match &error {
                Error::Connect { away, .. } => *away && began.elapsed() < WELCOME,
                // It may have gone in between; what it has no storage for it will not have next time either.
                Error::Server { .. } => {
                    refusals += 1;
                    refusals < 3
                }
                _ => false,
            };
            if !again || stopped() {
                return Err(error);
            }
            if !told && began.elapsed() > Duration::from_secs(1) {
                told = true;
                log(&format!("{error}; trying for {} s", WELCOME.as_secs()));
            }
            sleep(PAUSE).await;
        }
    }

    /// Makes again what a server without its storage has lost.
    pub(crate) async fn ensure(&self) -> Result<(), Error> {
        ensure(&self.config, &self.names, &self.jetstream).await.map(drop)
    }

    /// The consumer of a queue; whoever comes first makes it.
    ///
    /// # Errors
    /// When the server does not answer.
    pub async fn queue(&self, class: Class, label: &str) -> Result<Consumer<pull::Config>, Error> {
        let name = self.names.consumer(class, label);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: self.names.queue(class, label),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.config.lease,
            // A job is handed out until somebody has its result: killing workers never counts against it.
            max_deliver: -1,
            max_ack_pending: MOST_IN_FLIGHT,
            max_waiting: MOST_WAITING,
            ..pull::Config::default()
        };
        self.jobs.get_or_create_consumer(&name, config).await.map_err(server("the consumer of jobs"))
    }

    /// Queues a job. The acknowledgement is for whoever waits for it; `round` tells a repetition from a duplicate.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub async fn queue_job(
        &self,
        subject: String,
        key: &str,
        round: u32,
        payload: Vec<u8>,
    ) -> Result<PublishAckFuture, Error> {
        let message = PublishMessage::build().payload(payload.into()).message_id(format!("{key}.{round}"));
        let sent = self.jetstream.send_publish(subject, message).await;
        sent.map_err(server("queueing a job"))
    }

    /// Whether a job waits in the queue or is with a worker.
    pub(crate) async fn is_queued(&self, subject: &str) -> Result<bool, Error> {
        match self.jobs.direct_get_last_for_subject(subject).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(false),
            Err(error) => Err(server("looking for a job")(error)),
        }
    }

    /// What is recorded under a key, not checked yet.
    ///
    /// # Errors
    /// When the server does not answer.
    pub async fn recorded(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        let got = self.results.get(key).await.map_err(server("looking for a result"))?;
        Ok(got.map(|bytes| bytes.to_vec()))
    }

    /// Records an answer unless there is one: true when this one counts.
    ///
    /// # Errors
    /// When the server does not answer.
    pub async fn record(&self, reply: &Reply) -> Result<bool, Error> {
        match self.results.create(&reply.key, json(reply).into()).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(server("recording a result")(error)),
        }
    }

    /// Removes what stands under a key.
    pub(crate) async fn forget(&self, key: &str) -> Result<(), Error> {
        self.results.purge(key).await.map_err(server("removing a result"))
    }

    /// Text for a message: apart where it would not fit, because servers limit the size of messages.
    pub(crate) async fn text(&self, text: String) -> Result<Text, Error> {
        // JSON in JSON grows by its quotes; headers and the rest of the message need room too.
        if text.len() < self.client.max_payload() / 3 {
            return Ok(Text::Inline(text));
        }
        let blob = Blob::new(text.into_bytes());
        self.put(&blob).await?;
        Ok(Text::Apart(blob.hash))
    }

    /// The text of a message.
    pub(crate) async fn read(&self, text: &Text) -> Result<String, Error> {
        match text {
            Text::Inline(text) => Ok(text.clone()),
            Text::Apart(hash) => {
                let refuse = |_| Error::Blob { hash: hash.clone(), reason: "are no text".to_owned() };
                String::from_utf8(self.get(hash).await?).map_err(refuse)
            }
        }
    }

    /// Puts contents into the store, in pieces, unless they are there.
    ///
    /// # Errors
    /// When the server does not take them.
    pub async fn put(&self, blob: &Blob) -> Result<(), Error> {
        let known = self.contents.info(&blob.hash).await;
        if known.is_ok_and(|info| !info.deleted && info.size == blob.bytes.len()) {
            return Ok(());
        }
        let put = self.contents.put(blob.hash.as_str(), &mut &blob.bytes[..]).await;
        put.map(drop).map_err(server("storing contents"))
    }

    /// Contents from the store: what arrives is compared with its name.
    ///
    /// # Errors
    /// When they are missing or something else.
    pub async fn get(&self, name: &str) -> Result<Vec<u8>, Error> {
        let refuse = |reason: &str| Error::Blob { hash: name.to_owned(), reason: reason.to_owned() };
        let fetch = async {
            let info = self.contents.info(name).await.map_err(|_| refuse("are not in the store"))?;
            // A link may lead anywhere, also to itself.
            if info.deleted || info.options.is_some_and(|options| options.link.is_some()) {
                return Err(refuse("are not in the store"));
            }
            if info.size > MOST_CONTENTS {
                return Err(refuse("are too large"));
            }
            let object = self.contents.get(name).await.map_err(|_| refuse("are not in the store"))?;
            let mut bytes = Vec::new();
            let read = object.take(MOST_CONTENTS as u64 + 1).read_to_end(&mut bytes).await;
            read.map_err(|error| refuse(&format!("cannot be read: {error}")))?;
            match hash(&bytes) == name {
                true => Ok(bytes),
                false => Err(refuse("are something else in the store")),
            }
        };
        tokio::time::timeout(PATIENCE, fetch).await.unwrap_or_else(|_| Err(refuse("did not arrive in time")))
    }

    /// Removes contents that are not what their name says.
    pub(crate) async fn discard(&self, name: &str) {
        let _ = self.contents.delete(name).await;
    }

    /// Tells whoever listens. What is lost here costs nobody a result.
    pub(crate) async fn tell(&self, subject: String, what: &impl Serialize) {
        let _ = self.client.publish(subject, json(what).into()).await;
    }
}

async fn ensure(
    config: &Config,
    names: &Names,
    jetstream: &jetstream::Context,
) -> Result<(Stream, kv::Store, kv::Store, ObjectStore), Error> {
    let jobs = stream::Config {
        name: names.jobs(),
        subjects: vec![names.all_jobs()],
        retention: RetentionPolicy::WorkQueue,
        // Two coordinators of one campaign queue a job once.
        duplicate_window: Duration::from_secs(120),
        allow_direct: true,
        num_replicas: config.replicas,
        ..stream::Config::default()
    };
    let jobs = jetstream.get_or_create_stream(jobs).await.map_err(server("the stream of jobs"))?;
    let bucket = |bucket: String, max_age: Duration| kv::Config {
        bucket,
        max_age,
        history: 1,
        num_replicas: config.replicas,
        ..kv::Config::default()
    };
    let results = open_bucket(jetstream, bucket(names.results(), config.keep)).await?;
    let workers = open_bucket(jetstream, bucket(names.workers(), PRESENCE)).await?;
    let contents = match jetstream.get_object_store(&names.contents()).await {
        Ok(store) => store,
        Err(_) => {
            let config = object_store::Config {
                bucket: names.contents(),
                max_age: config.keep,
                num_replicas: config.replicas,
                ..object_store::Config::default()
            };
            jetstream.create_object_store(config).await.map_err(server("the object store"))?
        }
    };
    Ok((jobs, results, workers, contents))
}

async fn open_bucket(jetstream: &jetstream::Context, config: kv::Config) -> Result<kv::Store, Error> {
    match jetstream.get_stream(format!("KV_{}", config.bucket)).await {
        Err(error) if matches!(error.kind(), GetStreamErrorKind::JetStream(_)) => {
            jetstream.create_key_value(config).await.map_err(server("a bucket"))
        }
        Err(error) => Err(server("a bucket")(error)),
        Ok(_) => jetstream.get_key_value(config.bucket).await.map_err(server("a bucket")),
    }
}

/// Plain data of ours always becomes JSON.
pub(crate) fn json(what: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(what).unwrap_or_default()
}
