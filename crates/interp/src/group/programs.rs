//! Whole programs: each run in a fresh instance with a world of its own.

use std::collections::BTreeMap;

use twinrun_base::ProgramRun;
use twinrun_world::{Setup, Stream, World};

use crate::domain::Domain;
use crate::group::host::{Arguments, End, GroupHost, Records};
use crate::group::{runs, wasi};
use crate::imports::{Answer, Host, Segment, Touched};
use crate::link;
use crate::module::Item;
use crate::ops::Type;
use crate::trap::Trap;

/// Steps of `program`: before anything, after the module's start function, after `_start`.
const STARTED: u32 = 1;
const ENDED: u32 = 2;

/// Runs a program: instantiates it beside the relation, enters its `_start`, and takes it away again when it has ended.
pub(super) fn run<D: Domain>(
    this: &mut GroupHost<'_>,
    step: u32,
    host: &mut Host<'_, D>,
) -> Result<Answer<D::Value>, Trap> {
    match step {
        0 => begin(this, host),
        STARTED => enter(this, host),
        _ => {
            end(&mut this.records, host);
            Ok(Answer::Return)
        }
    }
}

fn begin<D: Domain>(this: &mut GroupHost<'_>, host: &mut Host<'_, D>) -> Result<Answer<D::Value>, Trap> {
    let name = host.text(0)?;
    let mut arguments = vec![name.clone().into_bytes()];
    let (table, count) = (host.word(2), host.word(3));
    for index in 0..count {
        let pair = host.read(table.wrapping_add(index.wrapping_mul(8)), 8)?;
        let word = |at: usize| u32::from_le_bytes([pair[at], pair[at + 1], pair[at + 2], pair[at + 3]]);
        arguments.push(host.read(word(0), word(4))?);
    }
    let stdin = host.bytes(4)?;
    let records = &mut this.records;
    let files: BTreeMap<_, _> = records.program_files.drain(..).collect();
    let Some(index) = this.programs.iter().position(|(program, _)| *program == name) else {
        let message = format!("the relation runs the program `{name}`, which the project does not define");
        return Err(records.stop(End::Failure(message)));
    };
    if records.open == 0 {
        runs::start(records);
    }
    let Some(record) = records.runs.last_mut() else { return Err(Trap::Host) };
    record.program = Some(index);
    record.run.program = Some(ProgramRun {
        arguments: arguments[1..].to_vec(),
        stdin: stdin.clone(),
        // A program that does not come to its end has no exit code.
        exit: -1,
        ..ProgramRun::default()
    });
    let setup = Setup { arguments, stdin, files, output: host.state.limits.output, ..Setup::default() };
    records.worlds.push(World::new(setup));
    let module = this.programs[index].1.clone();
    let instance = match link::instantiate(host.state, host.domain, this, &module) {
        Ok(instance) => instance,
        Err(link::LinkError::Trap(trap)) => return Err(trap),
        Err(error) => return Err(this.records.stop(End::Failure(error.to_string()))),
    };
    this.records.program_instance = Some(instance);
    host.segment = Some(Segment::Program);
    match link::start(host.state, instance) {
        Some(function) => Ok(Answer::Enter { function, arguments: Vec::new(), step: STARTED }),
        None => enter(this, host),
    }
}

fn enter<D: Domain>(this: &mut GroupHost<'_>, host: &mut Host<'_, D>) -> Result<Answer<D::Value>, Trap> {
    let instance = this.records.program_instance.unwrap_or(0);
    match host.state.export(instance, "_start") {
        Some(Item::Function(function)) => Ok(Answer::Enter { function, arguments: Vec::new(), step: ENDED }),
        _ => Err(this.records.stop(End::Failure("the module of a program exports no `_start`".to_owned()))),
    }
}

fn end<D: Domain>(records: &mut Records, host: &mut Host<'_, D>) {
    let exit = host.state.exit.take().unwrap_or(0);
    if let Some(instance) = records.program_instance.take() {
        host.state.remove_instances(instance);
    }
    take_output(records);
    let Some(world) = records.worlds.pop() else { return };
    if let Some(program) = records.runs.last_mut().and_then(|record| record.run.program.as_mut()) {
        program.exit = exit;
    }
    records.program_world = Some(world);
    host.segment = Some(Segment::End);
    host.answer(Type::I32, u64::from(exit as u32));
}

/// Writes down what the program that runs has written so far.
pub(super) fn take_output(records: &mut Records) {
    let Some(world) = records.worlds.get(1..).and_then(<[World]>::last) else { return };
    if let Some(program) = records.runs.last_mut().and_then(|record| record.run.program.as_mut()) {
        program.stdout = world.stdout().to_vec();
        program.stderr = world.stderr().to_vec();
    }
}

pub(super) fn call<D: Domain>(
    records: &mut Records,
    import: &str,
    host: &mut Host<'_, D>,
) -> Result<(), Trap> {
    match import {
        "program_file" => {
            let file = (host.bytes(0)?, host.bytes(2)?);
            records.program_files.push(file);
        }
        "program_output" => {
            let (stream, offset, out, capacity) = (host.word(0), host.word(1), host.word(2), host.word(3));
            let world = records.program_world.as_ref();
            let bytes =
                world.map_or(&[][..], |world| if stream == 2 { world.stderr() } else { world.stdout() });
            let rest = bytes.get(offset as usize..).unwrap_or_default();
            let part = &rest[..rest.len().min(capacity as usize)];
            let memory = wasi::stream_memory(if stream == 2 { Stream::Stderr } else { Stream::Stdout });
            host.touched.push(Touched {
                written: false,
                memory,
                at: u64::from(offset),
                len: part.len() as u64,
            });
            host.write(out, part)?;
            host.answer(Type::I32, bytes.len() as u64);
        }
        _ => {
            let path = host.bytes(0)?;
            let Some(bytes) = records.program_world.as_ref().and_then(|world| world.file(&path)) else {
                host.answer(Type::I32, u64::from(u32::MAX));
                return Ok(());
            };
            let part = &bytes[..bytes.len().min(host.word(3) as usize)];
            host.write(host.word(2), part)?;
            host.answer(Type::I32, bytes.len() as u64);
        }
    }
    Ok(())
}
