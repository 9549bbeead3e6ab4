//! Sites: places in the subject's source that something is said about, found once for each module and used by both engines.
//!
//! Engines number what they observe by *index* into [`Sites::blocks`] and [`Sites::branches`]; instruction positions are
//! byte offsets from the start of the code section's payload, as DWARF counts them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place in a source file; lines and columns count from 1, column 0 means the whole line.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Location {
    /// The path, relative to the project where it lies inside it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            0 => write!(f, "{}:{}", self.file, self.line),
            column => write!(f, "{}:{}:{column}", self.file, self.line),
        }
    }
}

/// A source position by number, so that tables stay small: index into [`Sites::files`], line, column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Index into [`Sites::files`].
    pub file: u32,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A function of the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its index in the module's function index space (imports included).
    pub index: u32,
    /// Its name from the debug information or the name section, demangled.
    pub name: String,
    /// Whether it is user code: the line table places it in a file of the project.
    pub user: bool,
    /// The byte range of its body, from the code section's payload.
    pub range: (u32, u32),
    /// Where it is declared.
    pub place: Option<Place>,
}

/// Functions of our plain C library that touch memory on behalf of their caller. The allocator is not among them: it alone may touch what is freed.
const LIBRARY: [&str; 36] = [
    "memcpy",
    "mempcpy",
    "memmove",
    "memset",
    "memcmp",
    "memchr",
    "memrchr",
    "strlen",
    "strnlen",
    "stpcpy",
    "strcpy",
    "stpncpy",
    "strncpy",
    "strcat",
    "strncat",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strchrnul",
    "strchr",
    "strrchr",
    "strspn",
    "strcspn",
    "strpbrk",
    "strstr",
    "strtok_r",
    "strsep",
    "strndup",
    "parse",
    "atoi",
    "bsearch",
    "swap_bytes",
    "sift",
    "strdup",
    "strtok",
];

impl Function {
    /// Whether its accesses to the heap are the user's: user code, and the plain library, which is compiled with debug information.
    pub fn touches_for_user(&self) -> bool {
        self.user || (self.place.is_some() && LIBRARY.contains(&self.name.as_str()))
    }
}

/// A straight piece of code in user code, the unit of coverage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Index into [`Sites::functions`].
    pub function: u32,
    /// The offset of its first instruction.
    pub offset: u32,
    /// The offset just past its last instruction.
    pub end: u32,
    /// The distinct source positions of its instructions, in order (line 0 left out).
    pub places: Vec<Place>,
}

/// What kind of instruction a branch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BranchKind {
    /// `if`: outcome 1 when the condition is not zero.
    If,
    /// `br_if`: outcome 1 when it branches.
    BrIf,
    /// `br_table`: the outcome is the index of the target, the last one the default.
    BrTable,
    /// `select` in user code: outcome 1 when the first operand is chosen.
    Select,
}

/// A branch in user code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Index into [`Sites::functions`].
    pub function: u32,
    /// The offset of the instruction.
    pub offset: u32,
    /// What it is.
    pub kind: BranchKind,
    /// How many outcomes it has: 2, or the number of targets of a `br_table` (default included).
    pub outcomes: u32,
    /// Where it stands.
    pub place: Option<Place>,
    /// The branch statement that it belongs to: index into [`Sites::statements`].
    pub statement: Option<u32>,
}

/// A branch statement of the source: `if (a || b)` is one, with two branches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// Where the statement starts.
    pub place: Place,
}

/// The site table of one module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sites {
    /// Source files, relative to the project where they lie inside it.
    pub files: Vec<String>,
    /// Functions with a body, by ascending index.
    pub functions: Vec<Function>,
    /// Blocks of user code, by ascending offset.
    pub blocks: Vec<Block>,
    /// Branches of user code, by ascending offset.
    pub branches: Vec<Branch>,
    /// Branch statements.
    pub statements: Vec<Statement>,
}

impl Sites {
    /// The location of a place.
    pub fn location(&self, place: Place) -> Location {
        let file = self.files.get(place.file as usize).cloned().unwrap_or_default();
        Location { file, line: place.line, column: place.column }
    }

    /// The index of the branch at this instruction offset.
    pub fn branch_at(&self, offset: u32) -> Option<usize> {
        self.branches.binary_search_by_key(&offset, |branch| branch.offset).ok()
    }

    /// The function whose body contains this instruction offset.
    pub fn function_at(&self, offset: u32) -> Option<&Function> {
        let after = self.functions.partition_point(|function| function.range.0 <= offset);
        self.functions[..after].last().filter(|function| offset < function.range.1)
    }
}
