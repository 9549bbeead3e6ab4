//! Why execution ends before its time.

use std::fmt;

/// A reason to stop; small, because every operator may return one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Trap {
    /// `unreachable` was executed.
    Unreachable,
    /// A memory access outside linear memory.
    MemoryOutOfBounds,
    /// A table access outside the table.
    TableOutOfBounds,
    /// An integer was divided by zero.
    DivisionByZero,
    /// The quotient or converted float has no place in its type.
    IntegerOverflow,
    /// A NaN was converted to an integer.
    BadConversion,
    /// A call through a null table entry.
    NullCall,
    /// A call through a table entry beyond the table.
    UndefinedElement,
    /// A call through an entry of another type.
    SignatureMismatch,
    /// More calls are open than allowed.
    StackOverflow,
    /// The stack in linear memory ran over its end.
    StackExhausted,
    /// More memory was asked for than the limit allows.
    MemoryLimit,
    /// User code touched bytes beside a heap block (checked build).
    HeapOverrun,
    /// User code touched a freed heap block (checked build).
    UseAfterFree,
    /// Something was decided, addressed or told by bytes that nobody had written.
    Uninitialised,
    /// The work limit was reached.
    Work,
    /// A cut came: Ctrl-C, or the time is over.
    Cut,
    /// The program asked to end with this code.
    Exit(i32),
    /// The host ended the execution and knows why.
    Host,
    /// The value domain cannot go on and knows why.
    Domain,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The words of the specification, where it has some.
        f.write_str(match self {
            Trap::Unreachable => "unreachable",
            Trap::MemoryOutOfBounds => "out of bounds memory access",
            Trap::TableOutOfBounds => "out of bounds table access",
            Trap::DivisionByZero => "integer divide by zero",
            Trap::IntegerOverflow => "integer overflow",
            Trap::BadConversion => "invalid conversion to integer",
            Trap::NullCall => "uninitialized element",
            Trap::UndefinedElement => "undefined element",
            Trap::SignatureMismatch => "indirect call type mismatch",
            Trap::StackOverflow => "call stack exhausted",
            Trap::StackExhausted => "the stack is exhausted",
            Trap::MemoryLimit => "memory limit reached",
            Trap::HeapOverrun => "heap overrun",
            Trap::UseAfterFree => "use after free",
            Trap::Uninitialised => "use of an uninitialised value",
            Trap::Work => "work limit reached",
            Trap::Cut => "stopped before it had ended",
            Trap::Exit(code) => return write!(f, "exit with code {code}"),
            Trap::Host => "ended by the host",
            Trap::Domain => "beyond the value domain",
        })
    }
}
