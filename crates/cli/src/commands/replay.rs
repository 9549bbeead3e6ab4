//! `twinrun replay`: one saved case again, in the sandbox or natively.

use std::path::PathBuf;

use clap::Args;
use twinrun_base::report::{Counts, RelationSummary};
use twinrun_base::{Exit, Finding, Hash, Report, Verdict};
use twinrun_subject::build::{native_case, native_replay};
use twinrun_subject::build_native;
use twinrun_testing::replay::Replay as Replayed;
use twinrun_testing::saved::SavedCase;
use twinrun_testing::target::{Build, Target};

use crate::error::Error;
use crate::options::Common;
use crate::{Outcome, output, targets};

/// Runs one saved case again.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The saved case, as findings name it (.twinrun/cases/…/….json)
    case: PathBuf,
    /// The subject to run it on [default: the one that it was found on]
    #[arg(long)]
    subject: Option<String>,
    /// Compile for this machine and run there
    #[arg(long)]
    native: bool,
    /// With --native: under AddressSanitizer and UndefinedBehaviorSanitizer
    #[arg(long, requires = "native")]
    sanitize: bool,
    /// With --native: print the command that replays it, for gdb, instead of running it
    #[arg(long, requires = "native")]
    print: bool,
    /// Run the checked build
    #[arg(long, conflicts_with = "native")]
    checked: bool,
}

pub(crate) fn run(options: &Replay, common: &Common) -> Outcome {
    let project = targets::project(common)?;
    let saved = SavedCase::read(&options.case)?;
    let subject = options.subject.as_ref().unwrap_or(&saved.subject);
    if options.native {
        let environment = targets::environment(&project.folder);
        let (built, program) = build_native(&project, subject, &environment, options.sanitize)?;
        let file = project.cache().join("native-case.txt");
        std::fs::write(&file, native_case(&saved.case))
            .map_err(|source| Error::Write { path: file.clone(), source })?;
        let is_crate = project.subject(subject)?.crate_folder.is_some();
        let mut command = native_replay(&built, program.as_ref(), is_crate, &saved.relation, &file);
        if options.print {
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            let line: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
            output::text(&format!("{}\n", line.join(" ")), common)?;
            return Ok(Exit::Holds);
        }
        let status = command
            .status()
            .map_err(|error| Error::Infrastructure(format!("cannot start the native build: {error}")))?;
        return Ok(match status.code() {
            Some(0) => Exit::Holds,
            Some(4) => Exit::Inconclusive,
            Some(3) => Exit::Infrastructure,
            _ => Exit::Violated,
        });
    }
    let ready = targets::ready(&project, subject)?;
    let target = ready.target(&saved.relation)?;
    let report = replay(&*target, &saved, options)?;
    output::report(&report, &project.folder, common)?;
    Ok(report.exit())
}

fn replay(target: &dyn Target, saved: &SavedCase, options: &Replay) -> Result<Report, Error> {
    let build = if options.checked { Build::Checked } else { Build::Plain };
    let executor = target.executor(build)?;
    let mut executor =
        executor.ok_or_else(|| Error::Usage("this subject has no checked build".to_owned()))?;
    let mut inputs = Replayed::default();
    inputs.begin(&saved.case);
    executor.run(&mut inputs)?;
    if !inputs.exact() {
        return Err(Error::Usage(format!(
            "{} does not fit the relation `{}` of `{}` any more: the relation now draws {}, the case has {}. It may be a case of another \
             relation, or the relation has changed since; test again to find a new one",
            options.case.display(),
            target.relation(),
            target.subject(),
            names(&inputs.drawn()),
            names(&saved.case),
        )));
    }
    let explained = executor.explain(&saved.case)?;
    let verdict = explained.group.verdict;
    let mut counts = Counts::default();
    counts.add(verdict);
    let (subject, relation) = (target.subject().to_owned(), target.relation().to_owned());
    let finding =
        matches!(verdict, Verdict::Violated | Verdict::Crashed | Verdict::Timeout).then(|| Finding {
            fingerprint: Hash::of([subject.as_str(), &relation, &verdict.to_string()]),
            subject: subject.clone(),
            relation: relation.clone(),
            verdict,
            found: saved.case.clone(),
            group: explained.group,
            seen: 1,
            shrinks: 0,
            dependent_runs: explained.dependent_runs,
            checked_build: options.checked,
            saved: Some(options.case.display().to_string()),
            suspects: Vec::new(),
            critical: None,
            fails_when: None,
            repairs: Vec::new(),
            unsaid: Vec::new(),
            relation_location: target.location(),
        });
    Ok(Report {
        command: "replay".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        relations: vec![RelationSummary { subject, relation, counts, ..RelationSummary::default() }],
        findings: finding.into_iter().collect(),
        ..Report::default()
    })
}

fn names(case: &twinrun_base::Case) -> String {
    let names: Vec<&str> = case.inputs.iter().map(|input| input.name.as_str()).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}
