//! `twinrun check`: whether certificates are those that the project's modules give, and hold.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use twinrun_base::Exit;
use twinrun_prove::certificate::{self, Checked, MANIFEST};
use twinrun_prove::{Builds, By, Config};
use twinrun_solve::Program;

use crate::error::Error;
use crate::options::{Common, Effort, Format, duration};
use crate::targets::{self, Opened};
use crate::{Outcome, output};

/// Checks certificates: derives their obligations again from the project's modules, compares, and has every installed solver look at each.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The folder of a certificate, or one that holds certificates, as `twinrun prove --certificate` makes it
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// How long a solver may look at one obligation
    #[arg(long, value_parser = duration, value_name = "TIME", default_value = "60s")]
    each: Duration,
    /// The depth with which the proof was made, where it was made with one
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    #[command(flatten)]
    effort: Effort,
}

/// What was said of one certificate.
#[derive(Serialize)]
struct Answer {
    /// Its folder.
    folder: String,
    /// What it is about.
    about: String,
    /// What it states.
    states: String,
    /// How many obligations it has.
    obligations: usize,
    #[serde(flatten)]
    checked: Checked,
}

pub(crate) fn run(options: &Check, common: &Common) -> Outcome {
    let project = targets::project(common)?;
    let solver = Program::find(&project.folder).map_err(|error| Error::Infrastructure(error.to_string()))?;
    let solvers = Program::all(&project.folder);
    let config = Config {
        depth: options.depth,
        work: twinrun_prove::WORK.saturating_mul(options.effort.effort),
        ..Config::new(solver)
    };
    let mut answers: Vec<Answer> = Vec::new();
    for folder in certificates(&options.folder)? {
        answers.push(one(&folder, &project, &config, &solvers, options)?);
    }
    if answers.is_empty() {
        let folder = options.folder.display();
        return Err(Error::Usage(format!(
            "{folder} holds no certificate: make one with `twinrun prove --certificate {folder}`"
        )));
    }
    let text = match common.format {
        Format::Json => serde_json::to_string_pretty(&answers).unwrap_or_default() + "\n",
        _ => answers.iter().map(told).collect(),
    };
    output::text(&text, common)?;
    Ok(if answers.iter().any(|answer| answer.checked.refused.is_some()) {
        Exit::Violated
    } else if answers.iter().all(|answer| answer.checked.is_accepted()) {
        Exit::Holds
    } else {
        Exit::Inconclusive
    })
}

fn one(
    folder: &Path,
    project: &twinrun_subject::Project,
    config: &Config,
    solvers: &[Program],
    options: &Check,
) -> Result<Answer, Error> {
    let read = |source| Error::Read { path: folder.to_path_buf(), source };
    let refused = |about: String, why: String| Answer {
        folder: folder.display().to_string(),
        about,
        states: String::new(),
        obligations: 0,
        checked: Checked { refused: Some(why), unsatisfiable: Default::default(), failing: Vec::new() },
    };
    let given = match certificate::read(folder).map_err(read)? {
        Ok(given) => given.manifest,
        Err(wrong) => return Ok(refused("nothing that could be read".to_owned(), wrong)),
    };
    let about = format!("{}:{}", given.subject, given.relation);
    if project.subject(&given.subject).is_err() {
        return Ok(refused(about, format!("the project has no subject {}", given.subject)));
    }
    // `prove --certificate` names the folders after what they are about.
    let named = folder != options.folder.as_path();
    if named && !folder.ends_with(Path::new(&given.subject).join(&given.relation)) {
        return Ok(refused(about, "its folder is named after something else".to_owned()));
    }
    let Opened::Wasm(subject) = targets::ready(project, &given.subject)?.opened else {
        return Ok(refused(about, "the subject is a command".to_owned()));
    };
    let failed = |error: twinrun_prove::Error| Error::Infrastructure(error.to_string());
    let config = Config { no_safety: true, ..config.clone() };
    let builds = Builds::of(&subject, &config).map_err(failed)?;
    let checked =
        certificate::check(folder, &subject, &builds, &config, solvers, options.each).map_err(failed)?;
    let how = match given.way {
        By::AllCases => format!("; every one of {} cases is run", given.paths),
        _ => String::new(),
    };
    Ok(Answer {
        folder: folder.display().to_string(),
        about,
        states: format!("{}{how}", given.states),
        obligations: given.obligations.len(),
        checked,
    })
}

/// The folders that hold a manifest, in order.
fn certificates(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let (mut open, mut found) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = open.pop() {
        if folder.join(MANIFEST).is_file() {
            found.push(folder);
            continue;
        }
        let read = |source| Error::Read { path: folder.clone(), source };
        for entry in std::fs::read_dir(&folder).map_err(read)? {
            let path = entry.map_err(read)?.path();
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn told(answer: &Answer) -> String {
    let Answer { folder, about, states, obligations, checked } = answer;
    if let Some(why) = &checked.refused {
        return format!("{folder}: REFUSED: {why}\n");
    }
    let mut text = format!("{about}: {states}\n  the module gives this certificate\n");
    for (solver, met) in &checked.unsatisfiable {
        text.push_str(&format!("  {solver}: {met} of {obligations} obligations are unsatisfiable\n"));
    }
    for failing in &checked.failing {
        text.push_str(&format!(
            "  {} by {}: {} ({})\n",
            failing.file, failing.solver, failing.answer, failing.states
        ));
    }
    text
}
