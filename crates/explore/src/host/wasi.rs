//! Functions of the world: concrete bytes move inside it, their terms move by the effects that it reports.

use std::cell::RefCell;

use twinrun_base::CrashKind;
use twinrun_interp::{Host, Memory, Trap};
use twinrun_world::{Effect, Outcome};

use super::Primitives;
use crate::domain::{Byte, Concolic, Shadow, Value};
use crate::path::Kind;

/// A memory as the world sees it; what it reads is remembered.
struct View<'a> {
    memory: &'a mut Memory<Shadow>,
    reads: RefCell<Vec<(u32, u32)>>,
}

impl twinrun_world::Memory for View<'_> {
    fn read(&self, address: u32, out: &mut [u8]) -> bool {
        match self.memory.read(u64::from(address), out.len() as u64) {
            Ok(bytes) => {
                out.copy_from_slice(&bytes);
                self.reads.borrow_mut().push((address, out.len() as u32));
                true
            }
            Err(_) => false,
        }
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        let written = self.memory.write(u64::from(address), bytes).is_ok();
        if written {
            self.memory.shadow.clear(u64::from(address), bytes.len() as u64);
        }
        written
    }
}

impl Primitives {
    pub(super) fn world_call(&mut self, host: &mut Host<'_, Concolic>, position: usize) -> Result<(), Trap> {
        let function = &twinrun_world::FUNCTIONS[position];
        if function.name == "proc_exit" {
            host.uses(0)?;
        }
        let mut arguments = Vec::new();
        for index in 0..host.params {
            arguments.push(self.fixed(host, index)?);
        }
        let Some(inner) = self.programs.worlds.last_mut() else { return Err(Trap::Host) };
        let before = host.memory()?.shadow.clone();
        let memory = host.state.memory_mut(host.instance).ok_or(Trap::MemoryOutOfBounds)?;
        let mut view = View { memory, reads: RefCell::default() };
        let outcome = inner.world.call(function, &arguments, &mut view);
        let reads = view.reads.into_inner();
        let effects = inner.world.effects().to_vec();
        for effect in &effects {
            match *effect {
                Effect::ToMemory { stream, from, address, length } => {
                    let Some(terms) = inner.streams.get(&stream) else { continue };
                    for offset in 0..u64::from(length) {
                        let byte = terms.get((from + offset) as usize).copied().unwrap_or_default();
                        memory.shadow.set(u64::from(address) + offset, byte);
                    }
                }
                Effect::FromMemory { address, stream, to, length } => {
                    let terms = inner.streams.entry(stream).or_default();
                    let end = (to + u64::from(length)) as usize;
                    if terms.len() < end {
                        terms.resize(end, Byte::default());
                    }
                    for offset in 0..u64::from(length) {
                        terms[(to + offset) as usize] = before.get(u64::from(address) + offset);
                    }
                }
                Effect::Resize { stream, length } => {
                    inner.streams.entry(stream).or_default().resize(length as usize, Byte::default());
                }
            }
        }
        // What the world has read and not merely moved must stay as it was: lengths, paths, tables of buffers.
        for (address, length) in reads {
            for at in u64::from(address)..u64::from(address) + u64::from(length) {
                let moved = effects.iter().any(|effect| match *effect {
                    Effect::FromMemory { address, length, .. } => {
                        (u64::from(address)..u64::from(address) + u64::from(length)).contains(&at)
                    }
                    _ => false,
                });
                let byte = before.get(at);
                if !moved && byte.term.is_some() {
                    self.pin_byte(host, at, byte)?;
                }
            }
        }
        // What is written is seen.
        for effect in &effects {
            if let Effect::FromMemory { address, length, .. } = *effect {
                host.uses_bytes(address, length)?;
            }
        }
        match outcome {
            Outcome::Errno(number) => {
                if function.returns() {
                    host.results.push(Value::i32(i32::from(number)));
                }
                Ok(())
            }
            Outcome::Exit(code) => Err(Trap::Exit(code)),
            Outcome::OutputLimit => {
                Err(self.crash(CrashKind::OutputLimit, "more output than the limit allows".to_owned()))
            }
        }
    }

    /// Fixes a range of memory to what it is now.
    pub(super) fn pin(&self, host: &mut Host<'_, Concolic>, at: u64, length: u64) -> Result<(), Trap> {
        for at in at..at + length {
            let byte = host.memory()?.shadow.get(at);
            if byte.term.is_some() {
                self.pin_byte(host, at, byte)?;
            }
        }
        Ok(())
    }

    fn pin_byte(&self, host: &mut Host<'_, Concolic>, at: u64, byte: Byte) -> Result<(), Trap> {
        let raw = host.memory()?.read(at, 1)?[0];
        let term = host.domain.byte_term(byte, raw);
        let number = host.domain.terms.bv(8, u64::from(raw));
        let equal = host.domain.terms.eq(term, number);
        let position = Self::position(host);
        host.domain.fixed += 1;
        host.domain.assume(position, equal, Kind::Fixed);
        Ok(())
    }
}
