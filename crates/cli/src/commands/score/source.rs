//! Mutants of C and C++ sources, each built in a copy of the project.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use twinrun_mutate::{Language, Mutant, apply, mutants};
use twinrun_subject::Project;
use twinrun_subject::build::Recipe;

use super::judge::{Outputs, judge};
use super::{Fate, Score, Scored, Which, Work};
use crate::error::Error;
use crate::targets::{self, Opened, Ready};

/// Makes and judges the mutants of a recipe.
pub(super) fn score(
    project: &Project,
    recipe: &Recipe,
    original: &Ready,
    options: &Score,
    expected: &Outputs,
    work: &Work<'_>,
) -> Result<(Vec<Scored>, usize), Error> {
    let name = &original.name;
    let scratch = project.cache().join("score").join(name);
    copy(&project.folder, &scratch)?;
    let twin = Project::read(&scratch.join("twinrun.toml"))?;
    let plain = code(original);
    let mut all: Vec<(PathBuf, String, Mutant)> = Vec::new();
    for unit in &recipe.units {
        let Ok(inside) = unit.source.strip_prefix(&project.folder) else { continue };
        let shown = inside.display().to_string();
        let Some(language) = Language::of(&shown) else { continue };
        let text = read(&unit.source)?;
        let found = mutants(&text, &shown, language).map_err(|error| Error::Usage(error.to_string()))?;
        // Relations are no part of the subject; the parser takes `RELATION(name)` for a type and a name in brackets.
        let found = found.into_iter().filter(|mutant| !mutant.function.starts_with('('));
        all.extend(found.map(|mutant| (inside.to_owned(), text.clone(), mutant)));
    }
    let wanted: Vec<_> = all.into_iter().step_by(options.every.max(1)).collect();
    let total = wanted.len();
    let mut scored: Vec<Scored> = Vec::new();
    for (file, text, mutant) in wanted {
        if !work.goes_on(scored.len(), total) {
            break;
        }
        let path = scratch.join(&file);
        write(&path, &apply(&text, &mutant))?;
        let built = targets::ready(&twin, name);
        write(&path, &text)?;
        let (fate, killed_by, different) = match built {
            Err(_) => (Fate::NotCompiled, Vec::new(), BTreeSet::new()),
            Ok(ready) if code(&ready) == plain => (Fate::Equivalent, Vec::new(), BTreeSet::new()),
            Ok(ready) => judge(&ready, options, expected)?,
        };
        let change = mutant.describe();
        scored.push(Scored { mutant: Which::Source(mutant), change, fate, killed_by, different });
    }
    Ok((scored, total))
}

/// The code section of the subject's module: without names, places and custom sections.
fn code(ready: &Ready) -> Vec<u8> {
    let Opened::Wasm(subject) = &ready.opened else { return Vec::new() };
    code_section(&subject.modules().relations.bytes).unwrap_or_default().to_vec()
}

fn code_section(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.get(8..)?;
    while let Some((&id, after)) = rest.split_first() {
        let (mut size, mut shift, mut used) = (0usize, 0, 0);
        for &byte in after {
            size |= usize::from(byte & 0x7f) << shift;
            (shift, used) = (shift + 7, used + 1);
            if byte < 0x80 {
                break;
            }
        }
        let content = after.get(used..used + size)?;
        if id == 10 {
            return Some(content);
        }
        rest = &after[used + size..];
    }
    None
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// Copies a project without what tools made.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    const LEFT_OUT: [&str; 5] = [".twinrun", ".deps", ".git", "target", "node_modules"];
    fs::create_dir_all(to).map_err(|source| Error::Write { path: to.to_owned(), source })?;
    let entries = fs::read_dir(from).map_err(|source| Error::Read { path: from.to_owned(), source })?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        if LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        let (path, copied) = (entry.path(), to.join(&name));
        if path.is_dir() {
            copy(&path, &copied)?;
        } else {
            fs::copy(&path, &copied).map_err(|source| Error::Write { path: copied.clone(), source })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_section_is_found_behind_others() {
        let module = [0, 97, 115, 109, 1, 0, 0, 0, 0, 3, 1, 65, 66, 10, 2, 7, 8, 0, 1, 0];
        assert_eq!(code_section(&module), Some(&[7, 8][..]));
        assert_eq!(code_section(&module[..10]), None);
    }
}
