//! PICT beside us, where it is installed.

use std::path::Path;
use std::process::Command;

use twinrun_results::cpu_seconds;

/// Seconds after which PICT is given up on one model.
const LIMIT: &str = "90";

/// PICT's size and CPU seconds; the size is absent when it did not finish, everything when it is not installed.
pub(crate) fn pict(model: &Path, strength: usize) -> Option<(Option<f64>, Option<f64>)> {
    let before = cpu_seconds();
    let output = Command::new("timeout")
        .arg(LIMIT)
        .arg("pict")
        .arg(model)
        .arg(format!("/o:{strength}"))
        .output()
        .ok()?;
    // `timeout` answers 127 when there is no such program.
    if output.status.code() == Some(127) {
        return None;
    }
    if !output.status.success() {
        return Some((None, None));
    }
    let rows = output.stdout.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1);
    Some((Some(rows as f64), Some(cpu_seconds() - before)))
}
