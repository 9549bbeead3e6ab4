//! The host's side natively: a saved case is replayed, so that a debugger or a sanitiser can watch.
//!
//! `TWINRUN_CASE` names the case (one input a line, fields separated by tabs: kind, name, count, values; text in hexadecimal),
//! `TWINRUN_RELATION` its relation, `TWINRUN_PROGRAM` the native build of the whole program.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::process::{Command, Stdio};

#[derive(Default)]
struct State {
    lines: VecDeque<String>,
    runs: u32,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Replays the case that the environment names, if it is one of this relation.
///
/// # Panics
/// When it names none: to replay nothing is not to pass.
pub fn replay(name: &str, relation: extern "C" fn()) {
    let path = std::env::var("TWINRUN_CASE").expect("TWINRUN_CASE names the case to replay");
    // The name given to `cargo test` also selects relations whose names only end with it.
    if std::env::var("TWINRUN_RELATION").is_ok_and(|wanted| wanted != name) {
        return;
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
    STATE.with_borrow_mut(|state| *state = State { lines: text.lines().map(str::to_owned).collect(), ..State::default() });
    println!("relation {name}");
    relation();
    println!("holds");
}

/// The values of the next input, which must have this name.
fn values(name: &str) -> Vec<String> {
    let line = STATE.with_borrow_mut(|state| state.lines.pop_front());
    let Some(line) = line else { fail(&format!("the case has no input for {name}: is it a case of another relation?")) };
    let fields: Vec<&str> = line.split('\t').collect();
    if fields.len() < 3 {
        fail(&format!("malformed line in the case: {line}"));
    }
    if fields[1] != name {
        fail(&format!("the case has {} where the relation asks for {name}", fields[1]));
    }
    println!("  {name} = {}", fields[3..].join(" "));
    fields[3..].iter().filter(|field| !field.is_empty()).map(|field| (*field).to_owned()).collect()
}

fn fail(message: &str) -> ! {
    eprintln!("replay: {message}");
    std::process::exit(3);
}

fn number<T: std::str::FromStr>(name: &str, text: Option<&String>) -> T {
    text.and_then(|text| text.parse().ok()).unwrap_or_else(|| fail(&format!("malformed value for {name}")))
}

pub(crate) fn int(name: &str, _kind: i32, _lo: i64, _hi: i64) -> i64 {
    number(name, values(name).first())
}

pub(crate) fn float(name: &str, _lo: f64, _hi: f64) -> f64 {
    number(name, values(name).first())
}

fn fill<T: Copy, V: std::str::FromStr>(name: &str, out: &mut [T], convert: impl Fn(V) -> T) {
    let values = values(name);
    if values.len() != out.len() {
        fail(&format!("{name} has {} elements, the relation asks for {}", values.len(), out.len()));
    }
    for (out, value) in out.iter_mut().zip(&values) {
        *out = convert(number(name, Some(value)));
    }
}

pub(crate) fn ints<T: Copy + FromWide>(name: &str, _kind: i32, out: &mut [T], _rows: i32, _columns: i32, _lo: i64, _hi: i64) {
    fill(name, out, T::from_wide);
}

/// Numbers of a case are 64 bits wide.
pub(crate) trait FromWide {
    fn from_wide(wide: i64) -> Self;
}

macro_rules! from_wide {
    ($($type:ty),*) => {$(
        impl FromWide for $type {
            fn from_wide(wide: i64) -> $type {
                wide as $type
            }
        }
    )*};
}
from_wide!(i16, i32, i64, u8, u32);

pub(crate) fn floats(name: &str, out: &mut [f64], _rows: i32, _columns: i32, _lo: f64, _hi: f64) {
    fill(name, out, |value| value);
}

pub(crate) fn text(name: &str, _min: i32, _max: i32, _alphabet: &[u8]) -> Vec<u8> {
    let hex = values(name).concat();
    let byte = |at: usize| hex.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
    (0..hex.len()).step_by(2).map(|at| byte(at).unwrap_or_else(|| fail(&format!("malformed text for {name}")))).collect()
}

pub(crate) fn permutation(name: &str, out: &mut [i32]) {
    fill(name, out, |value| value);
}

pub(crate) fn ops(name: &str, _max: i32, _spec: &str) -> Vec<[i32; 4]> {
    let values: Vec<i32> = values(name).iter().map(|value| number(name, Some(value))).collect();
    values.chunks(4).map(|op| [0, 1, 2, 3].map(|index| op.get(index).copied().unwrap_or(0))).collect()
}

pub(crate) fn run_begin() {
    let run = STATE.with_borrow_mut(|state| {
        state.runs += 1;
        state.runs
    });
    println!("run {run}");
}

pub(crate) fn run_end() {}

pub(crate) fn assume(condition: bool) {
    if !condition {
        println!("discarded: an assumption does not hold");
        std::process::exit(4);
    }
}

fn verdict(holds: bool, text: &str, line: u32, sides: &str) {
    if !holds {
        println!("violated: {text} (line {line}){sides}");
        std::process::exit(1);
    }
}

fn holds<T: PartialOrd>(op: i32, left: T, right: T) -> bool {
    match op {
        1 => left == right,
        2 => left != right,
        3 => left <= right,
        4 => left < right,
        6 => left >= right,
        _ => left > right,
    }
}

pub(crate) fn check(condition: bool, text: &str, line: u32) {
    verdict(condition, text, line, "");
}

pub(crate) fn check_int(op: i32, unsigned: bool, left: i64, right: i64, text: &str, line: u32) {
    let holds = if unsigned { holds(op, left as u64, right as u64) } else { holds(op, left, right) };
    verdict(holds, text, line, &format!(": {left} and {right}"));
}

pub(crate) fn check_float(op: i32, left: f64, right: f64, tolerance: f64, text: &str, line: u32) {
    let holds = if op == 5 { left == right || (left - right).abs() <= tolerance } else { holds(op, left, right) };
    verdict(holds, text, line, &format!(": {left:?} and {right:?}"));
}

pub(crate) fn check_bytes(left: &[u8], right: &[u8], text: &str, line: u32) {
    verdict(left == right, text, line, &format!(": \"{}\" and \"{}\"", left.escape_ascii(), right.escape_ascii()));
}

macro_rules! shown {
    ($($function:ident, $what:literal, $type:ty;)*) => {$(
        pub(crate) fn $function(name: &str, value: $type) {
            println!(concat!("    ", $what, " {} = {:?}"), name, value);
        }
    )*};
}
shown! {
    given_int, "given", i64;
    given_float, "given", f64;
    given_ints, "given", &[i64];
    given_floats, "given", &[f64];
    output_int, "output", i64;
    output_float, "output", f64;
    output_ints, "output", &[i64];
    output_floats, "output", &[f64];
}

pub(crate) fn given_bytes(name: &str, bytes: &[u8]) {
    println!("    given {name} = \"{}\"", bytes.escape_ascii());
}

pub(crate) fn output_bytes(name: &str, bytes: &[u8]) {
    println!("    output {name} = \"{}\"", bytes.escape_ascii());
}

pub(crate) fn program_file(path: &str, data: &[u8]) {
    if let Err(error) = std::fs::write(path, data) {
        fail(&format!("cannot write {path}: {error}"));
    }
}

pub(crate) fn program(_name: &str, arguments: &[Vec<u8>], stdin: &[u8]) -> i32 {
    let Ok(path) = std::env::var("TWINRUN_PROGRAM") else {
        fail("this case runs a whole program: name its native build in TWINRUN_PROGRAM")
    };
    run_begin();
    let arguments = arguments.iter().map(|it| String::from_utf8_lossy(it).into_owned());
    let mut child = Command::new(&path)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| fail(&format!("cannot run {path}: {error}")));
    // A program may end without reading everything.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(stdin));
    let output = child.wait_with_output().unwrap_or_else(|error| fail(&format!("cannot run {path}: {error}")));
    STATE.with_borrow_mut(|state| (state.stdout, state.stderr) = (output.stdout, output.stderr));
    output.status.code().unwrap_or_else(|| fail(&format!("crashed: {}", output.status)))
}

pub(crate) fn program_output(stream: i32) -> Vec<u8> {
    STATE.with_borrow(|state| if stream == 1 { state.stdout.clone() } else { state.stderr.clone() })
}

pub(crate) fn program_written(path: &str) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}
