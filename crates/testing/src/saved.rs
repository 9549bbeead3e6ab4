//! Saved cases: one JSON file each, replayed first next time.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Hash, Verdict};

/// The version of the file format.
const VERSION: u32 = 1;

/// A case on disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedCase {
    /// The version of the format.
    pub version: u32,
    /// The subject that it was found on.
    pub subject: String,
    /// Its relation.
    pub relation: String,
    /// How the group ended.
    pub verdict: Verdict,
    /// The inputs.
    pub case: Case,
}

/// What can be wrong with saved cases.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// The file cannot be read.
    #[error("cannot read the saved case {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no saved case.
    #[error("{} is not a saved case: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// A later version of Twinrun wrote it.
    #[error("{} was saved by a newer Twinrun (format {found}, this one reads {VERSION}): update twinrun", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The file cannot be written.
    #[error("cannot save the case to {}: {source}; the finding is reported all the same, but will not be replayed next time", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why: a full disk, a read-only folder.
        source: io::Error,
    },
}

impl SavedCase {
    /// A case to be saved.
    pub fn new(subject: &str, relation: &str, verdict: Verdict, case: Case) -> SavedCase {
        SavedCase {
            version: VERSION,
            subject: subject.to_owned(),
            relation: relation.to_owned(),
            verdict,
            case,
        }
    }

    /// Reads one file.
    ///
    /// # Errors
    /// When it cannot be read or is no saved case.
    pub fn read(path: &Path) -> Result<SavedCase, SavedError> {
        let text =
            fs::read_to_string(path).map_err(|source| SavedError::Read { path: path.to_owned(), source })?;
        let saved: SavedCase = serde_json::from_str(&text)
            .map_err(|source| SavedError::Malformed { path: path.to_owned(), source })?;
        if saved.version > VERSION {
            return Err(SavedError::Version { path: path.to_owned(), found: saved.version });
        }
        Ok(saved)
    }

    /// Where it belongs below the folder of saved cases: the name is its content, so the same case is saved once.
    pub fn path(&self, folder: &Path) -> PathBuf {
        let text = serde_json::to_string(&self.case).unwrap_or_default();
        let hash = Hash::of([self.subject.as_str(), &self.relation, &text]);
        folder
            .join(file_name(&self.subject))
            .join(file_name(&self.relation))
            .join(format!("{}.json", hash.short()))
    }

    /// Writes it below the folder, whole or not at all, and returns its path.
    ///
    /// # Errors
    /// When the disk is full or the folder cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, SavedError> {
        let path = self.path(folder);
        let failed = |source: io::Error| SavedError::Write { path: path.clone(), source };
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(error.into()))? + "\n";
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        let unfinished = path.with_extension("tmp");
        fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &path)).map_err(|source| {
            // Leave no torn file behind; the first error is the one to tell.
            let _ = fs::remove_file(&unfinished);
            failed(source)
        })?;
        Ok(path)
    }
}

/// All saved cases of a relation, in the order of their names; unreadable ones are returned as errors beside them.
pub fn read_all(
    folder: &Path,
    subject: &str,
    relation: &str,
) -> (Vec<(PathBuf, SavedCase)>, Vec<SavedError>) {
    let folder = folder.join(file_name(subject)).join(file_name(relation));
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    let mut cases = Vec::new();
    let mut errors = Vec::new();
    for path in paths {
        match SavedCase::read(&path) {
            Ok(saved) => cases.push((path, saved)),
            Err(error) => errors.push(error),
        }
    }
    (cases, errors)
}

/// A name that is safe as a file name everywhere.
fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_saved_once_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let saved = SavedCase::new("max/sub", "reverse", Verdict::Violated, Case::default());
        let path = saved.write(folder.path()).unwrap();
        assert_eq!(saved.write(folder.path()).unwrap(), path);
        let (cases, errors) = read_all(folder.path(), "max/sub", "reverse");
        assert_eq!(cases, [(path, saved)]);
        assert!(errors.is_empty());
    }

    #[test]
    fn a_torn_file_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = SavedCase::new("s", "r", Verdict::Violated, Case::default()).write(folder.path()).unwrap();
        fs::write(&path, "{\"version\":").unwrap();
        let (cases, errors) = read_all(folder.path(), "s", "r");
        assert!(cases.is_empty());
        assert!(errors[0].to_string().contains("is not a saved case"), "{}", errors[0]);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_a_clear_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let error = SavedCase::new("s", "r", Verdict::Violated, Case::default()).write(&file).unwrap_err();
        assert!(error.to_string().contains("the finding is reported all the same"), "{error}");
    }
}
