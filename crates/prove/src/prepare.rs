//! From a built subject to engines for one relation.

use std::path::PathBuf;
use std::sync::Arc;

use twinrun_base::work::SECOND;
use twinrun_base::{Budget, Limits};
use twinrun_explore::{Engine, Merging};
use twinrun_interp::Position;
use twinrun_interp::module::LoadOptions;
use twinrun_solve::{Program, Solver};
use twinrun_testing::engine::{Modules, WasmSubject};

use crate::error::Error;

/// The work that a relation may cost unless something else is said.
pub const WORK: u64 = 60 * SECOND;

/// How far to go.
#[derive(Clone, Debug)]
pub struct Config {
    /// The solver.
    pub solver: Program,
    /// The most work in all, as [`twinrun_base::work`] counts it.
    pub work: u64,
    /// The most work for one merged question, or for the wording of one condition.
    pub patience: u64,
    /// Enumerate the pairs even when the relation is proved.
    pub pairs: bool,
    /// Leave out the proof with paths merged.
    pub no_merging: bool,
    /// Leave out the safety of the checked build.
    pub no_safety: bool,
    /// Leave out the test in the other engine before and behind a proof. Only to measure how good proofs are without it.
    pub no_pretest: bool,
    /// Leave out the proof by running every case where there are few. Only to measure how good other proofs are.
    pub no_enumeration: bool,
    /// Branches beyond so many on one path are left as they are: the answer is then bounded.
    pub depth: Option<usize>,
    /// Run only so many paths, those that reach new branches first: symbolic testing.
    pub paths: Option<u64>,
    /// So many failing pairs are looked into.
    pub failures: usize,
    /// Stop enumerating when so many failing pairs are known; the counts are then no longer complete.
    pub enough: Option<usize>,
    /// Put the blame on this run, counted from 1, instead of the one whose path occurs in more violations.
    pub suspect: Option<u32>,
    /// Where the subject's source files lie, for the failure report; none: no failure report is made.
    pub sources: Option<PathBuf>,
    /// So many threads enumerate pairs.
    pub jobs: usize,
    /// Limits of a run.
    pub limits: Limits,
}

impl Config {
    /// The usual limits.
    pub fn new(solver: Program) -> Config {
        Config {
            solver,
            work: WORK,
            patience: 8 * SECOND,
            pairs: false,
            no_merging: false,
            no_safety: false,
            no_pretest: false,
            no_enumeration: false,
            depth: None,
            paths: None,
            failures: 20,
            enough: None,
            suspect: None,
            sources: None,
            jobs: 1,
            limits: Limits::default(),
        }
    }
}

/// How far a proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub phase: &'static str,
    /// Paths done.
    pub done: u64,
    /// Branches still open.
    pub left: u64,
}

/// A module as the interpreter wants it.
pub(crate) fn load(module: &twinrun_subject::Module) -> Result<Arc<twinrun_interp::Module>, Error> {
    let sites = Some(Arc::new(module.sites.clone()));
    let options = LoadOptions { sites, heap_checks: true, unwritten: true, ..LoadOptions::default() };
    Ok(Arc::new(twinrun_interp::Module::new(&module.bytes, options)?))
}

/// The builds of a subject, decoded once for all of its relations.
pub struct Builds {
    pub(crate) plain: Loaded,
    /// None where the subject has none, or where safety is not asked for.
    pub(crate) checked: Option<Loaded>,
}

impl Builds {
    /// Decodes what a proof with this configuration needs.
    ///
    /// # Errors
    /// When a module is none.
    pub fn of(subject: &WasmSubject, config: &Config) -> Result<Builds, Error> {
        let checked = subject.checked_modules().filter(|_| !config.no_safety);
        Ok(Builds { plain: Loaded::new(subject.modules())?, checked: checked.map(Loaded::new).transpose()? })
    }
}

/// A build of the subject, decoded for the interpreter.
pub(crate) struct Loaded {
    pub(crate) relations: Arc<twinrun_interp::Module>,
    pub(crate) programs: Vec<(String, Arc<twinrun_interp::Module>)>,
}

impl Loaded {
    pub(crate) fn new(modules: &Modules) -> Result<Loaded, Error> {
        let programs = modules.programs.iter().map(|(name, module)| Ok((name.clone(), load(module)?)));
        let programs = programs.collect::<Result<_, Error>>()?;
        Ok(Loaded { relations: load(&modules.relations)?, programs })
    }

    pub(crate) fn engine(&self, relation: &str, limits: Limits) -> Result<Engine, Error> {
        Ok(Engine::new(&self.relations, relation, self.programs.clone(), limits)?)
    }

    pub(crate) fn merging_engine(
        &self,
        relation: &str,
        config: &Config,
        until: Budget,
        split: &[Position],
    ) -> Result<Engine, Error> {
        let mut engine = self.engine(relation, config.limits)?;
        let mut merging = Merging::new(solver(&config.solver, until)).with_split(split.iter().copied());
        merging.budget = Some(until);
        engine.merge_with(merging);
        Ok(engine)
    }
}

/// A solver that is paid from a budget.
pub(crate) fn solver(program: &Program, until: Budget) -> Solver {
    let config = twinrun_solve::Config { budget: Some(until), ..twinrun_solve::Config::default() };
    Solver::new(program.clone(), config)
}
