//! Debuggers.
fn main() {}
