//! Explorations of compiled C programs, with real solvers.

mod common;
mod features;
mod limits;
mod pairs;
