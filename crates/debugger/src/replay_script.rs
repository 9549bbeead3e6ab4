//! Stand-alone scripts that replay a warning without Twinrun.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use twinrun_base::cut;

use crate::error::Result;
use crate::process::{end_group, spawn};
use crate::program::Language;
use crate::warning::Warning;

const INSPECTOR: &str = include_str!("replay/inspector.py");
const ADAPTER: &str = include_str!("replay/adapter.py");

/// Where the scripts take their data from a file; a stand-alone script has its own.
const END: &str = "\n# A script that Twinrun writes";

/// A Python 3 script, without dependencies, that runs both sessions and prints both traces.
pub fn replay_script(warning: &Warning) -> String {
    let body = match warning.initial.program.language {
        Language::JavaScript => INSPECTOR,
        Language::C | Language::Cpp | Language::Rust | Language::Go | Language::Python => ADAPTER,
    };
    let functions = body.split_once(END).map_or(body, |(functions, _)| functions);
    // JSON inside a JSON string is also a Python string.
    let literal = Value::String(replay_data(warning).to_string()).to_string();
    format!("{functions}DATA = json.loads({literal})\n\nif __name__ == \"__main__\":\n    main()\n")
}

/// What the scripts of `replay/` need to know of a warning.
pub fn replay_data(warning: &Warning) -> Value {
    let test = |test: &crate::follow::Test| json!({ "source": test.program.source, "actions": test.trace.actions() });
    let shown = |test: &crate::follow::Test, step: usize| {
        test.trace.steps.get(step).map(|step| step.answer.to_string())
    };
    let pair = warning.follow_up.pairs.last().filter(|_| !warning.difference_in_behaviour());
    let steps = pair.map(|&(one, two)| {
        json!([one, shown(&warning.initial, one), two, shown(&warning.follow_up.test, two)])
    });
    json!({
        "kind": warning.difference.kind,
        "steps": steps,
        "adapter": warning.adapter,
        "language": warning.initial.program.language,
        "initial": test(&warning.initial),
        "follow_up": test(&warning.follow_up.test),
        "expected": warning.difference.expected,
        "found": warning.difference.found,
    })
}

/// Runs a written script and says whether it repeated what it is about; none when it could not be told.
///
/// # Errors
/// When Python does not start.
pub fn repeats(script: &Path, debugger: Option<&Path>, limit: Duration) -> Result<Option<bool>> {
    let mut command = Command::new("python3");
    command.arg(script).args(debugger);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut born = spawn(command)?;
    let deadline = Instant::now() + limit;
    let code = loop {
        match born.child.try_wait() {
            Ok(Some(status)) => break status.code(),
            Ok(None) if Instant::now() < deadline && !cut::is_requested() => {
                thread::sleep(Duration::from_millis(10));
            }
            _ => break None,
        }
    };
    end_group(&mut born);
    Ok(match code {
        Some(0) => Some(true),
        Some(1) => Some(false),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_end_where_a_warning_brings_its_own_data() {
        for body in [INSPECTOR, ADAPTER] {
            let (functions, end) = body.split_once(END).unwrap();
            assert!(functions.contains("def main():") && !functions.contains("sys.argv.pop"));
            assert!(end.contains("sys.argv.pop(1)"));
        }
    }
}
