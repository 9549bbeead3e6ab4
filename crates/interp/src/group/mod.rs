//! Groups on this engine, with the same verdicts, traces and work as on the other one.

mod checks;
mod crash;
mod foreign;
mod heap;
mod host;
mod inputs;
mod outputs;
mod programs;
mod runs;
mod wasi;

use std::collections::BTreeMap;
use std::sync::Arc;

use twinrun_base::abi::RELATION_PREFIX;
use twinrun_base::{Crash, CrashKind, FailedCheck, Inputs, Limits, Location, Verdict};
use twinrun_world::{Setup, World};

use crate::concrete::Concrete;
use crate::domain::Domain;
use crate::link::{self, LinkError};
use crate::module::{Item, LoadError, Module};
use crate::observers::Observer;
use crate::run::{Outcome, call, run};
use crate::state::State;
use crate::trap::Trap;

pub use checks::{floats_hold, integers_hold};
pub use foreign::unsupported;
pub use host::{End, GroupHost, Records, RunRecord, import_name};

/// What kept this engine from answering.
#[derive(Debug, thiserror::Error)]
pub enum GroupError {
    /// The module cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The module cannot be instantiated.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// No such relation.
    #[error("the module has no relation `{0}`")]
    UnknownRelation(String),
    /// The module crashed before any relation could run.
    #[error("the subject crashed while it was initialised: {}", .0.message)]
    Initialize(Box<Crash>),
    /// The relation asks for something that does not exist, or the domain gave up.
    #[error("{0}")]
    Failure(String),
}

/// Finds the source location of an instruction by its offset from the code section's payload.
pub type Locator = Arc<dyn Fn(u32) -> Option<Location> + Send + Sync>;

/// A module ready to run groups in some domain: its state after `_initialize`. Cloning is cheap.
pub struct Prepared<D: Domain> {
    /// The module.
    pub module: Arc<Module>,
    /// The state that every group starts from.
    pub state: State<D>,
    /// Relations by name, with the address of their function.
    pub relations: BTreeMap<String, u32>,
    /// Whole programs that relations may run.
    pub programs: Vec<(String, Arc<Module>)>,
    /// Names of imports from elsewhere, as the host numbers them.
    pub foreign: Vec<String>,
    /// Gives crash reports exact source locations; without it they name the block.
    pub locator: Option<Locator>,
}

impl<D: Domain> Clone for Prepared<D> {
    fn clone(&self) -> Self {
        Prepared {
            module: self.module.clone(),
            state: self.state.clone(),
            relations: self.relations.clone(),
            programs: self.programs.clone(),
            foreign: self.foreign.clone(),
            locator: self.locator.clone(),
        }
    }
}

/// What a group gave.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The verdict.
    pub verdict: Verdict,
    /// The runs that were started.
    pub runs: Vec<RunRecord>,
    /// The check that failed.
    pub check: Option<FailedCheck>,
    /// The crash.
    pub crash: Option<Crash>,
    /// Work done.
    pub work: u64,
}

impl<D: Domain> Prepared<D> {
    /// Instantiates a module and runs its `_initialize`.
    pub fn new(module: &Arc<Module>, limits: Limits, domain: &mut D) -> Result<Prepared<D>, GroupError> {
        let mut state = State::new(limits);
        let mut host = GroupHost::new(None, &[], &[], world(limits));
        let instance = link::instantiate(&mut state, domain, &mut host, module)?;
        let mut relations = BTreeMap::new();
        for name in module.exports.keys() {
            if let (Some(relation), Some(Item::Function(function))) =
                (name.strip_prefix(RELATION_PREFIX), state.export(instance, name))
            {
                let ty = state.function_type(function);
                if ty.params.is_empty() && ty.results.is_empty() {
                    relations.insert(relation.to_owned(), function);
                }
            }
        }
        let start = link::start(&state, instance);
        let initialize = match state.export(instance, "_initialize") {
            Some(Item::Function(function)) => Some(function),
            _ => None,
        };
        for function in start.into_iter().chain(initialize) {
            let outcome = call(&mut state, domain, &mut host, &mut (), function, &[]);
            if outcome_is_bad(&outcome) {
                let observation = conclude(&state, None, host.records, outcome)?;
                let Some(crash) = observation.crash else {
                    return Err(GroupError::Failure(
                        "the subject did not come out of its initialisation".to_owned(),
                    ));
                };
                return Err(GroupError::Initialize(Box::new(crash)));
            }
        }
        state.work = 0;
        let foreign = std::mem::take(&mut host.foreign);
        Ok(Prepared {
            module: module.clone(),
            state,
            relations,
            programs: Vec::new(),
            foreign,
            locator: None,
        })
    }

    /// Adds a whole program that relations of this module may run by this name.
    #[must_use]
    pub fn with_program(mut self, name: &str, program: Arc<Module>) -> Prepared<D> {
        self.programs.push((name.to_owned(), program));
        self
    }

    /// Gives crash reports exact source locations.
    #[must_use]
    pub fn with_locator(mut self, locator: Locator) -> Prepared<D> {
        self.locator = Some(locator);
        self
    }

    /// The function of a relation.
    pub fn relation(&self, name: &str) -> Result<u32, GroupError> {
        self.relations.get(name).copied().ok_or_else(|| GroupError::UnknownRelation(name.to_owned()))
    }

    /// A host for one group.
    pub fn host<'a>(&'a self, inputs: &'a mut dyn Inputs) -> GroupHost<'a> {
        GroupHost::new(Some(inputs), &self.programs, &self.foreign, world(self.state.limits))
    }

    /// What a group that came to rest gave.
    pub fn conclude(
        &self,
        state: &State<D>,
        records: Records,
        outcome: Outcome<D::Value>,
    ) -> Result<Observation, GroupError> {
        conclude(state, self.locator.as_ref(), records, outcome)
    }
}

/// Runs a relation once, concretely, with inputs from the provider.
pub fn run_group<O: Observer>(
    prepared: &Prepared<Concrete>,
    relation: u32,
    inputs: &mut dyn Inputs,
    observer: &mut O,
) -> Result<Observation, GroupError> {
    let mut state = prepared.state.clone();
    let mut host = prepared.host(inputs);
    let outcome = call(&mut state, &mut Concrete, &mut host, observer, relation, &[]);
    let records = host.records;
    prepared.conclude(&state, records, outcome)
}

/// Goes on with a group from any state.
pub fn resume_group<D: Domain, O: Observer>(
    state: &mut State<D>,
    domain: &mut D,
    host: &mut GroupHost<'_>,
    observer: &mut O,
) -> Outcome<D::Value> {
    run(state, domain, host, observer)
}

fn world(limits: Limits) -> World {
    World::new(Setup { output: limits.output, ..Setup::default() })
}

fn outcome_is_bad<V>(outcome: &Outcome<V>) -> bool {
    !matches!(outcome, Outcome::Finished)
}

fn conclude<D: Domain>(
    state: &State<D>,
    locator: Option<&Locator>,
    mut records: Records,
    outcome: Outcome<D::Value>,
) -> Result<Observation, GroupError> {
    programs::take_output(&mut records);
    let mut observation = Observation {
        verdict: Verdict::Holds,
        runs: records.runs,
        check: None,
        crash: None,
        work: state.work.min(state.limits.work),
    };
    let trap = match outcome {
        Outcome::Finished => return Ok(observation),
        Outcome::Trapped(trap) => trap,
        Outcome::Suspended { .. } | Outcome::Paused => {
            return Err(GroupError::Failure("the group was suspended".to_owned()));
        }
    };
    observation.verdict = match (trap, records.end) {
        (Trap::Work, _) => Verdict::Timeout,
        // It says nothing, like one whose assumption failed.
        (Trap::Cut, _) => Verdict::Discarded,
        (Trap::Host, Some(End::Discard)) => Verdict::Discarded,
        (Trap::Host, Some(End::Check(mut check, line))) => {
            check.location = crash::check_location(state, locator, line);
            observation.check = Some(*check);
            Verdict::Violated
        }
        (Trap::Host, Some(End::Failure(message))) => return Err(GroupError::Failure(message)),
        (Trap::Host, Some(End::Crash(kind, message, place))) => {
            // Where it was thrown: where nobody catches it, its landings have been left already.
            let thrown = state.thrown.as_deref().filter(|_| kind == CrashKind::Exception);
            let stack = crash::frames(state, thrown.unwrap_or(&state.frames), locator);
            let mut crash = Crash { kind, message, stack };
            if let (Some(place), Some(frame)) = (place, crash.stack.first_mut()) {
                frame.location = Some(place);
            }
            observation.crash = Some(crash);
            Verdict::Crashed
        }
        (Trap::Domain | Trap::Host, _) => return Err(GroupError::Failure(trap.to_string())),
        (trap, _) => {
            let (kind, message) = crash::trapped(state, trap);
            observation.crash = Some(Crash { kind, message, stack: crash::stack(state, locator) });
            Verdict::Crashed
        }
    };
    Ok(observation)
}
