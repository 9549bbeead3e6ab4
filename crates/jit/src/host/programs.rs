//! Whole programs: each run in a fresh instance with a world of its own.

use std::collections::BTreeMap;

use twinrun_base::abi::MODULE;
use twinrun_base::{ProgramRun, Verdict};
use twinrun_world::{Setup, World};
use wasmtime::{Caller, Linker, Result};

use super::inputs::text_of;
use crate::error::Error;
use crate::instance::{Ended, run_start};
use crate::layout::WORK;
use crate::observe::Detail;
use crate::state::{End, State, slice, slice_mut, split, split_control};

pub(super) fn add(linker: &mut Linker<State>) -> Result<()> {
    linker.func_wrap(MODULE, "program_file", program_file)?;
    linker.func_wrap(MODULE, "program", program)?;
    linker.func_wrap(MODULE, "program_output", program_output)?;
    linker.func_wrap(MODULE, "program_written", program_written)?;
    Ok(())
}

fn program_file(
    mut caller: Caller<'_, State>,
    path: i32,
    path_length: i32,
    data: i32,
    length: i32,
) -> Result<()> {
    let (memory, state) = split(&mut caller);
    let file = (slice(memory, path, path_length)?.to_vec(), slice(memory, data, length)?.to_vec());
    state.program_files.push(file);
    Ok(())
}

fn program(
    mut caller: Caller<'_, State>,
    name: i32,
    name_length: i32,
    arguments: i32,
    count: i32,
    stdin: i32,
    stdin_length: i32,
) -> Result<i32> {
    let work = split_control(&mut caller).map_or(0, |(control, _)| read_work(control));
    let (memory, state) = split(&mut caller);
    let name = text_of(slice(memory, name, name_length)?).to_owned();
    let mut all = vec![name.clone().into_bytes()];
    for index in 0..count {
        let at = arguments.wrapping_add(index.wrapping_mul(8));
        let word =
            |at| slice(memory, at, 4).map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap_or_default()));
        all.push(slice(memory, word(at)?, word(at.wrapping_add(4))?)?.to_vec());
    }
    let stdin = slice(memory, stdin, stdin_length)?.to_vec();
    let files: BTreeMap<_, _> = state.program_files.drain(..).collect();
    let Some(index) = state.compiled.programs().iter().position(|(program, _)| *program == name) else {
        let message = format!("the relation runs the program `{name}`, which the project does not define");
        return Err(state.stop(End::Failure(message)));
    };
    let compiled = state.compiled.programs()[index].1.clone();
    let output = compiled.config().limits.output;
    let setup = Setup { arguments: all, stdin, files, output, ..Setup::default() };
    let written_down = (state.detail == Detail::Full).then(|| ProgramRun {
        arguments: setup.arguments[1..].to_vec(),
        stdin: setup.stdin.clone(),
        ..ProgramRun::default()
    });
    if state.open == 0 {
        let record = state.observation.start();
        record.run.given.append(&mut state.given);
    }
    let Some(record) = state.observation.last() else {
        return Err(
            state.stop(End::Failure("a program was run while the subject was initialised".to_owned()))
        );
    };
    record.program = Some(index);
    let Ended { verdict, exit, work, world, crash } = match run_start(&compiled, setup, work, record) {
        Ok(ended) => ended,
        Err(Error::Cut) => return Err(state.stop(End::Cut)),
        Err(error) => return Err(state.stop(End::Failure(error.to_string()))),
    };
    record.run.program = written_down.map(|program| ProgramRun {
        exit,
        stdout: world.stdout().to_vec(),
        stderr: world.stderr().to_vec(),
        ..program
    });
    state.program_world = Some(world);
    let end = match verdict {
        Verdict::Crashed => {
            state.observation.crash = crash;
            Some(End::ProgramCrash)
        }
        Verdict::Timeout => Some(End::ProgramTimeout),
        Verdict::Discarded => Some(End::Cut),
        _ => None,
    };
    if let Some((control, _)) = split_control(&mut caller) {
        control[WORK as usize..][..8].copy_from_slice(&work.to_le_bytes());
    }
    match end {
        Some(end) => Err(caller.data_mut().stop(end)),
        None => Ok(exit),
    }
}

fn program_output(
    mut caller: Caller<'_, State>,
    stream: i32,
    offset: i32,
    out: i32,
    capacity: i32,
) -> Result<i32> {
    let (memory, state) = split(&mut caller);
    let world = state.program_world.as_ref();
    let bytes = world.map_or(&[][..], |world| if stream == 2 { world.stderr() } else { world.stdout() });
    let rest = bytes.get(offset as u32 as usize..).unwrap_or_default();
    let part = &rest[..rest.len().min(capacity as u32 as usize)];
    slice_mut(memory, &mut state.touched, out, part.len())?.copy_from_slice(part);
    Ok(bytes.len() as i32)
}

fn program_written(
    mut caller: Caller<'_, State>,
    path: i32,
    path_length: i32,
    out: i32,
    capacity: i32,
) -> Result<i32> {
    let (memory, state) = split(&mut caller);
    let path = slice(memory, path, path_length)?;
    let Some(bytes) = state.program_world.as_ref().and_then(|world: &World| world.file(path)) else {
        return Ok(-1);
    };
    let part = &bytes[..bytes.len().min(capacity as u32 as usize)];
    slice_mut(memory, &mut state.touched, out, part.len())?.copy_from_slice(part);
    Ok(bytes.len() as i32)
}

fn read_work(control: &[u8]) -> u64 {
    u64::from_le_bytes(control[WORK as usize..][..8].try_into().unwrap_or_default())
}
