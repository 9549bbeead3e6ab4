//! The formats of a report: one file each, one line each in [`FORMATS`].

use twinrun_base::Report;

use crate::sources::Sources;

pub mod github;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
#[cfg(test)]
mod sample;
pub mod sarif;

/// What a format may need beside the report.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether colours are welcome (a terminal, and no `NO_COLOR`).
    pub color: bool,
    /// Everything that is known of a finding, instead of what it takes to understand and fix it.
    pub verbose: bool,
    /// The source text of the places that findings name.
    pub sources: &'a Sources,
}

/// A format.
pub struct Format {
    /// What `--format` takes.
    pub name: &'static str,
    /// For whom it is.
    pub about: &'static str,
    /// The whole report as text, with a line end at its end.
    pub render: fn(&Report, &Options<'_>) -> String,
}

/// Every format.
pub const FORMATS: &[Format] = &[
    Format { name: "human", about: "text for people", render: human::render },
    Format { name: "html", about: "one self-contained page", render: html::render },
    Format { name: "json", about: "everything, for programs (versioned)", render: json::render },
    Format { name: "sarif", about: "SARIF 2.1.0, for code scanning and editors", render: sarif::render },
    Format { name: "junit", about: "JUnit XML, for continuous integration", render: junit::render },
    Format { name: "github", about: "annotations of GitHub Actions", render: github::render },
];

/// The format with this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
