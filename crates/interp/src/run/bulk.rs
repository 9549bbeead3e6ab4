//! Instructions on whole ranges of memories and tables: rare, so out of the loop.

use twinrun_base::cut;
use twinrun_base::limits::{BYTES_SHIFT, ENTRIES_SHIFT, PAGE_WORK};

use crate::domain::{Domain, Origin, Position};
use crate::instr::{Instr, Reg};
use crate::link;
use crate::memory::WASM_PAGE;
use crate::ops::Type;
use crate::state::{Instance, State};
use crate::trap::Trap;

/// Executes one of the instructions on ranges, and gives the work that it costs; `base` is the frame's first register.
pub(super) fn execute<D: Domain>(
    state: &mut State<D>,
    domain: &mut D,
    instance: &Instance,
    at: Position,
    base: usize,
    instr: Instr,
) -> Result<u64, Trap> {
    let mut units = 0;
    let reg = |reg: Reg| base + usize::from(reg);
    macro_rules! number {
        ($reg:expr) => {{
            let value = state.stack[reg($reg)];
            domain.concretise(at, value)? & 0xffff_ffff
        }};
    }
    match instr {
        Instr::MemorySize { dst } => {
            let pages = memory(state, instance)?.len() / WASM_PAGE;
            state.stack[reg(dst)] = domain.constant(Type::I32, pages);
        }
        Instr::MemoryGrow { dst, a } => {
            let pages = number!(a);
            let desired = memory(state, instance)?.len() + pages * WASM_PAGE;
            if desired > state.limits.memory {
                state.fault = (desired, 0);
                return Err(Trap::MemoryLimit);
            }
            let old = memory(state, instance)?.grow(pages);
            units = old.map_or(0, |_| pages * PAGE_WORK);
            state.stack[reg(dst)] = domain.constant(Type::I32, old.unwrap_or(0xffff_ffff));
        }
        Instr::MemoryCopy { to, from, len } => {
            let (to, from, len) = (number!(to), number!(from), number!(len));
            domain.copy(memory(state, instance)?, to, from, len)?;
            units = len >> BYTES_SHIFT;
        }
        Instr::MemoryFill { to, a, len } => {
            let (to, len) = (number!(to), number!(len));
            let value = state.stack[reg(a)];
            fill(domain, memory(state, instance)?, to, value, len)?;
            units = len >> BYTES_SHIFT;
        }
        Instr::MemoryInit { to, from, len, segment } => {
            let (to, from, len) = (number!(to), number!(from) as usize, number!(len) as usize);
            let dropped = state.dropped_data[(instance.data + segment) as usize];
            let bytes = if dropped { &[] } else { instance.module.data_bytes(segment as usize) };
            let bytes = bytes.get(from..from + len).ok_or(Trap::MemoryOutOfBounds)?;
            domain.write(memory(state, instance)?, to, bytes)?;
            units = len as u64 >> BYTES_SHIFT;
        }
        Instr::DataDrop { segment } => state.dropped_data[(instance.data + segment) as usize] = true,
        Instr::TableGet { dst, a, table } => {
            let index = number!(a) as usize;
            let table = &state.tables[instance.tables[table as usize] as usize];
            let bits = *table.entries.get(index).ok_or(Trap::TableOutOfBounds)?;
            state.stack[reg(dst)] = domain.constant(table.ty, bits);
        }
        Instr::TableSet { a, b, table } => {
            let index = number!(a) as usize;
            let value = state.stack[reg(b)];
            let bits = domain.concretise(at, value)?;
            let table = &mut state.tables[instance.tables[table as usize] as usize];
            *table.entries.get_mut(index).ok_or(Trap::TableOutOfBounds)? = bits;
        }
        Instr::TableSize { dst, table } => {
            let size = state.tables[instance.tables[table as usize] as usize].entries.len();
            state.stack[reg(dst)] = domain.constant(Type::I32, size as u64);
        }
        Instr::TableGrow { dst, a, len, table } => {
            let len = number!(len);
            let value = state.stack[reg(a)];
            let bits = domain.concretise(at, value)?;
            let table = &mut state.tables[instance.tables[table as usize] as usize];
            let old = table.entries.len() as u64;
            let most = table.maximum.unwrap_or(u64::from(u32::MAX)).min(100_000);
            let answer = if old + len > most {
                0xffff_ffff
            } else {
                table.entries.resize((old + len) as usize, bits);
                units = len >> ENTRIES_SHIFT;
                old
            };
            state.stack[reg(dst)] = domain.constant(Type::I32, answer);
        }
        Instr::TableFill { to, a, len, table } => {
            let (to, len) = (number!(to) as usize, number!(len) as usize);
            let value = state.stack[reg(a)];
            let bits = domain.concretise(at, value)?;
            let table = &mut state.tables[instance.tables[table as usize] as usize];
            table.entries.get_mut(to..to + len).ok_or(Trap::TableOutOfBounds)?.fill(bits);
            units = len as u64 >> ENTRIES_SHIFT;
        }
        Instr::TableCopy { to, from, len, tables } => {
            let (to, from, len) = (number!(to) as usize, number!(from) as usize, number!(len) as usize);
            let source = &state.tables[instance.tables[(tables & 0xffff) as usize] as usize];
            let entries = source.entries.get(from..from + len).ok_or(Trap::TableOutOfBounds)?.to_vec();
            let target = &mut state.tables[instance.tables[(tables >> 16) as usize] as usize];
            target.entries.get_mut(to..to + len).ok_or(Trap::TableOutOfBounds)?.copy_from_slice(&entries);
            units = len as u64 >> ENTRIES_SHIFT;
        }
        Instr::TableInit { to, from, len, segment } => {
            let (to, from, len) = (number!(to) as usize, number!(from) as usize, number!(len) as usize);
            let (table, segment) = ((segment >> 16) as usize, (segment & 0xffff) as usize);
            let dropped = state.dropped_elements[instance.elements as usize + segment];
            let items = if dropped { Vec::new() } else { link::elements(state, domain, instance, segment) };
            let items = items.get(from..from + len).ok_or(Trap::TableOutOfBounds)?;
            let table = &mut state.tables[instance.tables[table] as usize];
            table.entries.get_mut(to..to + len).ok_or(Trap::TableOutOfBounds)?.copy_from_slice(items);
            units = len as u64 >> ENTRIES_SHIFT;
        }
        Instr::ElementDrop { segment } => {
            state.dropped_elements[(instance.elements + segment) as usize] = true;
        }
        Instr::HeapCheck { a, width, offset } => {
            let address = state.stack[reg(a)];
            state.fault = ((domain.peek(address) & 0xffff_ffff) + u64::from(offset), u64::from(width));
            domain.touch(at, memory(state, instance)?, address, offset, u32::from(width))?;
        }
        Instr::StackCheck { global, size, end } => {
            let pointer = domain.peek(state.globals[instance.globals[usize::from(global)] as usize]);
            if (pointer as u32).wrapping_sub(size).cast_signed() < end {
                return Err(Trap::StackExhausted);
            }
        }
        Instr::Frame { ended, global, size } => {
            let pointer = domain.peek(state.globals[instance.globals[usize::from(global)] as usize]);
            let high = (pointer & 0xffff_ffff).min(memory(state, instance)?.len());
            let low = (pointer & 0xffff_ffff).saturating_sub(u64::from(size)).min(high);
            let origin = Origin::Frame { ended, function: at.function, low: low as u32 };
            domain.forget(memory(state, instance)?, low, high - low, origin);
        }
        Instr::StackSet { a, global } => {
            let global = instance.globals[global as usize] as usize;
            let (old, new) = (state.globals[global], state.stack[reg(a)]);
            state.globals[global] = new;
            let high = (domain.peek(old) & 0xffff_ffff).min(memory(state, instance)?.len());
            let low = domain.peek(new) & 0xffff_ffff;
            if low < high {
                let origin = Origin::Frame { ended: false, function: at.function, low: low as u32 };
                domain.forget(memory(state, instance)?, low, high - low, origin);
            }
        }
        Instr::RefIsNull { dst, a } => {
            let value = state.stack[reg(a)];
            let null = domain.concretise(at, value)? == 0;
            state.stack[reg(dst)] = domain.constant(Type::I32, u64::from(null));
        }
        Instr::RefFunc { dst, function } => {
            let address = instance.functions[function as usize];
            state.stack[reg(dst)] = domain.constant(Type::FuncRef, u64::from(address) + 1);
        }
        _ => unreachable!("the loop executes all others"),
    }
    Ok(units)
}

/// Fills in pieces, between which a cut may come: values with terms make a long fill slow.
fn fill<D: Domain>(
    domain: &mut D,
    memory: &mut crate::memory::Memory<D::Shadow>,
    mut to: u64,
    value: D::Value,
    mut len: u64,
) -> Result<(), Trap> {
    const PIECE: u64 = 1 << 20;
    if to.checked_add(len).is_none_or(|end| end > memory.len()) {
        return Err(Trap::MemoryOutOfBounds);
    }
    while len > PIECE {
        domain.fill(memory, to, value, PIECE)?;
        (to, len) = (to + PIECE, len - PIECE);
        if cut::is_requested() {
            return Err(Trap::Cut);
        }
    }
    domain.fill(memory, to, value, len)
}

fn memory<'a, D: Domain>(
    state: &'a mut State<D>,
    instance: &Instance,
) -> Result<&'a mut crate::memory::Memory<D::Shadow>, Trap> {
    let memory = *instance.memories.first().ok_or(Trap::MemoryOutOfBounds)?;
    Ok(&mut state.memories[memory as usize])
}
