//! Known false kinds: differences that a transformation legitimately causes and that no comparison of answers can tell.

use crate::compare::{Difference, DifferenceKind};
use crate::edit::{Origin, PositionMap};
use crate::error::Result;
use crate::follow::{FollowUp, Plan, Test};
use crate::outline::Outline;
use crate::position::{LineIndex, Position};
use crate::program::Language;
use crate::trace::{Action, Answer, Control};
use crate::transformations::words;
use crate::warning::Warning;

/// Why a difference is none that the debugger answers for, if one of the known false kinds fits.
pub(crate) fn false_kind(
    initial: &Test,
    plan: &Plan,
    follow_up: &FollowUp,
    difference: &Difference,
) -> Result<Option<&'static str>> {
    if moved_by_capture(initial, plan, follow_up, difference)? {
        return Ok(Some("places inside statements depend on what is captured"));
    }
    if without_value(initial, plan, follow_up, difference) || not_yet(initial, plan, follow_up, difference)? {
        return Ok(Some("a variable without a value yet"));
    }
    if unmentioned(initial, plan, difference) {
        return Ok(Some("a function that nothing mentions has no place in memory"));
    }
    if no_place_to_meet(initial, plan, follow_up, difference)? {
        return Ok(Some("a step ended where no breakpoint can stand"));
    }
    if at_seam(initial, plan, follow_up, difference) {
        return Ok(Some("a place at which code was inserted or a jump removed"));
    }
    if into_new_code(initial, plan, follow_up, difference)
        || without_code(initial, plan, follow_up, difference)?
    {
        return Ok(Some("a place in a statement without code of its own"));
    }
    Ok(None)
}

/// The false kind of a warning, also of one that was recorded before the guard was known.
pub(crate) fn of_warning(warning: &Warning) -> Option<&'static str> {
    false_kind(&warning.initial, &warning.plan, &warning.follow_up, &warning.difference).ok().flatten()
}

/// Whether a function of JavaScript appears because inserted code mentions it and nothing else does: the engine gives such a
/// function no place in memory, so that there is nothing to show.
fn unmentioned(initial: &Test, plan: &Plan, difference: &Difference) -> bool {
    let Some(name) = difference.expected.strip_prefix("no ") else { return false };
    difference.kind == DifferenceKind::VariableExtra
        && initial.program.language == Language::JavaScript
        && difference.found.ends_with(": function")
        && plan.mentioned.iter().any(|known| known == name)
        && initial
            .program
            .source
            .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
            .filter(|word| *word == name)
            .count()
            == 1
}

/// Whether a session was to meet the other again at a temporary breakpoint that cannot stop it there: the step of the other ended
/// inside a statement, on its return from a call, and a breakpoint at that place stops before the call or goes elsewhere.
fn no_place_to_meet(
    initial: &Test,
    plan: &Plan,
    follow_up: &FollowUp,
    difference: &Difference,
) -> Result<bool> {
    use DifferenceKind as Kind;
    let of_pause = matches!(difference.kind, Kind::PauseMoved | Kind::PauseMissing);
    let (true, Some(&(one, two))) = (of_pause && plan.edits.is_empty(), follow_up.pairs.last()) else {
        return Ok(false);
    };
    let (Some(step), Some(expected)) = (initial.trace.steps.get(one), place(initial, one)) else {
        return Ok(false);
    };
    let stepped = matches!(&step.action, Action::Control(control) if *control != Control::Continue);
    let before = &follow_up.test.trace.steps[..two.min(follow_up.test.trace.steps.len())];
    let temporary = before.iter().rev().find_map(|step| match (&step.action, &step.answer) {
        (Action::Set { at, .. }, Answer::Set(actual)) if *at == expected => Some(*actual),
        _ => None,
    });
    let (true, Some(actual)) = (stepped, temporary) else { return Ok(false) };
    let offset = LineIndex::new(&initial.program.source).offset(expected);
    let outline = Outline::of(&initial.program)?;
    let inside = outline.statement(offset).is_some_and(|statement| statement.range.start != offset);
    Ok(actual != expected || inside)
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

/// Whether a breakpoint stood exactly where code was inserted, so that its place is the end of one statement and the start of the
/// next; or behind a jump that was removed, so that the place has code only now.
fn at_seam(initial: &Test, plan: &Plan, follow_up: &FollowUp, difference: &Difference) -> bool {
    use DifferenceKind as Kind;
    let source = &initial.program.source;
    match difference.kind {
        Kind::BreakpointMoved | Kind::BreakpointRefused => {
            let at = follow_up.pairs.last().and_then(|&(step, _)| place(initial, step));
            at.is_some_and(|at| {
                let offset = LineIndex::new(source).offset(at);
                plan.edits.iter().any(|edit| edit.start == edit.end && edit.start == offset)
            })
        }
        Kind::BreakpointAccepted => plan.edits.iter().any(|edit| {
            let removed = source.get(edit.start..edit.end).unwrap_or_default();
            ["return", "throw", "break", "continue"].iter().any(|jump| removed.contains(jump))
        }),
        _ => false,
    }
}

/// Whether a breakpoint went into inserted code: then its own statement has none, and the debugger takes the next place that
/// has some.
fn into_new_code(initial: &Test, plan: &Plan, follow_up: &FollowUp, difference: &Difference) -> bool {
    let (DifferenceKind::BreakpointMoved, false, Some(&(_, step))) =
        (difference.kind, plan.edits.is_empty(), follow_up.pairs.last())
    else {
        return false;
    };
    let Some(Answer::Set(at)) = follow_up.test.trace.steps.get(step).map(|step| &step.answer) else {
        return false;
    };
    PositionMap::new(&initial.program.source, &plan.edits).origin(*at) == Origin::Inserted
}

/// Whether a rewritten program pauses or is stopped at a statement that needs no code (`if (false) {}`, `b;`): the debugger
/// gives its place to whatever code comes next, and that may be other code now.
fn without_code(initial: &Test, plan: &Plan, follow_up: &FollowUp, difference: &Difference) -> Result<bool> {
    use DifferenceKind as Kind;
    let of_place = matches!(
        difference.kind,
        Kind::BreakpointMoved | Kind::PauseMoved | Kind::PauseMissing | Kind::PauseExtra
    );
    let (true, false, Some(&(one, two))) = (of_place, plan.edits.is_empty(), follow_up.pairs.last()) else {
        return Ok(false);
    };
    for (test, step) in [(initial, one), (&follow_up.test, two)] {
        let Some(at) = place(test, step) else { continue };
        let outline = Outline::of(&test.program)?;
        let source = &test.program.source;
        let text = outline.statement_text(source, LineIndex::new(source).offset(at));
        let name = text.trim_end_matches(';');
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        if is_name || text.starts_with("if (false)") || text.starts_with("while (false)") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where a step of a session stands.
fn place(test: &Test, step: usize) -> Option<Position> {
    match &test.trace.steps.get(step)?.answer {
        Answer::Paused(pause) => Some(pause.location),
        Answer::Set(at) => Some(*at),
        _ => None,
    }
}

/// Whether a difference in places or values may come from a variable that the plan captures.
///
/// V8 gives an expression no place of its own where its value already stands in a register; once a closure captures the
/// variable, the places inside a statement that uses it are others. A breakpoint there then means another moment, and so
/// do steps from it.
fn moved_by_capture(
    initial: &Test,
    plan: &Plan,
    follow_up: &FollowUp,
    difference: &Difference,
) -> Result<bool> {
    use DifferenceKind as Kind;
    let of_place = matches!(
        difference.kind,
        Kind::BreakpointMoved
            | Kind::PauseMoved
            | Kind::PauseMissing
            | Kind::PauseExtra
            | Kind::Stack
            | Kind::Value
    );
    let (true, false, Some(&(one, two))) = (of_place, plan.captured.is_empty(), follow_up.pairs.last())
    else {
        return Ok(false);
    };
    Ok(mentions(initial, one, plan)?
        || mentions(&follow_up.test, two, plan)?
        || in_one_statement(initial, one, plan, &follow_up.test, two)?)
}

/// Whether both sessions stand in the same statement, which is none of the inserted ones: registers may hold several
/// variables at once, so that the captured one need not be mentioned there.
fn in_one_statement(initial: &Test, one: usize, plan: &Plan, follow_up: &Test, two: usize) -> Result<bool> {
    let map = PositionMap::new(&initial.program.source, &plan.edits);
    let (Some(expected), Some(found)) =
        (place(initial, one).and_then(|at| map.forward(at)), place(follow_up, two))
    else {
        return Ok(false);
    };
    let source = &follow_up.program.source;
    let outline = Outline::of(&follow_up.program)?;
    let index = LineIndex::new(source);
    let around = |at| outline.statement(index.offset(at)).map(|statement| statement.range.clone());
    Ok(around(expected).is_some() && around(expected) == around(found))
}

/// Whether a difference in values may be one of C variables that have no value yet: debuggers show what happens to stand
/// in their place, and that moves with every edit.
fn without_value(initial: &Test, plan: &Plan, follow_up: &FollowUp, difference: &Difference) -> bool {
    let rewritten_c = initial.program.language == Language::C && !plan.edits.is_empty();
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

/// Whether a step, or the pause that it started from, stands in a statement that mentions a captured variable.
fn mentions(test: &Test, step: usize, plan: &Plan) -> Result<bool> {
    let source = &test.program.source;
    let outline = Outline::of(&test.program)?;
    let index = LineIndex::new(source);
    let here = place(test, step);
    let before =
        test.trace.steps[..step.min(test.trace.steps.len())].iter().rev().find_map(|step| {
            match &step.answer {
                Answer::Paused(pause) => Some(pause.location),
                _ => None,
            }
        });
    Ok(here.into_iter().chain(before).any(|position| {
        let text = outline.statement_text(source, index.offset(position));
        words(text).iter().any(|word| plan.captured.contains(word))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Edit, apply};
    use crate::program::Program;
    use crate::trace::{Ending, Step, Trace};

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
        assert!(check("var name = 1;", dead(), (1, 0), missing).is_none());
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
    fn a_return_into_a_statement_cannot_be_met_again_by_a_breakpoint() {
        let source = "f();\nx = g(f());\n";
        let step = |action: Action, answer: Answer| Step { action, answer };
        let pause = |line, column| {
            Answer::Paused(crate::trace::Pause {
                location: Position::new(line, column),
                reason: String::new(),
                at_breakpoint: false,
                frames: Vec::new(),
            })
        };
        let check = |column: u32| {
            let at = Position::new(2, column);
            let mut initial = test(source, Position::new(1, 0));
            initial.trace.steps.push(step(Action::Control(Control::StepOut), pause(2, column)));
            let mut other = test(source, Position::new(1, 0));
            other.trace.steps.push(step(Action::set(at), Answer::Set(at)));
            other.trace.steps.push(step(Action::Control(Control::Continue), pause(1, 0)));
            let moved = difference(DifferenceKind::PauseMoved, "paused");
            let follow_up =
                FollowUp { test: other, pairs: vec![(0, 0), (1, 2)], difference: Some(moved.clone()) };
            false_kind(&initial, &Plan::default(), &follow_up, &moved).unwrap().is_some()
        };
        assert!(check(4));
        assert!(!check(0));
    }

    #[test]
    fn places_within_a_statement_may_move_when_a_variable_is_captured() {
        let check = |found: (u32, u32)| {
            let source = "f(); a = b + 1; g();";
            let initial = test(source, Position::new(1, 9));
            let edits = vec![Edit::insert(source.len(), " if (false) { () => name; }")];
            let plan = Plan { captured: vec!["name".to_owned()], edits, ..Plan::default() };
            let changed = test(&apply(source, &plan.edits), Position::new(found.0, found.1));
            let moved = difference(DifferenceKind::BreakpointMoved, "set at 1:9");
            let follow_up = FollowUp { test: changed, pairs: vec![(0, 0)], difference: Some(moved.clone()) };
            false_kind(&initial, &plan, &follow_up, &moved).unwrap().is_some()
        };
        assert!(check((1, 11)));
        assert!(!check((1, 16)));
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

    #[test]
    fn a_breakpoint_at_a_seam_is_excused() {
        let moved = || difference(DifferenceKind::BreakpointMoved, "set at 1:0");
        let source = "call(); other();";
        assert!(check(source, Edit::insert(0, "f(); "), (1, 13), moved()).is_some());
        assert!(check(source, Edit::insert(16, " f();"), (1, 8), moved()).is_none());
        let accepted = || difference(DifferenceKind::BreakpointAccepted, "refused");
        let without = |start, end| Edit::replace(start, end, "");
        let jumping = "function f() { return; g(); } other();";
        assert!(check(jumping, without(15, 22), (1, 0), accepted()).is_some());
        assert!(check(jumping, without(23, 27), (1, 0), accepted()).is_none());
    }

    #[test]
    fn a_breakpoint_may_go_into_inserted_code_but_nowhere_else() {
        let moved = || difference(DifferenceKind::BreakpointMoved, "set at 1:0");
        let after = || Edit::insert(8, "name = name; ");
        assert!(check("call(); other();", after(), (1, 8), moved()).is_some());
        assert!(check("call(); other();", after(), (1, 21), moved()).is_none());
    }
}
