//! The command line on real projects: few, slow, realistic. One binary, so that it is linked once.

mod bad_input;
mod book;
#[cfg(feature = "cluster")]
mod cluster;
mod combine;
mod debug;
mod examples;
mod hunt;
mod locate;
mod project;
mod prove;
mod repair;
mod vacuous;
mod workflow;
