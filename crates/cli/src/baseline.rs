//! A baseline: the findings of an earlier report, which are known already.

use std::path::Path;

use twinrun_base::{Hash, Report};
use twinrun_report::formats::json;

use crate::error::Error;

/// The fingerprints of an earlier report.
pub(crate) fn fingerprints(path: &Path) -> Result<Vec<Hash>, Error> {
    let text =
        std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let report = json::parse(&text).map_err(|error| {
        Error::Usage(format!(
            "{} is no baseline: {error}. Make one with `--format json --output FILE`",
            path.display()
        ))
    })?;
    Ok(report.findings.iter().map(|finding| finding.fingerprint).collect())
}

/// Leaves out what is known.
pub(crate) fn leave_out(report: &mut Report, known: &[Hash]) {
    let all = report.findings.len();
    report.findings.retain(|finding| !known.contains(&finding.fingerprint));
    let left_out = all - report.findings.len();
    if left_out > 0 {
        let findings = if left_out == 1 {
            "1 finding that is".to_owned()
        } else {
            format!("{left_out} findings that are")
        };
        report.notices.push(format!("{findings} in the baseline left out"));
    }
}
