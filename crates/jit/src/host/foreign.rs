//! Imports from elsewhere: the sanitiser's handlers of the checked build, and what cannot work here.

use twinrun_base::{CrashKind, Location};
use wasmtime::{Engine, FuncType, Linker, Val, ValType};

use crate::analysis::Import;
use crate::error::Error;
use crate::state::{End, State, slice, split};
use crate::unwind::is_invoke;

/// Provides an import if it is one of these, and says whether.
pub(super) fn provide(linker: &mut Linker<State>, engine: &Engine, import: &Import) -> Result<bool, Error> {
    let handler = import.name.strip_prefix("__ubsan_handle_").map(str::to_owned);
    let reason = unsupported(&import.name);
    // Answered in the module.
    let invoke = is_invoke(import);
    if handler.is_none() && reason.is_none() && !invoke {
        return Ok(false);
    }
    let types = |types: &[wasmparser::ValType]| -> Option<Vec<ValType>> {
        types
            .iter()
            .map(|ty| match ty {
                wasmparser::ValType::I32 => Some(ValType::I32),
                wasmparser::ValType::I64 => Some(ValType::I64),
                wasmparser::ValType::F32 => Some(ValType::F32),
                wasmparser::ValType::F64 => Some(ValType::F64),
                _ => None,
            })
            .collect()
    };
    let (Some(parameters), Some(results)) = (types(import.ty.params()), types(import.ty.results())) else {
        return Ok(false);
    };
    let ty = FuncType::new(engine, parameters, results);
    let name = import.name.clone();
    linker
        .func_new(&import.module, &import.name, ty, move |mut caller, arguments, _| {
            let (memory, state) = split(&mut caller);
            let end = match (&handler, reason) {
                (Some(handler), _) => sanitiser(handler, arguments, memory),
                (None, reason) => {
                    let reason = reason.unwrap_or("it is not available");
                    End::Crash(CrashKind::Unsupported, format!("`{name}` was called: {reason}"), None)
                }
            };
            Err(state.stop(end))
        })
        .map_err(|error| Error::Engine(format!("{error:#}")))?;
    Ok(true)
}

/// Why a function cannot work, for those that C and C++ programs are known to ask for.
fn unsupported(name: &str) -> Option<&'static str> {
    let jump = [
        "setjmp",
        "_setjmp",
        "__setjmp",
        "sigsetjmp",
        "longjmp",
        "_longjmp",
        "siglongjmp",
        "saveSetjmp",
        "testSetjmp",
    ];
    if jump.contains(&name) || name.starts_with("__wasm_setjmp") || name.starts_with("__wasm_longjmp") {
        return Some("WebAssembly here has no setjmp and longjmp; return error codes instead");
    }
    if name.starts_with("__cxa_")
        || name.starts_with("_Unwind_")
        || name.starts_with("__gxx_")
        || name == "__cpp_exception"
    {
        return Some(
            "C++ exceptions are not supported here; build with -fno-exceptions, or test code that does not throw",
        );
    }
    let process = [
        "fork", "vfork", "execve", "execvp", "execv", "execl", "execlp", "system", "popen", "waitpid",
        "wait", "kill",
    ];
    if process.contains(&name) {
        return Some("a subject runs alone and cannot start processes");
    }
    if name.starts_with("pthread_") || name == "thrd_create" {
        return Some("threads are not supported here");
    }
    let sockets = ["socket", "connect", "bind", "listen", "getaddrinfo", "gethostbyname"];
    sockets.contains(&name).then_some("a subject cannot reach the network")
}

/// A failed check of clang's undefined-behaviour sanitiser. The first argument points to its data, which begin with the
/// source location: file name, line, column. Those of `bounds.c` have none.
fn sanitiser(handler: &str, arguments: &[Val], memory: &[u8]) -> End {
    let handler = handler.trim_end_matches("_abort");
    let number = |index: usize| match arguments.get(index) {
        Some(Val::I32(number)) => Some(*number),
        _ => None,
    };
    let word = |address: i32| {
        let bytes = slice(memory, address, 4).ok()?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    let location = number(0).filter(|data| *data != 0).and_then(|data| {
        let name = word(data)? as usize;
        let name = memory.get(name..)?.split(|byte| *byte == 0).next()?;
        let file = String::from_utf8_lossy(name).into_owned();
        Some(Location { file, line: word(data + 4)?, column: word(data + 8)? })
    });
    // The type of the operands follows the location; 32-bit signed operands are passed as they are.
    let operand = |index: usize| {
        let ty = word(number(0)? + 12)? as i32;
        let kind = word(ty)?;
        let (integer, signed, bits) = (kind as u16 == 0, kind >> 16 & 1 == 1, 1u32 << ((kind >> 17) & 31));
        let value = number(index)?;
        match (integer && bits <= 32, signed) {
            (true, true) => Some(i64::from(value)),
            (true, false) => Some(i64::from(value as u32)),
            _ => None,
        }
    };
    let arithmetic = |symbol: &str| match (operand(1), operand(2)) {
        (Some(left), Some(right)) => format!("signed overflow: {left} {symbol} {right}"),
        _ => format!("signed overflow in `{symbol}`"),
    };
    let (kind, message) = match handler {
        "add_overflow" => (CrashKind::SignedOverflow, arithmetic("+")),
        "sub_overflow" => (CrashKind::SignedOverflow, arithmetic("-")),
        "mul_overflow" => (CrashKind::SignedOverflow, arithmetic("*")),
        "negate_overflow" => (CrashKind::SignedOverflow, "signed overflow in a negation".to_owned()),
        "divrem_overflow" => (CrashKind::Division, "a division by zero or one that overflows".to_owned()),
        "shift_out_of_bounds" => {
            (CrashKind::Shift, "a shift by too much, or of a negative number".to_owned())
        }
        "out_of_bounds" => {
            let index = number(1).map(|index| format!(": index {index}")).unwrap_or_default();
            (CrashKind::IndexOutOfBounds, format!("an index beyond its array{index}"))
        }
        "outside_of_variable" => (
            CrashKind::IndexOutOfBounds,
            "memory outside of a variable was reached through a pointer".to_owned(),
        ),
        "float_cast_overflow" => (
            CrashKind::Other("conversion".to_owned()),
            "a floating-point number was converted to an integer type that does not have it".to_owned(),
        ),
        "load_invalid_value" => (
            CrashKind::Other("value".to_owned()),
            "a bool that is neither true nor false was read".to_owned(),
        ),
        "type_mismatch_v1" | "nonnull_arg" | "nonnull_return_v1" | "alignment_assumption" => {
            let what =
                if number(1) == Some(0) { "a null pointer was used" } else { "a bad pointer was used" };
            (CrashKind::NullPointer, what.to_owned())
        }
        "pointer_overflow" => {
            let null = number(1) == Some(0);
            let what =
                if null { "an offset was added to a null pointer" } else { "pointer arithmetic overflowed" };
            (CrashKind::PointerOverflow, what.to_owned())
        }
        "builtin_unreachable" | "missing_return" => {
            (CrashKind::Unreachable, "code that must not be reached was reached".to_owned())
        }
        other => {
            let words = format!("undefined behaviour ({})", other.replace('_', " "));
            (CrashKind::Other(words.clone()), words)
        }
    };
    End::Crash(kind, message, location)
}
