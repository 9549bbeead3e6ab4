//! Checking a certificate: that it is whole, that it is the one that the module gives, and that its obligations are unsatisfiable.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Serialize;
use twinrun_solve::{Kind as Solvers, Program};
use twinrun_testing::engine::WasmSubject;

use super::{Bounds, Certificate, MANIFEST, Manifest, SUMS, VERSION, derive, executed, sha256};
use crate::error::Error;
use crate::prepare::{Builds, Config};

/// What checking a certificate told.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// Why it is refused; nothing where it is the certificate that the module gives.
    pub refused: Option<String>,
    /// Obligations that a solver found unsatisfiable, by solver.
    pub unsatisfiable: BTreeMap<String, usize>,
    /// Those that it did not.
    pub failing: Vec<Failing>,
}

impl Checked {
    /// Whether it is the certificate that the module gives, and all obligations are unsatisfiable.
    pub fn is_accepted(&self) -> bool {
        self.refused.is_none() && self.failing.is_empty()
    }

    fn refused(why: impl Into<String>) -> Checked {
        Checked { refused: Some(why.into()), unsatisfiable: BTreeMap::new(), failing: Vec::new() }
    }
}

/// An obligation that a solver did not find unsatisfiable.
#[derive(Clone, Debug, Serialize)]
pub struct Failing {
    /// Its file.
    pub file: String,
    /// What it states.
    pub states: String,
    /// The solver.
    pub solver: String,
    /// What the solver said.
    pub answer: String,
}

/// Reads a certificate; what is wrong with it is told as words.
///
/// # Errors
/// When the folder cannot be read.
pub fn read(folder: &Path) -> io::Result<Result<Certificate, String>> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entry.file_type()?.is_file() {
            return Ok(Err(format!("{name} is no plain file")));
        }
        match String::from_utf8(fs::read(entry.path())?) {
            Ok(text) => texts.insert(name, text),
            Err(_) => return Ok(Err(format!("{name} is no text"))),
        };
    }
    let (Some(manifest_text), Some(sums)) = (texts.remove(MANIFEST), texts.remove(SUMS)) else {
        return Ok(Err(format!("{MANIFEST} or {SUMS} is missing")));
    };
    let manifest: Manifest = match serde_json::from_str(&manifest_text) {
        Ok(manifest) => manifest,
        Err(error) => return Ok(Err(format!("{MANIFEST}: {error}"))),
    };
    let certificate = Certificate { manifest, files: texts };
    Ok(match whole(&certificate, &manifest_text, &sums) {
        Some(wrong) => Err(wrong),
        None => Ok(certificate),
    })
}

/// What is wrong with a certificate by itself.
fn whole(certificate: &Certificate, manifest_text: &str, sums: &str) -> Option<String> {
    let Certificate { manifest, files } = certificate;
    if manifest.version != VERSION {
        return Some(format!("version {} of certificates is not understood", manifest.version));
    }
    let listed: BTreeSet<&String> = manifest.obligations.iter().map(|entry| &entry.file).collect();
    if listed.len() != manifest.obligations.len() {
        return Some("an obligation is listed twice".to_owned());
    }
    if let Some(file) = files.keys().find(|file| !listed.contains(file)) {
        return Some(format!("{file} is not listed"));
    }
    for entry in &manifest.obligations {
        match files.get(&entry.file) {
            None => return Some(format!("{} is missing", entry.file)),
            Some(text) if sha256(text.as_bytes()) != entry.sha256 => {
                return Some(format!("{} is not what {MANIFEST} lists", entry.file));
            }
            Some(_) => {}
        }
    }
    if manifest_text != certificate.manifest_text() || sums != certificate.sums() {
        return Some(format!("{MANIFEST} and {SUMS} are not written as they are"));
    }
    None
}

/// Checks a certificate against the subject that it is about: derives it again from the module and compares, and has every solver look at every obligation.
///
/// # Errors
/// When the folder cannot be read, the relation cannot be run or a solver cannot be started.
pub fn check(
    folder: &Path,
    subject: &WasmSubject,
    builds: &Builds,
    config: &Config,
    solvers: &[Program],
    limit: Duration,
) -> Result<Checked, Error> {
    let given = match read(folder)? {
        Ok(given) => given,
        Err(wrong) => return Ok(Checked::refused(wrong)),
    };
    let manifest = &given.manifest;
    if manifest.subject != subject.name() {
        return Ok(Checked::refused(format!("it is about the subject {}", manifest.subject)));
    }
    if manifest.module != executed(subject.modules()) {
        return Ok(Checked::refused("it is about another module"));
    }
    if manifest.bounds != Bounds::of(config.limits, config.depth) {
        return Ok(Checked::refused("it is about other bounds"));
    }
    if subject.target(&manifest.relation).is_err() {
        return Ok(Checked::refused(format!("the module has no relation {}", manifest.relation)));
    }
    let derived = match derive(subject, builds, &manifest.relation, manifest.way, config)? {
        Ok(derived) => derived,
        Err(reasons) => {
            let why = format!("no such proof is found again: {}", reasons.join("; "));
            return Ok(Checked::refused(why));
        }
    };
    if let Some(difference) = difference(&given, &derived) {
        return Ok(Checked::refused(format!("the module gives another certificate: {difference}")));
    }
    let mut checked = Checked { refused: None, unsatisfiable: BTreeMap::new(), failing: Vec::new() };
    for solver in solvers {
        let mut met = 0;
        for entry in &derived.manifest.obligations {
            let answer = ask(solver, &folder.join(&entry.file), limit)?;
            if answer == "unsat" {
                met += 1;
            } else {
                checked.failing.push(Failing {
                    file: entry.file.clone(),
                    states: entry.states.clone(),
                    solver: solver.kind.name().to_owned(),
                    answer,
                });
            }
        }
        checked.unsatisfiable.insert(solver.kind.name().to_owned(), met);
    }
    Ok(checked)
}

/// Where two certificates differ first.
fn difference(given: &Certificate, derived: &Certificate) -> Option<String> {
    let (a, b) = (&given.manifest, &derived.manifest);
    for (x, y) in a.obligations.iter().zip(&b.obligations) {
        if x != y || given.files.get(&x.file) != derived.files.get(&y.file) {
            return Some(format!("{} is not the obligation “{}”", x.file, y.states));
        }
    }
    if a.obligations.len() != b.obligations.len() {
        return Some(format!("{} obligations instead of {}", a.obligations.len(), b.obligations.len()));
    }
    (given != derived).then(|| format!("{MANIFEST} differs"))
}

/// What a solver says to a file.
fn ask(solver: &Program, file: &Path, limit: Duration) -> Result<String, Error> {
    let mut command = Command::new(&solver.path);
    match solver.kind {
        Solvers::Z3 => command.arg(format!("-T:{}", limit.as_secs().max(1))),
        Solvers::Cvc5 => command.arg(format!("--tlimit={}", limit.as_millis())),
        Solvers::Bitwuzla => command.arg(format!("--time-limit={}", limit.as_millis())),
    };
    let output = command.arg(file).stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let answer = said.lines().map(str::trim).find(|line| !line.is_empty());
    let answer = answer.map(str::to_owned).unwrap_or_else(|| {
        let told = String::from_utf8_lossy(&output.stderr);
        told.lines().next().unwrap_or("no answer").to_owned()
    });
    Ok(answer)
}
