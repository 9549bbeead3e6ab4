//! One concolic run after the other: a relation on given inputs gives a path.

use std::sync::Arc;

use twinrun_base::work::{self, price};
use twinrun_base::{Crash, CrashKind, Limits, Verdict, abi};
use twinrun_interp::code::Code;
use twinrun_interp::module::Item;
use twinrun_interp::{
    LinkError, Module, Observer, Outcome, Position, Segment, State, Trap, instantiate, link, run,
};

use twinrun_term::Terms;

use crate::domain::{Concolic, Value};
use crate::host::{Primitives, Source};
use crate::merged::Merging;
use crate::path::{Decided, Path};

/// What keeps a relation from being run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The module exports no such relation.
    #[error("the module has no relation `{0}`")]
    UnknownRelation(String),
    /// The module cannot be instantiated.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The module's own initialisation trapped.
    #[error("initialising the module failed: {0}")]
    Initialise(Trap),
    /// The relation uses the primitives in a way that they do not allow.
    #[error("{0}")]
    Relation(String),
}

/// Runs one relation concolically.
pub struct Engine {
    /// The domain with all terms.
    pub domain: Concolic,
    pub(crate) host: Primitives,
    pub(crate) ready: State<Concolic>,
    pub(crate) function: u32,
    pub(crate) merging: Option<Merging>,
}

impl Engine {
    /// Prepares a relation of a module; `programs` are those that the relation may run, by name.
    ///
    /// # Errors
    /// When there is no such relation or the module cannot be instantiated.
    pub fn new(
        module: &Arc<Module>,
        relation: &str,
        programs: Vec<(String, Arc<Module>)>,
        limits: Limits,
    ) -> Result<Engine, Error> {
        let mut domain = Concolic::default();
        let mut host = Primitives::new(programs, limits.output);
        let mut state = State::new(limits);
        let instance = instantiate(&mut state, &mut domain, &mut host, module)?;
        let export = format!("{}{relation}", abi::RELATION_PREFIX);
        let Some(Item::Function(function)) = state.export(instance, &export) else {
            return Err(Error::UnknownRelation(relation.to_owned()));
        };
        let initialise = match state.export(instance, "_initialize") {
            Some(Item::Function(function)) => Some(function),
            _ => None,
        };
        for function in link::start(&state, instance).into_iter().chain(initialise) {
            state.enter(&mut domain, function, &[]);
            // The same observer as for paths, so that the interpreter is compiled only once.
            match run(&mut state, &mut domain, &mut host, &mut Watch::default()) {
                Outcome::Trapped(trap) => return Err(Error::Initialise(trap)),
                _ => state.results.clear(),
            }
        }
        state.work = 0;
        Ok(Engine { domain, host, ready: state, function, merging: None })
    }

    /// Where an instruction of the relation's own module stands: its offset from the code section's payload.
    pub fn offset(&self, at: Position) -> Option<u32> {
        self.ready.linked.functions.get(at.function as usize)?;
        self.ready.linked.code(at.function)?.offsets.get(at.pc as usize).copied()
    }

    /// From now on terms stand as they are built, and what is concluded without a condition is noted: [`Concolic::reductions`]. To be called before the
    /// first run.
    pub fn keep_terms_plain(&mut self) {
        self.domain.terms = Terms::plain();
    }

    /// Whether each permutation that the relation draws is a path of its own: its elements are fixed like lengths are, so that an explorer goes through all
    /// of them.
    pub fn split_permutations(&mut self, split: bool) {
        self.host.split_permutations = split;
    }

    /// Runs the relation on inputs.
    ///
    /// # Errors
    /// When the relation itself is wrong; whatever the subject does is in the path.
    pub fn run(&mut self, source: Source) -> Result<Path, Error> {
        self.domain.begin();
        self.domain.knows_path = self.merging.is_none();
        self.host.begin(source);
        let mut state = self.ready.clone();
        // What is not left cannot be spent: a path that needs more ends as one that exceeds its work.
        if let Some(budget) = self.domain.budget {
            state.limits.work = state.limits.work.min(budget.left() / price::CONCOLIC + 1);
        }
        let before = self.domain.terms.len();
        let mut watch = Watch::default();
        state.enter(&mut self.domain, self.function, &[]);
        let outcome = if self.merging.is_some() {
            self.run_merging(&mut state, &mut watch)
        } else {
            run(&mut state, &mut self.domain, &mut self.host, &mut watch)
        };
        work::charge((self.domain.terms.len() - before) as u64 * price::TERM);
        self.conclude(outcome, state.work, watch)
    }

    /// The path that a run was.
    pub(crate) fn conclude(
        &mut self,
        outcome: Outcome<Value>,
        work: u64,
        watch: Watch,
    ) -> Result<Path, Error> {
        if let Some(message) = self.host.failure.take() {
            return Err(Error::Relation(message));
        }
        let (verdict, crash) = match (outcome, self.host.verdict) {
            (_, Some(verdict)) => (verdict, self.host.crash.take()),
            // What the domain cannot follow is left unfinished, never called a crash.
            (Outcome::Trapped(Trap::Work | Trap::Cut | Trap::Domain), None) => (Verdict::Timeout, None),
            (Outcome::Trapped(trap), None) => (Verdict::Crashed, Some(crash(trap))),
            _ => (Verdict::Holds, None),
        };
        Ok(Path {
            model: std::mem::take(&mut self.host.model),
            drawn: std::mem::take(&mut self.host.drawn),
            conditions: std::mem::take(&mut self.domain.path),
            decided: watch.decided,
            checks: std::mem::take(&mut self.host.checks),
            told: std::mem::take(&mut self.host.told),
            verdict,
            crash,
            runs: self.host.runs,
            work,
        })
    }
}

fn crash(trap: Trap) -> Crash {
    let kind = match trap {
        Trap::Unreachable => CrashKind::Unreachable,
        Trap::MemoryOutOfBounds | Trap::TableOutOfBounds => CrashKind::OutOfBounds,
        Trap::DivisionByZero | Trap::IntegerOverflow => CrashKind::Division,
        Trap::BadConversion => CrashKind::Conversion,
        Trap::NullCall | Trap::UndefinedElement | Trap::SignatureMismatch => CrashKind::IndirectCall,
        Trap::StackOverflow | Trap::StackExhausted => CrashKind::StackOverflow,
        Trap::HeapOverrun => CrashKind::HeapOverrun,
        Trap::UseAfterFree => CrashKind::UseAfterFree,
        Trap::Uninitialised => CrashKind::Uninitialised,
        other => CrashKind::Other(other.to_string()),
    };
    Crash { kind, message: trap.to_string(), stack: Vec::new() }
}

/// Notes the branches of the site table.
#[derive(Default)]
pub(crate) struct Watch {
    decided: Vec<Decided>,
    count: u32,
    run: Option<u32>,
    runs: u32,
}

impl Observer for Watch {
    fn branch(&mut self, at: Position, code: &Code, outcome: u32) {
        if let Some(site) = code.site(at.pc) {
            self.decided.push(Decided { site, at, outcome, run: self.run, decision: self.count });
        }
        self.count += 1;
    }

    fn segment(&mut self, segment: Segment) {
        if segment == Segment::Begin {
            self.run = Some(self.runs);
            self.runs += 1;
        } else if segment == Segment::End {
            self.run = None;
        }
    }
}
