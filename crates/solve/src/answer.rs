//! What a query is answered with, and how the answers came about.

use std::time::Duration;

use twinrun_term::Model;

/// The answer to "can these conditions hold together?".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// They can: these inputs do it. The model was checked by evaluating the conditions.
    Sat(Model),
    /// They cannot.
    Unsat,
    /// Not decided.
    Unknown(Reason),
}

impl Answer {
    /// The model of a satisfiable query.
    pub fn model(self) -> Option<Model> {
        match self {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }

    /// Whether the answer is `Unsat`.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }

    /// Whether the answer is `Sat`.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }
}

/// Why a query was not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The limit for one query was reached.
    Limit,
    /// Nothing was left of the budget, or a cut came.
    Spent,
    /// The watchdog ended the solver: it took far longer than its resource limit should. The one answer that may differ on another machine.
    Watchdog,
    /// The solver gave up by itself, in its words.
    GaveUp(String),
    /// The solver died or could not be understood, also after a restart.
    Died(String),
    /// The solver's model does not satisfy the conditions.
    WrongModel,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Limit => write!(formatter, "the limit for one query was reached"),
            Reason::Spent => write!(formatter, "the budget was spent"),
            Reason::Watchdog => {
                write!(formatter, "watchdog: the solver took far longer than its resource limit should")
            }
            Reason::GaveUp(words) => write!(formatter, "the solver gave up: {words}"),
            Reason::Died(words) => write!(formatter, "the solver died: {words}"),
            Reason::WrongModel => write!(formatter, "the solver's model does not satisfy the query"),
        }
    }
}

/// How queries were answered. A query that falls into independent parts is answered part by part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Queries asked.
    pub queries: u64,
    /// Independent parts of those queries.
    pub parts: u64,
    /// Parts that simplification had decided.
    pub by_simplification: u64,
    /// Parts that had been asked before.
    pub by_cache: u64,
    /// Parts that an earlier model satisfies.
    pub by_model: u64,
    /// Parts that contain an earlier unsatisfiable core.
    pub by_core: u64,
    /// Parts that a solver decided over integers.
    pub by_integers: u64,
    /// Parts that a solver decided over bit-vectors or floats.
    pub by_bits: u64,
    /// Parts about floats that ranges, bounds of rounding errors or symmetry decided.
    pub by_rounding: u64,
    /// Parts that stayed unknown.
    pub unknown: u64,
    /// Integer queries that had to be asked again over bit-vectors.
    pub fallbacks: u64,
    /// Solver processes that died or were stopped.
    pub restarts: u64,
    /// Queries that the watchdog ended.
    pub watchdog: u64,
    /// Time spent waiting for solvers.
    pub solver_time: Duration,
}

impl Counters {
    /// Parts that were handed to a solver.
    pub fn by_solver(&self) -> u64 {
        self.by_integers + self.by_bits
    }

    /// Adds the counts of another solver.
    pub fn add(&mut self, other: &Counters) {
        self.queries += other.queries;
        self.parts += other.parts;
        self.by_simplification += other.by_simplification;
        self.by_cache += other.by_cache;
        self.by_model += other.by_model;
        self.by_core += other.by_core;
        self.by_integers += other.by_integers;
        self.by_bits += other.by_bits;
        self.by_rounding += other.by_rounding;
        self.unknown += other.unknown;
        self.fallbacks += other.fallbacks;
        self.restarts += other.restarts;
        self.watchdog += other.watchdog;
        self.solver_time += other.solver_time;
    }
}
