//! Stand-alone scripts that replay a warning without Twinrun.

use serde_json::json;

use crate::program::Language;
use crate::warning::Warning;

const INSPECTOR: &str = include_str!("replay/inspector.py");
const ADAPTER: &str = include_str!("replay/adapter.py");

/// A Python 3 script, without dependencies, that runs both sessions and prints both traces.
pub fn replay_script(warning: &Warning) -> String {
    let test = |test: &crate::follow::Test| json!({ "source": test.program.source, "actions": test.trace.actions() });
    let data = json!({
        "language": warning.initial.program.language,
        "initial": test(&warning.initial),
        "follow_up": test(&warning.follow_up.test),
        "expected": warning.difference.expected,
        "found": warning.difference.found,
    });
    let body = match warning.initial.program.language {
        Language::JavaScript => INSPECTOR,
        Language::C | Language::Python => ADAPTER,
    };
    // JSON inside a JSON string is also a Python string.
    let literal = serde_json::Value::String(data.to_string()).to_string();
    format!("{body}DATA = json.loads({literal})\n\nif __name__ == \"__main__\":\n    main()\n")
}
