//! Building subjects: C and C++ with clang, Rust with cargo; cached by content.

mod cargo;
mod compile;
mod native_case;
pub mod toolchain;

use std::path::PathBuf;
use std::sync::Arc;

pub use cargo::build_crate;
pub(crate) use cargo::has_target;
pub use compile::{build, native};
pub use native_case::{native_case, native_replay};
pub use toolchain::{Environment, Toolchain, ToolchainKind};

use serde::{Deserialize, Serialize};

/// The language of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// C.
    C,
    /// C++.
    #[serde(rename = "c++", alias = "cpp", alias = "cxx")]
    Cxx,
    /// Rust.
    Rust,
}

impl Language {
    /// The language that the file's name tells.
    pub fn of(path: &std::path::Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "c++" | "C" => Some(Language::Cxx),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }
}

/// One source file with its own flags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The file, absolute.
    pub source: PathBuf,
    /// What is compiled instead of its content.
    pub text: Option<Arc<str>>,
    /// Its language.
    pub language: Language,
    /// Flags for it, e.g. `-DN=3`; include folders are among them.
    pub flags: Vec<String>,
    /// Where the compiler runs; relative paths in flags start here.
    pub folder: PathBuf,
}

/// What is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A WASI reactor: relations are exports.
    Relations,
    /// A WASI command with `main`.
    Program,
}

/// How it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// `-g -O0`.
    Plain,
    /// The same with clang's checks for undefined behaviour in user sources; a failed check calls an import of `env`.
    Checked,
    /// For this machine, against the native runtime; with AddressSanitizer and UBSan if wanted.
    Native {
        /// Whether the sanitisers are on.
        sanitize: bool,
    },
}

/// Everything that one build depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The sources.
    pub units: Vec<Unit>,
    /// Further flags for the linker.
    pub link: Vec<String>,
    /// A reactor or a program.
    pub shape: Shape,
    /// The cache: `.twinrun` of the project.
    pub cache: PathBuf,
}

/// A finished build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The module or executable.
    pub path: PathBuf,
    /// Nothing had to be compiled or linked.
    pub cached: bool,
    /// What the compiler said although it succeeded (warnings).
    pub output: String,
}
