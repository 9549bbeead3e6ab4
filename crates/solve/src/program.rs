//! Finding a solver on this machine and checking its version.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The solvers whose dialect is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Z3.
    Z3,
    /// cvc5.
    Cvc5,
    /// Bitwuzla.
    Bitwuzla,
}

impl Kind {
    /// All kinds, the default first.
    pub const ALL: [Kind; 3] = [Kind::Z3, Kind::Bitwuzla, Kind::Cvc5];

    /// The program's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Z3 => "z3",
            Kind::Cvc5 => "cvc5",
            Kind::Bitwuzla => "bitwuzla",
        }
    }

    /// The oldest version that is known to work.
    fn oldest(self) -> (u32, u32) {
        match self {
            Kind::Z3 => (4, 8),
            Kind::Cvc5 => (1, 0),
            Kind::Bitwuzla => (0, 1),
        }
    }
}

/// A solver that can be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its dialect.
    pub kind: Kind,
    /// Where it is.
    pub path: PathBuf,
    /// Its version as it says itself.
    pub version: String,
}

/// Why no solver can be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No program of that name answers.
    #[error(
        "no {0} found, neither under .deps/python/bin nor on the PATH: pip install --target .deps/python z3-solver==5.4.0.0"
    )]
    Missing(&'static str),
    /// The program is too old.
    #[error("{path} is version {version}; at least {major}.{minor} is needed")]
    Old {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: String,
        /// Major version needed.
        major: u32,
        /// Minor version needed.
        minor: u32,
    },
}

impl Program {
    /// The default solver: Z3 under `.deps` of `root` or a folder above it, else on the PATH.
    ///
    /// # Errors
    /// When there is none, or only an old one.
    pub fn find(root: &Path) -> Result<Program, Error> {
        Program::find_kind(Kind::Z3, root)
    }

    /// A solver of one kind, looked for in the same places.
    ///
    /// # Errors
    /// When there is none, or only an old one.
    pub fn find_kind(kind: Kind, root: &Path) -> Result<Program, Error> {
        let local = root.ancestors().map(|folder| folder.join(".deps/python/bin").join(kind.name()));
        let mut old = None;
        for path in local.filter(|path| path.is_file()).chain([PathBuf::from(kind.name())]) {
            let Some(version) = version(&path) else { continue };
            let (major, minor) = kind.oldest();
            if numbers(&version) >= (major, minor) {
                return Ok(Program { kind, path, version });
            }
            old = Some(Error::Old { path, version, major, minor });
        }
        Err(old.unwrap_or(Error::Missing(kind.name())))
    }

    /// Every solver that can be used, the default first.
    pub fn all(root: &Path) -> Vec<Program> {
        Kind::ALL.into_iter().filter_map(|kind| Program::find_kind(kind, root).ok()).collect()
    }
}

/// The first thing that looks like a version in what `--version` prints.
fn version(path: &Path) -> Option<String> {
    let output = Command::new(path).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_version = |word: &&str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
    text.split_whitespace().find(is_version).map(str::to_owned)
}

fn numbers(version: &str) -> (u32, u32) {
    let mut parts = version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok());
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}
