//! What a module is compiled for.

use twinrun_base::Limits;

/// What is recorded and limited. Everything that is off costs nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// The limits of a group.
    pub limits: Limits,
    /// Record which blocks of user code each run touched.
    pub coverage: bool,
    /// Count how often each outcome of each branch in user code happened.
    pub counts: bool,
    /// Record the whole sequence of branch outcomes in user code.
    pub trace: bool,
    /// Check loads and stores of user code against the notices of the allocator (`heap_alloc`, `heap_free`).
    pub heap_checks: bool,
    /// Give every run the static data that the first one had, to see whether runs depend on each other.
    pub isolate: bool,
    /// Changes of single instructions that can be switched on one at a time ([`crate::Compiled::activate`]), in the order of
    /// the code.
    pub patches: Vec<crate::patch::Patch>,
    /// Record what the checks compared, also where they hold ([`crate::Observation::operands`]).
    pub operands: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            limits: Limits::default(),
            coverage: true,
            counts: false,
            trace: false,
            heap_checks: false,
            isolate: false,
            patches: Vec::new(),
            operands: false,
        }
    }
}
