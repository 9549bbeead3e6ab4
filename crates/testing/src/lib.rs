//! Testing: cases, groups, verdicts, shrinking, violations grouped by likely fault.

pub mod executor;
pub mod generate;
pub mod record;
pub mod replay;
pub mod shrink;
