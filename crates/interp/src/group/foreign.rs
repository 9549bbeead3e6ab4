//! Imports from elsewhere: the sanitiser's handlers of the checked build, and what cannot work here.

use twinrun_base::{CrashKind, Location};

use crate::domain::Domain;
use crate::group::host::{Arguments, End};
use crate::imports::Host;

const HANDLER: &str = "__ubsan_handle_";

/// Whether an import is one of these.
pub(super) fn is_known(name: &str) -> bool {
    name.starts_with(HANDLER) || unsupported(name).is_some()
}

/// What a call of it comes to.
pub(super) fn end<D: Domain>(name: &str, host: &mut Host<'_, D>) -> End {
    match name.strip_prefix(HANDLER) {
        Some(handler) => sanitiser(handler, host),
        None => {
            let reason = unsupported(name).unwrap_or("it is not available");
            End::Crash(CrashKind::Unsupported, format!("`{name}` was called: {reason}"), None)
        }
    }
}

/// Why a function cannot work, for those that C and C++ programs are known to ask for.
pub fn unsupported(name: &str) -> Option<&'static str> {
    let jumps = [
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
    if jumps.contains(&name) || name.starts_with("__wasm_setjmp") || name.starts_with("__wasm_longjmp") {
        return Some("WebAssembly here has no setjmp and longjmp; return error codes instead");
    }
    if ["__cxa_", "_Unwind_", "__gxx_"].iter().any(|prefix| name.starts_with(prefix))
        || name == "__cpp_exception"
    {
        return Some(
            "C++ exceptions are not supported here; build with -fno-exceptions, or test code that does not throw",
        );
    }
    let processes = [
        "fork", "vfork", "execve", "execvp", "execv", "execl", "execlp", "system", "popen", "waitpid",
        "wait", "kill",
    ];
    if processes.contains(&name) {
        return Some("a subject runs alone and cannot start processes");
    }
    if name.starts_with("pthread_") || name == "thrd_create" {
        return Some("threads are not supported here");
    }
    let sockets = ["socket", "connect", "bind", "listen", "getaddrinfo", "gethostbyname"];
    sockets.contains(&name).then_some("a subject cannot reach the network")
}

/// A failed check of clang's undefined-behaviour sanitiser. The first argument points to its data: source location (file name, line, column), then the
/// type of the operands. Those of `bounds.c` have none.
fn sanitiser<D: Domain>(handler: &str, host: &mut Host<'_, D>) -> End {
    let handler = handler.trim_end_matches("_abort");
    let data = (host.params > 0).then(|| host.word(0)).filter(|data| *data != 0);
    let mut word = |at: u32| {
        let bytes = host.read(at, 4).ok()?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    let header = data.and_then(|data| Some((word(data)?, word(data + 4)?, word(data + 8)?)));
    // 32-bit operands are passed as they are.
    let operands = data.and_then(|data| word(data + 12)).and_then(word).and_then(|kind| {
        let (integer, signed, bits) = (kind as u16 == 0, kind >> 16 & 1 == 1, 1u32 << ((kind >> 17) & 31));
        (integer && bits <= 32).then_some(signed)
    });
    let location =
        header.and_then(|(name, line, column)| Some(Location { file: string(host, name)?, line, column }));
    let number = |index: usize| (index < host.params).then(|| host.word(index) as i32);
    let operand = |index: usize| match operands? {
        true => number(index).map(i64::from),
        false => number(index).map(|number| i64::from(number as u32)),
    };
    let arithmetic = |symbol: &str| match (operand(1), operand(2)) {
        (Some(left), Some(right)) => format!("signed overflow: {left} {symbol} {right}"),
        _ => format!("signed overflow in `{symbol}`"),
    };
    let null = number(1) == Some(0);
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
            let what = if null { "a null pointer was used" } else { "a bad pointer was used" };
            (CrashKind::NullPointer, what.to_owned())
        }
        "pointer_overflow" => {
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

/// A string that ends with a zero.
fn string<D: Domain>(host: &Host<'_, D>, at: u32) -> Option<String> {
    let memory = host.memory().ok()?;
    let bytes: Vec<u8> = (u64::from(at)..memory.len())
        .map(|at| memory.bytes().get(at))
        .take_while(|byte| *byte != 0)
        .collect();
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
