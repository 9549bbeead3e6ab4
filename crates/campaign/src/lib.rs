//! Campaigns: many independent jobs on all cores, journalled so that a kill loses nothing.
//!
//! A job is plain data; its [`JobId`] is the hash of that data, and its result is recorded under this id before anybody
//! hears of it. Running the same jobs again skips what is recorded. Everything that happens is one stream of [`Event`]s:
//! the [`Outcome`] is folded from it, and so are progress bars, recordings and reports.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use twinrun_campaign::{Campaign, Config, Job};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Square {
//!     algorithm: u32,
//!     n: u64,
//! }
//!
//! impl Job for Square {
//!     fn label(&self) -> String {
//!         format!("square of {}", self.n)
//!     }
//! }
//!
//! let jobs: Vec<Square> = (0..100).map(|n| Square { algorithm: 1, n }).collect();
//! let mut campaign = Campaign::in_memory("squares")?;
//! let outcome = campaign.run(&jobs, &Config::default(), |job, _context| Ok(job.n * job.n), |_event| ())?;
//! assert!(outcome.is_complete());
//! assert_eq!(outcome.finished().map(|(_, square)| *square).sum::<u64>(), 328_350);
//! # Ok::<(), twinrun_campaign::Error>(())
//! ```

mod context;
mod desk;
mod error;
mod event;
mod job;
mod journal;
mod ledger;
mod lock;
mod panics;
mod recording;
pub mod remote;
mod run;

pub use context::{Config, Context, Halt};
pub use error::Error;
pub use event::{Event, Stop, What};
pub use job::{Job, JobId};
pub use ledger::{Entry, Outcome};
pub use lock::Holder;
pub use panics::catch;
pub use recording::{Recorder, replay};
pub use remote::{Remote, Runner, Setting};
pub use run::Campaign;
