//! Arguments, environment, clocks, random numbers, polling and the end of the program.

use crate::errno::{Answer, FAULT, INVAL, NOTSUP, Stop};
use crate::memory::Access;
use crate::world::{Effect, Stream, World};

/// The time that every clock shows: 2000-01-01 00:00:00 UTC in nanoseconds.
pub(crate) const NOW: u64 = 946_684_800_000_000_000;

impl World {
    pub(crate) fn args_sizes_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        sizes(&self.setup.arguments, arguments, memory)
    }

    pub(crate) fn args_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let texts = self.setup.arguments.clone();
        self.texts(&texts, Stream::Argument, arguments, memory)
    }

    pub(crate) fn environ_sizes_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        sizes(&self.environment(), arguments, memory)
    }

    pub(crate) fn environ_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let texts = self.environment();
        self.texts(&texts, Stream::Environment, arguments, memory)
    }

    fn environment(&self) -> Vec<Vec<u8>> {
        self.setup.environment.iter().map(|(name, value)| [&name[..], b"=", value].concat()).collect()
    }

    /// Writes a table of pointers and the texts with their final zeros.
    fn texts(
        &mut self,
        texts: &[Vec<u8>],
        stream: fn(u32) -> Stream,
        arguments: &[u64],
        memory: &mut Access<'_>,
    ) -> Answer {
        let (mut table, mut address) = (arguments[0] as u32, arguments[1] as u32);
        for (index, text) in texts.iter().enumerate() {
            memory.put_u32(table, address)?;
            memory.put(address, text)?;
            let end = address.checked_add(text.len() as u32).ok_or(FAULT)?;
            memory.put(end, &[0])?;
            let (stream, length) = (stream(index as u32), text.len() as u32);
            self.effects.push(Effect::ToMemory { stream, from: 0, address, length });
            table = table.checked_add(4).ok_or(FAULT)?;
            address = end.checked_add(1).ok_or(FAULT)?;
        }
        Ok(())
    }

    pub(crate) fn clock_res_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        if arguments[0] as u32 > 3 {
            return Err(INVAL);
        }
        memory.put_u64(arguments[1] as u32, 1000)
    }

    pub(crate) fn clock_time_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let time = match arguments[0] as u32 {
            0 => NOW,
            1 => 1_000_000_000,
            2 | 3 => 0,
            _ => return Err(INVAL),
        };
        memory.put_u64(arguments[2] as u32, time)
    }

    pub(crate) fn random_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let (address, length) = (arguments[0] as u32, arguments[1] as u32);
        let mut bytes = memory.bytes(address, length)?;
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.rng.bits().to_le_bytes()[..chunk.len()]);
        }
        memory.put(address, &bytes)
    }

    pub(crate) fn proc_exit(&mut self, arguments: &[u64], _: &mut Access<'_>) -> Answer {
        Err(Stop::Exit(arguments[0] as i32))
    }

    /// Every subscription happens at once: time does not pass, and streams are always ready.
    pub(crate) fn poll_oneoff(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let [subscriptions, events, count, happened] = [0, 1, 2, 3].map(|index| arguments[index] as u32);
        if count == 0 {
            return Err(INVAL);
        }
        for index in 0..count {
            let from = index.checked_mul(48).and_then(|at| subscriptions.checked_add(at)).ok_or(FAULT)?;
            let to = index.checked_mul(32).and_then(|at| events.checked_add(at)).ok_or(FAULT)?;
            let subscription = memory.bytes(from, 48)?;
            let kind = subscription[8];
            if kind > 2 {
                return Err(NOTSUP);
            }
            let mut event = [0; 32];
            event[..8].copy_from_slice(&subscription[..8]);
            event[10] = kind;
            if kind > 0 {
                event[16..24].copy_from_slice(&1u64.to_le_bytes());
            }
            memory.put(to, &event)?;
        }
        memory.put_u32(happened, count)
    }
}

fn sizes(texts: &[Vec<u8>], arguments: &[u64], memory: &mut Access<'_>) -> Answer {
    let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
    memory.put_u32(arguments[0] as u32, texts.len() as u32)?;
    memory.put_u32(arguments[1] as u32, bytes as u32)
}
