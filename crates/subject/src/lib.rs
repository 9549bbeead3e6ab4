//! Subjects: loading a module with its site table.
#![doc = ""]

mod error;
pub mod module;
mod roots;
mod suggest;

pub use error::Error;
pub use module::{Module, Relation};
pub use roots::Roots;
