//! The hunt: every technique on one project, and their evidence fused into one verdict.
//!
//! ```text
//! relations ──combine, test──▶ findings ──locate, debug, prove──▶ voices ──fuse──▶ one ranking of places ──page──▶ HTML
//! ```
//!
//! [`hunt`] runs the stages under one budget on the campaign mechanism: what is done is journalled, so that a killed hunt goes on and
//! ends with the same findings. [`fuse`] is a pure function; `./x experiment fusion` chose its weights.

mod align;
pub mod apart;
mod budget;
mod combined;
mod error;
pub mod fuse;
mod hunt;
mod notices;
mod outcome;
pub mod page;
pub mod present;
mod ready_test;
mod region;
mod state;
mod subject;
mod tasks;
mod trace;
mod voices;

pub use combined::Combined;
pub use error::Error;
pub use fuse::{Voice, Vote, Weights, fuse};
pub use hunt::{Config, News, hunt};
pub use outcome::{Aligned, CaseFile, Hunt, Notice, Proof, Region, Said, Shown, Site, Stage};
pub use state::{Stored, path};
pub use subject::{Language, Opened, Subject};
pub use voices::voices;
