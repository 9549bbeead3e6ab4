//! Oracles: functions that take any bytes and panic when something that must always be true is not.
//!
//! The fuzz targets (`fuzz/targets/`) and the bounded property tests of the gate are thin layers over them. One file each,
//! one feature each, so that a target builds only what it needs.

pub mod drive;
#[cfg(feature = "module")]
mod module;
#[cfg(feature = "project")]
mod project;
#[cfg(feature = "recording")]
mod recording;
#[cfg(feature = "report")]
mod report;
#[cfg(feature = "rewriter")]
mod rewriter;
#[cfg(feature = "smith")]
mod smith;

#[cfg(feature = "module")]
pub use module::module;
#[cfg(feature = "project")]
pub use project::project;
#[cfg(feature = "recording")]
pub use recording::recording;
#[cfg(feature = "report")]
pub use report::report;
#[cfg(feature = "rewriter")]
pub use rewriter::rewriter;
