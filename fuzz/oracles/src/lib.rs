//! Oracles: functions that take any bytes and panic when something that must always be true is not.
//!
//! The fuzz targets (`fuzz/targets/`) and the bounded property tests of the gate are thin layers over them. One file each,
//! one feature each, so that a target builds only what it needs.

#[cfg(feature = "certificate")]
mod certificate;
#[cfg(feature = "coverage")]
mod coverage;
pub mod drive;
#[cfg(feature = "model")]
mod model;
#[cfg(feature = "module")]
mod module;
#[cfg(feature = "project")]
mod project;
#[cfg(feature = "recording")]
mod recording;
#[cfg(feature = "relation")]
mod relation;
#[cfg(feature = "report")]
mod report;
#[cfg(feature = "rewriter")]
mod rewriter;
#[cfg(feature = "saved")]
mod saved;
#[cfg(feature = "smith")]
mod smith;
#[cfg(feature = "terms")]
mod terms;

#[cfg(feature = "certificate")]
pub use certificate::certificate;
#[cfg(feature = "coverage")]
pub use coverage::coverage;
#[cfg(feature = "model")]
pub use model::model;
#[cfg(feature = "module")]
pub use module::module;
#[cfg(feature = "project")]
pub use project::project;
#[cfg(feature = "recording")]
pub use recording::recording;
#[cfg(feature = "relation")]
pub use relation::relation;
#[cfg(feature = "report")]
pub use report::report;
#[cfg(feature = "rewriter")]
pub use rewriter::rewriter;
#[cfg(feature = "saved")]
pub use saved::saved;
#[cfg(feature = "terms")]
pub use terms::terms;
