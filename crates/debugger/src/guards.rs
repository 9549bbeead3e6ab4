//! Differences in variables that a rewriting may cause and that no list of places can tell: what has no value yet, and what the
//! program itself never uses.

use crate::compare::{Difference, DifferenceKind};
use crate::error::Result;
use crate::follow::{FollowUp, Plan, Test};
use crate::outline::Outline;
use crate::position::LineIndex;
use crate::program::Language;
use crate::trace::Answer;
use crate::transformations::words;

/// Why a difference is none that the debugger answers for, if one of these causes fits.
pub(crate) fn false_kind(
    initial: &Test,
    plan: &Plan,
    follow_up: &FollowUp,
    difference: &Difference,
) -> Result<Option<&'static str>> {
    if without_value(initial, plan, follow_up, difference) || not_yet(initial, plan, follow_up, difference)? {
        return Ok(Some("a variable without a value yet"));
    }
    if unused(initial, plan, follow_up, difference)? {
        return Ok(Some("a variable that one of the programs never uses has no place in memory"));
    }
    Ok(None)
}

/// Whether a variable comes or goes that the edit mentions and one of the programs only declares: an engine need not give it a
/// place in memory, so that there is nothing to show.
fn unused(initial: &Test, plan: &Plan, follow_up: &FollowUp, difference: &Difference) -> Result<bool> {
    use DifferenceKind as Kind;
    let text = match difference.kind {
        Kind::VariableMissing => &difference.expected,
        Kind::VariableExtra => &difference.found,
        _ => return Ok(false),
    };
    // What an initialiser or an assignment gave a value had a place.
    let valueless = ["undefined", "unavailable", "function"].iter().any(|end| text.ends_with(end));
    let Some(name) = text.split([' ', ':']).next().filter(|_| valueless) else { return Ok(false) };
    if initial.program.language != Language::JavaScript || !plan.mentioned.iter().any(|known| known == name) {
        return Ok(false);
    }
    let never = |test: &Test| Ok(Outline::of(&test.program)?.unused.contains(name));
    Ok(never(initial)? || never(&follow_up.test)?)
}

/// Whether a variable of JavaScript differs only before its declaration has run: inserted code that mentions it makes the
/// debugger keep track of that, and whether it then shows `undefined`, an old value or nothing is its own affair.
fn not_yet(initial: &Test, plan: &Plan, follow_up: &FollowUp, difference: &Difference) -> Result<bool> {
    use DifferenceKind as Kind;
    let text = match difference.kind {
        Kind::VariableMissing | Kind::Value => &difference.expected,
        Kind::VariableExtra => &difference.found,
        _ => return Ok(false),
    };
    // Shown twice: once more in the scope that watches over the declaration.
    if let Some((name, "undefined, undefined")) = text.split_once(": ") {
        return Ok(plan.mentioned.iter().any(|known| known == name));
    }
    let Some((name, rest)) = text.split_once(" in ") else { return Ok(false) };
    let empty = rest.ends_with(": undefined") || rest.ends_with(": unavailable");
    // What stands in the place of a variable before its declaration may change with any edit; whether it is shown, only with one
    // that mentions it.
    let concerned = plan.mentioned.iter().any(|known| known == name)
        || (difference.kind == Kind::Value && !plan.edits.is_empty());
    if initial.program.language != Language::JavaScript || !concerned {
        return Ok(false);
    }
    let paused = follow_up.pairs.last().and_then(|&(step, _)| match &initial.trace.steps.get(step)?.answer {
        Answer::Paused(pause) => Some(LineIndex::new(&initial.program.source).offset(pause.location)),
        _ => None,
    });
    let outline = Outline::of(&initial.program)?;
    let mut declared = outline.lexical.iter().filter(|(known, _)| known == name);
    Ok(declared.any(|(_, end)| empty || paused.is_some_and(|paused| paused < *end)))
}

/// Whether a difference in values may be one of C variables that have no value yet: debuggers show what happens to stand
/// in their place, and that moves with every edit.
fn without_value(initial: &Test, plan: &Plan, follow_up: &FollowUp, difference: &Difference) -> bool {
    let of_c = matches!(initial.program.language, Language::C | Language::Cpp);
    let rewritten_c = of_c && !plan.edits.is_empty();
    let (true, DifferenceKind::Value, Some(&(step, _))) =
        (rewritten_c, difference.kind, follow_up.pairs.last())
    else {
        return false;
    };
    let Some(Answer::Paused(pause)) = initial.trace.steps.get(step).map(|step| &step.answer) else {
        return false;
    };
    let name = difference.expected.split(" in ").next().unwrap_or_default();
    let index = LineIndex::new(&initial.program.source);
    let has_name = |text: &str| words(text).iter().any(|word| word == name);
    // Upwards from the pause to the line that begins the function.
    for line in (1..pause.location.line).rev() {
        let text = index.line(line);
        if text.starts_with(|first: char| !first.is_whitespace() && first != '}') {
            return !has_name(text);
        }
        if has_name(text) && text.contains('=') {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Edit, apply};
    use crate::position::Position;
    use crate::program::Program;
    use crate::trace::{Action, Ending, Step, Trace};

    fn test(source: &str, at: Position) -> Test {
        let steps = vec![Step { action: Action::set(at), answer: Answer::Set(at) }];
        let program = Program::new("test", Language::JavaScript, source);
        Test { program, trace: Trace { steps, output: Vec::new(), ending: Ending::Finished } }
    }

    /// The false kind of a difference after an edit that mentions `name`; both sessions set one breakpoint.
    fn check(source: &str, edit: Edit, found_at: (u32, u32), difference: Difference) -> Option<&'static str> {
        let initial = test(source, Position::new(1, 0));
        let plan = Plan { edits: vec![edit], mentioned: vec!["name".to_owned()], ..Plan::default() };
        let changed = apply(source, &plan.edits);
        let follow_up = FollowUp {
            test: test(&changed, Position::new(found_at.0, found_at.1)),
            pairs: vec![(0, 0)],
            difference: Some(difference.clone()),
        };
        false_kind(&initial, &plan, &follow_up, &difference).unwrap()
    }

    fn difference(kind: DifferenceKind, expected: &str) -> Difference {
        Difference { kind, expected: expected.to_owned(), found: "no name".to_owned() }
    }

    #[test]
    fn a_missing_variable_is_excused_only_before_its_own_declaration() {
        let missing = difference(DifferenceKind::VariableMissing, "name in Own scope: undefined");
        let dead = || Edit::insert(0, "if (false) { name = 1; } ");
        assert!(check("let name = 1;", dead(), (1, 0), missing.clone()).is_some());
        assert!(check("var name = 1; name;", dead(), (1, 0), missing).is_none());
        let value = difference(DifferenceKind::VariableMissing, "name in Own scope: 1");
        assert!(check("let name = 1;", dead(), (1, 0), value).is_none());
    }

    #[test]
    fn a_function_that_only_inserted_code_mentions_may_appear() {
        let extra = Difference {
            kind: DifferenceKind::VariableExtra,
            expected: "no name".to_owned(),
            found: "name in Own scope: function".to_owned(),
        };
        let dead = || Edit::insert(0, "if (false) { name = 1; } ");
        assert!(check("f(); function name() {}", dead(), (1, 0), extra.clone()).is_some());
        assert!(check("name(); function name() {}", dead(), (1, 0), extra).is_none());
    }

    #[test]
    fn a_variable_shown_twice_before_its_declaration_is_excused_only_where_an_edit_mentions_it() {
        let twice = |name: &str| Difference {
            kind: DifferenceKind::VariableExtra,
            expected: format!("{name}: undefined"),
            found: format!("{name}: undefined, undefined"),
        };
        let dead = || Edit::insert(0, "if (false) { name = 1; } ");
        assert!(check("let name = 1, other;", dead(), (1, 0), twice("name")).is_some());
        assert!(check("let name = 1, other;", dead(), (1, 0), twice("other")).is_none());
    }
}
