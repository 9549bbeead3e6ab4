//! A module ready to run: rewritten, compiled, linked.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use twinrun_base::work::{self, price};
use twinrun_base::{Frame, ProgramRun, Sites, Verdict, cut};
use twinrun_world::Setup;
use wasmtime::{InstancePre, Module};

use crate::analysis::{Analysis, analyse};
use crate::config::Config;
use crate::direct::{is_switched, runs_are_direct};
use crate::edges::Edges;
use crate::engine::engine;
use crate::error::Error;
use crate::host::link;
use crate::instance::{Instance, run_start};
use crate::restore::Snapshot;
use crate::rewrite::{Rewritten, rewrite};
use crate::state::State;

/// A relation of a compiled module: its index in [`Compiled::relations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub usize);

/// The frames that an instruction stands for, innermost first (several where calls were inlined), by its offset from the code
/// section's payload: `twinrun_subject::Module::frames_at`.
pub type Locator = Arc<dyn Fn(u32) -> Vec<Frame> + Send + Sync>;

/// A compiled module. Cloning is cheap; threads may share it, each with its own [`Instance`].
#[derive(Clone)]
pub struct Compiled(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) sites: Arc<Sites>,
    pub(crate) edges: Edges,
    pub(crate) config: Config,
    pub(crate) analysis: Analysis,
    pub(crate) rewritten: Rewritten,
    /// Whether runs may be recorded without the host.
    pub(crate) direct: bool,
    /// Whether something can be switched on.
    pub(crate) switched: bool,
    pub(crate) pre: InstancePre<State>,
    pub(crate) relations: Vec<String>,
    pub(crate) programs: Vec<(String, Compiled)>,
    pub(crate) locator: Option<Locator>,
    /// Memory and globals after `_initialize`, the same for all instances.
    pub(crate) snapshot: Arc<OnceLock<Snapshot>>,
    /// The active patch, counted from 1; 0: none.
    pub(crate) active: Arc<AtomicU32>,
}

impl Compiled {
    /// Rewrites and compiles a module.
    pub fn new(bytes: &[u8], sites: &Sites, config: &Config) -> Result<Compiled, Error> {
        let engine = engine()?;
        let analysis = analyse(bytes)?;
        let edges = Edges::new(sites);
        let rewritten = rewrite(bytes, &analysis, sites, &edges, config)?;
        let module = compile(engine, &rewritten.bytes, bytes)?;
        let pre = link(engine, &module, &analysis)?;
        let relations = analysis.relations().map(|(name, _)| name.to_owned()).collect();
        Ok(Compiled(Arc::new(Inner {
            sites: Arc::new(sites.clone()),
            edges,
            config: config.clone(),
            direct: runs_are_direct(&analysis, config),
            switched: !config.patches.is_empty() || is_switched(&analysis),
            analysis,
            rewritten,
            pre,
            relations,
            programs: Vec::new(),
            locator: None,
            snapshot: Arc::default(),
            active: Arc::default(),
        })))
    }

    /// Adds a whole program that relations of this module may run by this name.
    #[must_use]
    pub fn with_program(self, name: &str, program: Compiled) -> Compiled {
        self.change(|inner| inner.programs.push((name.to_owned(), program)))
    }

    /// Gives crash reports exact source locations and inlined frames; without it they name the block.
    #[must_use]
    pub fn with_locator(self, locator: Locator) -> Compiled {
        self.change(|inner| inner.locator = Some(locator))
    }

    fn change(self, change: impl FnOnce(&mut Inner)) -> Compiled {
        let mut inner = Arc::try_unwrap(self.0).unwrap_or_else(|shared| shared.copy());
        change(&mut inner);
        Compiled(Arc::new(inner))
    }

    /// The names of the relations.
    pub fn relations(&self) -> &[String] {
        &self.0.relations
    }

    /// The relation of this name.
    pub fn relation(&self, name: &str) -> Result<RelationId, Error> {
        let index = self.0.relations.iter().position(|relation| relation == name);
        index.map(RelationId).ok_or_else(|| Error::UnknownRelation(name.to_owned()))
    }

    /// The programs that relations may run, with their names.
    pub fn programs(&self) -> &[(String, Compiled)] {
        &self.0.programs
    }

    /// Whether the module is a whole program (exports `_start`).
    pub fn is_program(&self) -> bool {
        self.0.analysis.actions.iter().any(|(action, _)| action == "_start")
    }

    /// The site table.
    pub fn sites(&self) -> &Sites {
        &self.0.sites
    }

    /// The numbering of edges in traces and counts.
    pub fn edges(&self) -> &Edges {
        &self.0.edges
    }

    /// What it was compiled for.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Switches on one of the patches of the configuration, or one of the edits that the module was built with (the import `edit` gives its number,
    /// counted from 1), and the one before off: from the next group on, in all instances of this module.
    pub fn activate(&self, patch: Option<usize>) {
        self.0.active.store(patch.map_or(0, |patch| patch as u32 + 1), Ordering::Relaxed);
    }

    /// Runs a whole program once, outside any group; the name of the program is not among the arguments.
    ///
    /// # Errors
    /// When the module is no program or the engine cannot answer.
    pub fn run_program(&self, arguments: &[Vec<u8>], stdin: &[u8]) -> Result<(Verdict, ProgramRun), Error> {
        let mut all = vec![b"program".to_vec()];
        all.extend_from_slice(arguments);
        let output = self.config().limits.output;
        let setup = Setup { arguments: all, stdin: stdin.to_vec(), output, ..Setup::default() };
        let ended = run_start(self, setup, 0, &mut crate::observe::RunRecord::default())?;
        let run = ProgramRun {
            arguments: arguments.to_vec(),
            stdin: stdin.to_vec(),
            exit: ended.exit,
            stdout: ended.world.stdout().to_vec(),
            stderr: ended.world.stderr().to_vec(),
        };
        Ok((ended.verdict, run))
    }

    /// An instance that runs groups, initialised.
    pub fn instance(&self) -> Result<Instance, Error> {
        Instance::new(self)
    }
}

impl Inner {
    fn copy(&self) -> Inner {
        Inner {
            sites: self.sites.clone(),
            edges: self.edges.clone(),
            config: self.config.clone(),
            analysis: self.analysis.clone(),
            rewritten: self.rewritten.clone(),
            direct: self.direct,
            switched: self.switched,
            pre: self.pre.clone(),
            relations: self.relations.clone(),
            programs: self.programs.clone(),
            locator: self.locator.clone(),
            snapshot: self.snapshot.clone(),
            active: self.active.clone(),
        }
    }
}

/// Modules beyond this many bytes may take longer to compile than a cut may wait.
const LONG: usize = 200_000;

/// Compiles; what takes long does so on a thread of its own, which is left alone when a cut comes.
fn compile(engine: &'static wasmtime::Engine, rewritten: &[u8], original: &[u8]) -> Result<Module, Error> {
    work::charge(price::BYTE * rewritten.len() as u64);
    if rewritten.len() < LONG {
        return Module::new(engine, rewritten).map_err(|error| invalid(original, &error));
    }
    let bytes = rewritten.to_vec();
    let made = cut::waiting(move || Module::new(engine, bytes)).ok_or(Error::Cut)?;
    made.map_err(|error| invalid(original, &error))
}

/// Says what is wrong with the original rather than with what we made of it, where the original is at fault.
fn invalid(bytes: &[u8], error: &wasmtime::Error) -> Error {
    match wasmparser::Validator::new().validate_all(bytes) {
        Err(original) => Error::Invalid(original.to_string()),
        Ok(_) => Error::Unsupported(format!("the module needs a feature that is not supported: {error:#}")),
    }
}
