//! Groups: all runs of one relation on one case, with one verdict.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::case::{Case, Value};
use crate::sites::Location;

/// How a group ended. The first run that ends badly decides; only `violated` needs all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every check was satisfied.
    Holds,
    /// A check failed.
    Violated,
    /// An assumption failed: the case says nothing.
    Discarded,
    /// A trap or a failed safety check.
    Crashed,
    /// The work limit was reached.
    Timeout,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Discarded => "discarded",
            Verdict::Crashed => "crashed",
            Verdict::Timeout => "timeout",
        })
    }
}

/// How a check compares its two sides; the number is its code in the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// The condition itself is true.
    True = 0,
    /// Both sides are equal.
    Eq = 1,
    /// They differ.
    Ne = 2,
    /// Left is at most right.
    Le = 3,
    /// Left is less than right.
    Lt = 4,
    /// They differ by at most the tolerance.
    Near = 5,
    /// Left is at least right.
    Ge = 6,
    /// Left is greater than right.
    Gt = 7,
}

impl Operator {
    /// The operator with this ABI code.
    pub fn from_code(code: u32) -> Option<Operator> {
        use Operator::{Eq, Ge, Gt, Le, Lt, Ne, Near, True};
        [True, Eq, Ne, Le, Lt, Near, Ge, Gt].get(code as usize).copied()
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        ["is true", "==", "!=", "<=", "<", "≈", ">=", ">"][self as usize]
    }
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailedCheck {
    /// How the sides were compared.
    pub operator: Operator,
    /// The check as the relation's source has it, e.g. `source == follow_up`.
    pub text: String,
    /// The left side; the condition itself for [`Operator::True`].
    pub left: Value,
    /// The right side.
    pub right: Value,
    /// The tolerance of [`Operator::Near`].
    pub tolerance: Option<f64>,
    /// Where the check stands.
    pub location: Option<Location>,
}

/// What a whole-program run gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramRun {
    /// The arguments, without the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// What it read.
    pub stdin: Vec<u8>,
    /// Its exit code.
    pub exit: i32,
    /// What it wrote.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// One execution of the subject inside a relation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The inputs that the relation says this run gets, by name.
    pub given: Vec<(String, Value)>,
    /// Labelled outputs.
    pub outputs: Vec<(String, Value)>,
    /// For whole programs and commands.
    pub program: Option<ProgramRun>,
}

/// Why a run crashed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CrashKind {
    /// `unreachable`: an abort, a failed assertion, a Rust panic.
    Unreachable,
    /// A memory access outside linear memory.
    OutOfBounds,
    /// A division by zero or one that overflows.
    Division,
    /// A conversion of a float that has no integer.
    Conversion,
    /// A call through a wrong function pointer.
    IndirectCall,
    /// The stack is exhausted.
    StackOverflow,
    /// Signed arithmetic overflowed (checked build).
    SignedOverflow,
    /// An index beyond its array (checked build).
    IndexOutOfBounds,
    /// A null or misaligned pointer was used (checked build).
    NullPointer,
    /// A shift by too much (checked build).
    Shift,
    /// Pointer arithmetic overflowed (checked build).
    PointerOverflow,
    /// An access beyond the end of a heap block.
    HeapOverrun,
    /// An access to freed memory.
    UseAfterFree,
    /// A block was freed twice, or was never allocated.
    BadFree,
    /// Bytes of the stack or the heap that nobody had written were used (checked build).
    Uninitialised,
    /// Memory beyond the limit was asked for.
    MemoryLimit,
    /// Output beyond the limit was written.
    OutputLimit,
    /// A feature that WebAssembly here does not offer (setjmp, exceptions) was used.
    Unsupported,
    /// A C++ exception that nobody caught, `std::terminate`, or a jump into a call that has ended.
    Exception,
    /// A command ended by a signal.
    Signal,
    /// Anything else, in words.
    Other(String),
}

/// A frame of a stack at a crash, innermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// The function's name.
    pub function: String,
    /// Where in the source.
    pub location: Option<Location>,
}

/// A trap or a failed safety check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crash {
    /// Why.
    pub kind: CrashKind,
    /// One sentence for people.
    pub message: String,
    /// The stack, innermost frame first.
    pub stack: Vec<Frame>,
}

impl Crash {
    /// The innermost place in user code, else the innermost known place.
    pub fn location(&self) -> Option<&Location> {
        self.stack.iter().find_map(|frame| frame.location.as_ref())
    }
}

/// All runs of one relation on one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The inputs.
    pub case: Case,
    /// How it ended.
    pub verdict: Verdict,
    /// The runs that were started, in order; run 1 is the source.
    pub runs: Vec<Run>,
    /// The check that failed, for [`Verdict::Violated`].
    pub check: Option<FailedCheck>,
    /// The crash, for [`Verdict::Crashed`].
    pub crash: Option<Crash>,
    /// Work done: back-edges and calls.
    pub work: u64,
}
