//! The worker's folder: contents by their hash, fetched once.

use std::fs;
use std::path::{Path, PathBuf};

use twinrun_campaign::remote::hash;

use crate::error::Error;
use crate::names::is_hash;

/// Contents on disk. Names are hashes and nothing else, so that no message can lead out of the folder.
#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    pub(crate) fn open(folder: &Path) -> Result<Shelf, Error> {
        let folder = folder.join("contents");
        fs::create_dir_all(&folder).map_err(|source| Error::Folder { path: folder.clone(), source })?;
        Ok(Shelf { folder })
    }

    /// Contents that are here and whole; what a kill or somebody else has spoiled is removed.
    pub(crate) fn get(&self, name: &str) -> Result<Vec<u8>, Error> {
        let path = self.path(name)?;
        let refuse = |reason: &str| Error::Blob { hash: name.to_owned(), reason: reason.to_owned() };
        let bytes = fs::read(&path).map_err(|_| refuse("are not in the worker's folder"))?;
        if hash(&bytes) != name {
            let _ = fs::remove_file(&path);
            return Err(refuse("were spoiled in the worker's folder"));
        }
        Ok(bytes)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).is_ok_and(|path| path.is_file())
    }

    /// Keeps contents, whole or not at all.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path(name)?;
        let failed = |source| Error::Folder { path: path.clone(), source };
        let mut unfinished = tempfile::NamedTempFile::new_in(&self.folder).map_err(failed)?;
        std::io::Write::write_all(&mut unfinished, bytes).map_err(failed)?;
        unfinished.persist(&path).map(drop).map_err(|error| failed(error.error))
    }

    fn path(&self, name: &str) -> Result<PathBuf, Error> {
        match is_hash(name) {
            true => Ok(self.folder.join(name)),
            false => Err(Error::Message("contents are named by their hash".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_kept_by_hash_and_spoiled_ones_are_not_given() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(folder.path()).unwrap();
        let name = hash(b"abc");
        assert!(shelf.get(&name).is_err());
        shelf.put(&name, b"abc").unwrap();
        assert_eq!(shelf.get(&name).unwrap(), b"abc");
        fs::write(folder.path().join("contents").join(&name), b"abd").unwrap();
        assert!(shelf.get(&name).is_err() && !shelf.has(&name));
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(&folder.path().join("in")).unwrap();
        for name in ["../x", "/tmp/x", "..", "", &format!("../{}", "a".repeat(61))] {
            assert!(shelf.put(name, b"x").is_err() && shelf.get(name).is_err());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
