//! The list of host functions.

use twinrun_interp::heap::Notice;

/// A host function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Call {
    Int,
    Float,
    Ints,
    Floats,
    Text,
    Permutation,
    Ops,
    RunBegin,
    RunEnd,
    Assume,
    Check,
    CheckInt,
    CheckFloat,
    CheckBytes,
    /// A named value: whether it is an output, and of what it consists.
    Told(bool, Told),
    ProgramFile,
    Program,
    ProgramOutput,
    ProgramWritten,
    /// A notice of the allocator.
    HeapNotice(Notice),
    HeapError,
    /// A function of the world, by its position in the table.
    World(u16),
    /// A handler of the checked build.
    Sanitiser,
    /// What ends the run, with a text: whether it is an exception that nobody caught, or something that cannot be done here.
    Ends(bool),
    OpenRuns,
    /// What cannot work here, by its place among those that the module asks for.
    Foreign(u16),
}

/// Of what a named value consists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Told {
    Int,
    Float,
    Ints,
    Floats,
    Bytes,
}

/// The function of the module `twinrun` with this name.
pub(super) fn primitive(name: &str) -> Option<Call> {
    Some(match name {
        "int" => Call::Int,
        "float" => Call::Float,
        "ints" => Call::Ints,
        "floats" => Call::Floats,
        "text" => Call::Text,
        "permutation" => Call::Permutation,
        "ops" => Call::Ops,
        "run_begin" => Call::RunBegin,
        "run_end" => Call::RunEnd,
        "assume" => Call::Assume,
        "check" => Call::Check,
        "check_int" => Call::CheckInt,
        "check_float" => Call::CheckFloat,
        "check_bytes" => Call::CheckBytes,
        "program_file" => Call::ProgramFile,
        "program" => Call::Program,
        "program_output" => Call::ProgramOutput,
        "program_written" => Call::ProgramWritten,
        "heap_alloc" => Call::HeapNotice(Notice::Alloc),
        "heap_free" => Call::HeapNotice(Notice::Free),
        "heap_error" => Call::HeapError,
        "uncaught" => Call::Ends(true),
        "unsupported" => Call::Ends(false),
        "open_runs" => Call::OpenRuns,
        _ => {
            let (what, kind) = name.split_once('_')?;
            let output = match what {
                "given" => false,
                "output" => true,
                _ => return None,
            };
            let kind = match kind {
                "int" => Told::Int,
                "float" => Told::Float,
                "ints" => Told::Ints,
                "floats" => Told::Floats,
                "bytes" => Told::Bytes,
                _ => return None,
            };
            Call::Told(output, kind)
        }
    })
}
