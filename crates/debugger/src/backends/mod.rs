//! The debuggers that can be tested, one file each.

pub mod chromium;
pub mod debugpy;
pub mod lldb;
pub mod node;
