//! Subjects: from `twinrun.toml` and sources to modules that the engines run, with one site table for both.
//!
//! - [`Project::find`] reads the project file; [`open`] builds a subject (from the cache where possible) and loads it: the
//!   plain and the checked build, the whole program, or a command.
//! - [`Module::load`] decodes a module: relations, imports, [`Sites`](twinrun_base::Sites) (what blocks are is written in
//!   `module/blocks.rs`), the line table for crash places ([`Module::frames_at`]).
//! - [`build::build`] and [`build::build_crate`] build by hand; [`build_native`] and [`build::native_replay`] replay a case
//!   natively.
//! - Calls of imports of `env` end a run: [`module::unsupported`] says with which sentence.
//! - A built C or C++ module exports `__heap_base`, `__data_end` and `tw_heap_top` (the address of a pointer to the end of the
//!   heap that was ever used; 0 before the first allocation) and, as a reactor, `tw_heap_check`, which an engine may call after
//!   a group to hear of heap damage.
//! - [`doctor::examine`] says what is installed, [`init::write`] writes a first project, [`sdk`] carries the SDK.

pub mod build;
pub mod command;
pub mod doctor;
mod error;
mod files;
pub mod init;
pub mod module;
mod open;
mod ordered;
pub mod project;
mod roots;
pub mod sdk;
mod suggest;

pub use error::Error;
pub use module::{Module, Relation};
pub use open::{Modules, Subject, SubjectKind, build_native, open};
pub use ordered::Ordered;
pub use project::Project;
pub use roots::Roots;
pub use suggest::suggest;
