//! A WebAssembly subject as plain data, so that another process can open the same one: modules and sources by their hashes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twinrun_base::Limits;
use twinrun_campaign::remote::Blob;
use twinrun_subject::{Module, Roots};

use crate::engine::{Modules, WasmSubject};
use crate::executor::ExecuteError;

/// Takes a source and the headers that it includes by name: some techniques count their lines.
fn ship(roots: &Roots, file: &str, sources: &mut BTreeMap<String, String>, blobs: &mut Vec<Blob>) {
    let mut open = vec![file.to_owned()];
    while let Some(file) = open.pop() {
        if sources.contains_key(&file) || sources.len() >= MOST_SOURCES {
            continue;
        }
        let Some(text) = roots.read(&file) else { continue };
        let folder = Path::new(&file).parent().unwrap_or(Path::new(""));
        for line in String::from_utf8_lossy(&text).lines() {
            let name = line.trim().strip_prefix("#include \"").and_then(|rest| rest.split_once('"'));
            if let Some((name, _)) = name {
                let (shown, user) = roots.classify(&folder.join(name));
                open.extend(user.then_some(shown));
            }
        }
        let blob = Blob::new(text);
        sources.insert(file, blob.hash.clone());
        blobs.push(blob);
    }
}

/// More sources than this are a mistake of the debug information.
const MOST_SOURCES: usize = 100_000;

/// A subject; its modules and sources are named by the BLAKE3 of their bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shipped {
    name: String,
    toolchain: String,
    limits: Limits,
    project: PathBuf,
    user: Vec<PathBuf>,
    foreign: Vec<PathBuf>,
    /// By the path under which reports show them.
    sources: BTreeMap<String, String>,
    plain: Names,
    checked: Option<Names>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    relations: String,
    programs: Vec<(String, String)>,
}

impl Shipped {
    /// A subject with the contents that its data names.
    pub fn pack(subject: &WasmSubject) -> (Shipped, Vec<Blob>) {
        let mut blobs = Vec::new();
        let mut sources = BTreeMap::new();
        let mut pack = |modules: &Modules| {
            let mut one = |module: &Module| {
                for (file, user) in module.sites.files.iter().zip(&module.user_files) {
                    if !*user || sources.contains_key(file) {
                        continue;
                    }
                    ship(&module.roots, file, &mut sources, &mut blobs);
                }
                let blob = Blob::new(Arc::clone(&module.bytes));
                blobs.push(blob.clone());
                blob.hash
            };
            let relations = one(&modules.relations);
            let programs =
                modules.programs.iter().map(|(name, module)| (name.clone(), one(module))).collect();
            Names { relations, programs }
        };
        let plain = pack(subject.modules());
        let checked = subject.checked_modules().map(&mut pack);
        let Roots { project, user, foreign, .. } = &*subject.modules().relations.roots;
        let shipped = Shipped {
            name: subject.name().to_owned(),
            toolchain: subject.toolchain().to_owned(),
            limits: subject.limits(),
            project: project.clone(),
            user: user.clone(),
            foreign: foreign.clone(),
            sources,
            plain,
            checked,
        };
        blobs.sort_by(|a, b| a.hash.cmp(&b.hash));
        blobs.dedup_by(|a, b| a.hash == b.hash);
        (shipped, blobs)
    }

    /// The subject's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sources that lie in the project, by their paths there.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sources.iter().map(|(path, hash)| (path.as_str(), hash.as_str()))
    }

    /// Opens the subject: the same tables, the same identity, the same answers.
    ///
    /// # Errors
    /// When contents are not to be had or are no modules.
    pub fn open(&self, fetch: &dyn Fn(&str) -> Result<Vec<u8>, String>) -> Result<WasmSubject, ExecuteError> {
        let fetch = |hash: &str| fetch(hash).map_err(ExecuteError::new);
        let mut sources = BTreeMap::new();
        for (shown, hash) in &self.sources {
            sources.insert(self.project.join(shown), fetch(hash)?);
        }
        let roots = Roots {
            project: self.project.clone(),
            user: self.user.clone(),
            foreign: self.foreign.clone(),
            shipped: Some(Arc::new(sources)),
        };
        let load = |hash: &str| Module::load(fetch(hash)?, &roots).map(Arc::new).map_err(ExecuteError::new);
        let mut programs = Vec::new();
        for (name, hash) in &self.plain.programs {
            programs.push((name.clone(), load(hash)?));
        }
        let plain = Modules { relations: load(&self.plain.relations)?, programs };
        let load_checked = |hash: &str, plain: &Module| {
            let module = Module::load_checked(fetch(hash)?, &roots, plain).map_err(ExecuteError::new)?;
            Ok::<_, ExecuteError>(Arc::new(module))
        };
        let checked = match &self.checked {
            Some(names) => {
                let relations = load_checked(&names.relations, &plain.relations)?;
                let mut programs = Vec::new();
                for ((name, hash), (known, module)) in names.programs.iter().zip(&plain.programs) {
                    let same =
                        self.plain.programs.iter().any(|(other, plain)| other == name && plain == hash);
                    let module =
                        if same && known == name { Arc::clone(module) } else { load_checked(hash, module)? };
                    programs.push((name.clone(), module));
                }
                Some(Modules { relations, programs })
            }
            None => None,
        };
        WasmSubject::new(&self.name, plain, checked, self.limits, &self.toolchain)
    }
}
