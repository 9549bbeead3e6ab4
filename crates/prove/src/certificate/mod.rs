//! Certificates: what a proof consists of, in a form that others can check.
//!
//! A certificate is a folder: `manifest.json` tells what is proved of which module, and lists the obligations; each of them is a plain SMT-LIB text that must be
//! unsatisfiable; `SHA256SUMS` has the hashes of all of these. For a certificate the proof is executed once more over terms that are not simplified
//! ([`twinrun_term::Terms::plain`]); whatever is concluded on the way besides is an obligation of its own:
//!
//! - on each path, its conditions and the negation of a check cannot hold together;
//! - the paths cover all inputs;
//! - what bounds or the solver told while the paths were run (an address is one of these places, a side of a branch is impossible) follows from the conditions
//!   so far;
//! - every step of the translation to integers keeps its bounds, and what it brings into a window is the same number modulo 2^width.
//!
//! [`check`] derives all of it again from the module and compares. A solver alone can only tell that the obligations of a certificate are unsatisfiable.

mod check;
mod derive;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use twinrun_base::Limits;
use twinrun_testing::engine::Modules;

pub use check::{Checked, Failing, check, read};
pub(crate) use derive::Covered;
pub use derive::derive;

use crate::verdict::By;

/// The version of the form.
const VERSION: u32 = 1;
/// What tells what is proved.
pub const MANIFEST: &str = "manifest.json";
/// The hashes of all other files, as `sha256sum --check` reads them.
pub const SUMS: &str = "SHA256SUMS";

/// What is proved, of what, and by which obligations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this form.
    pub version: u32,
    /// The subject.
    pub subject: String,
    /// The relation.
    pub relation: String,
    /// The hash of what is executed: the sections of the modules without names and debug information.
    pub module: String,
    /// What is stated of the relation.
    pub states: String,
    /// How the proof was found.
    pub way: By,
    /// What bounds the runs.
    pub bounds: Bounds,
    /// The declared inputs, one line each.
    pub inputs: Vec<String>,
    /// Paths, ways outside of loops, or cases.
    pub paths: u64,
    /// Checks on them.
    pub checks: u64,
    /// What was concluded besides, by kind: each is among the obligations.
    pub reductions: BTreeMap<String, u64>,
    /// The rules by which terms were built other than as they stand; each has lemmas, which are proved once for each width.
    pub rules: Vec<String>,
    /// The obligations. None where every case was run.
    pub obligations: Vec<Entry>,
}

/// What bounds the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The limits of a run.
    pub limits: Limits,
    /// Branches on a path that are looked at, where they are bounded.
    pub depth: Option<usize>,
}

impl Bounds {
    fn of(limits: Limits, depth: Option<usize>) -> Bounds {
        Bounds { limits, depth }
    }
}

/// An obligation in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its file.
    pub file: String,
    /// The hash of the file.
    pub sha256: String,
    /// Which kind it is.
    pub kind: Kind,
    /// What it states.
    pub states: String,
}

/// The kinds of obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A check holds.
    Check,
    /// The paths cover all inputs.
    Coverage,
    /// Something that was concluded while a path was run.
    Reduction,
    /// Steps of the translation to integers.
    Translation,
    /// A step of a proof with invariants.
    Invariant,
}

/// An obligation: a question that must be unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obligation {
    /// Which kind it is.
    pub kind: Kind,
    /// What it states.
    pub states: String,
    /// The SMT-LIB text.
    pub text: String,
}

/// A certificate in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// What tells what is proved.
    pub manifest: Manifest,
    /// The obligations by their file.
    pub files: BTreeMap<String, String>,
}

impl Certificate {
    /// The manifest as it is written.
    pub fn manifest_text(&self) -> String {
        serde_json::to_string_pretty(&self.manifest).unwrap_or_default() + "\n"
    }

    /// The hashes as they are written.
    pub fn sums(&self) -> String {
        let mut text = String::new();
        for (file, content) in &self.files {
            let _ = writeln!(text, "{}  {file}", sha256(content.as_bytes()));
        }
        let _ = writeln!(text, "{}  {MANIFEST}", sha256(self.manifest_text().as_bytes()));
        text
    }

    /// Writes the certificate to a folder of its own; what else was there of an earlier one is removed.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let name =
                    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                if name.ends_with(".smt2") || name == MANIFEST || name == SUMS {
                    fs::remove_file(path)?;
                }
            }
        }
        fs::create_dir_all(folder)?;
        for (file, content) in &self.files {
            fs::write(folder.join(file), content)?;
        }
        fs::write(folder.join(MANIFEST), self.manifest_text())?;
        fs::write(folder.join(SUMS), self.sums())
    }
}

/// The SHA-256 hash in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The hash of what the modules execute: names and debug information say nothing about it, and differ from folder to folder.
fn executed(modules: &Modules) -> String {
    let mut hasher = Sha256::new();
    let programs = modules.programs.iter().map(|(name, module)| (name.as_str(), &module.bytes));
    for (name, bytes) in std::iter::once(("", &modules.relations.bytes)).chain(programs) {
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        let mut rest = bytes.get(8..).unwrap_or_default();
        while let Some((id, size, header)) = section(rest) {
            let end = (header + size).min(rest.len());
            if id != 0 {
                hasher.update(&rest[..end]);
            }
            rest = &rest[end..];
        }
        hasher.update(rest);
        hasher.update([0xff]);
    }
    hasher.finalize().iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The first section: its kind, its size, and how many bytes tell both.
fn section(bytes: &[u8]) -> Option<(u8, usize, usize)> {
    let (&id, rest) = bytes.split_first()?;
    let mut size = 0usize;
    for (index, byte) in rest.iter().take(5).enumerate() {
        size |= usize::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((id, size, index + 2));
        }
    }
    None
}
