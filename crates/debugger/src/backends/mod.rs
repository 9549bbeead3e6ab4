//! The debuggers that can be tested, one file each.

pub mod node;
