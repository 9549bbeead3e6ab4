//! Instantiation: a module's things get addresses in a state.

use std::sync::Arc;

use crate::domain::Domain;
use crate::imports::Imports;
use crate::memory::{Memory, WASM_PAGE};
use crate::module::{Import, Init, Item, Module, SegmentMode, Size};
use crate::natives::{self, NATIVE};
use crate::ops::Type;
use crate::state::{Body, Function, Instance, State, Table};
use crate::trap::Trap;

/// What kept a module from being instantiated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Nobody provides an import.
    #[error("unknown import: {0}.{1}")]
    UnknownImport(String, String),
    /// An import is provided with another type.
    #[error("incompatible import type: {0}.{1}")]
    IncompatibleImport(String, String),
    /// A memory or table is larger than the limits allow.
    #[error("the module asks for more memory than the limit allows")]
    Limit,
    /// A segment does not fit, or the start function trapped.
    #[error("{0}")]
    Trap(Trap),
}

/// Instantiates a module whose imports are all functions of the host. The start function is not run yet ([`start`]).
pub fn instantiate<D: Domain>(
    state: &mut State<D>,
    domain: &mut D,
    imports: &mut impl Imports<D>,
    module: &Arc<Module>,
) -> Result<u32, LinkError> {
    instantiate_with(state, domain, imports, module, &|_, _| None)
}

/// The same, where `lookup` may provide an import by an address in the state.
pub fn instantiate_with<D: Domain>(
    state: &mut State<D>,
    domain: &mut D,
    imports: &mut impl Imports<D>,
    module: &Arc<Module>,
    lookup: &dyn Fn(&State<D>, &Import) -> Option<Item>,
) -> Result<u32, LinkError> {
    let mut instance = Instance {
        module: module.clone(),
        functions: Vec::new(),
        tables: Vec::new(),
        memories: Vec::new(),
        globals: Vec::new(),
        types: Vec::new(),
        data: state.dropped_data.len() as u32,
        elements: state.dropped_elements.len() as u32,
        starts: [state.linked.functions.len(), state.tables.len(), state.memories.len(), state.globals.len()],
    };
    let linked = Arc::make_mut(&mut state.linked);
    instance.types = module.types.iter().map(|ty| linked.intern(ty)).collect();
    for import in &module.imports {
        resolve(state, imports, module, &mut instance, import, lookup)?;
    }
    let number = state.linked.instances.len() as u32;
    let linked = Arc::make_mut(&mut state.linked);
    for index in module.imported_functions..module.functions.len() as u32 {
        instance.functions.push(linked.functions.len() as u32);
        let ty = instance.types[module.functions[index as usize] as usize];
        linked.functions.push(Function { ty, body: Body::Code(number, index) });
    }
    for (ty, size) in &module.tables[instance.tables.len()..] {
        if size.initial > 10_000_000 {
            return Err(LinkError::Limit);
        }
        instance.tables.push(state.tables.len() as u32);
        state.tables.push(Table { ty: *ty, entries: vec![0; size.initial as usize], maximum: size.maximum });
    }
    for size in &module.memories[instance.memories.len()..] {
        if size.initial * WASM_PAGE > state.limits.memory {
            return Err(LinkError::Limit);
        }
        instance.memories.push(state.memories.len() as u32);
        let mut memory = Memory::new(size.initial, size.maximum);
        memory.heap = module.options.heap_checks.then(Default::default);
        state.memories.push(memory);
    }
    for global in &module.globals[instance.globals.len()..] {
        let Some(init) = global.init else { continue };
        let value = constant(state, domain, &instance, init);
        instance.globals.push(state.globals.len() as u32);
        state.globals.push(value);
        Arc::make_mut(&mut state.linked).globals.push((global.ty, global.mutable));
    }
    state.dropped_data.resize(state.dropped_data.len() + module.data.len(), false);
    state.dropped_elements.resize(state.dropped_elements.len() + module.elements.len(), false);
    domain.linked(module, &instance.functions);
    Arc::make_mut(&mut state.linked).instances.push(instance.clone());
    segments(state, domain, &instance).map_err(LinkError::Trap)?;
    Ok(number)
}

/// The address of an instance's start function, if it has one.
pub fn start<D: Domain>(state: &State<D>, instance: u32) -> Option<u32> {
    let instance = &state.linked.instances[instance as usize];
    instance.module.start.map(|index| instance.functions[index as usize])
}

fn resolve<D: Domain>(
    state: &mut State<D>,
    imports: &mut impl Imports<D>,
    module: &Module,
    instance: &mut Instance,
    import: &Import,
    lookup: &dyn Fn(&State<D>, &Import) -> Option<Item>,
) -> Result<(), LinkError> {
    let names = || (import.module.clone(), import.name.clone());
    let unknown = || LinkError::UnknownImport(names().0, names().1);
    let incompatible = || LinkError::IncompatibleImport(names().0, names().1);
    let Some(found) = lookup(state, import) else {
        let Item::Function(index) = import.item else { return Err(unknown()) };
        let ty = module.function_type(index);
        let number = match natives::find(&import.module, &import.name, ty) {
            Some(_) => NATIVE,
            None => imports.resolve(&import.module, &import.name, ty).ok_or_else(unknown)?,
        };
        let linked = Arc::make_mut(&mut state.linked);
        instance.functions.push(linked.functions.len() as u32);
        let ty = instance.types[module.functions[index as usize] as usize];
        linked.functions.push(Function { ty, body: Body::Host(number) });
        return Ok(());
    };
    let fits = match (import.item, found) {
        (Item::Function(index), Item::Function(address)) => {
            instance.functions.push(address);
            module.function_type(index) == state.function_type(address)
        }
        (Item::Table(index), Item::Table(address)) => {
            instance.tables.push(address);
            let (ty, size) = &module.tables[index as usize];
            let table = &state.tables[address as usize];
            *ty == table.ty && size_fits(size, table.entries.len() as u64, table.maximum)
        }
        (Item::Memory(index), Item::Memory(address)) => {
            instance.memories.push(address);
            let memory = &state.memories[address as usize];
            let size = &module.memories[index as usize];
            size_fits(size, memory.len() / WASM_PAGE, memory.declared)
        }
        (Item::Global(index), Item::Global(address)) => {
            instance.globals.push(address);
            let global = &module.globals[index as usize];
            state.linked.globals[address as usize] == (global.ty, global.mutable)
        }
        _ => false,
    };
    if fits { Ok(()) } else { Err(incompatible()) }
}

fn size_fits(wanted: &Size, length: u64, maximum: Option<u64>) -> bool {
    length >= wanted.initial
        && wanted.maximum.is_none_or(|wanted| maximum.is_some_and(|maximum| maximum <= wanted))
}

fn constant<D: Domain>(state: &State<D>, domain: &mut D, instance: &Instance, init: Init) -> D::Value {
    match init {
        Init::Bits(ty, bits) => domain.constant(ty, bits),
        Init::Global(index) => state.globals[instance.globals[index as usize] as usize],
        Init::Function(index) => domain.constant(Type::FuncRef, reference(instance, index)),
    }
}

fn reference(instance: &Instance, function: u32) -> u64 {
    u64::from(instance.functions[function as usize]) + 1
}

/// The references of an element segment.
pub(crate) fn elements<D: Domain>(
    state: &State<D>,
    domain: &D,
    instance: &Instance,
    segment: usize,
) -> Vec<u64> {
    let items = &instance.module.elements[segment].items;
    items
        .iter()
        .map(|init| match *init {
            Init::Bits(_, bits) => bits,
            Init::Global(index) => domain.peek(state.globals[instance.globals[index as usize] as usize]),
            Init::Function(index) => reference(instance, index),
        })
        .collect()
}

fn segments<D: Domain>(state: &mut State<D>, domain: &mut D, instance: &Instance) -> Result<(), Trap> {
    for (index, segment) in instance.module.elements.iter().enumerate() {
        match segment.mode {
            SegmentMode::Active(table, offset) => {
                let offset = constant(state, domain, instance, offset);
                let offset = domain.peek(offset) as usize;
                let items = elements(state, domain, instance, index);
                let table = &mut state.tables[instance.tables[table as usize] as usize];
                let target =
                    table.entries.get_mut(offset..offset + items.len()).ok_or(Trap::TableOutOfBounds)?;
                target.copy_from_slice(&items);
                state.dropped_elements[instance.elements as usize + index] = true;
            }
            SegmentMode::Declared => state.dropped_elements[instance.elements as usize + index] = true,
            SegmentMode::Passive => {}
        }
    }
    for (index, segment) in instance.module.data.iter().enumerate() {
        if let SegmentMode::Active(memory, offset) = segment.mode {
            let offset = constant(state, domain, instance, offset);
            let offset = domain.peek(offset);
            let memory = &mut state.memories[instance.memories[memory as usize] as usize];
            domain.write(memory, offset, instance.module.data_bytes(index))?;
            state.dropped_data[instance.data as usize + index] = true;
        }
    }
    Ok(())
}
