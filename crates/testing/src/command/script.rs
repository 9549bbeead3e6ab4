//! The user's own scripts: one JSON document in, one out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value as Json;
use twinrun_subject::command::ParameterValue;

use super::Done;
use super::draw::{Parameters, text};
use crate::executor::ExecuteError;

/// Runs a script in the project's folder with a JSON document on its standard input and reads its answer.
pub(super) fn run(program: &[String], folder: &Path, question: &Json) -> Result<Json, ExecuteError> {
    let name = program.join(" ");
    let failed = |what: String| ExecuteError::new(format!("the script `{name}` {what}"));
    let [first, rest @ ..] = program else { return Err(ExecuteError::new("a script has no program")) };
    let first = if first.contains('/') { folder.join(first).into_os_string() } else { first.into() };
    let mut child = Command::new(first)
        .args(rest)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(format!("cannot be started: {error}")))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A script that does not read its question may still answer.
        let _ = stdin.write_all(question.to_string().as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| failed(format!("was lost: {error}")))?;
    if !output.status.success() {
        return Err(failed(format!(
            "ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        )));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| failed(format!("did not answer with a JSON document: {error}")))
}

/// A parameter's value from a script's answer.
pub(super) fn parameter(program: &[String], value: &Json) -> Result<ParameterValue, ExecuteError> {
    serde_json::from_value(value.clone()).map_err(|_| {
        ExecuteError::new(format!(
            "the script `{}` answered {value}, which is no text, number, truth value or list of texts",
            program.join(" ")
        ))
    })
}

/// Parameters as a JSON object.
pub(super) fn parameters(parameters: &Parameters) -> Json {
    parameters
        .iter()
        .map(|(name, value)| {
            (name.clone(), serde_json::to_value(value).unwrap_or_else(|_| text(value).into()))
        })
        .collect()
}

/// A run as a script sees it.
pub(super) fn described(done: &Done) -> Json {
    let lossy = |bytes: &[u8]| Json::from(String::from_utf8_lossy(bytes).into_owned());
    let output = &done.output;
    let mut run = serde_json::json!({
        "parameters": parameters(&done.parameters),
        "arguments": output.arguments.iter().map(|argument| lossy(argument)).collect::<Vec<_>>(),
        "stdin": lossy(&output.stdin),
        "exit": output.exit,
        "stdout": lossy(&output.stdout),
        "stderr": lossy(&output.stderr),
    });
    if std::str::from_utf8(&output.stdout).is_err() {
        let hex: String = output.stdout.iter().map(|byte| format!("{byte:02x}")).collect();
        run["stdout_hex"] = hex.into();
    }
    run
}

/// The files of a corpus, in the order of their names.
pub(super) fn corpus(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, ExecuteError> {
    let full = folder.join(pattern);
    let paths = glob::glob(&full.to_string_lossy())
        .map_err(|error| ExecuteError::new(format!("the corpus `{pattern}`: {error}")))?;
    let mut files: Vec<PathBuf> = paths.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    files.sort();
    if files.is_empty() {
        return Err(ExecuteError::new(format!(
            "no file matches the corpus `{pattern}` in {}",
            folder.display()
        )));
    }
    Ok(files)
}
