//! Coverage that other tools wrote: gcov JSON, LCOV and llvm-cov JSON, read into lines and branches, checked against the
//! sources that lie here.

mod gcov;
mod importer;
mod lcov;
mod llvm;

use std::collections::BTreeMap;

use twinrun_subject::command::CoverageFormat;

pub use importer::Importer;

/// What one run executed of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// The path as the tool wrote it, made absolute where it said from where it counts.
    pub path: String,
    /// How often each line with code was executed.
    pub lines: BTreeMap<u32, u64>,
    /// How often each branch of a line was taken.
    pub branches: BTreeMap<(u32, u32), u64>,
    /// The functions of lines, where they are known.
    pub functions: BTreeMap<u32, String>,
    /// Checksums of lines (LCOV).
    pub checksums: BTreeMap<u32, String>,
}

/// What is wrong with coverage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoverageError {
    /// There is nothing in it.
    #[error("the coverage is empty: was the program built for it, and did it end normally?")]
    Empty,
    /// It ends too early.
    #[error("the coverage is truncated: {0}")]
    Truncated(String),
    /// It is something else.
    #[error("this is not {format} coverage: {why}")]
    Malformed {
        /// What was expected.
        format: &'static str,
        /// What is wrong.
        why: String,
    },
    /// It names a file that is not here.
    #[error(
        "the coverage names {path}, which is not here: say where it lies with `map = {{ \"{parent}\" = \"…\" }}` under `coverage`"
    )]
    Missing {
        /// The path.
        path: String,
        /// Its folder.
        parent: String,
    },
    /// It was made from other sources.
    #[error("{file} changed since the build ({why}): build again, so that lines mean the same")]
    Changed {
        /// The file.
        file: String,
        /// How it shows.
        why: String,
    },
    /// None of the files lies in the project.
    #[error(
        "the coverage belongs to another build: none of its files lies in this project (the first is {0})"
    )]
    Foreign(String),
}

/// Reads coverage of one run.
///
/// # Errors
/// When it is empty, truncated or something else.
pub fn parse(format: CoverageFormat, text: &[u8]) -> Result<Vec<FileCoverage>, CoverageError> {
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(CoverageError::Empty);
    }
    let files = match format {
        CoverageFormat::Gcov => gcov::parse(text)?,
        CoverageFormat::Lcov => lcov::parse(text)?,
        CoverageFormat::LlvmCov => llvm::parse(text)?,
    };
    if files.iter().all(|file| file.lines.is_empty()) {
        return Err(CoverageError::Empty);
    }
    Ok(files)
}

/// What a JSON reader says, as ours.
fn json(format: &'static str, error: &serde_json::Error) -> CoverageError {
    if error.is_eof() {
        CoverageError::Truncated(error.to_string())
    } else {
        CoverageError::Malformed { format, why: error.to_string() }
    }
}
