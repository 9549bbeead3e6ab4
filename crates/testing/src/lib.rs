//! Testing: draw cases, run groups, judge, shrink, and put violations down to likely faults.
//!
//! [`session::test`] is the whole of `twinrun test`: saved cases are replayed first, then chunks of drawn cases run as a
//! campaign on all cores, then distinct failures are shrunk and grouped into findings. What runs a group is an
//! [`Executor`](executor::Executor), made by a [`Target`](target::Target): one relation of one subject.

pub mod boundary;
pub mod chunk;
pub mod command;
mod dictionary;
pub mod engine;
pub mod executor;
pub mod findings;
pub mod generate;
pub mod record;
pub mod recorder;
pub mod replay;
pub mod saved;
pub mod session;
mod shadow;
pub mod shipped;
pub mod shrink;
pub mod target;
