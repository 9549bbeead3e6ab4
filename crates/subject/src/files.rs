//! Files that several processes may write at once: each appears whole or not at all.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;

static COUNTER: AtomicU32 = AtomicU32::new(0);

/// A name beside `path` that no other writer uses.
pub(crate) fn beside(path: &Path) -> std::path::PathBuf {
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{count}.part", std::process::id()));
    path.with_file_name(name)
}

/// Writes the file and the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|error| Error::io("create the folder", folder, &error))?;
    let part = beside(path);
    std::fs::write(&part, bytes).map_err(|error| Error::io("write", path, &error))?;
    rename(&part, path)
}

/// Puts a finished file in its place.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    std::fs::rename(from, to).map_err(|error| Error::io("write", to, &error))
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| Error::io("read", path, &error))
}
