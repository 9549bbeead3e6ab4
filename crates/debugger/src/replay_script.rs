//! Stand-alone scripts that replay a warning without Twinrun.

use serde_json::{Value, json};

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
        _ => ADAPTER,
    };
    let functions = body.split_once(END).map_or(body, |(functions, _)| functions);
    // JSON inside a JSON string is also a Python string.
    let literal = Value::String(replay_data(warning).to_string()).to_string();
    format!("{functions}DATA = json.loads({literal})\n\nif __name__ == \"__main__\":\n    main()\n")
}

/// What the scripts of `replay/` need to know of a warning.
pub fn replay_data(warning: &Warning) -> Value {
    let test = |test: &crate::follow::Test| json!({ "source": test.program.source, "actions": test.trace.actions() });
    json!({
        "language": warning.initial.program.language,
        "initial": test(&warning.initial),
        "follow_up": test(&warning.follow_up.test),
        "expected": warning.difference.expected,
        "found": warning.difference.found,
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
