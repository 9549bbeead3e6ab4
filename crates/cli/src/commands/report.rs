//! `twinrun report`: a saved JSON report in another format.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use twinrun_base::Exit;
use twinrun_report::formats::json;

use crate::Outcome;
use crate::error::Error;
use crate::options::Common;
use crate::output;

/// Shows a saved JSON report in another format.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// A file written with `--format json --output FILE`
    file: PathBuf,
}

pub(crate) fn run(options: &Report, common: &Common) -> Outcome {
    let text = fs::read_to_string(&options.file)
        .map_err(|source| Error::Read { path: options.file.clone(), source })?;
    let report = json::parse(&text).map_err(|error| {
        Error::Usage(format!("{} is not a report of twinrun: {error}", options.file.display()))
    })?;
    let project = common.project.clone().unwrap_or_else(|| PathBuf::from("."));
    output::report(&report, &project, common)?;
    Ok(Exit::Holds)
}
