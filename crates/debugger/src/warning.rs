//! Warnings: everything that a maintainer needs to judge a difference.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::compare::Difference;
use crate::follow::{FollowUp, Plan, Test};
use crate::position::{LineIndex, Position};
use crate::trace::{Action, Answer, Control, Step};
use crate::transformations::LAWS;

/// A difference between two sessions that should have been alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The debugger, with its version.
    pub debugger: String,
    /// How another program would start it, for debug adapters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<serde_json::Value>,
    /// The seed of the test.
    pub seed: u64,
    /// The transformations of all rounds; the last one made the difference.
    pub rounds: Vec<String>,
    /// Whether the last transformation was decided while the debugger ran.
    pub interactive: bool,
    /// The last transformation with its choices.
    pub plan: Plan,
    /// The session before it.
    pub initial: Test,
    /// The session after it.
    pub follow_up: FollowUp,
    /// The first difference.
    pub difference: Difference,
    /// Whether the program and the actions were reduced.
    pub reduced: bool,
}

/// One line of two aligned traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedRow {
    /// The step of the initial session, if one stands here.
    pub initial: Option<usize>,
    /// The step of the follow-up session, if one stands here.
    pub follow_up: Option<usize>,
    /// Whether this is the first difference.
    pub differs: bool,
}

impl Warning {
    /// Both traces side by side: steps that had to match stand in one row.
    pub fn aligned(&self) -> Vec<AlignedRow> {
        let (mut one, mut two) = (0, 0);
        let mut rows = Vec::new();
        let last = self.follow_up.pairs.last().copied();
        let in_behaviour = self.difference_in_behaviour();
        for &(initial, follow_up) in &self.follow_up.pairs {
            while one < initial {
                rows.push(AlignedRow { initial: Some(one), follow_up: None, differs: false });
                one += 1;
            }
            while two < follow_up {
                rows.push(AlignedRow { initial: None, follow_up: Some(two), differs: false });
                two += 1;
            }
            if one > initial {
                continue;
            }
            let differs = !in_behaviour && last == Some((initial, follow_up));
            rows.push(AlignedRow { initial: Some(initial), follow_up: Some(follow_up), differs });
            (one, two) = (initial + 1, two.max(follow_up + 1));
        }
        rows.extend((one..self.initial.trace.steps.len()).map(|step| AlignedRow {
            initial: Some(step),
            follow_up: None,
            differs: false,
        }));
        rows.extend((two..self.follow_up.test.trace.steps.len()).map(|step| AlignedRow {
            initial: None,
            follow_up: Some(step),
            differs: false,
        }));
        rows
    }

    /// Whether the difference lies in output or ending rather than in an answer.
    pub fn difference_in_behaviour(&self) -> bool {
        use crate::compare::DifferenceKind as Kind;
        match self.difference.kind {
            Kind::Output => !self.difference.expected.contains(" lines written before the pause"),
            Kind::Ending => true,
            Kind::Crash | Kind::Silence => {
                let steps = &self.follow_up.test.trace.steps;
                !steps.last().is_some_and(|step| matches!(step.answer, Answer::Ended(_)))
            }
            _ => false,
        }
    }

    /// What warnings of one cause have in common: what goes wrong at which kind of syntax, and what was done there. The words of a
    /// difference and, where a breakpoint or a continue goes wrong, the transformation that showed it say nothing of the cause.
    pub fn cause(&self) -> String {
        use crate::compare::DifferenceKind as Kind;
        let last = self.follow_up.pairs.last().copied();
        let steps = &self.initial.trace.steps;
        let source = &self.initial.program.source;
        let here = last.and_then(|(one, _)| match &steps.get(one)?.answer {
            Answer::Paused(pause) => Some(token(source, pause.location)),
            Answer::Set(at) => Some(token(source, *at)),
            _ => None,
        });
        // Where only the changed session has a place.
        let there = last.and_then(|(_, two)| {
            let test = &self.follow_up.test;
            match &test.trace.steps.get(two)?.answer {
                Answer::Paused(pause) => Some(token(&test.program.source, pause.location)),
                Answer::Set(at) => Some(token(&test.program.source, *at)),
                _ => None,
            }
        });
        let at = here.or(there).unwrap_or_else(|| "the end".to_owned());
        let control = last.and_then(|(_, two)| match &self.follow_up.test.trace.steps.get(two)?.action {
            Action::Control(control) => Some(*control),
            _ => None,
        });
        let how = &self.plan.transformation;
        let kind = serde_json::to_value(self.difference.kind).ok();
        let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default().to_owned();
        match (self.difference.kind, control) {
            (Kind::BreakpointMoved | Kind::BreakpointRefused | Kind::BreakpointAccepted, _) => {
                format!("{kind} at {at}")
            }
            // Where a step ended that should not have ended there says little of why.
            (Kind::PauseExtra, Some(control)) if how == LAWS && control != Control::Continue => {
                format!("{control} that ends too deep")
            }
            (Kind::PauseMoved | Kind::PauseMissing | Kind::PauseExtra, Some(Control::Continue)) => {
                format!("pause of a continue at {at}")
            }
            (Kind::PauseMoved | Kind::PauseMissing | Kind::PauseExtra, Some(control)) => {
                format!("pause of a {control} after {how} at {at}")
            }
            (Kind::Evaluation, _) => format!("evaluation at {at}"),
            (Kind::Crash | Kind::Silence | Kind::Nonsense, Some(control)) => {
                format!("{kind} on {control} after {how}")
            }
            _ => format!("{kind} after {how} at {at}"),
        }
    }

    /// The warning as plain text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}: {}", self.debugger, self.cause());
        let _ = writeln!(
            text,
            "  program {}, seed {}, rounds {}",
            self.initial.program.name,
            self.seed,
            self.rounds.join(", ")
        );
        let _ = writeln!(text, "  expected {}", self.difference.expected);
        let _ = writeln!(text, "  found    {}", self.difference.found);
        let _ = writeln!(text, "\ninitial program:\n{}", numbered(&self.initial.program.source));
        if self.initial.program.source != self.follow_up.test.program.source {
            let _ = writeln!(text, "follow-up program:\n{}", numbered(&self.follow_up.test.program.source));
        }
        let show = |steps: &[Step], index: Option<usize>| {
            index
                .and_then(|index| steps.get(index))
                .map_or_else(String::new, |step| format!("{} → {}", step.action, step.answer))
        };
        let _ = writeln!(text, "{:<2} {:<52} follow-up", "", "initial");
        for row in self.aligned() {
            let mark = if row.differs { "✗" } else { "" };
            let one = show(&self.initial.trace.steps, row.initial);
            let two = show(&self.follow_up.test.trace.steps, row.follow_up);
            let _ = writeln!(text, "{mark:<2} {one:<52} {two}");
        }
        text
    }
}

fn numbered(source: &str) -> String {
    source.lines().enumerate().fold(String::new(), |mut text, (index, line)| {
        let _ = writeln!(text, "{:>4} {line}", index + 1);
        text
    })
}

/// The word or sign at a place; names and numbers count as one kind each.
fn token(source: &str, at: Position) -> String {
    const KEYWORDS: &[&str] = &[
        "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "do", "else",
        "extends", "finally", "for", "function", "if", "let", "new", "of", "return", "static", "super",
        "switch", "this", "throw", "try", "typeof", "var", "void", "while", "with", "yield", "def", "pass",
        "import",
    ];
    let index = LineIndex::new(source);
    let rest = &source[index.offset(at)..];
    let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '$').collect();
    if KEYWORDS.contains(&word.as_str()) {
        word
    } else if word.starts_with(|first: char| first.is_ascii_digit()) {
        "number".to_owned()
    } else if !word.is_empty() {
        "name".to_owned()
    } else {
        rest.chars().next().map_or_else(|| "end".to_owned(), |sign| sign.to_string())
    }
}
