//! Subjects: loading a module with its site table.

pub mod build;
mod error;
mod files;
pub mod module;
mod roots;
pub mod sdk;
mod suggest;

pub use error::Error;
pub use module::{Module, Relation};
pub use roots::Roots;
