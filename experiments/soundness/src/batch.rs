//! Many relations in one module: clang starts once for all of them.

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twinrun_prove::Config;
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::WasmSubject;

use crate::dice::Dice;
use crate::draft::Aim;
use crate::families::FAMILIES;
use crate::judge::{Judged, judge};

/// One relation with its C source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// Its family.
    pub family: String,
    /// Its source, complete but for the headers.
    pub source: String,
}

/// The relations with these numbers of a family.
pub fn relations(family: &str, seed: u64, numbers: std::ops::Range<u64>) -> Vec<Relation> {
    let Some(place) = FAMILIES.iter().position(|(name, _)| *name == family) else { return Vec::new() };
    let relation = |number: u64| {
        let mut dice = Dice::new(seed.wrapping_add(1000 * place as u64), number);
        let aim = Aim::draw(&mut dice);
        let name = format!("{family}{number}");
        let source = FAMILIES[place].1(&mut dice, aim).source(&name);
        Relation { name, family: family.to_owned(), source }
    };
    numbers.map(relation).collect()
}

/// The relations of which something false was once said, and others that look as if it might be, each in a file of its own.
///
/// # Errors
/// When a file cannot be read or has no relation.
pub fn kept() -> Result<Vec<Relation>, Box<dyn Error>> {
    folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("kept"))
}

/// The relations of a folder, each in a file of its own.
///
/// # Errors
/// When a file cannot be read or has no relation.
pub fn folder(folder: &Path) -> Result<Vec<Relation>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let relation = |file: PathBuf| {
        let source = std::fs::read_to_string(&file)?;
        let name = source.split("RELATION(").nth(1).and_then(|rest| rest.split(')').next());
        let name = name.ok_or_else(|| format!("{} has no relation", file.display()))?.to_owned();
        Ok(Relation { name, family: "kept".to_owned(), source })
    };
    files.into_iter().map(relation).collect()
}

/// What every source begins with.
pub const HEADERS: &str = "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n#include <twinrun.h>\n#ifndef __wasm__\nvoid tw__register_reset(const char *name, void (*reset)(void));\n#endif\n\n";

/// The source file of some relations.
pub fn source(relations: &[Relation]) -> String {
    let parts: Vec<&str> = relations.iter().map(|relation| relation.source.as_str()).collect();
    format!("{HEADERS}{}", parts.join("\n"))
}

/// Relations written to a folder, built and compiled.
pub struct Batch {
    /// The relations.
    pub relations: Vec<Relation>,
    /// Their module.
    pub subject: WasmSubject,
    /// The C file.
    pub file: PathBuf,
}

impl Batch {
    /// Builds relations in a folder of their own; `root` is where toolchains are looked for.
    ///
    /// # Errors
    /// When they cannot be built: a mistake of the generator.
    pub fn build(relations: Vec<Relation>, folder: &Path, root: &Path) -> Result<Batch, Box<dyn Error>> {
        std::fs::create_dir_all(folder)?;
        let file = folder.join("relations.c");
        std::fs::write(&file, source(&relations))?;
        std::fs::write(folder.join("twinrun.toml"), "[subject.it]\nsources = [\"relations.c\"]\n")?;
        let project = Project::find(folder)?;
        let opened = open(&project, "it", &Environment::of_process(root))?;
        let SubjectKind::Module(modules) = opened.kind else { return Err("no module was built".into()) };
        let subject = WasmSubject::of_built("it", modules, opened.limits, "soundness")?;
        Ok(Batch { relations, subject, file })
    }
}

/// A folder in which one batch is built after the other: what is the same for all of them (the C library, the driver of native runs) is compiled once.
pub struct Workshop {
    folder: PathBuf,
    root: PathBuf,
    /// The files that are of no batch.
    common: BTreeSet<PathBuf>,
}

impl Workshop {
    /// Prepares a folder.
    ///
    /// # Errors
    /// When nothing can be built in it.
    pub fn new(folder: &Path, root: &Path) -> Result<Workshop, Box<dyn Error>> {
        let mut shop = Workshop { folder: folder.to_owned(), root: root.to_owned(), common: BTreeSet::new() };
        let source = "RELATION(nothing) { int x = tw_i32(\"x\", 0, 1); CHECK_EQ(RUN(x), x); }\n".to_owned();
        let nothing = Relation { name: "nothing".to_owned(), family: String::new(), source };
        Batch::build(vec![nothing], folder, root)?;
        shop.common = shop.files()?;
        Ok(shop)
    }

    /// Builds a batch, judges it, and removes what was made for it.
    ///
    /// # Errors
    /// When it cannot be built or judged.
    pub fn judge(&self, relations: Vec<Relation>, config: &Config) -> Result<Vec<Judged>, Box<dyn Error>> {
        let judged = Batch::build(relations, &self.folder, &self.root)
            .and_then(|batch| judge(&batch, config, &mut |_, _| ()));
        for file in self.files()?.difference(&self.common) {
            // The drivers of native runs are made by the first batch.
            if !(file.parent() == Some(&self.folder) && file.extension().is_some_and(|it| it == "o")) {
                std::fs::remove_file(file)?;
            }
        }
        judged
    }

    fn files(&self) -> Result<BTreeSet<PathBuf>, Box<dyn Error>> {
        let mut files = BTreeSet::new();
        let mut open = vec![self.folder.clone()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    open.push(entry.path());
                } else {
                    files.insert(entry.path());
                }
            }
        }
        Ok(files)
    }
}
