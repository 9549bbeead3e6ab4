//! What the scopes of a pause show is what evaluating the same names gives.

use crate::compare::{Difference, DifferenceKind};
use crate::error::Result;
use crate::follow::{Follow, Plan};
use crate::outline::Outline;
use crate::position::LineIndex;
use crate::program::Program;
use crate::random::Random;
use crate::trace::{Action, Answer, Pause, ScopeKind, Special};

use super::laws::in_scope;
use super::{Scene, Transformation, steps_where};

/// See the module.
pub(crate) struct EvaluateShown;

/// Most names that one pause is asked for.
const MOST_NAMES: usize = 12;

impl Transformation for EvaluateShown {
    fn name(&self) -> &'static str {
        "evaluate-shown"
    }

    fn claim(&self) -> &'static str {
        "a name evaluated in a paused frame has the value that its innermost scope shows"
    }

    fn plan(&self, scene: &Scene<'_>, random: &mut Random) -> Option<Plan> {
        if !scene.capabilities.specials {
            return None;
        }
        let steps = steps_where(
            scene,
            |_, _, answer| matches!(answer, Answer::Paused(pause) if !shown(pause).is_empty()),
        );
        let step = *random.pick(&steps)?;
        Some(Plan { transformation: self.name().to_owned(), step, ..Plan::default() })
    }

    fn perform(&self, follow: &mut Follow<'_, '_>, index: usize) -> Result<Option<usize>> {
        let answered = follow.mirror(index)?;
        // Sessions of debug adapters are dear: there every pause from the first one on is looked at.
        let looks = index == follow.plan.step || (index > follow.plan.step && !follow.capabilities.columns);
        if !looks || !follow.matches(index) {
            return Ok(answered);
        }
        let Some(Answer::Paused(pause)) = follow.last() else { return Ok(answered) };
        let pause = pause.clone();
        if let Some(()) = unlisted(follow, index, &pause)? {
            return Ok(None);
        }
        for (name, value) in shown(&pause) {
            if without_value_yet(follow.program, &pause, &name) {
                continue;
            }
            let step = follow.perform(Action::Special(Special::Evaluate { expression: name.clone() }))?;
            let found = match &follow.session.steps()[step].answer {
                Answer::Said(text) => text.clone(),
                Answer::Refused(words) if words != Special::UNKNOWN => words.clone(),
                _ => continue,
            };
            if found != value {
                follow.contradict(
                    index,
                    step,
                    Difference {
                        kind: DifferenceKind::Evaluation,
                        expected: format!("{name} shown as {value}"),
                        found: format!("{name} evaluated: {found}"),
                    },
                );
                return Ok(None);
            }
        }
        Ok(answered)
    }
}

/// Whether some declaration of a name has not run where the program stands: evaluating the name may meet that one, which has no value and
/// need not be shown, while a scope further out shows a value of the same name.
fn without_value_yet(program: &Program, pause: &Pause, name: &str) -> bool {
    let offset = LineIndex::new(&program.source).offset(pause.location);
    let Ok(outline) = Outline::of(program) else { return false };
    outline.lexical.iter().any(|(known, end)| known == name && offset < *end)
}

/// Looks for numbers that have to be in scope by the program's text, are not listed, and can be evaluated all the same.
fn unlisted(follow: &mut Follow<'_, '_>, index: usize, pause: &Pause) -> Result<Option<()>> {
    let scopes = pause.frames.first().map_or(&[][..], |frame| &frame.scopes);
    // A debugger that lists nothing at all has no scopes here.
    if scopes.iter().all(|scope| scope.variables.is_empty()) {
        return Ok(None);
    }
    for name in in_scope(follow.program, pause) {
        let listed = scopes.iter().flat_map(|scope| &scope.variables).any(|variable| variable.name == name);
        if listed {
            continue;
        }
        let step = follow.perform(Action::Special(Special::Evaluate { expression: name.clone() }))?;
        if let Answer::Said(value) = &follow.session.steps()[step].answer
            && value.parse::<f64>().is_ok()
        {
            let difference = Difference {
                kind: DifferenceKind::Evaluation,
                expected: format!("{name} listed, for it evaluates to {value}"),
                found: format!("no {name}"),
            };
            follow.contradict(index, step, difference);
            return Ok(Some(()));
        }
    }
    Ok(None)
}

/// The variables of the top frame with a value, each with that of its innermost scope; what has none yet cannot be evaluated. Objects
/// may have accessors that a look does not call, so that only simple values are compared.
pub(super) fn shown(pause: &Pause) -> Vec<(String, String)> {
    let mut seen = std::collections::BTreeSet::new();
    let mut found = Vec::new();
    let scopes = pause.frames.first().map_or(&[][..], |frame| &frame.scopes);
    for scope in scopes.iter().filter(|scope| scope.kind != ScopeKind::Global) {
        for variable in &scope.variables {
            let name = &variable.name;
            let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
                && !name.starts_with(|first: char| first.is_ascii_digit())
                && !matches!(name.as_str(), "this" | "arguments");
            if !seen.insert(name) || !plain {
                continue;
            }
            let value = variable.value.as_str();
            let simple = matches!(value, "true" | "false" | "null")
                || (value.starts_with('"') && value.ends_with('"') && value.len() < 80)
                || value.parse::<f64>().is_ok_and(f64::is_finite);
            if simple && found.len() < MOST_NAMES {
                found.push((name.clone(), variable.value.clone()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::program::Language;

    #[test]
    fn a_name_whose_inner_declaration_has_not_run_is_not_evaluated() {
        let source = "let a = 3;\n{\n  let { a, b } = f();\n  g(a);\n}\n";
        let program = Program::new("test", Language::JavaScript, source);
        let at = |line, column| Pause {
            location: Position::new(line, column),
            reason: String::new(),
            at_breakpoint: false,
            printed: None,
            frames: Vec::new(),
        };
        assert!(without_value_yet(&program, &at(3, 8), "a"));
        assert!(!without_value_yet(&program, &at(4, 2), "a"));
    }
}
