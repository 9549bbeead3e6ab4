//! Known bugs of V8's debugger: each shows in the versions that have it and not in others.

mod support;

use support::{javascript, node};
use twinrun_debugger::{
    Action, Backend, Control, DifferenceKind, Edit, Plan, Position, Test, Trace, follow, replay,
};

const NEWEST: &str = "24.21.0";

fn at(line: u32, column: u32) -> Position {
    Position::new(line, column)
}

fn set(line: u32, column: u32) -> Action {
    Action::set(at(line, column))
}

fn control(control: Control) -> Action {
    Action::Control(control)
}

fn initial(backend: &mut dyn Backend, source: &str, actions: &[Action]) -> Test {
    let program = javascript(source);
    let trace = replay(backend, &program, actions).expect("the session runs");
    Test { program, trace }
}

fn difference(backend: &mut dyn Backend, test: &Test, plan: &Plan) -> Option<DifferenceKind> {
    follow(backend, test, plan, None).expect("the session runs").difference.map(|difference| difference.kind)
}

fn pauses(trace: &Trace) -> Vec<Position> {
    trace
        .steps
        .iter()
        .filter_map(|step| match &step.answer {
            twinrun_debugger::Answer::Paused(pause) => Some(pause.location),
            _ => None,
        })
        .collect()
}

fn plan(transformation: &str) -> Plan {
    Plan { transformation: transformation.to_owned(), ..Plan::default() }
}

/// How often a session is tried in a fresh process: the tool itself confirms every warning so.
const TRIES: u32 = 4;

/// Checks what two versions show.
fn check(old: (&str, Option<DifferenceKind>), show: impl Fn(&mut dyn Backend) -> Option<DifferenceKind>) {
    for (version, expected) in [old, (NEWEST, None)] {
        let mut seen = Vec::new();
        for _ in 0..TRIES {
            let Some(mut backend) = node(version) else { return };
            seen.push(show(&mut backend));
            if seen.last() == Some(&expected) {
                break;
            }
        }
        assert_eq!(seen.last(), Some(&expected), "node {version}: {seen:?}");
    }
}

#[test]
fn a_breakpoint_at_the_column_to_which_it_slid_is_missed_by_node_11() {
    let source = "// first line\nvar a = 5;\nvar slideOverMe;\nvar C = class{};\nvar b = 42;\n";
    check(("11.15.0", Some(DifferenceKind::PauseMoved)), |backend| {
        let actions =
            [set(2, 0), set(3, 0), set(5, 0), control(Control::Continue), control(Control::Continue)];
        let test = initial(backend, source, &actions);
        assert_eq!(pauses(&test.trace), [at(2, 8), at(4, 8)]);
        difference(backend, &test, &plan("slide"))
    });
}

#[test]
fn node_11_pauses_without_a_breakpoint_after_a_step_over_a_yield() {
    let source = "// a generator that is closed early\nfunction *g() {\n\n   var foo = [ x , ...{}[ yield ] ] = [];\n}\n\
                  var iter = g();\niter.next();\niter.return();\n";
    check(("11.15.0", Some(DifferenceKind::PauseMissing)), |backend| {
        let over = control(Control::StepOver);
        let go = control(Control::Continue);
        let actions = [set(4, 0), set(8, 0), go.clone(), over.clone(), over, go];
        let test = initial(backend, source, &actions);
        let plan = Plan { step: 5, controls: vec![Control::StepOut], ..plan("replace-continue") };
        difference(backend, &test, &plan)
    });
}

#[test]
fn node_11_loses_a_variable_that_dead_code_captures() {
    let source = "function * t({x: y}) {\n  var a = function() {\n  }\n}\nt({x: 1});\n";
    check(("11.15.0", Some(DifferenceKind::VariableMissing)), |backend| {
        let test = initial(backend, source, &[set(1, 17), control(Control::Continue)]);
        let inside = source.find("{\n  }").map_or(0, |found| found + 1);
        let plan = Plan {
            edits: vec![Edit::insert(inside, "\n    if (false) { y = 5; }")],
            mentioned: vec!["y".to_owned()],
            ..plan("insert-dead-code")
        };
        difference(backend, &test, &plan)
    });
}

#[test]
fn node_16_loses_breakpoints_after_one_on_a_class_set_while_paused() {
    let source = "var a = 1;\nvar b = 2;\nvar K = class {};\nvar c = 3;\nvar d = 4;\n";
    let Some(mut node_16) = node("16.20.2") else { return };
    let go = control(Control::Continue);
    let actions = [set(1, 0), go.clone(), set(5, 0), go.clone(), go];
    let test = initial(&mut node_16, source, &actions);
    assert_eq!(pauses(&test.trace), [at(1, 8), at(5, 8)]);
    let plan = Plan { step: 3, at: Some(at(3, 0)), ..plan("add-breakpoint") };
    let found = difference(&mut node_16, &test, &plan);
    assert!(matches!(found, Some(DifferenceKind::PauseMissing | DifferenceKind::Crash)), "{found:?}");
    let Some(mut newest) = node(NEWEST) else { return };
    let test = initial(&mut newest, source, &actions);
    assert_eq!(difference(&mut newest, &test, &plan), None);
}

#[test]
fn node_dies_after_a_derived_constructor_was_restarted() {
    // No version without it is known; older ones refuse to restart, and then nothing differs.
    let source = "class A {}\nclass B extends A {\n  constructor() {\n    let x = 1;\n    super();\n  }\n}\nnew B();\n";
    let go = control(Control::Continue);
    let plan = Plan { step: 1, ..plan("restart-frame") };
    for (version, expected) in [(NEWEST, Some(DifferenceKind::Crash)), ("16.20.2", None)] {
        let Some(mut backend) = node(version) else { return };
        let test = initial(&mut backend, source, &[set(4, 12), go.clone()]);
        assert_eq!(difference(&mut backend, &test, &plan), expected, "node {version}");
    }
}

#[test]
fn node_24_1_crashes_in_a_loop_whose_variable_dead_code_captures() {
    let source = "var xs = [1, 2, 3];\nfunction f() {\n  for (const item of xs) {\n    console.log(1);\n  }\n}\nf();\n";
    check(("24.1.0", Some(DifferenceKind::Crash)), |backend| {
        let test =
            initial(backend, source, &[set(3, 21), control(Control::Continue), control(Control::StepOver)]);
        let inside = source.find("console").unwrap_or(0);
        let plan = Plan {
            edits: vec![Edit::insert(inside, "if (false) { (function () { item; }); }\n    ")],
            mentioned: vec!["item".to_owned()],
            ..plan("insert-dead-code")
        };
        difference(backend, &test, &plan)
    });
}
