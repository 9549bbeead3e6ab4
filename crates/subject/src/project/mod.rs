//! Projects: `twinrun.toml` found upwards from a folder, read strictly, and turned into what can be built or run.

mod compile_commands;
mod file;
mod mistake;
mod resolve;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use twinrun_base::Limits;

use crate::command::CommandSpec;
use crate::error::Error;
use crate::files;
use crate::roots::absolute;
use crate::suggest::suggest;
pub use file::{ClusterFile, Defaults, LimitsFile, ProgramFile, ProgramTable, ProjectFile, SubjectFile};
pub use mistake::Mistake;
pub use resolve::{CrateRecipe, Source};

/// The name of the project file.
pub const FILE: &str = "twinrun.toml";

/// A project that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// The project file, absolute.
    pub path: PathBuf,
    /// Its folder.
    pub folder: PathBuf,
    /// Its text, for mistakes that are found later.
    pub text: String,
    /// What it says.
    pub file: ProjectFile,
    /// Texts that are built instead of what stands in these sources, by absolute path: edits are tried without touching a file.
    pub replaced: BTreeMap<PathBuf, Arc<str>>,
}

impl Project {
    /// Finds the project file in `from` or a folder above it, and reads it.
    pub fn find(from: &Path) -> Result<Project, Error> {
        let from = absolute(from);
        let path = from.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file());
        Project::read(&path.ok_or(Error::NoProject { from })?)
    }

    /// Reads a project file.
    pub fn read(path: &Path) -> Result<Project, Error> {
        let bytes = files::read(path)?;
        let text = String::from_utf8(bytes).map_err(|error| Error::NotUtf8 {
            path: path.to_owned(),
            offset: error.utf8_error().valid_up_to(),
        })?;
        Project::parse(path, text)
    }

    /// Reads the text of a project file that lies (or would lie) at `path`.
    pub fn parse(path: &Path, text: String) -> Result<Project, Error> {
        let path = absolute(path);
        let file: ProjectFile = toml::from_str(&text)
            .map_err(|error| Error::Project(Box::new(Mistake::parsed(&path, &text, &error))))?;
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        let project = Project { path, folder, text, file, replaced: BTreeMap::new() };
        project.verify()?;
        Ok(project)
    }

    /// Where builds, saved cases and the unpacked SDK go.
    pub fn cache(&self) -> PathBuf {
        self.folder.join(".twinrun")
    }

    /// The project's name in reports.
    pub fn name(&self) -> String {
        let folder = self.folder.file_name().map(|name| name.to_string_lossy().into_owned());
        self.file.project.name.clone().or(folder).unwrap_or_else(|| "project".to_owned())
    }

    /// The names of the subjects, in order.
    pub fn subjects(&self) -> Vec<String> {
        self.file.subject.names()
    }

    /// The subject with this name.
    pub fn subject(&self, name: &str) -> Result<&SubjectFile, Error> {
        self.file.subject.get(name).ok_or_else(|| {
            let known = self.subjects();
            Error::UnknownSubject { name: name.to_owned(), suggestion: suggest(name, &known), known }
        })
    }

    /// The limits of a subject.
    pub fn limits(&self, subject: &SubjectFile) -> Limits {
        subject.limits.over(self.file.limits.over(Limits::default()))
    }

    /// The programs that opening this project may execute: commands, scripts, build scripts of crates.
    pub fn executes(&self) -> Vec<String> {
        let mut programs = Vec::new();
        for (name, subject) in self.file.subject.iter() {
            if let Some(program) = subject.command.first() {
                programs.push(format!("the command `{program}` (subject `{name}`)"));
            }
            let scripts = self.command(subject).map(|command| resolve::scripts(&command)).unwrap_or_default();
            programs.extend(
                scripts.into_iter().map(|script| format!("the script `{script}` (subject `{name}`)")),
            );
            if let Some(folder) = &subject.crate_folder {
                programs.push(format!(
                    "cargo on the crate `{folder}`, with its build scripts (subject `{name}`)"
                ));
            }
        }
        programs
    }

    /// True the first time that this project is asked; then the user is told what it [executes](Project::executes).
    pub fn is_first_opened(&self) -> bool {
        let marker = self.cache().join("opened");
        !marker.exists() && files::write(&marker, b"").is_ok()
    }

    /// The command of a subject that is one.
    pub fn command(&self, subject: &SubjectFile) -> Option<CommandSpec> {
        (!subject.command.is_empty()).then(|| CommandSpec {
            command: subject.command.clone(),
            stdin: subject.stdin.clone(),
            files: subject.files.clone(),
            env: subject.env.clone(),
            timeout: subject.timeout.unwrap_or(10.0),
            exit: subject.exit.clone(),
            parameters: subject.parameters.clone(),
            assume: subject.assume.clone(),
            relations: subject.relation.clone(),
            coverage: subject.coverage.clone(),
        })
    }

    /// A mistake at the value under these keys of the project file.
    pub fn mistake(&self, keys: &[&str], message: impl Into<String>, help: Option<&str>) -> Error {
        let help = help.map(str::to_owned);
        Error::Project(Box::new(Mistake::under(&self.path, &self.text, keys, message.into(), help)))
    }
}
