//! JavaScript programs: what stands where (on the parser oxc), and programs made fit for testing.

mod outline;
mod steady;

pub(crate) use outline::outline;
pub use steady::{concatenate, steady, strict};
