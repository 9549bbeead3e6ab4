//! The plain build in the shadow interpreter: uses of bytes that nobody has written, and of freed ones, on some of the cases.
//!
//! The fast engine computes with whatever lies on the stack; so the cases that the checked build sees are run here as well, as long as an allowance of work
//! lasts: the interpreter is many times slower.

use std::sync::Arc;

use twinrun_base::{CrashKind, Inputs, Limits, Location};
use twinrun_interp::group::{Locator, Observation, Prepared};
use twinrun_interp::shadow::{Namer, run_shadowed};
use twinrun_interp::{LoadOptions, Shadowed};
use twinrun_subject::Module;
use twinrun_subject::module::Storage;

use crate::engine::Modules;
use crate::executor::ExecuteError;

/// The most work of one group; what needs more is not looked at to its end.
const MOST_WORK: u64 = 200_000;
/// The work of all groups of one executor.
const ALLOWANCE: u64 = 1_000_000;
/// The first groups are all looked at: those that reach new code are among them. Later, one in so many.
const FIRST: u64 = 32;
const LATER: u64 = 8;
/// What a group costs besides its work.
const START: u64 = 100;

/// The plain build, ready to run in the shadow domain; shared by all threads.
pub(crate) struct ShadowEngine {
    prepared: Prepared<Shadowed>,
    domain: Shadowed,
    namer: Namer,
}

impl ShadowEngine {
    pub(crate) fn new(modules: &Modules, limits: Limits) -> Result<ShadowEngine, ExecuteError> {
        let limits = Limits { work: limits.work.min(MOST_WORK), ..limits };
        let mut domain = Shadowed::default();
        let relations = load(&modules.relations)?;
        let located = Arc::clone(&modules.relations);
        let locator: Locator =
            Arc::new(move |offset| located.frames_at(offset).into_iter().find_map(|frame| frame.location));
        let prepared = Prepared::new(&relations, limits, &mut domain).map_err(ExecuteError::new)?;
        let mut prepared = prepared.with_locator(locator);
        for (name, program) in &modules.programs {
            prepared = prepared.with_program(name, load(program)?);
        }
        Ok(ShadowEngine { prepared, domain, namer: namer(&modules.relations) })
    }

    /// A runner with an allowance of its own.
    pub(crate) fn runner(&self, relation: &str) -> Result<ShadowRunner<'_>, ExecuteError> {
        let relation = self.prepared.relation(relation).map_err(ExecuteError::new)?;
        Ok(ShadowRunner { engine: self, relation, left: ALLOWANCE, asked: 0 })
    }
}

fn load(module: &Module) -> Result<Arc<twinrun_interp::Module>, ExecuteError> {
    let sites = Some(Arc::new(module.sites.clone()));
    let options = LoadOptions { sites, heap_checks: true, unwritten: true, ..LoadOptions::default() };
    twinrun_interp::Module::new(&module.bytes, options).map(Arc::new).map_err(ExecuteError::new)
}

/// Names variables by their place in a frame.
fn namer(module: &Module) -> Namer {
    let mut variables: Vec<(u32, i64, i64, String, Option<Location>)> = Vec::new();
    for variable in module.variables() {
        let Storage::Frame { function, offset, .. } = variable.storage else { continue };
        let sites = &module.sites;
        let place = sites.functions.iter().find(|it| it.index == function).and_then(|it| it.place);
        let file = place.map(|place| sites.location(place).file);
        let location = file.zip(variable.line).map(|(file, line)| Location { file, line, column: 0 });
        let size = variable.size.and_then(|size| i64::try_from(size).ok()).unwrap_or(1);
        variables.push((function, offset, size, variable.name, location));
    }
    Arc::new(move |function, at| {
        let mut here = variables.iter().filter(|(of, ..)| *of == function);
        let (_, _, _, name, place) = here.find(|(_, from, size, ..)| (*from..*from + *size).contains(&at))?;
        Some((name.clone(), place.clone()))
    })
}

/// Runs groups of one relation until its allowance is used up.
pub(crate) struct ShadowRunner<'a> {
    engine: &'a ShadowEngine,
    relation: u32,
    left: u64,
    asked: u64,
}

impl ShadowRunner<'_> {
    /// Whether the next group is looked at: not when the allowance is used up, nor all of many.
    pub(crate) fn is_due(&mut self) -> bool {
        self.asked += 1;
        self.left > 0 && (self.asked <= FIRST || self.asked.is_multiple_of(LATER))
    }

    /// Runs a group and counts what it costs.
    pub(crate) fn run(&mut self, inputs: &mut dyn Inputs) -> Result<Observation, ExecuteError> {
        let observation = self.observe(inputs)?;
        self.left = self.left.saturating_sub(observation.work + START);
        Ok(observation)
    }

    /// Runs a group.
    pub(crate) fn observe(&self, inputs: &mut dyn Inputs) -> Result<Observation, ExecuteError> {
        let ShadowEngine { prepared, domain, namer } = self.engine;
        run_shadowed(prepared, domain, self.relation, inputs, Some(namer)).map_err(ExecuteError::new)
    }
}

/// Whether a group ended by a misuse of memory.
pub(crate) fn is_misuse(observation: &Observation) -> bool {
    let kind = observation.crash.as_ref().map(|crash| &crash.kind);
    matches!(kind, Some(CrashKind::Uninitialised | CrashKind::UseAfterFree | CrashKind::HeapOverrun))
}
