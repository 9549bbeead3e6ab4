//! What a hunt knows, as plain data: written after every step, read by the live page and by reports.

use serde::{Deserialize, Serialize};
use twinrun_base::{Hash, Report, Verdict};
use twinrun_localize::notice::Noticed;

use crate::combined::Combined;
use crate::repairs::Repaired;

/// The version of this form.
pub(crate) const VERSION: u32 = 2;

/// All that a hunt knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hunt {
    /// The version of this form.
    pub version: u32,
    /// The project's name.
    pub project: String,
    /// How far it is.
    pub stage: Stage,
    /// Relations and findings; suspects, critical branch and failure condition are filled in as they come.
    pub report: Report,
    /// What is known of each subject with findings.
    pub subjects: Vec<CaseFile>,
    /// What proving says of each relation.
    pub proofs: Vec<Proof>,
    /// What is shown of each finding.
    pub shown: Vec<Shown>,
    /// What combinations of boundary values gave, for each relation with at least two numbers.
    #[serde(default)]
    pub combined: Vec<Combined>,
    /// Where a fault would go unnoticed, for each WebAssembly subject.
    #[serde(default)]
    pub noticed: Vec<Notice>,
    /// Findings of the baseline that were left out.
    #[serde(default)]
    pub known: u64,
}

/// How far a hunt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Relations are tested.
    Testing,
    /// Findings are explained, the rest is proved.
    Explaining,
    /// Nothing is left to do.
    Done,
    /// Stopped before the end; the same command goes on.
    Interrupted,
}

/// What a technique said, or why it said nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said<T> {
    /// Its report.
    Report(Box<T>),
    /// Why there is none.
    Nothing {
        /// In one sentence.
        why: String,
    },
    /// Not yet.
    Pending,
}

impl<T> Said<T> {
    /// The report, if there is one.
    pub fn report(&self) -> Option<&T> {
        match self {
            Said::Report(report) => Some(report),
            _ => None,
        }
    }

    /// Why there is none, if so.
    pub fn why(&self) -> Option<&str> {
        match self {
            Said::Nothing { why } => Some(why),
            _ => None,
        }
    }
}

/// One subject with findings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseFile {
    /// The subject.
    pub subject: String,
    /// Ranked lines.
    pub located: Said<twinrun_localize::report::Report>,
    /// Ranked branches.
    pub debugged: Said<twinrun_debug::Report>,
    /// What to write instead.
    pub repaired: Said<Repaired>,
}

/// One relation as proving sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// The subject.
    pub subject: String,
    /// The relation.
    pub relation: String,
    /// The answer.
    pub proved: Said<twinrun_prove::Report>,
}

/// What the relations of a subject notice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// The subject.
    pub subject: String,
    /// The answer.
    pub said: Said<Noticed>,
}

/// What is shown of a finding beside its data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Which finding.
    pub fingerprint: Hash,
    /// Traces side by side.
    pub traces: Vec<Aligned>,
    /// The failing region over two numbers.
    pub region: Option<Region>,
    /// Ready-made tests: language and text.
    pub tests: Vec<(String, String)>,
}

/// A branch with an outcome that occurs in a trace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Site {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The function.
    pub function: String,
    /// The outcome.
    pub outcome: u32,
}

/// Two traces side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aligned {
    /// What stands left.
    pub left: String,
    /// What stands right.
    pub right: String,
    /// The distinct branch outcomes.
    pub sites: Vec<Site>,
    /// One row each: the site left and right, -1 where that side has nothing.
    pub rows: Vec<(i32, i32)>,
    /// Branches that were left out at the end because the traces are very long.
    pub left_out: u64,
}

/// How groups end over two numbers, the rest of the case kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// The number on the horizontal axis, e.g. `a[0]`, its values from left to right.
    pub x: (String, Vec<f64>),
    /// The number on the vertical axis, from bottom to top.
    pub y: (String, Vec<f64>),
    /// The verdicts, row by row from the bottom.
    pub cells: Vec<Verdict>,
    /// Where the minimal case lies: column and row.
    pub here: (usize, usize),
    /// Proving has told exactly when the relation fails, so that the holding cells are proved.
    pub exact: bool,
}
