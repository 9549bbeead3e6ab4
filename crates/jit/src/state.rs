//! What host functions see while a group runs.

use std::ptr::NonNull;

use twinrun_base::{CrashKind, Inputs, Location, Op, Value};
use twinrun_world::World;
use wasmtime::{Caller, Memory, ResourceLimiter, WasmBacktrace};

use crate::compiled::Compiled;
use crate::observe::{Detail, Observation};
use crate::shadow::Notice;

/// Why a host function ended the group.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// An assumption failed.
    Discard,
    /// A check failed; it stands in the observation. The line of the check follows.
    Check(u32),
    /// The subject asked to end with this exit code.
    Exit(i32),
    /// A safety check failed or a limit was reached.
    Crash(CrashKind, String, Option<Location>),
    /// A crash inside a whole program, already in the observation.
    ProgramCrash,
    /// A whole program used up the work of the group.
    ProgramTimeout,
    /// A cut came.
    Cut,
    /// Something that is not the subject's fault.
    Failure(String),
}

/// The data of a store.
pub(crate) struct State {
    pub(crate) compiled: Compiled,
    pub(crate) inputs: Option<NonNull<dyn Inputs>>,
    pub(crate) detail: Detail,
    pub(crate) observation: Observation,
    /// How many `run_begin` are open.
    pub(crate) open: u32,
    /// What the next run is given.
    pub(crate) given: Vec<(String, Value)>,
    pub(crate) end: Option<End>,
    pub(crate) memory: Option<Memory>,
    pub(crate) control: Option<Memory>,
    pub(crate) shadow: Option<Memory>,
    /// Where the host wrote into the subject's memory.
    pub(crate) touched: Vec<(u32, u32)>,
    /// The allocator's notices since the snapshot (checked build).
    pub(crate) notices: Vec<(Notice, u32, u32)>,
    pub(crate) world: World,
    /// Files for the next program run.
    pub(crate) program_files: Vec<(Vec<u8>, Vec<u8>)>,
    /// The world that the last program run left.
    pub(crate) program_world: Option<World>,
    /// Where something was thrown last.
    pub(crate) thrown: Option<WasmBacktrace>,
    pub(crate) isolation: crate::isolate::Isolation,
    pub(crate) scratch: Scratch,
}

/// Reused space.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) ints: Vec<i64>,
    pub(crate) floats: Vec<f64>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) ops: Vec<Op>,
}

// SAFETY: `inputs` is set only while `run_group` borrows the provider, on the thread that runs the group; between groups,
// when an instance may be sent to another thread, it is `None`. All else in the state is `Send`.
unsafe impl Send for State {}

impl State {
    pub(crate) fn new(compiled: &Compiled, world: World) -> State {
        State {
            compiled: compiled.clone(),
            inputs: None,
            detail: Detail::Verdict,
            observation: Observation::default(),
            open: 0,
            given: Vec::new(),
            end: None,
            memory: None,
            control: None,
            shadow: None,
            touched: Vec::new(),
            notices: Vec::new(),
            world,
            program_files: Vec::new(),
            program_world: None,
            thrown: None,
            isolation: crate::isolate::Isolation::default(),
            scratch: Scratch::default(),
        }
    }

    /// Ends the group.
    pub(crate) fn stop(&mut self, end: End) -> wasmtime::Error {
        self.end = Some(end);
        wasmtime::Error::new(Unwind)
    }

    /// The name of the program that runs, for messages.
    pub(crate) fn program_name(&self) -> String {
        self.world
            .arguments()
            .first()
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .unwrap_or_default()
    }

    /// Ends the group as a crash.
    pub(crate) fn crash(&mut self, kind: CrashKind, message: impl Into<String>) -> wasmtime::Error {
        self.stop(End::Crash(kind, message.into(), None))
    }
}

impl ResourceLimiter for State {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let limit = self.compiled.config().limits.memory;
        if desired as u64 <= limit {
            return Ok(true);
        }
        let message = format!("{desired} bytes of memory were asked for; the limit is {limit}");
        Err(self.crash(CrashKind::MemoryLimit, message))
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= 100_000)
    }
}

/// Carries nothing: what happened stands in [`State::end`].
#[derive(Debug)]
struct Unwind;

impl std::fmt::Display for Unwind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the group ended")
    }
}

impl std::error::Error for Unwind {}

/// The subject's memory and the state, both for writing.
pub(crate) fn split<'a>(caller: &'a mut Caller<'_, State>) -> (&'a mut [u8], &'a mut State) {
    let memory = match caller.data().memory {
        Some(memory) => Some(memory),
        // A start function may call out before the instance is complete.
        None => {
            let memory = caller.get_export("twinrun:memory").and_then(wasmtime::Extern::into_memory);
            caller.data_mut().memory = memory;
            memory
        }
    };
    match memory {
        Some(memory) => memory.data_and_store_mut(caller),
        None => (&mut [], caller.data_mut()),
    }
}

/// The control memory and the state.
pub(crate) fn split_control<'a>(caller: &'a mut Caller<'_, State>) -> Option<(&'a mut [u8], &'a mut State)> {
    if caller.data().control.is_none() {
        // A start function is counted too, before the instance is complete.
        let control = caller.get_export("twinrun:control").and_then(wasmtime::Extern::into_memory);
        caller.data_mut().control = control;
    }
    let control = caller.data().control?;
    Some(control.data_and_store_mut(caller))
}

/// A part of memory that the subject pointed to; outside memory it is the trap that a load would be.
pub(crate) fn slice(memory: &[u8], pointer: i32, length: i32) -> wasmtime::Result<&[u8]> {
    let start = pointer as u32 as usize;
    memory.get(start..start + length as u32 as usize).ok_or_else(|| wasmtime::Trap::MemoryOutOfBounds.into())
}

/// The same for writing.
pub(crate) fn slice_mut<'a>(
    memory: &'a mut [u8],
    state_touched: &mut Vec<(u32, u32)>,
    pointer: i32,
    length: usize,
) -> wasmtime::Result<&'a mut [u8]> {
    let start = pointer as u32 as usize;
    match memory.get_mut(start..start.saturating_add(length)) {
        Some(part) => {
            state_touched.push((pointer as u32, length as u32));
            Ok(part)
        }
        None => Err(wasmtime::Trap::MemoryOutOfBounds.into()),
    }
}
