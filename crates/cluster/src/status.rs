//! What a cluster is doing, and how it is emptied.

use futures_util::StreamExt;
use serde::Serialize;

use crate::bus::Bus;
use crate::config::Config;
use crate::error::{Error, server};
use crate::message::{Order, shown};
pub use crate::presence::Presence;

/// What a cluster is doing.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// The workers that were heard of lately.
    pub workers: Vec<Presence>,
    /// The queues.
    pub queues: Vec<Queue>,
    /// Results that are kept.
    pub results: u64,
    /// Bytes of jobs, results and contents.
    pub bytes: u64,
}

/// A queue.
#[derive(Clone, Debug, Serialize)]
pub struct Queue {
    /// Version, class and label.
    pub name: String,
    /// Its jobs are of this version.
    pub own: bool,
    /// Jobs that wait.
    pub waiting: u64,
    /// Jobs that are with workers.
    pub running: u64,
    /// Jobs that were handed out more than once and are not answered yet.
    pub again: u64,
    /// Seconds after which a job without a sign of life is handed out again.
    pub lease: f64,
}

/// Looks.
///
/// # Errors
/// When the server does not answer.
pub async fn status(config: &Config) -> Result<Status, Error> {
    let bus = Bus::open(config, "twinrun status").await?;
    let mut queues = Vec::new();
    let mut consumers = bus.jobs.consumers();
    while let Some(info) = consumers.next().await {
        let info = info.map_err(server("the queues"))?;
        queues.push(Queue {
            name: shown(&info.name),
            own: info.name.starts_with(&format!("{}-", bus.names.token)),
            waiting: info.num_pending,
            running: info.num_ack_pending as u64,
            again: info.num_redelivered as u64,
            lease: info.config.ack_wait.as_secs_f64(),
        });
    }
    queues.sort_by(|a, b| a.name.cmp(&b.name));
    let workers = workers(&bus).await?;
    let (mut results, mut bytes) = (0, 0);
    for stream in
        [format!("KV_{}", bus.names.results()), format!("OBJ_{}", bus.names.contents()), bus.names.jobs()]
    {
        let stream = bus.jetstream.get_stream(stream).await.map_err(server("the streams"))?;
        let state = &stream.cached_info().state;
        bytes += state.bytes;
        if stream.cached_info().config.name.starts_with("KV_") {
            results = state.messages;
        }
    }
    Ok(Status { workers, queues, results, bytes })
}

/// The workers that were heard of lately, by name. What is no worker is left out.
pub(crate) async fn workers(bus: &Bus) -> Result<Vec<Presence>, Error> {
    let mut workers = Vec::new();
    let mut names = bus.workers.keys().await.map_err(server("the workers"))?;
    while let Some(name) = names.next().await {
        let name = name.map_err(server("the workers"))?;
        let entry = bus.workers.get(&name).await.map_err(server("the workers"))?;
        workers.extend(entry.and_then(|bytes| Presence::read(&bytes).ok()));
    }
    workers.sort_by(|a, b| a.worker.cmp(&b.worker));
    Ok(workers)
}

/// Asks workers to finish what they run and to end.
///
/// # Errors
/// When the server does not answer.
pub async fn drain(config: &Config, worker: Option<String>) -> Result<(), Error> {
    let bus = Bus::open(config, "twinrun drain").await?;
    bus.tell(bus.names.control(), &Order::Drain { worker }).await;
    bus.client.flush().await.map_err(server("asking the workers"))
}

/// Empties the queue; with `everything` also results, contents and consumers.
///
/// # Errors
/// When the server does not answer.
pub async fn purge(config: &Config, everything: bool) -> Result<u64, Error> {
    let bus = Bus::open(config, "twinrun purge").await?;
    let purged = bus.jobs.purge().await.map_err(server("emptying the queue"))?.purged;
    if everything {
        let streams = [
            bus.names.jobs(),
            format!("KV_{}", bus.names.results()),
            format!("KV_{}", bus.names.workers()),
            format!("OBJ_{}", bus.names.contents()),
        ];
        for stream in streams {
            bus.jetstream.delete_stream(stream).await.map_err(server("removing a stream"))?;
        }
    }
    Ok(purged)
}
