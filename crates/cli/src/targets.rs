//! From the project file and the words on the command line to relations that can be run.

use std::env;
use std::path::Path;
use std::sync::Arc;

use twinrun_subject::build::Environment;
use twinrun_subject::{Project, Subject, SubjectKind, open, suggest};
use twinrun_testing::command::CommandSubject;
use twinrun_testing::engine::{Modules, WasmSubject};
use twinrun_testing::target::Target;

use crate::error::Error;
use crate::options::Common;

/// The project that the options name, else the one found upwards from here.
pub(crate) fn project(common: &Common) -> Result<Project, Error> {
    let here = env::current_dir().map_err(|source| Error::Read { path: ".".into(), source })?;
    let project = match &common.project {
        Some(path) if path.is_dir() => Project::find(path)?,
        Some(path) => Project::read(path)?,
        None => Project::find(&here)?,
    };
    if !common.quiet && project.is_first_opened() {
        let programs = project.executes();
        if !programs.is_empty() {
            eprintln!("note: this project runs programs on your machine: {}.", programs.join("; "));
        }
    }
    Ok(project)
}

/// A subject that was opened: built, loaded, compiled.
#[expect(clippy::large_enum_variant, reason = "few are made, and each lives as long as the command")]
pub(crate) enum Opened {
    /// WebAssembly.
    Wasm(WasmSubject),
    /// A command.
    Command(CommandSubject),
}

/// A subject with what was said while it was opened.
pub(crate) struct Ready {
    /// Its name.
    pub(crate) name: String,
    /// The subject.
    pub(crate) opened: Opened,
    /// The relations that the project uses.
    pub(crate) relations: Vec<String>,
    /// What the compiler and the loader said.
    pub(crate) notices: Vec<String>,
}

impl Ready {
    /// One of its relations.
    pub(crate) fn target(&self, relation: &str) -> Result<Box<dyn Target + '_>, Error> {
        if !self.relations.iter().any(|known| known == relation) {
            let known = if self.relations.is_empty() {
                "it has none".to_owned()
            } else {
                format!("it has {}", self.relations.join(", "))
            };
            let meant = suggest(relation, &self.relations)
                .map(|name| format!(" (did you mean `{name}`?)"))
                .unwrap_or_default();
            return Err(Error::Usage(format!(
                "the subject `{}` has no relation `{relation}`{meant}: {known}",
                self.name
            )));
        }
        Ok(match &self.opened {
            Opened::Wasm(subject) => Box::new(subject.target(relation)?),
            Opened::Command(subject) => Box::new(subject.target(relation)?),
        })
    }
}

/// Opens one subject of the project.
pub(crate) fn ready(project: &Project, name: &str) -> Result<Ready, Error> {
    open_with(project, name, false)
}

/// The modules of one subject of the project, built and loaded but not compiled.
pub(crate) fn built(project: &Project, name: &str) -> Result<Modules, Error> {
    match open(project, name, &environment(&project.folder))?.kind {
        SubjectKind::Module(built) => Ok(Modules {
            relations: Arc::new(built.module),
            programs: built.program.map(|program| (String::new(), Arc::new(program))).into_iter().collect(),
        }),
        SubjectKind::Command(_) => Err(Error::Usage(format!("`{name}` is a command, nothing is built"))),
    }
}

/// Opens one subject of the project; the coverage of every run of a command is collected as the project says.
pub(crate) fn ready_with_coverage(project: &Project, name: &str) -> Result<Ready, Error> {
    open_with(project, name, true)
}

fn open_with(project: &Project, name: &str, coverage: bool) -> Result<Ready, Error> {
    let environment = environment(&project.folder);
    let Subject { name, kind, limits, notices } = open(project, name, &environment)?;
    let (opened, relations) = match kind {
        SubjectKind::Module(modules) => {
            let relations = modules.relations.clone();
            let subject = WasmSubject::of_built(&name, modules, limits, env!("CARGO_PKG_VERSION"))?;
            (Opened::Wasm(subject), relations)
        }
        SubjectKind::Command(spec) => {
            let subject = CommandSubject::new(&name, spec, &project.folder, limits);
            let subject = if coverage { subject.with_coverage() } else { subject };
            let relations = subject.relations().map(str::to_owned).collect();
            (Opened::Command(subject), relations)
        }
    };
    Ok(Ready { name, opened, relations, notices })
}

/// Where compilers and solvers are looked for: the PATH, WASI_SDK_PATH and `.deps` of the project or above it.
pub(crate) fn environment(folder: &Path) -> Environment {
    Environment::of_process(folder)
}

/// A subject and, behind `:` or `/` (as reports write it), one of its relations.
fn parts<'w>(project: &Project, word: &'w str) -> (&'w str, Option<&'w str>) {
    // Names of subjects may have these signs in them.
    if project.subject(word).is_ok() {
        return (word, None);
    }
    word.split_once([':', '/']).map_or((word, None), |(subject, relation)| (subject, Some(relation)))
}

/// What the words `SUBJECT`, `SUBJECT:RELATION` or `SUBJECT/RELATION` choose: (subject, relations if any are named), in project order.
pub(crate) fn chosen(project: &Project, words: &[String]) -> Result<Vec<(String, Vec<String>)>, Error> {
    if words.is_empty() {
        return Ok(project.subjects().into_iter().map(|name| (name, Vec::new())).collect());
    }
    let mut chosen: Vec<(String, Vec<String>)> = Vec::new();
    for word in words {
        let (subject, relation) = parts(project, word);
        project.subject(subject)?;
        let place = chosen.iter().position(|(name, _)| name == subject);
        match (place, relation) {
            (Some(place), Some(relation)) if !chosen[place].1.is_empty() => {
                chosen[place].1.push(relation.to_owned());
            }
            // The whole subject was asked for already, or is now.
            (Some(place), _) => chosen[place].1.clear(),
            (None, relation) => {
                chosen.push((subject.to_owned(), relation.map(str::to_owned).into_iter().collect()));
            }
        }
    }
    Ok(chosen)
}

/// The chosen subjects, built and opened, each with its chosen relations; what is built is told.
pub(crate) fn opened(
    project: &Project,
    words: &[String],
    common: &Common,
) -> Result<Vec<(Ready, Vec<String>)>, Error> {
    let chosen = chosen(project, words)?;
    if chosen.is_empty() {
        return Err(Error::Usage(
            "the project has no subject: add `[subject.NAME]` to twinrun.toml (`twinrun init` shows how)"
                .to_owned(),
        ));
    }
    let mut subjects = Vec::new();
    for (name, relations) in chosen {
        if !common.quiet {
            eprintln!("building {name}");
        }
        let ready = ready(project, &name)?;
        ready.notices.iter().filter(|_| !common.quiet).for_each(|notice| eprintln!("{}", notice.trim_end()));
        let relations = if relations.is_empty() { ready.relations.clone() } else { relations };
        if relations.is_empty() {
            return Err(Error::Usage(format!(
                "the subject `{name}` has no relation: write `RELATION(name) {{ … }}` in C or C++, `relation!(name, {{ … }})` in Rust, or \
                 `[subject.{name}.relation.NAME]` for a command"
            )));
        }
        subjects.push((ready, relations));
    }
    Ok(subjects)
}
