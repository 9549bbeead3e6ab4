//! The engine `jit`: rewrites a module so that it records what it does, and runs it on wasmtime.
//!
//! ```no_run
//! use twinrun_base::{Inputs, Sites};
//! use twinrun_jit::{Compiled, Config, Detail};
//!
//! # fn example(bytes: &[u8], sites: &Sites, inputs: &mut dyn Inputs) -> Result<(), twinrun_jit::Error> {
//! let compiled = Compiled::new(bytes, sites, &Config::default())?; // shared by threads, cloned cheaply
//! let relation = compiled.relation("reverse")?;
//! let mut instance = compiled.instance()?; // one for each thread
//! let verdict = instance.run_group(relation, inputs, Detail::Verdict)?;
//! let observation = instance.observation(); // coverage, traces, check, crash of that group
//! println!("{verdict}: {} blocks in run 1", observation.runs()[0].covered.count());
//! # Ok(())
//! # }
//! ```
//!
//! - [`Config`] says what is recorded (coverage, edge counts, full trace) and limited; a module is compiled for one
//!   configuration, so that what is off costs nothing. `heap_checks` and `isolate` are for reruns, not for speed.
//! - [`Instance::run_group`] leaves the instance as it found it: memory and globals are restored from the snapshot taken
//!   after `_initialize`, whatever the group did. The cost follows what was written, not the size of memory. A group that
//!   made memory grow (or used tables) is followed by a fresh instance.
//! - Traps, limits, failed safety checks and unsupported imports are verdicts. An [`Error`] means that there is no answer.
//! - Whole programs are modules of their own ([`Compiled::with_program`]); each run gets a fresh instance.
//! - Many groups in a row belong inside [`with_stack`]; on a small stack each group pays for a switch.

mod analysis;
mod bits;
mod compiled;
mod config;
mod crash;
mod direct;
mod edges;
mod engine;
mod error;
mod host;
mod instance;
mod isolate;
mod layout;
mod observe;
pub mod oracle;
mod passes;
pub mod patch;
mod restore;
mod rewrite;
mod shadow;
mod state;
mod unwind;

pub use bits::Bits;
pub use compiled::{Compiled, Locator, RelationId};
pub use config::Config;
pub use edges::Edges;
pub use engine::with_stack;
pub use error::Error;
pub use instance::Instance;
pub use observe::{Detail, Observation, RunRecord};
