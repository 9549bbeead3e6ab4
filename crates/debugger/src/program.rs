//! Programs to debug.

use serde::{Deserialize, Serialize};

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// JavaScript, run as a classic script.
    JavaScript,
    /// C, compiled without optimisation.
    C,
    /// C++, compiled without optimisation.
    Cpp,
    /// Rust, compiled without optimisation.
    Rust,
    /// Go, compiled without optimisation.
    Go,
    /// Python.
    Python,
}

impl Language {
    /// The language of a file, by the end of its name.
    pub fn of_file(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1 {
            "js" => Some(Language::JavaScript),
            "c" => Some(Language::C),
            "cpp" | "cc" | "cxx" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            "go" => Some(Language::Go),
            "py" => Some(Language::Python),
            _ => None,
        }
    }

    /// The usual end of a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Language::JavaScript => "js",
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Rust => "rs",
            Language::Go => "go",
            Language::Python => "py",
        }
    }
}

/// A program to debug: one file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Program {
    /// A name for reports.
    pub name: String,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub source: String,
}

impl Program {
    /// A program from its text.
    pub fn new(name: &str, language: Language, source: &str) -> Self {
        Program { name: name.to_owned(), language, source: source.to_owned() }
    }

    /// The same program with another text.
    pub fn with_source(&self, source: String) -> Self {
        Program { name: self.name.clone(), language: self.language, source }
    }
}
