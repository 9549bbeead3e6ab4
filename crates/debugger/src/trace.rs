//! Debugging actions and what the debugger answered to them: the grammars of actions and traces (Tolksdorf, Lehmann and
//! Pradel, "Interactive Metamorphic Testing of Debuggers", ISSTA 2019, figure 3).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::position::Position;

/// Resumes the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// Run to the next breakpoint.
    Continue,
    /// Run to the next breakpoint or into the caller.
    StepOut,
    /// Run to the next breakpoint or statement of this function or a caller.
    StepOver,
    /// Run to the next statement anywhere.
    StepInto,
}

impl Control {
    /// The three steps.
    pub const STEPS: [Control; 3] = [Control::StepOut, Control::StepOver, Control::StepInto];
}

/// One thing that the user of a debugger does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Ask for a breakpoint at a place.
    Set {
        /// The place asked for.
        at: Position,
        /// A condition in the program's language.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    /// Remove the breakpoint that was asked for at this place.
    Remove {
        /// The place that was asked for.
        at: Position,
    },
    /// Resume; the first one starts the program.
    Control(Control),
    /// What not every debugger can do.
    Special(Special),
}

/// Actions beyond those of the grammar; a debugger that does not know one refuses with [`Special::UNKNOWN`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Special {
    /// Evaluate an expression in the paused frame.
    Evaluate {
        /// The expression.
        expression: String,
    },
    /// Give a variable of the paused frame a value.
    Assign {
        /// The variable.
        name: String,
        /// The value, as the debugger shows it.
        value: String,
    },
    /// Ask for a breakpoint by the program's address.
    ByUrl {
        /// The place.
        at: Position,
    },
    /// Resume and pause at this place.
    RunTo {
        /// The place.
        at: Position,
    },
    /// Ask for a breakpoint that must never pause.
    Passive {
        /// The place.
        at: Position,
        /// Why it never pauses.
        how: Passive,
    },
    /// Begin the top frame anew.
    Restart,
    /// Pause where something is thrown, or no more.
    Exceptions {
        /// Whether.
        on: bool,
    },
    /// Read more of every pause, or less.
    Look {
        /// Frames whose variables are read.
        frames: usize,
        /// How deep values are read.
        depth: usize,
    },
}

/// Why a breakpoint never pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Passive {
    /// It writes a message and goes on.
    Log,
    /// It waits for more hits than there can be.
    Hits,
}

impl Passive {
    /// What a logpoint writes: no program does.
    pub const MESSAGE: &'static str = "twinrun passed here";
}

impl Special {
    /// The refusal of a debugger that has no such thing.
    pub const UNKNOWN: &'static str = "not offered by this debugger";
}

impl Action {
    /// An unconditional breakpoint.
    pub fn set(at: Position) -> Self {
        Action::Set { at, condition: None }
    }
}

/// A variable as the debugger shows it: its value rendered to a depth, without addresses or identities.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value as text.
    pub value: String,
}

/// What a scope belongs to; decides what a transformation may change in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeKind {
    /// The paused function's own variables, its blocks included.
    Own,
    /// Variables of an enclosing function, of which a debugger need only show those that are captured.
    Enclosing,
    /// Variables of the whole program.
    Global,
}

/// One scope of a frame, innermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// What it belongs to.
    pub kind: ScopeKind,
    /// The debugger's word for it.
    pub label: String,
    /// Its variables, in the order of their names.
    pub variables: Vec<Variable>,
}

/// One frame of the call stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// The function's name, empty for the program's top level or an anonymous function.
    pub function: String,
    /// Where the frame stands; none outside the program under debugging.
    pub location: Option<Position>,
    /// Its scopes, where they were asked for.
    pub scopes: Vec<Scope>,
}

/// The program stands still.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pause {
    /// Where.
    pub location: Position,
    /// The debugger's word for why; not compared, for a step and a breakpoint may meet.
    pub reason: String,
    /// Whether the debugger names one of its breakpoints as the cause.
    pub at_breakpoint: bool,
    /// Lines that the program had written when the pause was announced, where that can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub printed: Option<usize>,
    /// The call stack, innermost first.
    pub frames: Vec<Frame>,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By itself.
    Finished,
    /// With an exception that nobody caught: its first line.
    Threw(String),
    /// With an exit code other than zero.
    Exited(i32),
    /// The debugger or the debugged process died; the signal or exit code.
    Crashed(String),
    /// The debugger answered what its protocol does not know, or refused what it must do: its words.
    Nonsense(String),
    /// No pause, end or answer came within the limit.
    Silent,
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Finished => write!(formatter, "finished"),
            Ending::Threw(error) => write!(formatter, "threw {error}"),
            Ending::Exited(code) => write!(formatter, "exited with {code}"),
            Ending::Crashed(how) => write!(formatter, "crashed: {how}"),
            Ending::Nonsense(words) => write!(formatter, "nonsense: {words}"),
            Ending::Silent => write!(formatter, "silent"),
        }
    }
}

/// What the debugger answered to an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The breakpoint stands at this place.
    Set(Position),
    /// The breakpoint was not set: the debugger's words.
    Refused(String),
    /// The breakpoint is gone.
    Removed,
    /// What evaluating gave.
    Said(String),
    /// The program paused.
    Paused(Pause),
    /// The program ended.
    Ended(Ending),
}

/// An action with its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    /// What was done.
    pub action: Action,
    /// What came of it.
    pub answer: Answer,
}

/// All of one session.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Trace {
    /// The actions with their answers, in order.
    pub steps: Vec<Step>,
    /// What the program itself wrote, a line each.
    pub output: Vec<String>,
    /// How the program ended, after the last action ran to the end without breakpoints.
    pub ending: Ending,
}

impl Trace {
    /// The actions alone.
    pub fn actions(&self) -> Vec<Action> {
        self.steps.iter().map(|step| step.action.clone()).collect()
    }
}

impl fmt::Display for Control {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Control::Continue => "continue",
            Control::StepOut => "step out",
            Control::StepOver => "step over",
            Control::StepInto => "step into",
        })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Set { at, condition: None } => write!(formatter, "set breakpoint at {at}"),
            Action::Set { at, condition: Some(condition) } => {
                write!(formatter, "set breakpoint at {at} if {condition}")
            }
            Action::Remove { at } => write!(formatter, "remove breakpoint at {at}"),
            Action::Control(control) => write!(formatter, "{control}"),
            Action::Special(Special::Evaluate { expression }) => write!(formatter, "evaluate {expression}"),
            Action::Special(Special::Assign { name, value }) => write!(formatter, "set {name} to {value}"),
            Action::Special(Special::ByUrl { at }) => write!(formatter, "set breakpoint by address at {at}"),
            Action::Special(Special::RunTo { at }) => write!(formatter, "run to {at}"),
            Action::Special(Special::Passive { at, how: Passive::Log }) => {
                write!(formatter, "set logpoint at {at}")
            }
            Action::Special(Special::Passive { at, how: Passive::Hits }) => {
                write!(formatter, "set breakpoint for hits beyond reach at {at}")
            }
            Action::Special(Special::Restart) => write!(formatter, "restart the frame"),
            Action::Special(Special::Exceptions { on: true }) => write!(formatter, "pause on exceptions"),
            Action::Special(Special::Exceptions { on: false }) => write!(formatter, "pause on no exceptions"),
            Action::Special(Special::Look { frames, depth }) => {
                write!(formatter, "look at {frames} frames, {depth} deep")
            }
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Set(at) => write!(formatter, "set at {at}"),
            Answer::Refused(words) => write!(formatter, "refused: {words}"),
            Answer::Removed => write!(formatter, "removed"),
            Answer::Said(text) => write!(formatter, "{text}"),
            Answer::Paused(pause) => write!(formatter, "paused at {}", pause.location),
            Answer::Ended(ending) => write!(formatter, "{ending}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_survive_json() {
        let actions = vec![
            Action::set(Position::new(3, 4)),
            Action::Set { at: Position::new(1, 0), condition: Some("true".to_owned()) },
            Action::Control(Control::StepInto),
            Action::Remove { at: Position::new(3, 4) },
        ];
        let text = serde_json::to_string(&actions).unwrap();
        assert!(text.contains(r#"{"control":"step-into"}"#), "{text}");
        assert_eq!(serde_json::from_str::<Vec<Action>>(&text).unwrap(), actions);
    }
}
