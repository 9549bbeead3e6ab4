//! What can keep this engine from answering.

use twinrun_base::Crash;

/// Why a module cannot be compiled or run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bytes are not a module.
    #[error("not a valid WebAssembly module: {0}")]
    Invalid(String),
    /// A feature that is not offered here.
    #[error("{0}")]
    Unsupported(String),
    /// An import that nobody provides.
    #[error(
        "the module imports `{module}.{name}`, which neither Twinrun nor its WASI provides; link a definition, or \
         remove the call"
    )]
    UnknownImport {
        /// The module name of the import.
        module: String,
        /// Its field name.
        name: String,
    },
    /// A known import with other parameters than the ABI says.
    #[error(
        "the module imports `{module}.{name}` as {found}, but it is {expected}; was it built with another SDK?"
    )]
    ImportType {
        /// The module name of the import.
        module: String,
        /// Its field name.
        name: String,
        /// Its type in the module.
        found: String,
        /// The type that is provided.
        expected: String,
    },
    /// No such relation.
    #[error("the module has no relation `{0}`")]
    UnknownRelation(String),
    /// A whole program was asked for that was not given.
    #[error("the relation runs the program `{0}`, which the project does not define")]
    UnknownProgram(String),
    /// A program without `_start`.
    #[error("the module of program `{0}` exports no `_start`")]
    NoStart(String),
    /// The module crashed before any relation could run.
    #[error("the subject crashed while it was initialised: {}", .0.message)]
    Initialize(Box<Crash>),
    /// A cut came.
    #[error("stopped before it had ended")]
    Cut,
    /// wasmtime refused.
    #[error("the engine failed: {0}")]
    Engine(String),
}
