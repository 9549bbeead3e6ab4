//! Whether a follow-up answer is what the initial answer and the transformation make us expect.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::edit::PositionMap;
use crate::position::Position;
use crate::trace::{Answer, Ending, Frame, Pause, ScopeKind, Trace};

/// The ways in which answers may legitimately differ.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// How positions moved; none when the program is the same.
    pub map: Option<PositionMap>,
    /// Names that inserted or removed code mentions: whether enclosing scopes show them may change.
    pub mentioned: BTreeSet<String>,
    /// Variables that only the follow-up has.
    pub fresh: BTreeSet<String>,
}

/// What kind of difference it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// A breakpoint went elsewhere.
    BreakpointMoved,
    /// A breakpoint could not be set any more.
    BreakpointRefused,
    /// A breakpoint could suddenly be set.
    BreakpointAccepted,
    /// The program paused at another place.
    PauseMoved,
    /// The program ended instead of pausing.
    PauseMissing,
    /// The program paused instead of ending.
    PauseExtra,
    /// The call stack differs.
    Stack,
    /// A variable is not shown any more.
    VariableMissing,
    /// A variable is shown that was not.
    VariableExtra,
    /// A variable has another value.
    Value,
    /// The debugger or the debugged process died.
    Crash,
    /// The debugger fell silent.
    Silence,
    /// The debugger answered nonsense.
    Nonsense,
    /// The program ended in another way.
    Ending,
    /// The program wrote something else.
    Output,
    /// An evaluated name has another value than is shown.
    Evaluation,
}

/// The first difference between two sessions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Difference {
    /// Its kind.
    pub kind: DifferenceKind,
    /// What the initial session makes us expect.
    pub expected: String,
    /// What the follow-up session showed.
    pub found: String,
}

impl Difference {
    fn new(kind: DifferenceKind, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Difference { kind, expected: expected.into(), found: found.into() }
    }
}

impl Relation {
    /// Whether an initial and a follow-up position are the same place.
    pub fn same(&self, initial: Position, follow_up: Position) -> bool {
        match &self.map {
            Some(map) => map.same(initial, follow_up),
            None => initial == follow_up,
        }
    }

    /// Compares two answers.
    pub fn compare(&self, initial: &Answer, follow_up: &Answer) -> Option<Difference> {
        use DifferenceKind as Kind;
        let differ = |kind| Some(Difference::new(kind, initial.to_string(), follow_up.to_string()));
        match (initial, follow_up) {
            (Answer::Set(one), Answer::Set(two)) if self.same(*one, *two) => None,
            (Answer::Set(_), Answer::Set(_)) => differ(Kind::BreakpointMoved),
            (Answer::Set(_), Answer::Refused(_)) => differ(Kind::BreakpointRefused),
            (Answer::Refused(_), Answer::Set(_)) => differ(Kind::BreakpointAccepted),
            (Answer::Paused(one), Answer::Paused(two)) => self.compare_pauses(one, two),
            (Answer::Ended(one), Answer::Ended(two)) => compare_endings(one, two),
            (_, Answer::Ended(Ending::Crashed(_))) => differ(Kind::Crash),
            (_, Answer::Ended(Ending::Silent)) => differ(Kind::Silence),
            (_, Answer::Ended(Ending::Nonsense(_))) => differ(Kind::Nonsense),
            (Answer::Paused(_), Answer::Ended(_)) => differ(Kind::PauseMissing),
            (Answer::Ended(_), Answer::Paused(_)) => differ(Kind::PauseExtra),
            _ => None,
        }
    }

    /// Compares what the programs did by themselves.
    pub fn compare_behaviour(&self, initial: &Trace, follow_up: &Trace) -> Option<Difference> {
        if let Some(difference) = compare_endings(&initial.ending, &follow_up.ending) {
            return Some(difference);
        }
        if initial.output == follow_up.output {
            return None;
        }
        let first = (0..).find(|&line| initial.output.get(line) != follow_up.output.get(line)).unwrap_or(0);
        let line = |trace: &Trace| trace.output.get(first).cloned().unwrap_or_else(|| "(nothing)".to_owned());
        Some(Difference::new(DifferenceKind::Output, line(initial), line(follow_up)))
    }

    fn compare_pauses(&self, initial: &Pause, follow_up: &Pause) -> Option<Difference> {
        if !self.same(initial.location, follow_up.location) {
            let at = |pause: &Pause| format!("paused at {}", pause.location);
            return Some(Difference::new(DifferenceKind::PauseMoved, at(initial), at(follow_up)));
        }
        let same_stack = initial.frames.len() == follow_up.frames.len()
            && initial.frames.iter().zip(&follow_up.frames).all(|(one, two)| {
                one.function == two.function
                    && match (one.location, two.location) {
                        (Some(one), Some(two)) => self.same(one, two),
                        (one, two) => one.is_none() && two.is_none(),
                    }
            });
        if !same_stack {
            return Some(Difference::new(DifferenceKind::Stack, stack(initial), stack(follow_up)));
        }
        // Below the top a variable may have no value yet for other reasons than those that a rewriting explains.
        let deep = if self.map.is_none() { initial.frames.len() } else { 1 };
        let mut frames = initial.frames.iter().zip(&follow_up.frames).take(deep);
        if let Some(difference) = frames.find_map(|(one, two)| self.compare_frames(one, two)) {
            return Some(difference);
        }
        match (initial.printed, follow_up.printed) {
            (Some(one), Some(two)) if one != two => {
                let words = |lines| format!("{lines} lines written before the pause at {}", initial.location);
                Some(Difference::new(DifferenceKind::Output, words(one), words(two)))
            }
            _ => None,
        }
    }

    fn compare_frames(&self, initial: &Frame, follow_up: &Frame) -> Option<Difference> {
        for kind in [ScopeKind::Own, ScopeKind::Enclosing, ScopeKind::Global] {
            let one = variables(initial, kind);
            let two = variables(follow_up, kind);
            let names: BTreeSet<&str> = one.keys().chain(two.keys()).copied().collect();
            for name in names {
                let excused = kind == ScopeKind::Enclosing && self.mentioned.contains(name);
                let label = format!("{name} in {kind:?} scope");
                match (one.get(name), two.get(name)) {
                    (Some(one), Some(two)) if one == two => {}
                    (Some(_), Some(_)) if excused => {}
                    (Some(one), Some(two)) => {
                        let (expected, found) = (format!("{label}: {}", one.join(", ")), two.join(", "));
                        let kind = if one.len() > two.len() {
                            DifferenceKind::VariableMissing
                        } else if one.len() < two.len() {
                            DifferenceKind::VariableExtra
                        } else {
                            DifferenceKind::Value
                        };
                        return Some(Difference::new(kind, expected, format!("{name}: {found}")));
                    }
                    (Some(one), None) if !excused => {
                        let expected = format!("{label}: {}", one.join(", "));
                        return Some(Difference::new(
                            DifferenceKind::VariableMissing,
                            expected,
                            format!("no {name}"),
                        ));
                    }
                    (None, Some(two)) if !excused && !self.fresh.contains(name) => {
                        let found = format!("{label}: {}", two.join(", "));
                        return Some(Difference::new(
                            DifferenceKind::VariableExtra,
                            format!("no {name}"),
                            found,
                        ));
                    }
                    _ => {}
                }
            }
        }
        None
    }
}

fn compare_endings(one: &Ending, two: &Ending) -> Option<Difference> {
    let kind = match two {
        _ if one == two => return None,
        Ending::Crashed(_) => DifferenceKind::Crash,
        Ending::Silent => DifferenceKind::Silence,
        Ending::Nonsense(_) => DifferenceKind::Nonsense,
        _ => DifferenceKind::Ending,
    };
    Some(Difference::new(kind, one.to_string(), two.to_string()))
}

/// The values of each name in all scopes of a kind, innermost first.
fn variables(frame: &Frame, kind: ScopeKind) -> BTreeMap<&str, Vec<&str>> {
    let mut values: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for scope in frame.scopes.iter().filter(|scope| scope.kind == kind) {
        for variable in &scope.variables {
            values.entry(&variable.name).or_default().push(&variable.value);
        }
    }
    values
}

fn stack(pause: &Pause) -> String {
    let frame = |frame: &Frame| {
        let name = if frame.function.is_empty() { "(anonymous)" } else { &frame.function };
        frame.location.map_or_else(|| name.to_owned(), |location| format!("{name} {location}"))
    };
    pause.frames.iter().map(frame).collect::<Vec<_>>().join(" < ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::{Scope, Variable};

    fn pause(kind: ScopeKind, variables: &[(&str, &str)]) -> Answer {
        let location = Position::new(1, 0);
        let variables = variables
            .iter()
            .map(|(name, value)| Variable { name: (*name).to_owned(), value: (*value).to_owned() })
            .collect();
        let scopes = vec![Scope { kind, label: String::new(), variables }];
        let frames = vec![Frame { function: "f".to_owned(), location: Some(location), scopes }];
        Answer::Paused(Pause { location, reason: String::new(), at_breakpoint: true, printed: None, frames })
    }

    fn kind(relation: &Relation, one: &Answer, two: &Answer) -> Option<DifferenceKind> {
        relation.compare(one, two).map(|difference| difference.kind)
    }

    #[test]
    fn a_missing_variable_is_a_difference_in_the_own_scope_even_when_mentioned() {
        let relation = Relation { mentioned: BTreeSet::from(["y".to_owned()]), ..Relation::default() };
        let (with, without) = (pause(ScopeKind::Own, &[("y", "1")]), pause(ScopeKind::Own, &[]));
        assert_eq!(kind(&relation, &with, &without), Some(DifferenceKind::VariableMissing));
        let (with, without) = (pause(ScopeKind::Enclosing, &[("y", "1")]), pause(ScopeKind::Enclosing, &[]));
        assert_eq!(kind(&relation, &without, &with), None);
        assert_eq!(kind(&Relation::default(), &without, &with), Some(DifferenceKind::VariableExtra));
    }

    #[test]
    fn what_was_written_before_a_pause_is_compared_where_both_sessions_tell_it() {
        let with = |lines| match pause(ScopeKind::Own, &[]) {
            Answer::Paused(pause) => Answer::Paused(Pause { printed: lines, ..pause }),
            other => other,
        };
        let relation = Relation::default();
        assert_eq!(kind(&relation, &with(Some(1)), &with(Some(0))), Some(DifferenceKind::Output));
        assert_eq!(kind(&relation, &with(Some(1)), &with(None)), None);
    }

    #[test]
    fn a_fresh_variable_is_expected() {
        let relation = Relation { fresh: BTreeSet::from(["p".to_owned()]), ..Relation::default() };
        let (one, two) = (pause(ScopeKind::Own, &[]), pause(ScopeKind::Own, &[("p", "undefined")]));
        assert_eq!(kind(&relation, &one, &two), None);
        assert_eq!(kind(&Relation::default(), &one, &two), Some(DifferenceKind::VariableExtra));
    }

    #[test]
    fn endings_tell_crash_silence_and_exceptions_apart() {
        let relation = Relation::default();
        let ended = |ending| Answer::Ended(ending);
        let finished = ended(Ending::Finished);
        let crashed = ended(Ending::Crashed("SIGSEGV".to_owned()));
        assert_eq!(kind(&relation, &finished, &crashed), Some(DifferenceKind::Crash));
        assert_eq!(
            kind(&relation, &pause(ScopeKind::Own, &[]), &ended(Ending::Silent)),
            Some(DifferenceKind::Silence)
        );
        assert_eq!(
            kind(&relation, &pause(ScopeKind::Own, &[]), &finished),
            Some(DifferenceKind::PauseMissing)
        );
        assert_eq!(
            kind(&relation, &finished, &ended(Ending::Threw("x".to_owned()))),
            Some(DifferenceKind::Ending)
        );
    }
}
