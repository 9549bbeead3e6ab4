//! `compile_commands.json`: flags of sources as their own build system has them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::build::{Language, Unit};
use crate::error::Error;
use crate::files;
use crate::roots::normal;

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// The C and C++ sources of a compilation database with the flags that matter here.
pub(super) fn read(path: &Path) -> Result<Vec<Unit>, Error> {
    let entries: Vec<Entry> = serde_json::from_slice(&files::read(path)?)
        .map_err(|error| Error::CompileCommands { path: path.to_owned(), reason: error.to_string() })?;
    let base = path.parent().unwrap_or(Path::new("/"));
    let mut seen = BTreeSet::new();
    let mut units = Vec::new();
    for entry in entries {
        let folder = normal(&base.join(&entry.directory));
        let source = normal(&folder.join(&entry.file));
        let Some(language @ (Language::C | Language::Cxx)) = Language::of(&source) else { continue };
        let words = if entry.arguments.is_empty() { split(&entry.command) } else { entry.arguments };
        if seen.insert(source.clone()) {
            units.push(Unit { source, text: None, language, flags: keep(&words), folder });
        }
    }
    Ok(units)
}

/// Gives sources the flags of their entries; a source without one, e.g. a file of relations, gets all include folders.
pub(super) fn borrow(units: &mut [Unit], entries: &[Unit]) {
    let folders: BTreeSet<&String> =
        entries.iter().flat_map(|entry| &entry.flags).filter(|flag| flag.starts_with("-I/")).collect();
    for unit in units {
        if let Some(entry) = entries.iter().find(|entry| entry.source == unit.source) {
            let own = std::mem::take(&mut unit.flags);
            unit.flags = entry.flags.iter().cloned().chain(own).collect();
            unit.folder = entry.folder.clone();
        } else {
            unit.flags.extend(folders.iter().map(|folder| (*folder).clone()));
        }
    }
}

/// Flags that change what the source means; optimisation, warnings, outputs and machine flags are left out.
fn keep(words: &[String]) -> Vec<String> {
    const WITH_VALUE: [&str; 7] = ["-I", "-D", "-U", "-isystem", "-iquote", "-include", "-x"];
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word.as_str()) {
            flags.push(word.clone());
            flags.extend(words.next().cloned());
        } else if word.starts_with("-std=") || WITH_VALUE.iter().any(|flag| word.starts_with(flag)) {
            flags.push(word.clone());
        }
    }
    flags
}

/// Splits a command line as a POSIX shell would, without executing anything.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), character) if character == open => quote = None,
            (Some('\''), character) => word.get_or_insert_default().push(character),
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, character) if character.is_whitespace() => words.extend(word.take()),
            (_, character) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_flags_that_change_the_meaning_are_kept() {
        let words = split(r#"cc -O2 -Wall -Iinc -I "my lib" -DNAME='"x y"' -std=c11 -o a.o -c a.c"#);
        assert_eq!(keep(&words), ["-Iinc", "-I", "my lib", "-DNAME=\"x y\"", "-std=c11"]);
    }
}
