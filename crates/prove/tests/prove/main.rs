//! Proofs and failure conditions of compiled C programs, with a real solver.

mod certificates;
mod claims;
mod common;
mod conditions;
mod extrapolation;
mod loops;
mod memory;
mod net;
mod permutations;
mod proofs;
mod vacuous;
