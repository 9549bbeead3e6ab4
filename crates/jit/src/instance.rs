//! Running: one reused instance for groups, a fresh one for every run of a whole program.

use std::ptr::NonNull;

use twinrun_base::work::{self, price};
use twinrun_base::{Crash, CrashKind, Inputs, Location, Verdict, cut};
use twinrun_world::{Setup, World};
use wasmtime::{Extern, Global, Memory, Store, Trap, TypedFunc};

use crate::compiled::{Compiled, Inner, RelationId};
use crate::crash::{crash, frames, stack, trapped};
use crate::direct;
use crate::engine::{engine, with_stack};
use crate::error::Error;
use crate::host::{collect, reset};
use crate::layout::{ACTIVE, CHECKS, DEPTH, DIRECT, LOW, Layout, OPEN, OVERRUN, PAUSE, WORK};
use crate::observe::{Detail, Observation, RunRecord};
use crate::restore::{Extent, Places, Snapshot, keep_globals, restore};
use crate::rewrite::START;
use crate::shadow;
use crate::state::{End, State};

/// An instance of a compiled module that runs one group after another, each from the same state.
pub struct Instance {
    compiled: Compiled,
    store: Store<State>,
    places: Places,
    relations: Vec<TypedFunc<(), ()>>,
    /// Notices of the allocator before the snapshot.
    base_notices: Vec<(shadow::Notice, u32, u32)>,
    /// Whether runs are recorded in slots ([`crate::direct`]).
    direct: bool,
    /// Whether the last group left something that a restore does not cover.
    stale: bool,
}

impl Instance {
    pub(crate) fn new(compiled: &Compiled) -> Result<Instance, Error> {
        let output = compiled.config().limits.output;
        let world = World::new(Setup { output, ..Setup::default() });
        let (mut store, places, instance) = instantiate(compiled, State::new(compiled, world), 0)?;
        if let Ok(initialize) = instance.get_typed_func::<(), ()>(&mut store, "_initialize") {
            prepare(&mut store, &places, 0, 0);
            if let Err(error) = with_stack(|| initialize.call(&mut store, ())) {
                return Err(initialize_error(compiled, &mut store, &places, &error));
            }
        }
        let snapshot = &compiled.0.snapshot;
        let analysis = &compiled.0.analysis;
        snapshot.get_or_init(|| Snapshot::take(&mut store, places.memory, &places.globals, analysis));
        let mut relations = Vec::new();
        for name in compiled.relations() {
            let function = instance.get_typed_func(&mut store, &format!("{START}{name}"));
            relations.push(function.map_err(|error| Error::Engine(format!("{error:#}")))?);
        }
        let state = store.data_mut();
        state.world.reset();
        let base_notices = std::mem::take(&mut state.notices);
        let mut this = Instance {
            compiled: compiled.clone(),
            store,
            places,
            relations,
            base_notices,
            direct: false,
            stale: false,
        };
        this.finish_setup();
        Ok(this)
    }

    /// Clears marks that initialisation left, and tells isolation where static data lie.
    fn finish_setup(&mut self) {
        let Some(snapshot) = self.compiled.0.snapshot.get() else { return };
        let layout = self.compiled.0.rewritten.layout;
        prepare(&mut self.store, &self.places, 0, snapshot.top);
        let extent = Extent::read(self.places.control.data(&self.store));
        restore(&mut self.store, &mut self.places, snapshot, &layout, extent);
        keep_globals(self.places.control.data_mut(&mut self.store), snapshot);
        let state = self.store.data_mut();
        state.isolation.regions = snapshot.statics.clone();
        state.isolation.dirty = self.places.dirty;
        state.isolation.granules = layout.granules as usize;
    }

    /// Runs a relation once with inputs from the provider. What else was seen stands in [`Instance::observation`] until the
    /// next call. Afterwards the instance is as it was before. A group that a cut ends is `discarded`: it says nothing.
    pub fn run_group(
        &mut self,
        relation: RelationId,
        inputs: &mut dyn Inputs,
        detail: Detail,
    ) -> Result<Verdict, Error> {
        if self.stale {
            let observation = std::mem::take(&mut self.store.data_mut().observation);
            *self = Instance::new(&self.compiled)?;
            self.store.data_mut().observation = observation;
        }
        let inner = &*self.compiled.0;
        let function = self.relations.get(relation.0);
        let function = function.ok_or_else(|| Error::UnknownRelation(format!("number {}", relation.0)))?;
        let Some(snapshot) = inner.snapshot.get() else {
            return Err(Error::Engine("an instance without a snapshot".to_owned()));
        };
        let state = self.store.data_mut();
        state.observation.clear();
        state.given.clear();
        state.open = 0;
        state.detail = detail;
        state.end = None;
        // SAFETY: only the lifetime of the trait object is forgotten; the pointer is dropped below, before `inputs` ends, and
        // nothing else uses `inputs` in between.
        let inputs: NonNull<dyn Inputs> = unsafe { std::mem::transmute(NonNull::from(inputs)) };
        state.inputs = Some(inputs);
        let direct = inner.direct && detail == Detail::Verdict;
        if direct != self.direct {
            let control = self.places.control.data_mut(&mut self.store);
            control[DIRECT as usize..][..4].copy_from_slice(&u32::from(direct).to_le_bytes());
            self.direct = direct;
        }
        if inner.switched {
            activate(&mut self.store, &self.places);
        }
        let result = with_stack(|| function.call(&mut self.store, ()));
        self.store.data_mut().inputs = None;

        let verdict = match &result {
            Ok(()) => Ok(Verdict::Holds),
            Err(error) => conclude(inner, &mut self.store, &self.places, Some(error)),
        };
        let extent = settle(inner, &mut self.store, &self.places, direct);
        work::charge(price::GROUP + self.store.data().observation.work / price::COMPILED);
        let layout = &inner.rewritten.layout;
        let restored = if inner.analysis.volatile {
            None
        } else {
            clean(&mut self.store, &mut self.places, snapshot, layout, extent, &self.base_notices)
        };
        self.stale = restored.is_none();
        self.store.data_mut().observation.statics_changed = restored.unwrap_or(true);
        verdict
    }

    /// What the last group left behind.
    pub fn observation(&self) -> &Observation {
        &self.store.data().observation
    }

    /// The module.
    pub fn compiled(&self) -> &Compiled {
        &self.compiled
    }
}

/// Takes over what the control memory holds when a group has ended: its work, and the runs that nobody has recorded yet. The
/// record of a run that is still open ends there.
fn settle(inner: &Inner, store: &mut Store<State>, places: &Places, direct: bool) -> Extent {
    let (control, state) = places.control.data_and_store_mut(store);
    let layout = &inner.rewritten.layout;
    let work = u64::from_le_bytes(control[WORK as usize..][..8].try_into().unwrap_or_default());
    state.observation.work = work.min(inner.config.limits.work);
    state.observation.checks += direct::word(control, CHECKS);
    if direct {
        direct::drain(control, layout, &mut state.observation);
        if direct::word(control, OPEN) > 0 {
            collect(control, layout, &inner.config, state.observation.start());
        }
    } else if state.open > 0
        && let Some(record) = state.observation.last()
        && record.program.is_none()
    {
        collect(control, layout, &inner.config, record);
    }
    Extent::read(control)
}

/// Brings everything back to the start of a group, and says whether static data had changed; `None` where that is impossible.
fn clean(
    store: &mut Store<State>,
    places: &mut Places,
    snapshot: &Snapshot,
    layout: &Layout,
    extent: Extent,
    base_notices: &[(shadow::Notice, u32, u32)],
) -> Option<bool> {
    let changed = restore(store, places, snapshot, layout, extent)?;
    let state = store.data_mut();
    state.world.reset();
    state.program_files.clear();
    state.program_world = None;
    state.isolation.clear();
    if let Some(shadow) = state.shadow
        && !state.notices.is_empty()
    {
        let (shadow, state) = shadow.data_and_store_mut(store);
        for (_, block, size) in &state.notices {
            shadow::forget(shadow, *block, *size);
        }
        state.notices.clear();
        for (notice, block, size) in base_notices {
            shadow::enter(shadow, *notice, *block, *size);
        }
    }
    Some(changed)
}

/// How a whole program ended.
pub(crate) struct Ended {
    pub(crate) verdict: Verdict,
    pub(crate) exit: i32,
    pub(crate) work: u64,
    pub(crate) world: World,
    pub(crate) crash: Option<Crash>,
}

/// Runs a program's `_start` in a fresh instance, from this much work on, and records into the run's record.
pub(crate) fn run_start(
    compiled: &Compiled,
    setup: Setup,
    work: u64,
    record: &mut RunRecord,
) -> Result<Ended, Error> {
    let inner = &compiled.0;
    let (mut store, places, instance) = instantiate(compiled, State::new(compiled, World::new(setup)), work)?;
    let start = instance
        .get_typed_func::<(), ()>(&mut store, "_start")
        .map_err(|_| Error::NoStart(store.data().program_name()))?;
    // The trace of a long run is handed over in parts to the record of the open run.
    store.data_mut().open = 1;
    store.data_mut().observation.start();
    let done = read_u64(&places, &store, WORK);
    let top = u32::MAX >> 1;
    prepare(&mut store, &places, done, top);
    reset(places.control.data_mut(&mut store), &inner.rewritten.layout, &inner.config);
    let result = with_stack(|| start.call(&mut store, ()));
    let exit = match (&result, &store.data().end) {
        (Ok(()), _) => Some(0),
        (Err(_), Some(End::Exit(code))) => Some(*code),
        _ => None,
    };
    let verdict = match exit {
        Some(_) => Verdict::Holds,
        None => conclude(inner, &mut store, &places, result.as_ref().err())?,
    };
    let work = read_u64(&places, &store, WORK);
    let (control, state) = places.control.data_and_store_mut(&mut store);
    let program = record.program;
    if let Some(recorded) = state.observation.last() {
        collect(control, &inner.rewritten.layout, &inner.config, recorded);
        std::mem::swap(&mut record.covered, &mut recorded.covered);
        std::mem::swap(&mut record.counts, &mut recorded.counts);
        std::mem::swap(&mut record.trace, &mut recorded.trace);
    }
    record.program = program;
    let crash = state.observation.crash.take();
    let world = store.into_data().world;
    Ok(Ended { verdict, exit: exit.unwrap_or(-1), work, world, crash })
}

/// A new store with an instance of the module in it.
pub(crate) fn instantiate(
    compiled: &Compiled,
    state: State,
    work: u64,
) -> Result<(Store<State>, Places, wasmtime::Instance), Error> {
    let inner = &compiled.0;
    let mut store = Store::new(engine()?, state);
    store.limiter(|state| state);
    let instance = match with_stack(|| inner.pre.instantiate(&mut store)) {
        Ok(instance) => instance,
        Err(error) => {
            return Err(match store.data_mut().end.take() {
                Some(End::Failure(message)) => Error::Engine(message),
                Some(End::Cut) => Error::Cut,
                Some(End::Crash(kind, message, place)) => {
                    Error::Initialize(Box::new(located(crash(inner, &error, kind, message), place)))
                }
                _ => match error.downcast_ref::<Trap>() {
                    Some(trap) => {
                        let (kind, message) = trapped(*trap);
                        Error::Initialize(Box::new(crash(inner, &error, kind, message)))
                    }
                    None => Error::Engine(format!("{error:#}")),
                },
            });
        }
    };
    let mut memory = |name: &str| instance.get_memory(&mut store, &format!("twinrun:{name}"));
    let (subject, control, dirty, shadow) =
        (memory("memory"), memory("control"), memory("dirty"), memory("heap"));
    let control = control.ok_or_else(|| Error::Engine("the control memory is missing".to_owned()))?;
    let mut global = |(index, _): &(u32, wasmparser::ValType)| match instance
        .get_export(&mut store, &format!("twinrun:global:{index}"))
    {
        Some(Extern::Global(global)) => Some(global),
        _ => None,
    };
    let globals: Vec<Global> = inner.analysis.mutable_globals.iter().filter_map(&mut global).collect();
    let state = store.data_mut();
    state.memory = subject;
    state.control = Some(control);
    state.shadow = shadow;
    let dirty = subject.and(dirty);
    let places = Places { memory: subject, control, dirty, globals, marked: Vec::new() };
    let done = work.saturating_add(read_u64(&places, &store, WORK));
    control.data_mut(&mut store)[WORK as usize..][..8].copy_from_slice(&done.to_le_bytes());
    Ok((store, places, instance))
}

/// Sets the counters for a new start.
pub(crate) fn prepare(store: &mut Store<State>, places: &Places, work: u64, top: u32) {
    let control: Memory = places.control;
    let header = &mut control.data_mut(&mut *store)[..40];
    header[PAUSE as usize..][..8].fill(0);
    header[WORK as usize..][..8].copy_from_slice(&work.to_le_bytes());
    header[DEPTH as usize..][..4].fill(0);
    header[LOW as usize..][..4].copy_from_slice(&top.to_le_bytes());
    header[OVERRUN as usize..][..4].fill(0);
    activate(store, places);
}

/// Tells the instance which patch is active.
fn activate(store: &mut Store<State>, places: &Places) {
    let active = store.data().compiled.0.active.load(std::sync::atomic::Ordering::Relaxed);
    places.control.data_mut(store)[ACTIVE as usize..][..4].copy_from_slice(&active.to_le_bytes());
}

fn read_u64(places: &Places, store: &Store<State>, at: u64) -> u64 {
    let control = places.control.data(store);
    u64::from_le_bytes(control[at as usize..][..8].try_into().unwrap_or_default())
}

fn read_u32(places: &Places, store: &Store<State>, at: u64) -> u32 {
    read_u64(places, store, at) as u32
}

/// The verdict of a call that ended so; fills the observation.
fn conclude(
    inner: &Inner,
    store: &mut Store<State>,
    places: &Places,
    error: Option<&wasmtime::Error>,
) -> Result<Verdict, Error> {
    let limits = inner.config.limits;
    let work = read_u64(places, store, WORK);
    store.data_mut().observation.work = work.min(limits.work);
    let Some(error) = error else { return Ok(Verdict::Holds) };
    let end = store.data_mut().end.take();
    let found = match end {
        Some(End::Discard) => return Ok(Verdict::Discarded),
        Some(End::Check(line)) => {
            let location = check_location(inner, error, line);
            if let Some(check) = &mut store.data_mut().observation.check {
                check.location = location;
            }
            return Ok(Verdict::Violated);
        }
        Some(End::ProgramCrash) => return Ok(Verdict::Crashed),
        Some(End::ProgramTimeout) => return Ok(Verdict::Timeout),
        Some(End::Failure(message)) => return Err(Error::Engine(message)),
        // It says nothing, like one whose assumption failed.
        Some(End::Cut) => return Ok(Verdict::Discarded),
        Some(End::Exit(code)) => {
            let message = format!("the subject ended the process with exit code {code}");
            crash(inner, error, CrashKind::Other("exit".to_owned()), message)
        }
        Some(End::Crash(CrashKind::Exception, message, _)) => {
            // Where it was thrown: where nobody catches it, its landings have been left already.
            let thrown = store.data_mut().thrown.take();
            let stack = thrown.map_or_else(|| stack(inner, error), |thrown| frames(inner, &thrown));
            Crash { kind: CrashKind::Exception, message, stack }
        }
        Some(End::Crash(kind, message, place)) => located(crash(inner, error, kind, message), place),
        None => {
            let trap = error.downcast_ref::<Trap>().copied();
            let ours = trap == Some(Trap::UnreachableCodeReached);
            if ours && work > limits.work {
                return Ok(Verdict::Timeout);
            }
            let deep = ours && read_u32(places, store, DEPTH) > limits.depth;
            let (kind, message) = match trap {
                _ if deep => {
                    let message = format!("more than {} calls are open at once", limits.depth);
                    (CrashKind::StackOverflow, message)
                }
                Some(_) if ours && read_u32(places, store, OVERRUN) != 0 => {
                    (CrashKind::StackOverflow, "the stack is exhausted".to_owned())
                }
                Some(trap) => trapped(trap),
                None => return Err(Error::Engine(format!("{error:#}"))),
            };
            crash(inner, error, kind, message)
        }
    };
    store.data_mut().observation.crash = Some(found);
    Ok(Verdict::Crashed)
}

/// A crash whose exact place the safety check itself knew.
fn located(mut crash: Crash, place: Option<Location>) -> Crash {
    if let (Some(place), Some(frame)) = (place, crash.stack.first_mut()) {
        frame.location = Some(place);
    }
    crash
}

/// The place of a check: its line, in the file of the innermost user function.
fn check_location(inner: &Inner, error: &wasmtime::Error, line: u32) -> Option<Location> {
    let frames = stack(inner, error);
    let place = frames.iter().find_map(|frame| {
        let function =
            inner.sites.functions.iter().find(|function| function.user && function.name == frame.function)?;
        function.place
    })?;
    let file = inner.sites.location(place).file;
    Some(Location { file, line, column: 0 })
}

fn initialize_error(
    compiled: &Compiled,
    store: &mut Store<State>,
    places: &Places,
    error: &wasmtime::Error,
) -> Error {
    match conclude(&compiled.0, store, places, Some(error)) {
        Err(error) => error,
        Ok(Verdict::Discarded) if cut::is_requested() => Error::Cut,
        Ok(Verdict::Timeout) => {
            let message = "initialisation does not end within the work limit".to_owned();
            let kind = CrashKind::Other("timeout".to_owned());
            Error::Initialize(Box::new(Crash { kind, message, stack: stack(&compiled.0, error) }))
        }
        Ok(_) => match store.data_mut().observation.crash.take() {
            Some(crash) => Error::Initialize(Box::new(crash)),
            None => Error::Engine(format!("{error:#}")),
        },
    }
}
