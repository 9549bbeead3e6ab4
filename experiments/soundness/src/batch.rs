//! Many relations in one module: clang starts once for all of them.

use std::error::Error;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::WasmSubject;

use crate::dice::Dice;
use crate::draft::Aim;
use crate::families::FAMILIES;

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

/// The relations of which something false was once said, each in a file of its own.
///
/// # Errors
/// When a file cannot be read or has no relation.
pub fn kept() -> Result<Vec<Relation>, Box<dyn Error>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("kept"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
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
