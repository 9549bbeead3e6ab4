//! What keeps us from having a subject. Every message says what to do.

use std::path::PathBuf;

use crate::build::ToolchainKind;
use crate::project::Mistake;

/// An error of this crate.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Error {
    /// The bytes are something else.
    #[error("this is not a WebAssembly module: {reason}")]
    NotWasm {
        /// How one sees it.
        reason: String,
    },
    /// The bytes are damaged.
    #[error("the WebAssembly module is corrupt at byte {offset}: {reason}; build it again")]
    CorruptWasm {
        /// Where.
        offset: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The module is sound, but the engines cannot run it.
    #[error("the module uses a feature that is not supported here ({reason}); {}", if *exceptions {
        "it was built with WebAssembly exceptions: build C++ with `-fno-exceptions`, and C without `-mllvm -wasm-enable-sjlj`"
    } else {
        "build it for the baseline of `wasm32-wasi`"
    })]
    UnsupportedFeature {
        /// What the validator says.
        reason: String,
        /// Whether it is the exception-handling proposal.
        exceptions: bool,
    },
    /// No relation has this name.
    #[error("there is no relation `{name}`{}; {}", did_you_mean(suggestion.as_deref()), if known.is_empty() {
        "the module exports none".to_owned()
    } else {
        format!("known: {}", known.join(", "))
    })]
    UnknownRelation {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// Nothing can compile C to WebAssembly.
    #[error("no toolchain for C and C++ was found{}: install one of: Debian packages `clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32 libc++-19-dev-wasm32`; a WASI SDK, named by WASI_SDK_PATH; the Python wheel `ziglang` (`pip install ziglang`). `twinrun doctor` says what is there", match wanted {
        Some(ToolchainKind::WasiSdk) => " (asked for: wasi-sdk)",
        Some(ToolchainKind::Clang) => " (asked for: clang)",
        Some(ToolchainKind::Zig) => " (asked for: zig)",
        None => "",
    })]
    NoToolchain {
        /// The one that the project asks for.
        wanted: Option<ToolchainKind>,
    },
    /// The C++ library for WebAssembly is missing.
    #[error(
        "{version} has no C++ library for WebAssembly: install the Debian packages `libc++-19-dev-wasm32 libc++abi-19-dev-wasm32`"
    )]
    NoCxxLibrary {
        /// The toolchain.
        version: String,
    },
    /// The toolchain brings its own handlers for failed checks, which would end a run without saying why.
    #[error("{version} cannot make the checked build: use clang or a WASI SDK for it")]
    NoCheckedBuild {
        /// The toolchain.
        version: String,
    },
    /// There is no compiler for this machine.
    #[error("no native compiler was found: install `clang` or `gcc`")]
    NoNativeCompiler,
    /// There are compilers for this machine, but no sanitisers.
    #[error(
        "the sanitisers of {} do not link: install their runtime (Debian: `libclang-rt-19-dev` for clang-19), or `gcc`",
        tried.join(", ")
    )]
    NoSanitisers {
        /// The compilers.
        tried: Vec<String>,
    },
    /// The compiler refused a source file.
    #[error("{} does not compile:\n{output}", file.display())]
    Compile {
        /// The file.
        file: PathBuf,
        /// The command that failed.
        command: String,
        /// What the compiler said.
        output: String,
    },
    /// The linker refused.
    #[error("linking failed:\n{output}{}", hint.as_ref().map(|hint| format!("help: {hint}")).unwrap_or_default())]
    Link {
        /// The command that failed.
        command: String,
        /// What the linker said.
        output: String,
        /// What to do.
        hint: Option<String>,
    },
    /// A mistake in the project file.
    #[error("{0}")]
    Project(Box<Mistake>),
    /// There is no project file.
    #[error("there is no twinrun.toml in {} or above it: write one with `twinrun init`", from.display())]
    NoProject {
        /// Where the search began.
        from: PathBuf,
    },
    /// No subject has this name.
    #[error("there is no subject `{name}`{}; known: {}", did_you_mean(suggestion.as_deref()), known.join(", "))]
    UnknownSubject {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// A text file is not UTF-8.
    #[error("{} is not UTF-8 at byte {offset}: save it as UTF-8", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first bad byte.
        offset: usize,
    },
    /// A compilation database cannot be read.
    #[error("{} is not a compilation database: {reason}; make it again, e.g. with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`", path.display())]
    CompileCommands {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Cargo, or its target for WebAssembly, is missing.
    #[error("{what} is missing: {how}")]
    NoRust {
        /// What.
        what: &'static str,
        /// How to get it.
        how: &'static str,
    },
    /// A file that would be written is there already.
    #[error("{} is there already: nothing was written; choose another folder or remove it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// There are no sources to build natively.
    #[error("{} cannot be replayed natively: only subjects with sources or a crate can", path.display())]
    NoNativeBuild {
        /// The module or command.
        path: PathBuf,
    },
    /// The crate gave no module.
    #[error("the crate {} gave no WebAssembly module: add `[lib] crate-type = [\"cdylib\"]` to its Cargo.toml", folder.display())]
    NoCdylib {
        /// The crate.
        folder: PathBuf,
    },
    /// A problem with a module, with its file.
    #[error("{}: {error}", path.display())]
    Module {
        /// The file.
        path: PathBuf,
        /// The problem.
        error: Box<Error>,
    },
    /// A file could not be read or written.
    #[error("cannot {action} {}: {reason}", path.display())]
    Io {
        /// `read`, `write` …
        action: &'static str,
        /// Which file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

impl Error {
    /// An input or output error on `path`.
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>, error: &std::io::Error) -> Error {
        Error::Io { action, path: path.into(), reason: error.to_string() }
    }
}

impl From<wasmparser::BinaryReaderError> for Error {
    fn from(error: wasmparser::BinaryReaderError) -> Error {
        Error::CorruptWasm { offset: error.offset(), reason: error.message().to_owned() }
    }
}
