//! The jobs of a campaign on NATS JetStream.
//!
//! A coordinator is a campaign whose [`Coordinator`] is its runner: it puts what the jobs need into an object store by content
//! hash and the jobs into a work queue, and takes their results from a bucket, keyed by the hash of everything that they
//! depend on. A worker ([`worker::work`]) takes jobs from the queue and runs them in children of its own, which it supervises.
//! **A campaign is complete when the bucket has all its results**; acknowledgements only keep the queue short.
//!
//! Nothing that arrives over the network is trusted: names are checked before they become paths or subjects, contents are
//! compared with their hashes, answers must be readable as results of their jobs.

mod bus;
pub mod child;
pub mod config;
mod coordinator;
mod error;
pub mod message;
pub mod names;
mod presence;
pub mod server;
mod shelf;
pub mod status;
mod supervisor;
pub mod worker;

pub use bus::Bus;
pub use child::{Blobs, Kind, Opening, Work};
pub use config::Config;
pub use coordinator::Coordinator;
pub use error::Error;

/// A runtime for one thread: whoever uses it waits for the network, and computes elsewhere.
///
/// # Errors
/// When the system refuses.
pub fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Runtime)
}
