//! The debuggers that can be tested, one file each.

pub mod chromium;
pub mod dap;
pub mod node;
