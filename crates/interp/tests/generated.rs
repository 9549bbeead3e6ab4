//! Generated modules behave as on wasmtime: results, traps, memories and globals.

mod common;

use std::sync::Arc;

use twinrun_base::{Limits, Rng};
use twinrun_interp::module::Item;
use twinrun_interp::{
    Concrete, LoadOptions, Module, NoImports, Outcome, State, Trap, Type, call, instantiate, link,
};
use wasmtime::{Config, Engine, Extern, Instance, Store, Val};

/// What happened, one line for each call, and what is left in memories and globals.
type Behaviour = Vec<String>;

fn ours(bytes: &[u8], seed: u64) -> Option<Behaviour> {
    let module = Arc::new(Module::new(bytes, LoadOptions::default()).unwrap());
    let limits = Limits { work: 1 << 40, memory: u64::MAX, output: 0, depth: 2000 };
    let mut state: State<Concrete> = State::new(limits);
    let instance = match instantiate(&mut state, &mut Concrete, &mut NoImports, &module) {
        Ok(instance) => instance,
        Err(error) => return Some(vec![format!("link: {error}")]),
    };
    if let Some(start) = link::start(&state, instance) {
        match call(&mut state, &mut Concrete, &mut NoImports, &mut (), start, &[]) {
            Outcome::Finished => {}
            Outcome::Trapped(Trap::StackOverflow) => return None,
            Outcome::Trapped(trap) => return Some(vec![format!("link: {trap}")]),
            other => panic!("{other:?}"),
        }
    }
    let mut rng = Rng::new(seed);
    let mut behaviour = Vec::new();
    for name in module.exports.keys() {
        let Some(Item::Function(function)) = state.export(instance, name) else { continue };
        let ty = state.function_type(function).clone();
        let arguments: Vec<u64> = ty.params.iter().map(|ty| narrow(*ty, common::bits(&mut rng))).collect();
        // Work on a clone and go on with it: a clone is as good as the original.
        let mut fork = state.clone();
        let outcome = call(&mut fork, &mut Concrete, &mut NoImports, &mut (), function, &arguments);
        fork.frames.clear();
        state = fork;
        behaviour.push(match outcome {
            Outcome::Finished => {
                let shown: Vec<String> =
                    ty.results.iter().zip(&state.results).map(|(ty, bits)| show(*ty, *bits)).collect();
                format!("{name}: {}", shown.join(", "))
            }
            Outcome::Trapped(Trap::StackOverflow) => return None,
            Outcome::Trapped(trap) => format!("{name}: {trap}"),
            other => panic!("{other:?}"),
        });
    }
    for name in module.exports.keys() {
        match state.export(instance, name) {
            Some(Item::Memory(memory)) => {
                let memory = &state.memories[memory as usize];
                let bytes = memory.read(0, memory.len()).unwrap();
                behaviour.push(format!(
                    "{name}: {} bytes, {}",
                    bytes.len(),
                    twinrun_base::Hash::of([&bytes[..]])
                ));
            }
            Some(Item::Global(global)) => {
                let ty = state.linked.globals[global as usize].0;
                behaviour.push(format!("{name}: {}", show(ty, state.globals[global as usize])));
            }
            _ => {}
        }
    }
    Some(behaviour)
}

fn theirs(engine: &Engine, bytes: &[u8], seed: u64) -> Option<Behaviour> {
    // It is built without garbage collection and so refuses external references.
    let module = wasmtime::Module::new(engine, bytes).ok()?;
    let mut store = Store::new(engine, ());
    let instance = match Instance::new(&mut store, &module, &[]) {
        Ok(instance) => instance,
        Err(error) => return trapped(&error).map(|trap| vec![format!("link: {trap}")]),
    };
    let names: std::collections::BTreeSet<String> =
        module.exports().map(|export| export.name().to_owned()).collect();
    let mut rng = Rng::new(seed);
    let mut behaviour = Vec::new();
    for name in &names {
        let Some(function) = instance.get_func(&mut store, name) else { continue };
        let ty = function.ty(&store);
        let arguments: Vec<Val> = ty.params().map(|ty| value(&ty, common::bits(&mut rng))).collect();
        let mut results = vec![Val::I32(0); ty.results().len()];
        behaviour.push(match function.call(&mut store, &arguments, &mut results) {
            Ok(()) => format!("{name}: {}", results.iter().map(show_theirs).collect::<Vec<_>>().join(", ")),
            Err(error) => format!("{name}: {}", trapped(&error)?),
        });
    }
    for name in &names {
        match instance.get_export(&mut store, name) {
            Some(Extern::Memory(memory)) => {
                let bytes = memory.data(&store);
                behaviour.push(format!("{name}: {} bytes, {}", bytes.len(), twinrun_base::Hash::of([bytes])));
            }
            Some(Extern::Global(global)) => {
                let value = global.get(&mut store);
                behaviour.push(format!("{name}: {}", show_theirs(&value)));
            }
            _ => {}
        }
    }
    Some(behaviour)
}

/// Our word for a trap of wasmtime; nothing for a stack overflow, whose place is the engine's own.
fn trapped(error: &wasmtime::Error) -> Option<String> {
    use wasmtime::Trap as T;
    let trap = match error.downcast_ref::<T>() {
        Some(T::StackOverflow) => return None,
        Some(T::UnreachableCodeReached) => Trap::Unreachable,
        Some(T::MemoryOutOfBounds) => Trap::MemoryOutOfBounds,
        Some(T::TableOutOfBounds) => Trap::TableOutOfBounds,
        Some(T::IndirectCallToNull) => Trap::NullCall,
        Some(T::BadSignature) => Trap::SignatureMismatch,
        Some(T::IntegerDivisionByZero) => Trap::DivisionByZero,
        Some(T::IntegerOverflow) => Trap::IntegerOverflow,
        Some(T::BadConversionToInteger) => Trap::BadConversion,
        other => panic!("{other:?} {error:?}"),
    };
    Some(trap.to_string())
}

fn narrow(ty: Type, bits: u64) -> u64 {
    match ty {
        Type::I32 | Type::F32 => bits & 0xffff_ffff,
        Type::FuncRef | Type::ExternRef => 0,
        _ => bits,
    }
}

fn value(ty: &wasmtime::ValType, bits: u64) -> Val {
    match ty {
        wasmtime::ValType::I32 => Val::I32(bits as i32),
        wasmtime::ValType::I64 => Val::I64(bits as i64),
        wasmtime::ValType::F32 => Val::F32(bits as u32),
        wasmtime::ValType::F64 => Val::F64(bits),
        wasmtime::ValType::Ref(ty) => Val::null_ref(ty.heap_type()),
        wasmtime::ValType::V128 => panic!("SIMD"),
    }
}

fn show(ty: Type, bits: u64) -> String {
    match ty {
        Type::I32 | Type::F32 => format!("{:08x}", bits as u32),
        Type::FuncRef | Type::ExternRef => (if bits == 0 { "null" } else { "reference" }).to_owned(),
        _ => format!("{bits:016x}"),
    }
}

fn show_theirs(value: &Val) -> String {
    match value {
        Val::I32(value) => format!("{value:08x}"),
        Val::I64(value) => format!("{value:016x}"),
        Val::F32(bits) => format!("{bits:08x}"),
        Val::F64(bits) => format!("{bits:016x}"),
        Val::FuncRef(reference) => (if reference.is_none() { "null" } else { "reference" }).to_owned(),
        Val::ExternRef(reference) => (if reference.is_none() { "null" } else { "reference" }).to_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn generated_modules_behave_as_on_wasmtime() {
    let mut config = Config::new();
    config.cranelift_nan_canonicalization(true);
    let engine = Engine::new(&config).unwrap();
    let mut compared = 0;
    for seed in 0..160 {
        let Some(bytes) = common::generated(seed) else { continue };
        let (Some(mine), Some(expected)) = (ours(&bytes, seed), theirs(&engine, &bytes, seed)) else {
            continue;
        };
        // Beyond a table, the specification has two words where wasmtime has one.
        let mine: Behaviour = mine
            .into_iter()
            .map(|line| {
                line.replace(&Trap::UndefinedElement.to_string(), &Trap::TableOutOfBounds.to_string())
            })
            .collect();
        assert_eq!(mine, expected, "seed {seed}");
        compared += 1;
    }
    assert!(compared > 90, "only {compared} modules were compared");
}
