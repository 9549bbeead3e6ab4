//! Certificates: the obligations of a proof as SMT-LIB texts, so that another solver can check them again.
//!
//! Each path contributes one obligation for each of its checks (its conditions and the check's negation cannot hold together), and one more states
//! that the paths cover all inputs. What can be said exactly over integers is said over integers.

use std::fs;
use std::io;
use std::path::Path as FilePath;
use std::process::{Command, Stdio};
use std::time::Duration;

use twinrun_explore::{Kind, Path};
use twinrun_solve::Program;
use twinrun_term::{Integers, Term, Terms, smt};

use crate::report::Obligation;

/// How many paths a certificate may have.
const MOST_PATHS: usize = 2000;

/// What a certificate needs to know of a path.
pub(crate) struct Covered {
    conditions: Vec<Term>,
    checks: Vec<(Term, String)>,
}

impl Covered {
    pub(crate) fn of(path: &Path) -> Covered {
        let own = path.conditions.iter().filter(|condition| condition.kind != Kind::Check);
        let checks =
            path.checks.iter().map(|check| (check.property, format!("line {}: {}", check.line, check.text)));
        Covered { conditions: own.map(|condition| condition.term).collect(), checks: checks.collect() }
    }
}

/// The obligations of a proof by these paths; nothing when there are too many.
pub(crate) fn obligations(terms: &mut Terms, paths: &[Covered]) -> Option<Vec<Obligation>> {
    if paths.len() > MOST_PATHS {
        return None;
    }
    let mut integers = Integers::new();
    let mut found = Vec::new();
    let mut uncovered = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let all = terms.and(&path.conditions);
        uncovered.push(terms.not(all));
        for (property, text) in &path.checks {
            let mut query = path.conditions.clone();
            query.push(terms.not(*property));
            if query.iter().any(|&term| terms.as_bool(term) == Some(false)) {
                continue;
            }
            let states = format!("on path {} the check holds, {text}", number + 1);
            found.push(obligation(terms, &mut integers, &query, states));
        }
    }
    if !uncovered.iter().any(|&term| terms.as_bool(term) == Some(false)) {
        found.push(obligation(terms, &mut integers, &uncovered, "the paths cover all inputs".to_owned()));
    }
    Some(found)
}

fn obligation(terms: &mut Terms, integers: &mut Integers, query: &[Term], states: String) -> Obligation {
    let translated: Option<Vec<Term>> = query.iter().map(|&term| integers.translate(terms, term)).collect();
    let text = smt::script(terms, translated.as_deref().unwrap_or(query), &states);
    Obligation { states, text }
}

/// Writes the obligations to a folder, one file each; what else was there of an earlier certificate is removed.
///
/// # Errors
/// When the folder cannot be written.
pub fn save(folder: &FilePath, obligations: &[Obligation]) -> io::Result<()> {
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "smt2") {
                fs::remove_file(path)?;
            }
        }
    }
    fs::create_dir_all(folder)?;
    for (number, obligation) in obligations.iter().enumerate() {
        fs::write(folder.join(format!("{:04}.smt2", number + 1)), &obligation.text)?;
    }
    Ok(())
}

/// What another solver said to one obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The file.
    pub file: String,
    /// What it states.
    pub states: String,
    /// The solver's answer: `unsat` when the obligation is met.
    pub answer: String,
}

/// Lets a solver check every obligation of a folder, each within a time.
///
/// # Errors
/// When the folder cannot be read or the solver cannot be started.
pub fn check(folder: &FilePath, solver: &Program, limit: Duration) -> io::Result<Vec<Checked>> {
    let mut files: Vec<_> = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "smt2"))
        .collect();
    files.sort();
    let mut checked = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let states = text.lines().next().unwrap_or_default().trim_start_matches("; ").to_owned();
        let milliseconds = limit.as_millis();
        let mut command = Command::new(&solver.path);
        match solver.kind {
            twinrun_solve::Kind::Z3 => command.arg(format!("-T:{}", limit.as_secs().max(1))),
            twinrun_solve::Kind::Cvc5 => command.arg(format!("--tlimit={milliseconds}")),
            twinrun_solve::Kind::Bitwuzla => command.arg(format!("--time-limit={milliseconds}")),
        };
        let output = command.arg(&file).stdin(Stdio::null()).output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        let answer = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no answer");
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        checked.push(Checked { file: name, states, answer: answer.to_owned() });
    }
    Ok(checked)
}
