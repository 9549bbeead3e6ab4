//! Proofs and failure conditions of compiled C programs, with a real solver.

mod common;
mod conditions;
mod extrapolation;
mod loops;
mod net;
mod permutations;
mod memory;
mod proofs;
mod vacuous;
