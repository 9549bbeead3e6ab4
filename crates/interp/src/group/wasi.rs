//! The world's functions as imports.

use twinrun_base::CrashKind;
use twinrun_world::{Effect, Function, Memory, Outcome, Stream};

use crate::domain::Domain;
use crate::group::host::{Arguments, End, Records};
use crate::imports::{Answer, Host, Touched};
use crate::ops::Type;
use crate::trap::Trap;

pub(super) fn call<D: Domain>(
    records: &mut Records,
    function: &Function,
    host: &mut Host<'_, D>,
) -> Result<Answer<D::Value>, Trap> {
    if function.name == "proc_exit" {
        host.uses(0)?;
    }
    let arguments: Vec<u64> = (0..host.params).map(|index| host.peek(index)).collect();
    let limit = host.state.limits.output;
    let Some(world) = records.worlds.last_mut() else { return Err(Trap::Host) };
    let outcome = world.call(function, &arguments, &mut Access(host));
    let mut written = Vec::new();
    for effect in world.effects() {
        if let Effect::FromMemory { address, stream, to, length } = *effect {
            host.touch(false, address, length);
            written.push((address, length));
            host.touched.push(Touched {
                written: true,
                memory: stream_memory(stream),
                at: to,
                len: u64::from(length),
            });
        }
    }
    written.into_iter().try_for_each(|(address, length)| host.uses_bytes(address, length))?;
    match outcome {
        Outcome::Errno(number) => {
            if function.returns() {
                host.answer(Type::I32, u64::from(number));
            }
            Ok(Answer::Return)
        }
        Outcome::Exit(code) => Err(Trap::Exit(code)),
        Outcome::OutputLimit => {
            let message = format!("more than {limit} bytes of output were written");
            Err(records.stop(End::Crash(CrashKind::OutputLimit, message, None)))
        }
    }
}

/// Streams that a program writes, as memories for observers: what was written to stdout is read by `program_output`.
pub(super) fn stream_memory(stream: Stream) -> u32 {
    match stream {
        Stream::Stdout => 0xffff_0001,
        Stream::Stderr => 0xffff_0002,
        Stream::File(number) => 0xffff_0010 + number,
        _ => 0xffff_0000,
    }
}

/// The caller's memory as the world sees it.
struct Access<'a, 'b, D: Domain>(&'a mut Host<'b, D>);

impl<D: Domain> Memory for Access<'_, '_, D> {
    fn read(&self, address: u32, out: &mut [u8]) -> bool {
        let Ok(memory) = self.0.memory() else { return false };
        match memory.read(u64::from(address), out.len() as u64) {
            Ok(bytes) => {
                out.copy_from_slice(&bytes);
                true
            }
            Err(_) => false,
        }
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.0.write(address, bytes).is_ok()
    }
}
