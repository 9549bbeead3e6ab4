//! The imports of a subject, one file for each family.

mod checks;
mod foreign;
mod heap;
mod inputs;
mod leave;
mod outputs;
mod pause;
mod programs;
mod runs;
mod wasi;

use std::sync::OnceLock;

use wasmtime::{Engine, InstancePre, Linker, Module};

use crate::analysis::Analysis;
use crate::error::Error;
use crate::rewrite;
use crate::state::State;
pub(crate) use runs::{collect, reset};

/// Links a module, or says which import nobody provides.
pub(crate) fn link(
    engine: &Engine,
    module: &Module,
    analysis: &Analysis,
) -> Result<InstancePre<State>, Error> {
    static LINKER: OnceLock<Result<Linker<State>, String>> = OnceLock::new();
    let base = LINKER.get_or_init(|| known(engine).map_err(|error| format!("{error:#}")));
    let mut linker = base.as_ref().map_err(|error| Error::Engine(error.clone()))?.clone();
    for import in &analysis.imports {
        let provided = match &import.module[..] {
            twinrun_base::abi::MODULE => NAMES.contains(&&import.name[..]),
            twinrun_world::MODULE => twinrun_world::find(&import.name).is_some(),
            _ => foreign::provide(&mut linker, engine, import)?,
        };
        if !provided {
            let (module, name) = (import.module.clone(), import.name.clone());
            return Err(Error::UnknownImport { module, name });
        }
    }
    linker.instantiate_pre(module).map_err(|error| {
        Error::Unsupported(format!(
            "an import has another type than Twinrun offers (another SDK version?): {error:#}"
        ))
    })
}

fn known(engine: &Engine) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    // A start function with several imports of one name is legal WebAssembly.
    linker.allow_shadowing(true);
    inputs::add(&mut linker)?;
    runs::add(&mut linker)?;
    checks::add(&mut linker)?;
    outputs::add(&mut linker)?;
    programs::add(&mut linker)?;
    heap::add(&mut linker)?;
    leave::add(&mut linker)?;
    wasi::add(&mut linker)?;
    linker.func_wrap(rewrite::MODULE, rewrite::FLUSH, runs::flush)?;
    linker.func_wrap(rewrite::MODULE, rewrite::HEAP_FAULT, heap::fault)?;
    linker.func_wrap(rewrite::MODULE, rewrite::DRAIN, runs::drain)?;
    linker.func_wrap(rewrite::MODULE, rewrite::PAUSED, pause::pause)?;
    Ok(linker)
}

/// The imports of the module `twinrun`.
const NAMES: [&str; 38] = [
    "int",
    "float",
    "ints",
    "floats",
    "text",
    "permutation",
    "ops",
    "edit",
    "run_begin",
    "run_end",
    "assume",
    "check",
    "check_int",
    "check_float",
    "check_bytes",
    "given_int",
    "given_float",
    "given_ints",
    "given_floats",
    "given_bytes",
    "output_int",
    "output_float",
    "output_ints",
    "output_floats",
    "output_bytes",
    "program_file",
    "program",
    "program_output",
    "program_written",
    "heap_alloc",
    "heap_free",
    "heap_error",
    "thrown",
    "caught",
    "unwind",
    "uncaught",
    "unsupported",
    "open_runs",
];
