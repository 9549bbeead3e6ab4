//! Is what the prover says true? Random relations in C over small ranges, the truth of each by enumeration in the engine that proves nothing, and
//! every answer of the prover beside it: verdicts, printed conditions, safety.
//!
//! A relation is made so that it holds ([`pairs`]: the same in two ways) and then, for a false one, spoilt where few or many cases show it
//! ([`faults`]). Whatever the generator aimed at, only enumeration says what is true ([`truth`]).

pub mod batch;
pub mod conditions;
pub mod dice;
pub mod draft;
pub mod families;
pub mod faults;
pub mod judge;
pub mod native;
pub mod pairs;
pub mod printed;
pub mod shrink;
pub mod truth;
pub mod walk;
