//! Whole programs: each run in a fresh instance with a world of its own, its arguments, stdin and output with terms.

use std::collections::BTreeMap;
use std::sync::Arc;

use twinrun_interp::module::Item;
use twinrun_interp::{Answer, Host, Module, Segment, Trap, instantiate};
use twinrun_world::{Setup, Stream, World};

use super::Primitives;
use crate::domain::{Byte, Concolic, Value};

/// The programs that a relation may run, and the one that runs.
pub(super) struct Programs {
    known: Vec<(String, Arc<Module>)>,
    output: u64,
    files: Vec<(Vec<u8>, Vec<u8>, Vec<Byte>)>,
    /// The worlds, the innermost last: that of the relation itself, then that of a program.
    pub(super) worlds: Vec<SymbolicWorld>,
    /// The world of the last program, for its output.
    last: Option<SymbolicWorld>,
    /// The instance of the program that runs, and whether its run is the relation's own.
    running: Option<(u32, bool)>,
}

/// A world with the terms of its streams.
#[derive(Clone)]
pub(super) struct SymbolicWorld {
    pub(super) world: World,
    pub(super) streams: BTreeMap<Stream, Vec<Byte>>,
}

impl SymbolicWorld {
    fn new(setup: Setup) -> Self {
        SymbolicWorld { world: World::new(setup), streams: BTreeMap::new() }
    }
}

impl Programs {
    pub(super) fn new(known: Vec<(String, Arc<Module>)>, output: u64) -> Self {
        let mut programs =
            Programs { known, output, files: Vec::new(), worlds: Vec::new(), last: None, running: None };
        programs.begin();
        programs
    }

    pub(super) fn begin(&mut self) {
        self.files.clear();
        self.worlds = vec![SymbolicWorld::new(Setup { output: self.output, ..Setup::default() })];
        self.last = None;
        self.running = None;
    }
}

impl Primitives {
    pub(super) fn program_file(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let path = self.name(host, 0)?.into_bytes();
        let (at, length) = (self.fixed(host, 2)? as u32, self.fixed(host, 3)? as u32);
        let (data, terms) = bytes(host, at, length)?;
        self.programs.files.push((path, data, terms));
        Ok(())
    }

    pub(super) fn program(
        &mut self,
        host: &mut Host<'_, Concolic>,
        step: u32,
    ) -> Result<Answer<Value>, Trap> {
        if step == 0 { self.start(host) } else { self.end(host) }
    }

    fn start(&mut self, host: &mut Host<'_, Concolic>) -> Result<Answer<Value>, Trap> {
        let name = self.name(host, 0)?;
        let Some(module) =
            self.programs.known.iter().find(|(known, _)| *known == name).map(|(_, module)| module.clone())
        else {
            return Err(self
                .fail(format!("the relation runs the program `{name}`, which the project does not define")));
        };
        let (table, count) = (self.fixed(host, 2)? as u32, self.fixed(host, 3)? as u32);
        let mut arguments = vec![name.into_bytes()];
        let mut streams = BTreeMap::new();
        for index in 0..count {
            let place = table.wrapping_add(index.wrapping_mul(8));
            let pair = host.read(place, 8)?;
            let word = |from: usize| {
                u32::from_le_bytes([pair[from], pair[from + 1], pair[from + 2], pair[from + 3]])
            };
            self.pin(host, u64::from(place), 8)?;
            let (data, terms) = bytes(host, word(0), word(4))?;
            streams.insert(Stream::Argument(index + 1), terms);
            arguments.push(data);
        }
        let (stdin_at, stdin_length) = (self.fixed(host, 4)? as u32, self.fixed(host, 5)? as u32);
        let (stdin, terms) = bytes(host, stdin_at, stdin_length)?;
        streams.insert(Stream::Stdin, terms);
        let files = std::mem::take(&mut self.programs.files);
        let setup = Setup {
            arguments,
            stdin,
            files: files.iter().map(|(path, data, _)| (path.clone(), data.clone())).collect(),
            output: self.programs.output,
            ..Setup::default()
        };
        let mut world = SymbolicWorld { world: World::new(setup), streams };
        for (path, _, terms) in files {
            if let Some(number) = world.world.file_number(&path) {
                world.streams.insert(Stream::File(number), terms);
            }
        }
        self.programs.worlds.push(world);
        let own_run = host.domain.run.is_none();
        if own_run {
            self.run_begin(host);
        }
        let instance = match instantiate(host.state, host.domain, self, &module) {
            Ok(instance) => instance,
            Err(error) => return Err(self.fail(error.to_string())),
        };
        self.programs.running = Some((instance, own_run));
        let Some(Item::Function(start)) = host.state.export(instance, "_start") else {
            return Err(self.fail("the program has no `_start`"));
        };
        Ok(Answer::Enter { function: start, arguments: Vec::new(), step: 1 })
    }

    fn end(&mut self, host: &mut Host<'_, Concolic>) -> Result<Answer<Value>, Trap> {
        let exit = host.state.exit.take().unwrap_or(0);
        if let Some((instance, own_run)) = self.programs.running.take() {
            host.state.remove_instances(instance);
            if own_run {
                host.domain.run = None;
                host.segment = Some(Segment::End);
            }
        }
        self.programs.last = self.programs.worlds.pop();
        host.results.push(Value::i32(exit));
        Ok(Answer::Return)
    }

    pub(super) fn program_output(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let stream = if self.fixed(host, 0)? as u32 == 2 { Stream::Stderr } else { Stream::Stdout };
        let offset = self.fixed(host, 1)? as u32 as usize;
        let (out, capacity) = (self.fixed(host, 2)? as u32, self.fixed(host, 3)? as u32 as usize);
        let Some(last) = &self.programs.last else {
            host.results.push(Value::i32(0));
            return Ok(());
        };
        let data = if stream == Stream::Stderr { last.world.stderr() } else { last.world.stdout() };
        let total = data.len();
        let part: Vec<u8> = data.get(offset..).unwrap_or_default().iter().copied().take(capacity).collect();
        let terms = last.streams.get(&stream).cloned().unwrap_or_default();
        give(host, out, &part, terms.get(offset..).unwrap_or_default())?;
        host.results.push(Value::i32(total as i32));
        Ok(())
    }

    pub(super) fn program_written(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let path = self.name(host, 0)?;
        let (out, capacity) = (self.fixed(host, 2)? as u32, self.fixed(host, 3)? as u32 as usize);
        let found = self.programs.last.as_ref().and_then(|last| {
            let number = last.world.file_number(path.as_bytes())?;
            let data = last.world.file(path.as_bytes())?.to_vec();
            Some((data, last.streams.get(&Stream::File(number)).cloned().unwrap_or_default()))
        });
        let Some((data, terms)) = found else {
            host.results.push(Value::i32(-1));
            return Ok(());
        };
        let part: Vec<u8> = data.iter().copied().take(capacity).collect();
        give(host, out, &part, &terms)?;
        host.results.push(Value::i32(data.len() as i32));
        Ok(())
    }
}

/// Bytes of memory with their terms.
fn bytes(host: &mut Host<'_, Concolic>, at: u32, length: u32) -> Result<(Vec<u8>, Vec<Byte>), Trap> {
    let data = host.read(at, length)?;
    let terms = host.memory()?.shadow.read(u64::from(at), u64::from(length));
    Ok((data, terms))
}

/// Writes bytes with their terms; those beyond the terms have none.
pub(super) fn give(host: &mut Host<'_, Concolic>, at: u32, data: &[u8], terms: &[Byte]) -> Result<(), Trap> {
    host.write(at, data)?;
    let memory = host.state.memory_mut(host.instance).ok_or(Trap::MemoryOutOfBounds)?;
    for (offset, byte) in terms.iter().take(data.len()).enumerate() {
        memory.shadow.set(u64::from(at) + offset as u64, *byte);
    }
    Ok(())
}
