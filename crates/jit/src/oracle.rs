//! Oracles over the rewriter, for property tests and fuzz targets: whatever the module, the rewritten one behaves as the
//! original, and a restored instance is as a fresh one.

use twinrun_base::sites::{Block, Branch, BranchKind, Function};
use twinrun_base::{Limits, Sites};
use twinrun_world::{Setup, World};
use wasmparser::{Operator, Parser, Payload};
use wasmtime::{AsContextMut, Extern, ExternType, Instance, Module, Ref, Store, Trap, Val, ValType};

use crate::analysis::analyse;
use crate::compiled::Compiled;
use crate::config::Config;
use crate::engine::{engine, with_stack};
use crate::error::Error;
use crate::host::{collect, reset};
use crate::instance::{instantiate, prepare};
use crate::restore::{Extent, Snapshot, restore};
use crate::state::State;

/// A site table without source: every function is user code, every branch is a branch, and a block begins wherever control
/// may arrive or go on after a branch. For modules without debug information.
pub fn sites_without_source(bytes: &[u8], user: impl Fn(&str) -> bool) -> Result<Sites, Error> {
    let analysis = analyse(bytes)?;
    let mut sites = Sites::default();
    let mut index = analysis.imports.len() as u32;
    for payload in Parser::new(0).parse_all(bytes) {
        let invalid = |error: wasmparser::BinaryReaderError| Error::Invalid(error.to_string());
        let Payload::CodeSectionEntry(body) = payload.map_err(invalid)? else { continue };
        let offset_of = |position: usize| (position - analysis.code_start) as u32;
        let name = analysis.function_name(index).map_or_else(|| format!("function {index}"), str::to_owned);
        let function = sites.functions.len() as u32;
        let range = (offset_of(body.range().start), offset_of(body.range().end));
        let user = user(&name);
        sites.functions.push(Function { index, name, user, range, place: None });
        index += 1;
        if !user {
            continue;
        }
        let mut reader = body.get_operators_reader().map_err(invalid)?;
        let mut begins = true;
        while !reader.eof() {
            let offset = offset_of(reader.original_position());
            let operator = reader.read().map_err(invalid)?;
            if begins {
                if let Some(last) = sites.blocks.last_mut().filter(|block| block.function == function) {
                    last.end = offset;
                }
                sites.blocks.push(Block { function, offset, end: range.1, places: Vec::new() });
            }
            let branch = match &operator {
                Operator::If { .. } => Some((BranchKind::If, 2)),
                Operator::BrIf { .. } => Some((BranchKind::BrIf, 2)),
                Operator::BrTable { targets } => Some((BranchKind::BrTable, targets.len() + 1)),
                Operator::Select | Operator::TypedSelect { .. } => Some((BranchKind::Select, 2)),
                _ => None,
            };
            if let Some((kind, outcomes)) = branch {
                sites.branches.push(Branch {
                    function,
                    offset,
                    kind,
                    outcomes,
                    place: None,
                    statement: None,
                });
            }
            begins = matches!(
                operator,
                Operator::If { .. }
                    | Operator::Else
                    | Operator::End
                    | Operator::Loop { .. }
                    | Operator::BrIf { .. }
                    | Operator::Br { .. }
                    | Operator::BrTable { .. }
                    | Operator::Return
            ) && !reader.eof();
        }
    }
    Ok(sites)
}

/// How calling all exported functions of a module ended, one line each, and the state that it left.
#[derive(Debug, PartialEq)]
struct Behaviour {
    calls: Vec<String>,
    /// Contents of exported globals and memories, by name; `None` after a stack overflow, whose place is the engine's own.
    state: Option<Vec<String>>,
}

/// Compares a module with what the rewriter makes of it: results, traps, memory and globals; traces, counts and coverage
/// with each other; the memory of a restored instance with a fresh one's. Modules that cannot run here at all pass.
///
/// # Errors
/// What differs.
pub fn rewriting_keeps_behaviour(bytes: &[u8]) -> Result<(), String> {
    let engine = engine().map_err(|error| error.to_string())?;
    let Ok(original) = Module::new(engine, bytes) else { return Ok(()) };
    if original.imports().len() > 0 {
        return Ok(());
    }
    let Ok(sites) = sites_without_source(bytes, |_| true) else { return Ok(()) };
    let expected = {
        let mut store = Store::new(original.engine(), ());
        match with_stack(|| Instance::new(&mut store, &original, &[])) {
            Ok(instance) => behaviour(&mut store, &original, instance),
            Err(_) => return Ok(()),
        }
    };
    let limits = Limits { memory: 1 << 32, work: 1 << 40, depth: 1 << 24, ..Limits::default() };
    let base = Config { limits, coverage: false, ..Config::default() };
    let configs = [
        base.clone(),
        Config { coverage: true, ..base.clone() },
        Config { trace: true, counts: true, ..base.clone() },
        Config { coverage: true, trace: true, counts: true, heap_checks: true, isolate: true, ..base },
    ];
    let mut traces = Vec::new();
    for config in configs {
        let compiled =
            Compiled::new(bytes, &sites, &config).map_err(|error| format!("does not compile: {error}"))?;
        let (found, record) = observe(&compiled, &original)?;
        if expected.state.is_none() || found.state.is_none() {
            return Ok(());
        }
        if found != expected {
            return Err(format!("with {config:?}:\noriginal:  {expected:?}\nrewritten: {found:?}"));
        }
        if config.trace {
            let mut counts = vec![0; compiled.edges().count()];
            record.trace.iter().for_each(|edge| counts[*edge as usize] += 1);
            if counts != record.counts {
                return Err("the counts are not those of the trace".to_owned());
            }
            traces.push(record.trace);
        }
    }
    if traces.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err("the trace depends on what else is recorded".to_owned());
    }
    Ok(())
}

/// The behaviour of the rewritten module, with what it recorded; also checks that a restore brings back the start.
fn observe(compiled: &Compiled, original: &Module) -> Result<(Behaviour, crate::RunRecord), String> {
    let inner = &compiled.0;
    let text = |error: Error| error.to_string();
    let start = || instantiate(compiled, State::new(compiled, World::new(Setup::default())), 0);
    let (mut store, mut places, instance) = start().map_err(text)?;
    let layout = inner.rewritten.layout;
    let snapshot = Snapshot::take(&mut store, places.memory, &places.globals, &inner.analysis);
    prepare(&mut store, &places, 0, snapshot.top);
    if places.dirty.is_some() {
        let extent = Extent::read(places.control.data(&store));
        restore(&mut store, &mut places, &snapshot, &layout, extent);
    }
    reset(places.control.data_mut(&mut store), &layout, &inner.config);
    store.data_mut().open = 1;
    store.data_mut().observation.start();
    let found = behaviour(&mut store, original, instance);
    let (control, state) = places.control.data_and_store_mut(&mut store);
    let mut record = state.observation.last().cloned().unwrap_or_default();
    collect(control, &layout, &inner.config, &mut record);

    let grown = places.memory.is_some_and(|memory| memory.data_size(&store) != snapshot.memory.len());
    if !grown && !inner.analysis.volatile && found.state.is_some() {
        let extent = Extent::read(places.control.data(&store));
        restore(&mut store, &mut places, &snapshot, &layout, extent);
        let again = Snapshot::take(&mut store, places.memory, &places.globals, &inner.analysis);
        if again.memory != snapshot.memory {
            return Err("a restored instance differs from a fresh one".to_owned());
        }
    }
    Ok((found, record))
}

/// Calls every exported function once, in order, with zeros; then looks at exported memories and globals.
fn behaviour<T: 'static>(store: &mut Store<T>, module: &Module, instance: Instance) -> Behaviour {
    let mut behaviour = Behaviour { calls: Vec::new(), state: None };
    for export in module.exports() {
        let ExternType::Func(ty) = export.ty() else { continue };
        let Some(function) = instance.get_func(&mut *store, export.name()) else { continue };
        let arguments: Option<Vec<Val>> = ty.params().map(|ty| zero(&ty)).collect();
        let Some(arguments) = arguments else { continue };
        let mut results = vec![Val::I32(0); ty.results().len()];
        let outcome = match with_stack(|| function.call(&mut *store, &arguments, &mut results)) {
            Ok(()) => show(&results),
            Err(error) => match error.downcast_ref::<Trap>() {
                Some(Trap::StackOverflow) => return behaviour,
                Some(trap) => format!("trap: {trap}"),
                None => format!("error: {error:#}"),
            },
        };
        behaviour.calls.push(format!("{}: {outcome}", export.name()));
    }
    let mut state = Vec::new();
    for export in module.exports() {
        let shown = match instance.get_export(&mut *store, export.name()) {
            Some(Extern::Memory(memory)) => {
                let data = memory.data(&*store);
                format!("{} bytes, {}", data.len(), twinrun_base::Hash::of([data]))
            }
            Some(Extern::Global(global)) => {
                let value = global.get(store.as_context_mut());
                show(&[value])
            }
            _ => continue,
        };
        state.push(format!("{}: {shown}", export.name()));
    }
    behaviour.state = Some(state);
    behaviour
}

fn zero(ty: &ValType) -> Option<Val> {
    Some(match ty {
        ValType::I32 => Val::I32(0),
        ValType::I64 => Val::I64(0),
        ValType::F32 => Val::F32(0),
        ValType::F64 => Val::F64(0),
        ValType::V128 => Val::V128(0u128.into()),
        ValType::Ref(ty) if ty.is_nullable() => Val::null_ref(ty.heap_type()),
        ValType::Ref(_) => return None,
    })
}

/// Values as text; references only as null or not, because their identity is the engine's own.
fn show(values: &[Val]) -> String {
    let one = |value: &Val| match value {
        Val::I32(number) => format!("{number}"),
        Val::I64(number) => format!("{number}L"),
        Val::F32(bits) => format!("{bits:08x}f"),
        Val::F64(bits) => format!("{bits:016x}d"),
        Val::V128(bits) => format!("{:032x}v", bits.as_u128()),
        other => match other.ref_() {
            Some(Ref::Func(None) | Ref::Extern(None) | Ref::Any(None)) => "null".to_owned(),
            _ => "reference".to_owned(),
        },
    };
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}
