//! What a debugger must offer to be tested.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use crate::error::Result;
use crate::position::Position;
use crate::program::Program;
use crate::trace::{Control, Ending, Passive, Pause, Special};

/// What a debugger can do beyond breakpoints at lines and the four ways to resume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Breakpoints have columns; otherwise only the line of a position counts.
    pub columns: bool,
    /// Breakpoints can be conditional.
    pub conditions: bool,
    /// It tells which parts of the program never ran.
    pub coverage: bool,
    /// The condition that always holds, in the language of its programs.
    pub always: &'static str,
    /// The condition that never holds.
    pub never: &'static str,
    /// The program is started before breakpoints are set and stands at its entry.
    pub held: bool,
    /// It knows at least one of [`Special`].
    pub specials: bool,
}

/// How much a backend looks at and how long it waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long one request or one resumed program may take.
    pub answer: Duration,
    /// Frames of the call stack whose variables are read.
    pub frames: usize,
    /// How deep values are read; 1 shows the properties of an object.
    pub depth: usize,
    /// Lines of output that are kept; a program that writes more is cut off there.
    pub output_lines: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { answer: Duration::from_secs(20), frames: 1, depth: 1, output_lines: 2_000 }
    }
}

/// Why a resumed program came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It paused.
    Paused(Pause),
    /// It ended.
    Ended(Ending),
}

/// A breakpoint as the debugger knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placed {
    /// It stands here, under the debugger's own name.
    At {
        /// The debugger's name for it.
        id: String,
        /// Where it really went.
        actual: Position,
    },
    /// It could not be set, in the debugger's words.
    Refused(String),
}

/// A place where a debugger can break.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Where.
    pub at: Position,
    /// The debugger's word for what is there; empty for a plain statement.
    pub kind: String,
}

/// What programs leave untouched, remembered: a campaign comes back to each of its programs many times.
#[derive(Debug, Default)]
pub(crate) struct Unreached(BTreeMap<[u8; 32], Vec<Range<usize>>>);

/// Programs that are remembered at most; then all are forgotten.
const MOST_REMEMBERED: usize = 2_000;

impl Unreached {
    pub(crate) fn known(&self, program: &Program) -> Option<Vec<Range<usize>>> {
        self.0.get(blake3::hash(program.source.as_bytes()).as_bytes()).cloned()
    }

    pub(crate) fn learn(&mut self, program: &Program, found: Vec<Range<usize>>) -> Vec<Range<usize>> {
        if self.0.len() >= MOST_REMEMBERED {
            self.0.clear();
        }
        self.0.insert(*blake3::hash(program.source.as_bytes()).as_bytes(), found.clone());
        found
    }
}

/// A debugger under test. One value serves many sessions, one after the other: [`Backend::open`] starts a session,
/// [`Backend::finish`] or the next `open` ends it.
pub trait Backend: Send {
    /// Name and version, for reports.
    fn name(&self) -> &str;

    /// How another program would start it, for debug adapters.
    fn description(&self) -> Option<serde_json::Value> {
        None
    }

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Makes a program ready to be started, with no breakpoints.
    ///
    /// # Errors
    /// [`crate::Error::Program`] when the program does not parse.
    fn open(&mut self, program: &Program) -> Result<()>;

    /// Asks for a breakpoint.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense.
    fn set_breakpoint(&mut self, at: Position, condition: Option<&str>) -> Result<Placed>;

    /// Removes a breakpoint by the debugger's name for it.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense.
    fn remove_breakpoint(&mut self, id: &str) -> Result<()>;

    /// Starts or resumes the program and waits until it pauses or ends. A crash and silence are endings, not errors.
    ///
    /// # Errors
    /// When the debugger talks nonsense.
    fn resume(&mut self, control: Control) -> Result<Stop>;

    /// Evaluates, assigns: what leaves the program where it stands. Gives what was said, or the words of a refusal.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense.
    fn say(&mut self, special: &Special) -> Result<std::result::Result<String, String>> {
        let _ = special;
        Ok(Err(Special::UNKNOWN.to_owned()))
    }

    /// Asks for a breakpoint by the program's address.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense.
    fn set_by_url(&mut self, at: Position) -> Result<Placed> {
        let _ = at;
        Ok(Placed::Refused(Special::UNKNOWN.to_owned()))
    }

    /// Asks for a breakpoint that must never pause.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense.
    fn set_passive(&mut self, at: Position, how: Passive) -> Result<Placed> {
        let _ = (at, how);
        Ok(Placed::Refused(Special::UNKNOWN.to_owned()))
    }

    /// Begins the top frame anew; none when the debugger cannot or refuses.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense.
    fn restart(&mut self) -> Result<Option<Stop>> {
        Ok(None)
    }

    /// Resumes until a place; none when the debugger cannot or refuses.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense.
    fn run_to(&mut self, at: Position) -> Result<Option<Stop>> {
        let _ = at;
        Ok(None)
    }

    /// Lets the program run to its end without breakpoints; gives its output and how it ended.
    ///
    /// # Errors
    /// When the debugger talks nonsense.
    fn finish(&mut self) -> Result<(Vec<String>, Ending)>;

    /// Every place of a program where this debugger can break, in its own words and in the order of the text, several times where
    /// it names one several times; none when it cannot tell. Ends the session.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense.
    fn places(&mut self, program: &Program) -> Result<Option<Vec<Place>>>;

    /// The lines that a program writes to its standard output when it runs without any debugger; none when that cannot be tried.
    ///
    /// # Errors
    /// When it cannot be built.
    fn undebugged(&mut self, program: &Program) -> Result<Option<Vec<String>>> {
        let _ = program;
        Ok(None)
    }

    /// The parts of the program, as byte ranges, that a run to the end leaves untouched; empty without the capability.
    ///
    /// # Errors
    /// When the debugger dies or talks nonsense.
    fn unreached(&mut self, program: &Program) -> Result<Vec<Range<usize>>>;

    /// Throws the debugger's process away, so that the next session starts in a fresh one.
    fn discard(&mut self);
}
