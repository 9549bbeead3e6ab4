//! The catalogue of what can be found, with identifiers that never change.

use twinrun_base::{CrashKind, Finding, Verdict};

/// A kind of finding.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable identifier, used by SARIF, JUnit and GitHub.
    pub id: &'static str,
    /// A few words.
    pub title: &'static str,
    /// What it means, and what to do.
    pub help: &'static str,
}

macro_rules! rules {
    ($($name:ident = $id:literal, $title:literal, $help:literal;)*) => {
        $(const $name: Rule = Rule { id: $id, title: $title, help: $help };)*
        /// Every rule.
        pub const RULES: &[Rule] = &[$($name),*];
    };
}

rules! {
    VIOLATED = "relation-violated", "relation violated",
        "The runs of one group do not stand in the relation that must hold between them: the subject, or the relation, is wrong.";
    TIMEOUT = "timeout", "work limit reached",
        "A run did not end within its work limit: an endless loop, or a limit that is too low (`work` under [limits]).";
    ABORT = "crash-abort", "abort",
        "A run aborted: a failed assertion, a call of abort, or a panic.";
    OUT_OF_BOUNDS = "crash-out-of-bounds", "access outside memory",
        "A run accessed memory that does not exist.";
    DIVISION = "crash-division", "division by zero or overflowing division",
        "A run divided by zero, or divided the least number by -1.";
    CONVERSION = "crash-conversion", "conversion without a value",
        "A run converted a floating-point number that no integer represents.";
    INDIRECT_CALL = "crash-indirect-call", "call through a wrong pointer",
        "A run called a function through a pointer of another type, or through no pointer to a function at all.";
    STACK_OVERFLOW = "crash-stack-overflow", "stack exhausted",
        "A run exhausted the stack: endless recursion, or very large local variables.";
    SIGNED_OVERFLOW = "crash-signed-overflow", "signed overflow",
        "Signed arithmetic overflowed, which is undefined in C and C++; only the checked build notices.";
    INDEX = "crash-index", "index beyond the array",
        "A run used an index beyond its array; only the checked build notices.";
    NULL = "crash-null", "null or misaligned pointer",
        "A run used a null or misaligned pointer; only the checked build notices.";
    SHIFT = "crash-shift", "shift by too much",
        "A run shifted by a negative number, by the width or more, or a bit into the sign; only the checked build notices.";
    POINTER_OVERFLOW = "crash-pointer-overflow", "pointer arithmetic overflowed",
        "Pointer arithmetic left its object by far; only the checked build notices.";
    HEAP_OVERRUN = "crash-heap-overrun", "heap overrun",
        "A run wrote beyond the end of a heap block. A native replay under AddressSanitizer shows the access.";
    USE_AFTER_FREE = "crash-use-after-free", "use after free",
        "A run accessed memory that it had freed. A native replay under AddressSanitizer shows the access.";
    BAD_FREE = "crash-bad-free", "bad free",
        "A run freed a block twice, or freed what was never allocated.";
    UNINITIALISED = "crash-uninitialised", "use of an uninitialised value",
        "A branch, an address, a check or an output of a run depends on bytes of the stack or the heap that nobody had written.";
    MEMORY_LIMIT = "crash-memory-limit", "memory limit reached",
        "A run asked for more memory than the limit allows (`memory` under [limits]).";
    OUTPUT_LIMIT = "crash-output-limit", "output limit reached",
        "A run wrote more than the limit allows (`output` under [limits]).";
    UNSUPPORTED = "crash-unsupported", "unsupported feature",
        "A run used what WebAssembly here does not offer: processes, the network, or threads that would wait for ever.";
    EXCEPTION = "crash-exception", "uncaught exception",
        "A C++ exception was caught by nobody, `std::terminate` was called, or `longjmp` led into a call that has ended.";
    SIGNAL = "crash-signal", "ended by a signal",
        "A command was ended by a signal.";
    OTHER = "crash-other", "crash",
        "A run ended badly; the message says how.";
}

/// The rule that a finding falls under.
pub fn rule(finding: &Finding) -> &'static Rule {
    match (&finding.verdict, &finding.group.crash) {
        (Verdict::Timeout, _) => &TIMEOUT,
        (Verdict::Crashed, crash) => crash.as_ref().map_or(&OTHER, |crash| of_crash(&crash.kind)),
        _ => &VIOLATED,
    }
}

fn of_crash(kind: &CrashKind) -> &'static Rule {
    match kind {
        CrashKind::Unreachable => &ABORT,
        CrashKind::OutOfBounds => &OUT_OF_BOUNDS,
        CrashKind::Division => &DIVISION,
        CrashKind::Conversion => &CONVERSION,
        CrashKind::IndirectCall => &INDIRECT_CALL,
        CrashKind::StackOverflow => &STACK_OVERFLOW,
        CrashKind::SignedOverflow => &SIGNED_OVERFLOW,
        CrashKind::IndexOutOfBounds => &INDEX,
        CrashKind::NullPointer => &NULL,
        CrashKind::Shift => &SHIFT,
        CrashKind::PointerOverflow => &POINTER_OVERFLOW,
        CrashKind::HeapOverrun => &HEAP_OVERRUN,
        CrashKind::UseAfterFree => &USE_AFTER_FREE,
        CrashKind::BadFree => &BAD_FREE,
        CrashKind::Uninitialised => &UNINITIALISED,
        CrashKind::MemoryLimit => &MEMORY_LIMIT,
        CrashKind::OutputLimit => &OUTPUT_LIMIT,
        CrashKind::Unsupported => &UNSUPPORTED,
        CrashKind::Exception => &EXCEPTION,
        CrashKind::Signal => &SIGNAL,
        CrashKind::Other(_) => &OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_distinct_and_plain() {
        for (index, rule) in RULES.iter().enumerate() {
            assert!(rule.id.chars().all(|char| char.is_ascii_lowercase() || char == '-'), "{}", rule.id);
            assert!(RULES[..index].iter().all(|other| other.id != rule.id), "{}", rule.id);
            assert!(rule.help.ends_with('.'));
        }
    }
}
