//! One scenario against every debugger that is installed, and programs that misbehave under each of them.

mod support;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use support::{javascript, node, root};
use twinrun_debugger::backends::chromium::Chromium;
use twinrun_debugger::backends::dap::{Dap, Description};
use twinrun_debugger::{
    Action, Answer, Backend, Config, Control, Ending, Error, Language, Limits, Plan, Position, Program, Test,
    Trace, Verdict, follow, replay, run_test,
};

const JAVASCRIPT: &str =
    "function twice(number) {\n  return number * 2;\n}\nvar four = twice(2);\nconsole.log(four);\n";
const C: &str = "#include <stdio.h>\nstatic int twice(int number) {\n    return number * 2;\n}\nint main(void) {\n    int four = twice(2);\n    printf(\"%d\\n\", four);\n    return 0;\n}\n";
const PYTHON: &str = "def twice(number):\n    return number * 2\n\nfour = twice(2)\nprint(four)\n";

fn patient(seconds: u64) -> Limits {
    Limits { answer: Duration::from_secs(seconds), ..Limits::default() }
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()))
}

fn chromium(limits: Limits) -> Option<Chromium> {
    let binary = Path::new("/usr/bin/chromium");
    if !binary.exists() {
        let _ = writeln!(std::io::stderr(), "skipped: /usr/bin/chromium is not installed (Debian: chromium)");
        return None;
    }
    Some(Chromium::new(binary, &folder("chromium"), limits).expect("chromium tells its version"))
}

fn lldb(limits: Limits) -> Option<Dap> {
    let adapter = Path::new("/usr/bin/lldb-dap-19");
    if !adapter.exists() || !Path::new("/usr/bin/cc").exists() {
        let _ =
            writeln!(std::io::stderr(), "skipped: lldb-dap-19 or cc is not installed (Debian: lldb-19, gcc)");
        return None;
    }
    Some(Dap::new(Description::lldb(adapter), &folder("lldb"), limits).expect("lldb-dap starts"))
}

fn debugpy(limits: Limits) -> Option<Dap> {
    let packages = root().join(".deps/python");
    if !packages.join("debugpy").exists() {
        let _ = Command::new(root().join("experiments/debuggers/fetch")).arg("debugpy").output();
    }
    let found = Description::debugpy(Path::new("python3"), &packages).ok();
    let found = found.and_then(|known| Dap::new(known, &folder("debugpy"), limits).ok());
    if found.is_none() {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: debugpy is not installed and pip cannot fetch it (experiments/debuggers/fetch)"
        );
    }
    found
}

fn program(language: Language, source: &str) -> Program {
    Program::new("test", language, source)
}

fn run(backend: &mut dyn Backend, program: &Program) -> Trace {
    replay(backend, program, &[Action::Control(Control::Continue)]).expect("an ending, not an error")
}

/// A breakpoint in a function: where it goes, what the pause shows, where steps lead, how the program ends.
fn scenario(backend: &mut dyn Backend, program: &Program, inside: u32, call: u32) {
    let actions = [
        Action::set(Position::new(inside, 0)),
        Action::Control(Control::Continue),
        Action::Control(Control::StepOut),
        Action::Remove { at: Position::new(inside, 0) },
        Action::Control(Control::Continue),
    ];
    let trace = replay(backend, program, &actions).expect("a session");
    let name = backend.name().to_owned();
    assert!(matches!(&trace.steps[0].answer, Answer::Set(at) if at.line == inside), "{name}: {trace:?}");
    let Answer::Paused(pause) = &trace.steps[1].answer else { panic!("{name}: {trace:?}") };
    assert_eq!((pause.location.line, pause.at_breakpoint), (inside, true), "{name}");
    assert_eq!(pause.frames[0].function, "twice", "{name}");
    assert!(pause.frames.len() >= 2, "{name}: {pause:?}");
    let shown: Vec<(&str, &str)> = pause.frames[0]
        .scopes
        .iter()
        .flat_map(|scope| &scope.variables)
        .map(|variable| (variable.name.as_str(), variable.value.as_str()))
        .collect();
    assert!(shown.contains(&("number", "2")), "{name}: {shown:?}");
    let after = match &trace.steps[2].answer {
        Answer::Paused(pause) => pause.location.line,
        other => panic!("{name}: {other}"),
    };
    assert!((call..=call + 1).contains(&after), "{name}: stepped out to line {after}");
    assert_eq!(trace.steps[3].answer, Answer::Removed, "{name}");
    assert_eq!(trace.ending, Ending::Finished, "{name}");
    assert!(trace.output.len() == 1 && trace.output[0].ends_with('4'), "{name}: {:?}", trace.output);
}

#[test]
fn node_passes_the_scenario() {
    let Some(mut node) = node("24.21.0") else { return };
    scenario(&mut node, &javascript(JAVASCRIPT), 2, 4);
}

#[test]
fn chromium_passes_the_scenario_in_several_tabs_and_survives_bad_pages() {
    let Some(mut first) = chromium(patient(60)) else { return };
    let mut second = first.another_tab().expect("another tab");
    let page = javascript(JAVASCRIPT);
    scenario(&mut first, &page, 2, 4);
    scenario(&mut second, &page, 2, 4);
    let throws = run(&mut first, &javascript("throw new TypeError('no');"));
    assert!(matches!(&throws.ending, Ending::Threw(line) if line.contains("no")), "{throws:?}");
    let broken = replay(&mut first, &javascript("let let = 3;"), &[]);
    assert!(matches!(broken, Err(Error::Program(_))), "{broken:?}");
    let report = run_test(&mut second, &page, 3, &Config::default()).expect("a report");
    assert_eq!(report.verdict, Verdict::Holds);
    scenario(&mut first, &page, 2, 4);
}

#[test]
fn lldb_passes_the_scenario_and_tells_endings_apart() {
    let Some(mut lldb) = lldb(patient(60)) else { return };
    scenario(&mut lldb, &program(Language::C, C), 3, 6);
    let broken = replay(&mut lldb, &program(Language::C, "int main(void) { return x; }"), &[]);
    assert!(matches!(broken, Err(Error::Program(_))), "{broken:?}");
    let exits = run(&mut lldb, &program(Language::C, "int main(void) { return 3; }\n"));
    assert_eq!(exits.ending, Ending::Exited(3));
    let dies = run(&mut lldb, &program(Language::C, "int main(void) { *(volatile int *)0 = 1; }\n"));
    assert!(matches!(dies.ending, Ending::Threw(_) | Ending::Crashed(_)), "{dies:?}");
}

#[test]
fn breakpoints_that_must_not_pause_change_nothing_in_lldb() {
    let Some(mut lldb) = lldb(patient(60)) else { return };
    let program = program(Language::C, C);
    let actions = [Action::set(Position::new(3, 0)), Action::Control(Control::Continue)];
    let trace = replay(&mut lldb, &program, &actions).expect("a session");
    let test = Test { program, trace };
    for name in ["logpoint", "hit-count", "first-statement"] {
        let at = if name == "first-statement" { 6 } else { 7 };
        let plan = Plan {
            transformation: name.to_owned(),
            step: 1,
            at: Some(Position::new(at, 0)),
            ..Plan::default()
        };
        let follow_up = follow(&mut lldb, &test, &plan, None).expect("a session");
        assert_eq!(follow_up.difference, None, "{name}");
        let set = &follow_up.test.trace.steps[1].answer;
        assert_eq!(*set, Answer::Set(Position::new(at, 0)), "{name}");
    }
}

#[test]
fn a_breakpoint_that_outlives_its_removal_is_told_at_the_end() {
    let plant = root().join("experiments/debuggers/plant.py").display().to_string();
    let log = folder("planted").with_extension("log").display().to_string();
    if lldb(patient(60)).is_none() {
        return;
    }
    let mut description = Description::lldb(Path::new("/usr/bin/lldb-dap-19"));
    let proxy = ["python3", &plant, "cleared-breakpoint-lives", "1", &log].map(str::to_owned);
    description.adapter.splice(0..0, proxy);
    let mut faulty = Dap::new(description, &folder("faulty"), patient(60)).expect("it starts");
    let actions = [3, 7].map(|line| Action::set(Position::new(line, 0)));
    let actions = [&actions[..], &[Action::Control(Control::Continue)]].concat();
    let trace = replay(&mut faulty, &program(Language::C, C), &actions).expect("a session");
    let told = matches!(&trace.ending, Ending::Nonsense(words) if words.contains("paused at 7:0"));
    assert!(told, "{:?}", trace.ending);
}

#[test]
fn gdb_is_held_at_its_entry_and_passes_the_scenario() {
    let gdb = root().join(".deps/gdb/run");
    if !gdb.exists() {
        let _ =
            writeln!(std::io::stderr(), "skipped: GDB 16 is not fetched (experiments/debuggers/fetch gdb)");
        return;
    }
    let mut gdb = Dap::new(Description::gdb(&gdb), &folder("gdb"), patient(60)).expect("gdb starts");
    scenario(&mut gdb, &program(Language::C, C), 3, 6);
}

#[test]
fn debugpy_passes_the_scenario_and_tells_endings_apart() {
    let Some(mut debugpy) = debugpy(patient(60)) else { return };
    scenario(&mut debugpy, &program(Language::Python, PYTHON), 2, 4);
    let broken = replay(&mut debugpy, &program(Language::Python, "def (:\n"), &[]);
    assert!(matches!(broken, Err(Error::Program(_))), "{broken:?}");
    let exits = run(&mut debugpy, &program(Language::Python, "import sys\nsys.exit(3)\n"));
    assert_eq!(exits.ending, Ending::Exited(3));
}
