//! A case as the native runtimes read it, and the command that replays it.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use twinrun_base::{Case, Value};

use super::Built;

/// One input a line, fields separated by tabs: kind, name, count, values; text in hexadecimal.
pub fn native_case(case: &Case) -> String {
    let mut text = String::new();
    for input in &case.inputs {
        let (kind, values): (&str, Vec<String>) = match &input.value {
            Value::Int(number) => ("int", vec![number.to_string()]),
            Value::Float(number) => ("float", vec![format!("{number:?}")]),
            Value::Ints(numbers) => ("ints", numbers.iter().map(i64::to_string).collect()),
            Value::Floats(numbers) => {
                ("floats", numbers.iter().map(|number| format!("{number:?}")).collect())
            }
            Value::Bytes(bytes) => ("text", bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
            Value::Ops(ops) => {
                let numbers = |op: &twinrun_base::Op| {
                    let [a, b, c] = op.arguments;
                    format!("{}\t{a}\t{b}\t{c}", op.op)
                };
                ("ops", ops.iter().map(numbers).collect())
            }
        };
        let separator = if kind == "text" { "" } else { "\t" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{kind}\t{}\t{}\t{}", input.name, values.len(), values.join(separator));
    }
    text
}

/// The command that replays a case, written by [`native_case`] to `case`, in a native build; it exits with 0 if the relation
/// holds, 1 if it is violated, 4 if the case is discarded.
pub fn native_replay(
    built: &Built,
    program: Option<&Built>,
    is_crate: bool,
    relation: &str,
    case: &Path,
) -> Command {
    let mut command = Command::new(&built.path);
    if is_crate {
        command.args([
            &format!("{relation}::replay"),
            "--include-ignored",
            "--nocapture",
            "--test-threads=1",
        ]);
        command.env("TWINRUN_CASE", case).env("TWINRUN_RELATION", relation);
        if let Some(program) = program {
            command.env("TWINRUN_PROGRAM", &program.path);
        }
    } else {
        command.arg(relation).arg(case).args(program.map(|program| &program.path));
    }
    command
}

#[cfg(test)]
mod tests {
    use twinrun_base::{Domain, Input, IntKind, Op, Shape};

    use super::*;

    #[test]
    fn a_case_becomes_lines_of_fields() {
        let input = |name: &str, value| {
            let domain = Domain::Ints { kind: IntKind::I32, shape: Shape::Array(2), lo: 0, hi: 9 };
            Input { name: name.to_owned(), domain, value }
        };
        let case = Case {
            inputs: vec![
                input("n", Value::Int(2)),
                input("a", Value::Ints(vec![3, -1])),
                input("s", Value::Bytes(b"a\n".to_vec())),
                input("x", Value::Float(0.1)),
                input("o", Value::Ops(vec![Op { op: 1, arguments: [2, 0, 0] }])),
            ],
        };
        let expected =
            "int\tn\t1\t2\nints\ta\t2\t3\t-1\ntext\ts\t2\t610a\nfloat\tx\t1\t0.1\nops\to\t1\t1\t2\t0\t0\n";
        assert_eq!(native_case(&case), expected);
    }
}
