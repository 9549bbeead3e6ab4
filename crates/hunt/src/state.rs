//! The file in which a hunt keeps what it knows: whole or not at all, so that readers never see half of it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::outcome::Hunt;

/// Where a hunt keeps what it knows, below the project's folder for what tools keep.
pub fn path(cache: &Path) -> PathBuf {
    cache.join("hunt.json")
}

/// Reading and writing.
pub trait Stored: Sized {
    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// When the disk is full or the folder cannot be written.
    fn store(&self, path: &Path) -> Result<(), Error>;

    /// Reads it back.
    ///
    /// # Errors
    /// When there is none, or another version wrote it.
    fn load(path: &Path) -> Result<Self, Error>;
}

impl Stored for Hunt {
    fn store(&self, path: &Path) -> Result<(), Error> {
        let failed = |source| Error::File { path: path.to_owned(), source };
        let text = serde_json::to_string(self)
            .map_err(|source| Error::Malformed { path: path.to_owned(), source })?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let unfinished = path.with_extension("json.tmp");
        fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, path)).map_err(failed)
    }

    fn load(path: &Path) -> Result<Hunt, Error> {
        let text =
            fs::read_to_string(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        serde_json::from_str(&text).map_err(|source| Error::Malformed { path: path.to_owned(), source })
    }
}
