//! A copy of a program that mutants are written into and built from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use twinrun_subject::build::{Environment, Language, Recipe, Shape, Unit, Variant, build};
use twinrun_subject::{Module, Roots};
use twinrun_whatif::{Mutant, mutants};

/// What can go wrong around a mutant.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Parse(#[from] twinrun_whatif::ParseError),
    #[error(transparent)]
    Subject(#[from] twinrun_subject::Error),
}

/// A program in a folder of its own.
pub(crate) struct Workspace {
    folder: PathBuf,
    cache: PathBuf,
    environment: Environment,
    sources: Vec<String>,
    texts: BTreeMap<String, String>,
    /// Where modules of killed mutants are kept: they know the folder that they were built in, so each worker has its own.
    pub(crate) kept: PathBuf,
    /// All mutants, with their file.
    pub(crate) mutants: Vec<(String, Mutant)>,
}

fn file(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    |source| Error::File { path: path.to_owned(), source }
}

impl Workspace {
    /// Copies a program of `subjects/comedy` below `scratch`.
    pub(crate) fn new(root: &Path, program: &str, scratch: &Path) -> Result<Workspace, Error> {
        let from = root.join("subjects/comedy").join(program);
        let folder = scratch.join(program);
        fs::create_dir_all(&folder).map_err(file(&folder))?;
        let (mut texts, mut sources, mut all) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut names: Vec<String> = fs::read_dir(&from)
            .map_err(file(&from))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".c") || name.ends_with(".h"))
            .collect();
        names.sort();
        for name in names {
            let text = fs::read_to_string(from.join(&name)).map_err(file(&from))?;
            let to = folder.join(&name);
            fs::write(&to, &text).map_err(file(&to))?;
            if name.ends_with(".c") {
                sources.push(name.clone());
                if name != "relations.c" {
                    let language = twinrun_whatif::Language::C;
                    all.extend(mutants(&text, &name, language)?.into_iter().map(|it| (name.clone(), it)));
                }
            }
            texts.insert(name, text);
        }
        let environment = Environment::of_process(root);
        let kept = scratch.join("killed");
        let cache = scratch.join("cache");
        Ok(Workspace { folder, cache, environment, sources, texts, kept, mutants: all })
    }

    /// All texts of the program, for identities.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &String> {
        self.texts.values()
    }

    /// The text of a file.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", |text| text)
    }

    /// Builds the program with another text of one file.
    pub(crate) fn build(&self, name: &str, text: &str) -> Result<Module, Error> {
        self.with(name, text, || self.build_now())
    }

    /// Loads what was built with another text of one file.
    pub(crate) fn load(&self, name: &str, text: &str, bytes: Vec<u8>) -> Result<Module, Error> {
        self.with(name, text, || Ok(Module::load(bytes, &Roots::new(&self.folder))?))
    }

    /// Does something while another text of one file is in place: sites are read from the sources.
    fn with<T>(&self, name: &str, text: &str, action: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        let path = self.folder.join(name);
        fs::write(&path, text).map_err(file(&path))?;
        let done = action();
        fs::write(&path, self.text(name)).map_err(file(&path))?;
        done
    }

    fn build_now(&self) -> Result<Module, Error> {
        let unit = |name: &String| Unit {
            text: None,
            source: self.folder.join(name),
            language: Language::C,
            flags: vec!["-w".to_owned()],
            folder: self.folder.clone(),
        };
        let recipe = Recipe {
            units: self.sources.iter().map(unit).collect(),
            link: Vec::new(),
            shape: Shape::Relations,
            cache: self.cache.clone(),
        };
        let built = build(&recipe, Variant::Plain, &self.environment, None)?;
        let bytes = fs::read(&built.path).map_err(file(&built.path))?;
        // Thousands of modules would stay behind.
        let _ = fs::remove_file(&built.path);
        Ok(Module::load(bytes, &Roots::new(&self.folder))?)
    }
}
