//! The hunt: every technique on one project, and their evidence fused into one verdict.
//!
//! ```text
//! relations ──combine, test──▶ findings ──repair, locate, debug, prove──▶ evidence ──model──▶ one ranking of places ──page──▶ HTML
//! ```
//!
//! [`hunt`] runs the stages under one budget on the campaign mechanism: what is done is journalled, so that a killed hunt goes on and
//! ends with the same findings. [`model`] is a pure function of the evidence; `./x experiment verdict` fitted its weights.

mod align;
pub mod apart;
mod budget;
mod combined;
mod error;
mod hunt;
pub mod model;
mod notices;
mod outcome;
pub mod page;
pub mod present;
mod ready_test;
mod region;
pub mod repairs;
mod state;
mod subject;
mod tasks;
mod trace;
mod voices;

pub use combined::Combined;
pub use error::Error;
pub use hunt::{Config, News, hunt};
pub use model::CHOSEN;
pub use outcome::{Aligned, CaseFile, Hunt, Notice, Proof, Region, Said, Shown, Site, Stage};
pub use repairs::{Repaired, Sources};
pub use state::{Stored, path};
pub use subject::{Language, Opened, Subject};
pub use voices::{Technique, Voice, Vote, voices};
