//! Opening a subject: built where needed, loaded, with its checked build and its whole program.

use std::path::{Path, PathBuf};

use twinrun_base::Limits;
use twinrun_base::cut;

use crate::build::{Built, Environment, Variant, build, build_crate};
use crate::command::CommandSpec;
use crate::error::Error;
use crate::files;
use crate::module::Module;
use crate::project::{Project, Source, SubjectFile};
use crate::roots::Roots;

/// A subject that is ready to be run.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name in `twinrun.toml`.
    pub name: String,
    /// A module with its builds, or a command.
    pub kind: SubjectKind,
    /// Its limits.
    pub limits: Limits,
    /// What the compiler said although it succeeded, and what the modules have to say.
    pub notices: Vec<String>,
}

/// What kind of subject.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few subjects, and they are passed by reference")]
pub enum SubjectKind {
    /// WebAssembly.
    Module(Modules),
    /// An opaque command.
    Command(CommandSpec),
}

/// The modules of a subject.
#[derive(Clone, Debug)]
pub struct Modules {
    /// The plain build, with the relations.
    pub module: Module,
    /// The checked build; none for Rust, a ready `.wasm`, or where the project says `checked = false`.
    pub checked: Option<Module>,
    /// The whole program that `tw_run_program` runs.
    pub program: Option<Module>,
    /// Its checked build.
    pub checked_program: Option<Module>,
    /// The relations that the project uses.
    pub relations: Vec<String>,
}

/// Builds (from the cache where possible) and loads a subject.
pub fn open(project: &Project, name: &str, environment: &Environment) -> Result<Subject, Error> {
    let subject = project.subject(name)?;
    let limits = project.limits(subject);
    if let Some(command) = project.command(subject) {
        let kind = SubjectKind::Command(command);
        return Ok(Subject { name: name.to_owned(), kind, limits, notices: Vec::new() });
    }
    let Some(source) = project.source(name, subject)? else {
        return Err(project.mistake(&["subject", name], "nothing to build", None));
    };
    let roots = project.roots(subject);
    let mut notices = Vec::new();
    let opener = Opener { project, environment, roots: &roots, checked: subject.checked.unwrap_or(true) };
    let (module, checked) = opener.load(&source, &mut notices)?;
    let (program, checked_program) = match project.program(name, subject)? {
        Some(source) => opener.load(&source, &mut notices).map(|(plain, checked)| (Some(plain), checked))?,
        None => (None, None),
    };
    let relations = wanted_relations(project, name, subject, &module)?;
    let kind = SubjectKind::Module(Modules { module, checked, program, checked_program, relations });
    Ok(Subject { name: name.to_owned(), kind, limits, notices })
}

/// The native builds for `replay --native`: the relations, and the whole program if there is one.
pub fn build_native(
    project: &Project,
    name: &str,
    environment: &Environment,
    sanitize: bool,
) -> Result<(Built, Option<Built>), Error> {
    let subject = project.subject(name)?;
    let one = |source: &Source| match source {
        Source::Recipe(recipe) => build(recipe, Variant::Native { sanitize }, environment, None),
        Source::Crate(recipe) => build_crate(recipe, Variant::Native { sanitize }, environment),
        Source::Wasm(path) => Err(Error::NoNativeBuild { path: path.clone() }),
    };
    let source = project.source(name, subject)?;
    let source = source.ok_or_else(|| Error::NoNativeBuild { path: PathBuf::from(name) })?;
    let program = project.program(name, subject)?;
    Ok((one(&source)?, program.as_ref().map(one).transpose()?))
}

struct Opener<'o> {
    project: &'o Project,
    environment: &'o Environment,
    roots: &'o Roots,
    checked: bool,
}

impl Opener<'_> {
    fn load(&self, source: &Source, notices: &mut Vec<String>) -> Result<(Module, Option<Module>), Error> {
        let wanted = self.project.file.project.toolchain;
        let (plain, checked) = match source {
            Source::Wasm(path) => (Built { path: path.clone(), cached: true, output: String::new() }, None),
            Source::Crate(recipe) => {
                (cut::uncounted(|| build_crate(recipe, Variant::Plain, self.environment))?, None)
            }
            Source::Recipe(recipe) => {
                let plain = cut::uncounted(|| build(recipe, Variant::Plain, self.environment, wanted))?;
                let checked = self
                    .checked
                    .then(|| cut::uncounted(|| build(recipe, Variant::Checked, self.environment, wanted)));
                let checked = match checked.transpose() {
                    Err(error @ Error::NoCheckedBuild { .. }) => {
                        notices.push(error.to_string());
                        None
                    }
                    other => other?,
                };
                (plain, checked)
            }
        };
        if !plain.output.is_empty() {
            notices.push(plain.output.clone());
        }
        let module = load(&plain.path, |bytes| Module::load(bytes, self.roots))?;
        notices.extend(module.notices.iter().cloned());
        let checked =
            checked.map(|built| load(&built.path, |bytes| Module::load_checked(bytes, self.roots, &module)));
        let checked = checked.transpose()?;
        Ok((module, checked))
    }
}

fn load(path: &Path, load: impl FnOnce(Vec<u8>) -> Result<Module, Error>) -> Result<Module, Error> {
    load(files::read(path)?).map_err(|error| Error::Module { path: path.to_owned(), error: Box::new(error) })
}

/// The relations of the module that the project's patterns choose, in the order of their names.
fn wanted_relations(
    project: &Project,
    name: &str,
    subject: &SubjectFile,
    module: &Module,
) -> Result<Vec<String>, Error> {
    let all: Vec<String> = module.relations.iter().map(|relation| relation.name.clone()).collect();
    if subject.relations.is_empty() {
        return Ok(all);
    }
    let mut wanted = Vec::new();
    for pattern in &subject.relations {
        let compiled = glob::Pattern::new(pattern).ok();
        let matches = |relation: &String| {
            relation == pattern || compiled.as_ref().is_some_and(|it| it.matches(relation))
        };
        let found: Vec<&String> = all.iter().filter(|it| matches(it)).collect();
        if found.is_empty() {
            let help = match crate::suggest::suggest(pattern, &all) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("known relations: {}", all.join(", ")),
            };
            let message = format!("no relation of `{name}` matches `{pattern}`");
            return Err(project.mistake(&["subject", name, "relations"], message, Some(&help)));
        }
        wanted.extend(found.into_iter().cloned());
    }
    wanted.sort();
    wanted.dedup();
    Ok(wanted)
}
