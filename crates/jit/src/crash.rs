//! From a trap to a crash that people understand: kind, sentence, stack.

use twinrun_base::{Crash, CrashKind, Frame, Location};
use wasmtime::{Trap, WasmBacktrace};

use crate::compiled::Inner;
use crate::rewrite::ADDED;

/// The crash for an error that wasmtime returned, with the stack of its backtrace.
pub(crate) fn crash(inner: &Inner, error: &wasmtime::Error, kind: CrashKind, message: String) -> Crash {
    Crash { kind, message, stack: stack(inner, error) }
}

/// The kind and the sentence for a trap.
pub(crate) fn trapped(trap: Trap) -> (CrashKind, String) {
    let (kind, words) = match trap {
        Trap::UnreachableCodeReached => {
            (CrashKind::Unreachable, "the subject aborted (abort, a failed assertion or a panic)")
        }
        Trap::MemoryOutOfBounds | Trap::HeapMisaligned => {
            (CrashKind::OutOfBounds, "an access outside memory")
        }
        Trap::TableOutOfBounds | Trap::IndirectCallToNull | Trap::BadSignature => {
            (CrashKind::IndirectCall, "a call through a wrong function pointer")
        }
        Trap::IntegerDivisionByZero => (CrashKind::Division, "a division by zero"),
        Trap::IntegerOverflow => (CrashKind::Division, "a division that overflows"),
        Trap::BadConversionToInteger => {
            (CrashKind::Conversion, "a conversion of a float that has no integer")
        }
        Trap::StackOverflow => (CrashKind::StackOverflow, "the stack is exhausted"),
        Trap::AllocationTooLarge => (CrashKind::MemoryLimit, "more memory was asked for than there is"),
        other => return (CrashKind::Other(other.to_string()), other.to_string()),
    };
    (kind, words.to_owned())
}

/// The frames of the backtrace, innermost first.
pub(crate) fn stack(inner: &Inner, error: &wasmtime::Error) -> Vec<Frame> {
    error.downcast_ref::<WasmBacktrace>().map(|backtrace| frames(inner, backtrace)).unwrap_or_default()
}

/// The frames of a backtrace, innermost first.
pub(crate) fn frames(inner: &Inner, backtrace: &WasmBacktrace) -> Vec<Frame> {
    let imported = inner.analysis.imports.len() as u32;
    let mut frames = Vec::new();
    for info in backtrace.frames() {
        let index = info.func_index();
        if index >= imported + ADDED + inner.analysis.bodies.len() as u32 {
            continue; // The function that starts a relation is ours.
        }
        let index = if index < imported { index } else { index.saturating_sub(ADDED) };
        let site = inner.sites.functions.iter().find(|function| function.index == index);
        if site.is_some_and(|site| site.name.starts_with("__asan_")) {
            continue; // What the compiler calls by itself in checked builds is nobody's call.
        }
        let offset = info.module_offset().and_then(|offset| inner.rewritten.original(offset));
        if let (Some(locator), Some(offset)) = (&inner.locator, offset) {
            let before = frames.len();
            frames.extend(locator(offset));
            if frames.len() > before {
                continue;
            }
        }
        let name = site.map(|function| function.name.clone());
        let name = name.or_else(|| inner.analysis.function_name(index).map(str::to_owned));
        let function = name.unwrap_or_else(|| format!("function {index}"));
        frames.push(Frame { function, location: offset.and_then(|offset| location(inner, offset)) });
    }
    frames
}

/// The source location of an instruction: that of its branch or block.
fn location(inner: &Inner, offset: u32) -> Option<Location> {
    let sites = &inner.sites;
    if let Some(place) = sites.branch_at(offset).and_then(|branch| sites.branches[branch].place) {
        return Some(sites.location(place));
    }
    let after = sites.blocks.partition_point(|block| block.offset <= offset);
    let block = sites.blocks[..after].last().filter(|block| offset < block.end)?;
    block.places.first().map(|place| sites.location(*place))
}
