//! The host of a concolic run: the primitives of a relation and the world of its programs, with terms.

mod calls;
mod checks;
mod inputs;
mod programs;
mod told;
mod wasi;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use twinrun_base::{Case, Crash, CrashKind, Verdict, abi};
use twinrun_interp::module::FunctionType;
use twinrun_interp::{Answer, Host, Imports, Module, Segment, Trap, group};
use twinrun_term::{Model, Term};

use crate::domain::{Concolic, Value};
use crate::path::{Checked, Drawn, Kind, Told};
use calls::Call;
pub(crate) use inputs::label;
use programs::Programs;

/// Where the concrete values of inputs come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A model; inputs that it does not know have values near zero.
    Model(Model),
    /// A case; inputs that it does not know have values near zero.
    Case(Case),
}

/// What a path has told the host so far.
pub(crate) struct Primitives {
    calls: Vec<Call>,
    /// Names of imports that cannot work here.
    foreign: Vec<String>,
    source: Source,
    /// The values that were drawn.
    pub(crate) model: Model,
    pub(crate) drawn: Vec<Drawn>,
    names: BTreeMap<String, u32>,
    /// What the elements that were drawn are called.
    labels: BTreeSet<String>,
    pub(crate) checks: Vec<Checked>,
    pub(crate) told: Vec<Told>,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) crash: Option<Crash>,
    /// What the relation did wrong, when it cannot be run.
    pub(crate) failure: Option<String>,
    pub(crate) runs: u32,
    /// How many runs are open.
    open: u32,
    /// Whether the elements of permutations are fixed as they are drawn.
    pub(crate) split_permutations: bool,
    programs: Programs,
}

impl Primitives {
    pub(crate) fn new(programs: Vec<(String, Arc<Module>)>, output: u64) -> Self {
        Primitives {
            calls: Vec::new(),
            source: Source::Model(Model::new()),
            model: Model::new(),
            drawn: Vec::new(),
            names: BTreeMap::new(),
            labels: BTreeSet::new(),
            checks: Vec::new(),
            told: Vec::new(),
            verdict: None,
            crash: None,
            failure: None,
            runs: 0,
            open: 0,
            foreign: Vec::new(),
            split_permutations: false,
            programs: Programs::new(programs, output),
        }
    }

    /// Forgets the last path.
    pub(crate) fn begin(&mut self, source: Source) {
        self.source = source;
        self.model = Model::new();
        self.drawn.clear();
        self.names.clear();
        self.labels.clear();
        self.checks.clear();
        self.told.clear();
        self.verdict = None;
        self.crash = None;
        self.failure = None;
        self.runs = 0;
        self.open = 0;
        self.programs.begin();
    }

    fn crash(&mut self, kind: CrashKind, message: String) -> Trap {
        self.verdict = Some(Verdict::Crashed);
        self.crash = Some(Crash { kind, message, stack: Vec::new() });
        Trap::Host
    }

    fn fail(&mut self, message: impl Into<String>) -> Trap {
        self.failure.get_or_insert(message.into());
        Trap::Host
    }
}

impl Imports<Concolic> for Primitives {
    fn resolve(&mut self, module: &str, name: &str, _ty: &FunctionType) -> Option<u32> {
        let call = match module {
            abi::MODULE => calls::primitive(name)?,
            twinrun_world::MODULE => {
                let position = twinrun_world::FUNCTIONS.iter().position(|function| function.name == name)?;
                Call::World(u16::try_from(position).ok()?)
            }
            _ if name.starts_with("__ubsan_handle_") => Call::Sanitiser,
            _ if group::unsupported(name).is_some() => {
                let known = self.foreign.iter().position(|known| known == name);
                let index = known.unwrap_or_else(|| {
                    self.foreign.push(name.to_owned());
                    self.foreign.len() - 1
                });
                Call::Foreign(u16::try_from(index).ok()?)
            }
            _ => return None,
        };
        let known = self.calls.iter().position(|known| *known == call);
        Some(known.unwrap_or_else(|| {
            self.calls.push(call);
            self.calls.len() - 1
        }) as u32)
    }

    fn call(
        &mut self,
        function: u32,
        step: u32,
        host: &mut Host<'_, Concolic>,
    ) -> Result<Answer<Value>, Trap> {
        // The host has one state, not one for each side of a merge.
        let call = self.calls[function as usize];
        if host.domain.depth > 0 && !matches!(call, Call::HeapNotice(_) | Call::OpenRuns) {
            let sanitiser = call == Call::Sanitiser;
            return Err(if sanitiser { Trap::Unreachable } else { Trap::Domain });
        }
        let moves = matches!(call, Call::HeapNotice(_) | Call::HeapError | Call::World(_) | Call::Sanitiser);
        if !moves && step == 0 {
            (0..host.params).try_for_each(|index| host.uses(index))?;
        }
        match call {
            Call::Int => self.int(host)?,
            Call::Float => self.float(host)?,
            Call::Ints => self.ints(host)?,
            Call::Floats => self.floats(host)?,
            Call::Text => self.text(host)?,
            Call::Permutation => self.permutation(host)?,
            Call::Ops => self.ops(host)?,
            Call::RunBegin => self.run_begin(host),
            Call::RunEnd => {
                self.open = self.open.saturating_sub(1);
                host.domain.run = None;
                host.segment = Some(Segment::End);
            }
            Call::Assume => self.assume(host)?,
            Call::Check => self.check(host)?,
            Call::CheckInt => self.check_int(host)?,
            Call::CheckFloat => self.check_float(host)?,
            Call::CheckBytes => self.check_bytes(host)?,
            Call::Told(output, kind) => self.tell(host, output, kind)?,
            Call::ProgramFile => self.program_file(host)?,
            Call::Program => return self.program(host, step),
            Call::ProgramOutput => self.program_output(host)?,
            Call::ProgramWritten => self.program_written(host)?,
            Call::HeapNotice(notice) => {
                let (block, size) = (self.fixed(host, 0)? as u32, self.fixed(host, 1)? as u32);
                host.notice(notice, block, size);
            }
            Call::HeapError => {
                let kind = host.peek(0) as usize;
                let message = abi::HEAP_ERRORS.get(kind).copied().unwrap_or("heap error");
                let kind = match kind {
                    0 => CrashKind::HeapOverrun,
                    1 => CrashKind::UseAfterFree,
                    _ => CrashKind::BadFree,
                };
                return Err(self.crash(kind, message.to_owned()));
            }
            Call::Ends(exception) => {
                let kind = if exception { CrashKind::Exception } else { CrashKind::Unsupported };
                let text = self.name(host, 0)?;
                return Err(self.crash(kind, text));
            }
            // Runs begin and end outside merges only, so that all sides have the same number.
            Call::OpenRuns => host.results.push(Value::i32(self.open as i32)),
            Call::Foreign(index) => {
                let name = self.foreign[usize::from(index)].clone();
                let reason = group::unsupported(&name).unwrap_or("it is not available");
                return Err(self.crash(CrashKind::Unsupported, format!("`{name}` was called: {reason}")));
            }
            Call::World(position) => self.world_call(host, usize::from(position))?,
            Call::Sanitiser => {
                return Err(self.crash(
                    CrashKind::Other("sanitiser".into()),
                    "a check of the checked build failed".into(),
                ));
            }
        }
        Ok(Answer::Return)
    }
}

impl Primitives {
    fn run_begin(&mut self, host: &mut Host<'_, Concolic>) {
        self.open += 1;
        host.domain.run = Some(self.runs);
        host.segment = Some(Segment::Begin);
        self.runs += 1;
    }

    /// The position of a host call, for the conditions that it records.
    fn position(host: &Host<'_, Concolic>) -> twinrun_interp::Position {
        host.state.position().unwrap_or(twinrun_interp::Position { function: 0, pc: 0 })
    }

    /// An argument that has to be one number.
    fn fixed(&self, host: &mut Host<'_, Concolic>, index: usize) -> Result<u64, Trap> {
        use twinrun_interp::Domain as _;
        let at = Self::position(host);
        let value = host.argument(index);
        host.domain.concretise(at, value)
    }

    /// The text that two arguments, pointer and length, tell.
    fn name(&self, host: &mut Host<'_, Concolic>, index: usize) -> Result<String, Trap> {
        let (at, length) = (self.fixed(host, index)? as u32, self.fixed(host, index + 1)? as u32);
        Ok(String::from_utf8_lossy(&host.read(at, length)?).into_owned())
    }

    /// Records a condition that the relation states.
    fn state(&self, host: &mut Host<'_, Concolic>, condition: Term, holds: bool, kind: Kind) {
        let at = Self::position(host);
        let condition = if holds { condition } else { host.domain.terms.not(condition) };
        host.domain.assume(at, condition, kind);
    }
}
