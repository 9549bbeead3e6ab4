//! The project file, `twinrun.toml`, as it is written. The book's reference page follows these types.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};
use twinrun_base::Limits;

use crate::build::{Language, ToolchainKind};
use crate::command::{CommandRelation, CoverageSpec, Expression, Parameter, Template};
use crate::ordered::Ordered;

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProjectFile {
    /// What holds for all subjects.
    pub project: Defaults,
    /// Limits of every group, for all subjects.
    pub limits: LimitsFile,
    /// The subjects, in the order in which they are tested.
    pub subject: Ordered<SubjectFile>,
    /// An input model for `twinrun combine`, which reads it itself.
    pub combine: Option<toml::Table>,
    /// A debug adapter for `twinrun debugger`, which reads it itself.
    pub debugger: Option<toml::Table>,
    /// Where jobs run beside this machine.
    pub cluster: ClusterFile,
}

/// `[cluster]`: a NATS server for jobs; the command line overrides it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClusterFile {
    /// The address, such as `nats://host:4222` or `tls://host:4222`. Without it everything runs here.
    pub nats: Option<String>,
    /// The name of the cluster, where several share a server.
    pub name: Option<String>,
    /// Only workers with this label take the jobs.
    pub label: Option<String>,
    /// Cores of this machine take jobs too.
    pub local: bool,
    /// Seconds without a sign of life after which a job is handed out again.
    pub lease: Option<f64>,
    /// Copies of everything that is kept, on a server that is a cluster itself.
    pub replicas: Option<usize>,
    /// A user's file with credentials, as the server's tools write it; relative to the project.
    pub credentials: Option<String>,
    /// A file with the seed of an nkey.
    pub nkey: Option<String>,
    /// A file with the certificates of authorities to trust.
    pub ca: Option<String>,
    /// Our own certificate.
    pub certificate: Option<String>,
    /// The key of our own certificate.
    pub key: Option<String>,
}

/// `[project]`: defaults; the command line overrides them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    /// The project's name in reports; its folder's name if not given.
    pub name: Option<String>,
    /// The seed of all random choices.
    pub seed: Option<u64>,
    /// How many cores to use.
    pub jobs: Option<u32>,
    /// Groups for each relation.
    pub cases: Option<NonZeroU64>,
    /// Seconds for each relation.
    pub time: Option<f64>,
    /// The toolchain for C and C++; the best one that is found if not given.
    pub toolchain: Option<ToolchainKind>,
}

/// `[limits]`: each one that is not given keeps its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsFile {
    /// Back-edges and calls in one group.
    pub work: Option<u64>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Bytes of output.
    pub output: Option<u64>,
    /// Calls that may be open at once.
    pub depth: Option<u32>,
}

impl LimitsFile {
    /// These limits where they are given, else the others.
    pub fn over(&self, limits: Limits) -> Limits {
        Limits {
            work: self.work.unwrap_or(limits.work),
            memory: self.memory.unwrap_or(limits.memory),
            output: self.output.unwrap_or(limits.output),
            depth: self.depth.unwrap_or(limits.depth),
        }
    }
}

/// `[subject.NAME]`: exactly one of `sources` (or `compile_commands`), `crate`, `wasm` and `command` says what it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SubjectFile {
    /// C and C++ sources with the relations among them; patterns such as `src/*.c` are allowed.
    pub sources: Vec<String>,
    /// Folders for `#include`.
    pub include: Vec<String>,
    /// Flags of the compiler, e.g. `-DN=3`, `-std=c++20`. `-g -O0` come last in any case.
    pub flags: Vec<String>,
    /// Flags of the linker, e.g. `-lm`.
    pub link: Vec<String>,
    /// The language of the sources where their names do not tell.
    pub language: Option<Language>,
    /// A `compile_commands.json`: flags of the sources are taken from it; without `sources`, its files are the sources.
    pub compile_commands: Option<String>,
    /// The folder of a Rust crate with `crate-type = ["cdylib"]` that holds the relations.
    #[serde(rename = "crate")]
    pub crate_folder: Option<String>,
    /// Features of the crate.
    pub features: Vec<String>,
    /// A module that is already built, with debug information.
    pub wasm: Option<String>,
    /// Further folders whose files are user code, where sources lie outside the project.
    pub roots: Vec<String>,
    /// The whole program that `tw_run_program` runs: its sources, or a table.
    pub program: Option<ProgramFile>,
    /// Which relations are used, by name or pattern (`sort_*`); all if not given.
    pub relations: Vec<String>,
    /// Whether the checked build runs too; yes for C and C++ if not given.
    pub checked: Option<bool>,
    /// Groups for each relation.
    pub cases: Option<NonZeroU64>,
    /// Seconds for each relation.
    pub time: Option<f64>,
    /// Limits of this subject.
    pub limits: LimitsFile,
    /// An input model for `twinrun combine`.
    pub model: Option<toml::Table>,

    /// A program of this machine and its arguments, with places for parameters: `["grep", "-E", "{pattern}"]`.
    pub command: Vec<Template>,
    /// What the command reads on standard input.
    pub stdin: Option<Template>,
    /// Files in the folder in which the command runs.
    pub files: Ordered<Template>,
    /// Environment variables of the command.
    pub env: Ordered<String>,
    /// Seconds after which the command is stopped; 10 if not given.
    pub timeout: Option<f64>,
    /// Exit codes that are an answer; any other one is a crash. Every code is an answer if not given.
    pub exit: Vec<i32>,
    /// The command's parameters.
    pub parameters: Ordered<Parameter>,
    /// What must hold between parameters.
    pub assume: Vec<Expression>,
    /// The command's relations.
    pub relation: Ordered<CommandRelation>,
    /// How a run of the command tells which lines it executed, for `twinrun locate`.
    pub coverage: Option<CoverageSpec>,
}

/// `program`: a list of sources, or a table with the same keys as a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a list of sources or a table such as { sources = [\"main.c\"], flags = [] }"
)]
pub enum ProgramFile {
    /// Sources with a `main`, built with the flags of the subject.
    Sources(Vec<String>),
    /// More.
    Table(ProgramTable),
}

/// `[subject.NAME.program]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProgramTable {
    /// Sources with a `main`.
    pub sources: Vec<String>,
    /// Folders for `#include`.
    pub include: Vec<String>,
    /// Flags of the compiler.
    pub flags: Vec<String>,
    /// Flags of the linker.
    pub link: Vec<String>,
    /// The folder of a Rust crate with a binary.
    #[serde(rename = "crate")]
    pub crate_folder: Option<String>,
    /// Which binary of the crate.
    pub bin: Option<String>,
    /// Features of the crate.
    pub features: Vec<String>,
    /// A program that is already built.
    pub wasm: Option<String>,
}

impl ProgramFile {
    /// The table form of either.
    pub fn table(&self) -> ProgramTable {
        match self {
            ProgramFile::Sources(sources) => {
                ProgramTable { sources: sources.clone(), ..ProgramTable::default() }
            }
            ProgramFile::Table(table) => table.clone(),
        }
    }
}
