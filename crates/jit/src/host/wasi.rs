//! The world's functions as imports.

use twinrun_base::CrashKind;
use twinrun_world::{FUNCTIONS, MODULE, Memory, Outcome, Parameter};
use wasmtime::{FuncType, Linker, Result, Val, ValType};

use crate::state::{End, State, split};

pub(super) fn add(linker: &mut Linker<State>) -> Result<()> {
    for function in FUNCTIONS {
        let parameters = function.parameters.iter().map(|parameter| match parameter {
            Parameter::I32 => ValType::I32,
            Parameter::I64 => ValType::I64,
        });
        let results = function.returns().then_some(ValType::I32);
        let ty = FuncType::new(linker.engine(), parameters, results);
        linker.func_new(MODULE, function.name, ty, move |mut caller, arguments, results| {
            let arguments: Vec<u64> = arguments
                .iter()
                .map(|argument| match argument {
                    Val::I32(number) => u64::from(*number as u32),
                    Val::I64(number) => *number as u64,
                    _ => 0,
                })
                .collect();
            let (memory, state) = split(&mut caller);
            let mut memory = Noting { memory, touched: &mut state.touched };
            match state.world.call(function, &arguments, &mut memory) {
                Outcome::Errno(number) => {
                    if let [result] = results {
                        *result = Val::I32(i32::from(number));
                    }
                    Ok(())
                }
                Outcome::Exit(code) => Err(state.stop(End::Exit(code))),
                Outcome::OutputLimit => {
                    let limit = state.compiled.config().limits.output;
                    let message = format!("more than {limit} bytes of output were written");
                    Err(state.crash(CrashKind::OutputLimit, message))
                }
            }
        })?;
    }
    Ok(())
}

/// Memory that remembers where it was written.
struct Noting<'a> {
    memory: &'a mut [u8],
    touched: &'a mut Vec<(u32, u32)>,
}

impl Memory for Noting<'_> {
    fn read(&self, address: u32, out: &mut [u8]) -> bool {
        self.memory.read(address, out)
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.touched.push((address, bytes.len() as u32));
        self.memory.write(address, bytes)
    }
}
