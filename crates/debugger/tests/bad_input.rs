//! Programs and debuggers that misbehave: each gets a clear ending or error, and the next session works.

mod support;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use support::{javascript, node, root};
use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::{Action, Config, Control, Ending, Error, Limits, Verdict, replay, run_test};

const NEWEST: &str = "24.21.0";
/// The way out of a context, for programs that end their process.
const PROCESS: &str = "var process = this.constructor.constructor('return process')();\n";

fn patient(seconds: u64) -> Limits {
    Limits { answer: Duration::from_secs(seconds), ..Limits::default() }
}

fn newest(limits: Limits) -> Option<Node> {
    node(NEWEST)?;
    let binary = root().join(".deps/node").join(NEWEST).join("bin/node");
    Some(Node::new(&binary, Isolation::Context, limits).expect("node starts"))
}

/// How a program ends, and that the debugger still works afterwards.
fn ending(source: &str, limits: Limits) -> Option<Ending> {
    let mut node = newest(limits)?;
    let go = [Action::Control(Control::Continue)];
    let trace = replay(&mut node, &javascript(source), &go).expect("an ending, not an error");
    let after = replay(&mut node, &javascript("console.log('fine');"), &go).expect("the next session works");
    assert_eq!(after.output, [r#"log: "fine""#]);
    Some(trace.ending)
}

#[test]
fn a_program_that_does_not_parse_is_discarded() {
    let Some(mut node) = node(NEWEST) else { return };
    let program = javascript("let let = 3;");
    assert!(matches!(replay(&mut node, &program, &[]), Err(Error::Program(_))));
    let report = run_test(&mut node, &program, 1, &Config::default()).expect("a report");
    assert!(matches!(report.verdict, Verdict::Discarded(_)));
}

#[test]
fn a_program_that_never_ends_is_silent() {
    let found = ending("for (;;) {}", patient(4));
    assert!(matches!(found, None | Some(Ending::Silent)), "{found:?}");
}

#[test]
fn a_program_that_floods_its_output_is_cut_off() {
    let Some(mut node) = newest(patient(20)) else { return };
    let program = javascript("for (var i = 0; i < 5000; i++) console.log(i);");
    let trace = replay(&mut node, &program, &[Action::Control(Control::Continue)]).expect("a trace");
    assert_eq!((trace.output.len(), trace.ending), (Limits::default().output_lines, Ending::Finished));
}

#[test]
fn a_program_that_exits_or_kills_itself_is_told_from_a_finished_one() {
    let exit = ending(&format!("{PROCESS}process.exit(3);"), Limits::default());
    assert!(matches!(exit, None | Some(Ending::Exited(3))), "{exit:?}");
    let kill =
        ending(&format!("{PROCESS}process.kill(process.pid, 'SIGKILL');\nfor (;;) {{}}"), Limits::default());
    assert!(matches!(&kill, None | Some(Ending::Crashed(_))), "{kill:?}");
}

/// A program that pretends to be Node: tells a version, then runs the given shell commands.
fn pretender(commands: &str) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("node-{number}"));
    fs::write(
        &path,
        format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo v1.0.0; exit; fi\n{commands}\n"),
    )
    .expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    // A child that another test has just forked may still hold the file open for writing: wait until it can be started.
    while std::process::Command::new(&path).arg("--version").output().is_err() {
        thread::yield_now();
    }
    path
}

fn open_pretender(commands: &str) -> Error {
    let binary = pretender(commands);
    let mut node = Node::new(&binary, Isolation::Context, patient(1)).expect("it tells a version");
    replay(&mut node, &javascript("1;"), &[]).expect_err("no debugger")
}

#[test]
fn a_debugger_that_dies_at_once_or_keeps_silent_is_no_connection() {
    for commands in ["echo oops >&2; exit 1", "exec sleep 30"] {
        let error = open_pretender(commands);
        assert!(matches!(&error, Error::NoConnection { .. }), "{error}");
    }
    let missing = Node::new(&PathBuf::from("/no/such/node"), Isolation::Context, Limits::default());
    assert!(matches!(missing, Err(Error::Start { .. })));
}

#[test]
fn a_debugger_that_talks_nonsense_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x05howdy");
            thread::sleep(Duration::from_secs(2));
        }
    });
    let error =
        open_pretender(&format!("echo 'Debugger listening on ws://127.0.0.1:{port}/x' >&2; exec sleep 30"));
    assert!(matches!(&error, Error::Nonsense(_)), "{error}");
}

#[test]
fn two_debuggers_at_once_have_ports_of_their_own() {
    let (Some(mut one), Some(mut two)) = (node(NEWEST), node(NEWEST)) else { return };
    let go = [Action::Control(Control::Continue)];
    for _ in 0..2 {
        assert!(replay(&mut one, &javascript("var a = 1;"), &go).is_ok());
        assert!(replay(&mut two, &javascript("var a = 2;"), &go).is_ok());
    }
}
