//! From the keys of a subject to what is built: patterns expanded, languages inferred, contradictions refused.

use std::path::{Path, PathBuf};

use super::compile_commands;
use super::{ProgramTable, Project, SubjectFile};
use crate::build::{Language, Recipe, Shape, Unit};
use crate::command::{Check, CommandSpec, Parameter, Transformation};
use crate::error::Error;
use crate::roots::{Roots, absolute, normal};

/// What a module is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// C and C++.
    Recipe(Recipe),
    /// A Rust crate.
    Crate(CrateRecipe),
    /// A finished module.
    Wasm(PathBuf),
}

/// A Rust crate to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrateRecipe {
    /// Its folder.
    pub folder: PathBuf,
    /// A binary of it; the library if none.
    pub bin: Option<Option<String>>,
    /// Features.
    pub features: Vec<String>,
    /// The cache: `.twinrun` of the project.
    pub cache: PathBuf,
}

impl Project {
    /// Refuses what can be seen without building.
    pub(super) fn verify(&self) -> Result<(), Error> {
        if self.file.subject.is_empty() {
            return Err(self.mistake(
                &[],
                "the project has no subject",
                Some("add `[subject.NAME]` with `sources = [\"file.c\"]`"),
            ));
        }
        for (name, subject) in self.file.subject.iter() {
            let kinds = kinds(subject);
            match kinds.as_slice() {
                [_] => {}
                [] => {
                    let help = "give one of `sources`, `compile_commands`, `crate`, `wasm` or `command`";
                    return Err(self.mistake(
                        &["subject", name],
                        format!("subject `{name}` does not say what it is"),
                        Some(help),
                    ));
                }
                [first, second, ..] => {
                    let message = format!("subject `{name}` has both `{first}` and `{second}`");
                    return Err(self.mistake(
                        &["subject", name, second],
                        message,
                        Some("make two subjects of it"),
                    ));
                }
            }
            let is_command = kinds == ["command"];
            if let Some(key) = stray_key(subject, is_command) {
                let message = format!(
                    "`{key}` is a key of {}",
                    if is_command { "subjects that are built" } else { "commands" }
                );
                let help = if is_command {
                    "remove it"
                } else {
                    "remove it, or describe the command with `command = […]`"
                };
                return Err(self.mistake(&["subject", name, key], message, Some(help)));
            }
            if let Some((keys, message)) = self.command(subject).and_then(|command| command.mistake()) {
                let path: Vec<&str> =
                    ["subject", name].into_iter().chain(keys.iter().map(String::as_str)).collect();
                return Err(self.mistake(&path, message, None));
            }
        }
        Ok(())
    }

    /// What the module of a subject is made from; a command has none.
    pub fn source(&self, name: &str, subject: &SubjectFile) -> Result<Option<Source>, Error> {
        if !subject.command.is_empty() {
            return Ok(None);
        }
        if let Some(wasm) = &subject.wasm {
            return self.wasm(wasm, &["subject", name, "wasm"]).map(Some);
        }
        if let Some(folder) = &subject.crate_folder {
            let key = ["subject", name, "crate"];
            return self.crate_recipe(folder, None, &subject.features, &key).map(Some);
        }
        let flags = Flags { include: &subject.include, flags: &subject.flags, language: subject.language };
        let mut units = self.units(&subject.sources, &flags, &["subject", name, "sources"])?;
        if let Some(database) = &subject.compile_commands {
            let path = normal(&self.folder.join(database));
            let entries = compile_commands::read(&path)?;
            if subject.sources.is_empty() {
                units = entries.iter().map(|entry| self.with_flags(entry.clone(), &flags)).collect();
            } else {
                compile_commands::borrow(&mut units, &entries);
            }
        }
        let units = self.replace(units);
        let shape = Shape::Relations;
        Ok(Some(Source::Recipe(Recipe { units, link: subject.link.clone(), shape, cache: self.cache() })))
    }

    /// What the whole program of a subject is made from.
    pub fn program(&self, name: &str, subject: &SubjectFile) -> Result<Option<Source>, Error> {
        let Some(program) = &subject.program else { return Ok(None) };
        let key = ["subject", name, "program"];
        let table: ProgramTable = program.table();
        if let Some(wasm) = &table.wasm {
            return self.wasm(wasm, &key).map(Some);
        }
        if let Some(folder) = &table.crate_folder {
            return self.crate_recipe(folder, Some(table.bin), &table.features, &key).map(Some);
        }
        let inherit =
            |own: &[String], subject: &[String]| if own.is_empty() { subject.to_vec() } else { own.to_vec() };
        let include = inherit(&table.include, &subject.include);
        let flags = inherit(&table.flags, &subject.flags);
        let link = inherit(&table.link, &subject.link);
        let flags = Flags { include: &include, flags: &flags, language: subject.language };
        let units = self.units(&table.sources, &flags, &key)?;
        if units.is_empty() {
            return Err(self.mistake(
                &key,
                "the program has no sources",
                Some("give `sources`, `crate` or `wasm`"),
            ));
        }
        let units = self.replace(units);
        Ok(Some(Source::Recipe(Recipe { units, link, shape: Shape::Program, cache: self.cache() })))
    }

    /// Which files are user code for this subject: the project, and listed sources, include folders and roots outside it.
    pub fn roots(&self, subject: &SubjectFile) -> Roots {
        let mut roots = Roots::new(&self.folder);
        let program = subject.program.as_ref().map(super::ProgramFile::table).unwrap_or_default();
        let sources = subject.sources.iter().chain(&program.sources).flat_map(|pattern| self.expand(pattern));
        roots.user.extend(sources.filter_map(|source| source.parent().map(Path::to_owned)));
        let folders = subject.include.iter().chain(&program.include).chain(&subject.roots);
        let crates = subject.crate_folder.iter().chain(&program.crate_folder);
        roots.user.extend(folders.chain(crates).map(|folder| absolute(&self.folder.join(folder))));
        roots.user.retain(|root| {
            !root.starts_with(&self.folder) && root.parent().is_some() && !root.starts_with("/usr/include")
        });
        roots.user.sort();
        roots.user.dedup();
        roots
    }

    fn wasm(&self, file: &str, key: &[&str]) -> Result<Source, Error> {
        let path = normal(&self.folder.join(file));
        if path.is_file() {
            return Ok(Source::Wasm(path));
        }
        Err(self.mistake(
            key,
            format!("there is no file {}", path.display()),
            Some("build the module first, or correct the path"),
        ))
    }

    fn crate_recipe(
        &self,
        folder: &str,
        bin: Option<Option<String>>,
        features: &[String],
        key: &[&str],
    ) -> Result<Source, Error> {
        let folder = absolute(&self.folder.join(folder));
        if !folder.join("Cargo.toml").is_file() {
            let message = format!("there is no Cargo.toml in {}", folder.display());
            return Err(self.mistake(key, message, Some("name the folder of the crate")));
        }
        Ok(Source::Crate(CrateRecipe { folder, bin, features: features.to_vec(), cache: self.cache() }))
    }

    fn units(&self, patterns: &[String], flags: &Flags<'_>, key: &[&str]) -> Result<Vec<Unit>, Error> {
        let mut units: Vec<Unit> = Vec::new();
        for pattern in patterns {
            let found = self.expand(pattern);
            if found.is_empty() {
                let message = format!("`{pattern}` matches no file");
                return Err(self.mistake(key, message, Some("paths start at the folder of twinrun.toml")));
            }
            for source in found {
                let language = flags.language.or_else(|| Language::of(&source));
                let Some(language @ (Language::C | Language::Cxx)) = language else {
                    let message = format!("`{}` is not a C or C++ source by its name", source.display());
                    let help = if source.extension().is_some_and(|it| it == "rs") {
                        "use `crate = \"FOLDER\"` for Rust"
                    } else {
                        "say `language = \"c\"` or `language = \"c++\"`"
                    };
                    return Err(self.mistake(key, message, Some(help)));
                };
                if units.iter().all(|unit| unit.source != source) {
                    let folder = self.folder.clone();
                    let unit = Unit { source, text: None, language, flags: Vec::new(), folder };
                    units.push(self.with_flags(unit, flags));
                }
            }
        }
        Ok(units)
    }

    /// With the texts that stand for sources.
    fn replace(&self, mut units: Vec<Unit>) -> Vec<Unit> {
        for unit in &mut units {
            unit.text = self.replaced.get(&unit.source).cloned();
        }
        units
    }

    fn with_flags(&self, mut unit: Unit, flags: &Flags<'_>) -> Unit {
        for folder in flags.include {
            unit.flags.push(format!("-I{}", normal(&self.folder.join(folder)).display()));
        }
        unit.flags.extend(flags.flags.iter().cloned());
        unit
    }

    /// The files that a pattern stands for, in order; a plain name stands for itself.
    fn expand(&self, pattern: &str) -> Vec<PathBuf> {
        let path = normal(&self.folder.join(pattern));
        if path.is_file() {
            return vec![path];
        }
        let found = glob::glob(&path.to_string_lossy()).ok().into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = found.filter(|path| path.is_file()).collect();
        found.sort();
        found
    }
}

struct Flags<'f> {
    include: &'f [String],
    flags: &'f [String],
    language: Option<Language>,
}

fn kinds(subject: &SubjectFile) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    if !subject.sources.is_empty() {
        kinds.push("sources");
    } else if subject.compile_commands.is_some() {
        kinds.push("compile_commands");
    }
    kinds.extend(subject.crate_folder.is_some().then_some("crate"));
    kinds.extend(subject.wasm.is_some().then_some("wasm"));
    kinds.extend((!subject.command.is_empty()).then_some("command"));
    kinds
}

/// A key that has no meaning for this kind of subject.
fn stray_key(subject: &SubjectFile, is_command: bool) -> Option<&'static str> {
    let built = [
        (!subject.include.is_empty(), "include"),
        (!subject.flags.is_empty(), "flags"),
        (!subject.link.is_empty(), "link"),
        (!subject.features.is_empty(), "features"),
        (!subject.roots.is_empty(), "roots"),
        (subject.program.is_some(), "program"),
        (subject.checked.is_some(), "checked"),
    ];
    let command = [
        (subject.stdin.is_some(), "stdin"),
        (!subject.files.is_empty(), "files"),
        (!subject.env.is_empty(), "env"),
        (subject.timeout.is_some(), "timeout"),
        (!subject.exit.is_empty(), "exit"),
        (!subject.parameters.is_empty(), "parameters"),
        (!subject.assume.is_empty(), "assume"),
        (!subject.relation.is_empty(), "relation"),
    ];
    let keys: &[(bool, &str)] = if is_command { &built } else { &command };
    keys.iter().find(|(given, _)| *given).map(|(_, key)| *key)
}

/// The user's own scripts of a command.
pub(super) fn scripts(command: &CommandSpec) -> Vec<String> {
    let mut scripts: Vec<String> = Vec::new();
    for (_, parameter) in command.parameters.iter() {
        if let Parameter::Generator(script) = parameter {
            scripts.push(script.join(" "));
        }
    }
    for (_, relation) in command.relations.iter() {
        for follow_up in relation.follow_ups() {
            scripts.extend(follow_up.transform.iter().filter_map(|it| match it {
                Transformation::Script { script } => Some(script.join(" ")),
                _ => None,
            }));
        }
        scripts.extend(relation.check.iter().filter_map(|it| match it {
            Check::Script { script } => Some(script.join(" ")),
            _ => None,
        }));
    }
    scripts.sort();
    scripts.dedup();
    scripts
}
