//! `[subject.NAME.coverage]`: how each run of a command tells which lines it executed.

use serde::{Deserialize, Serialize};

use crate::ordered::Ordered;

/// Where the coverage of a run comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverageSpec {
    /// What form it has.
    pub format: CoverageFormat,
    /// Environment variables of the run; `{folder}` stands for a fresh folder, `{project}` for the project's.
    #[serde(default)]
    pub env: Ordered<String>,
    /// Commands after the run, never through a shell; the last one writes the coverage to its standard output. For `gcov` one
    /// word is enough: the name of the program, e.g. `[["gcov-12"]]`.
    #[serde(default)]
    pub collect: Vec<Vec<String>>,
    /// For `llvm-cov`: the instrumented program, if it is not the command itself.
    pub object: Option<String>,
    /// Beginnings of paths in the coverage, and what they are here.
    #[serde(default)]
    pub map: Ordered<String>,
}

/// What form coverage has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoverageFormat {
    /// JSON of gcov; collected without further words from a program built with `--coverage`.
    Gcov,
    /// LCOV trace files; `collect` makes them.
    Lcov,
    /// JSON of `llvm-cov export`; collected without further words from a program built with `-fprofile-instr-generate
    /// -fcoverage-mapping`.
    LlvmCov,
}
