//! Oracles: functions that take any bytes and panic when something that must always be true is not.
//!
//! The fuzz targets (`fuzz/targets/`) and the bounded property tests of the gate are thin layers over them. One file each,
//! one line each in [`ORACLES`].

pub mod drive;
mod module;
mod recording;
mod report;
mod smith;

pub use module::module;
pub use recording::recording;
pub use report::report;

/// A named oracle.
pub type Oracle = (&'static str, fn(&[u8]));

/// Every oracle.
pub const ORACLES: &[Oracle] = &[("module", module), ("recording", recording), ("report", report)];
