//! One campaign at a time on a journal: a lock file beside it that says who holds it.
//!
//! The lock is the system's advisory lock on the open file, so it ends with the process however that dies; the text in
//! the file only tells others whom they wait for.

use std::ffi::OsString;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Who uses a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process.
    pub process: u32,
    /// The name of its campaign.
    pub campaign: String,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.process {
            0 => write!(f, "another process"),
            process => write!(f, "process {process} (campaign {:?})", self.campaign),
        }
    }
}

/// The held lock; dropping it releases it.
pub(crate) struct Lock {
    file: File,
}

impl Lock {
    pub(crate) fn take(journal: &Path, campaign: &str) -> Result<Self, Error> {
        let path = beside(journal);
        let refuse = |source| Error::Create { path: path.clone(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(refuse)?;
        match file.try_lock() {
            Ok(()) => {
                let holder = Holder { process: std::process::id(), campaign: campaign.to_string() };
                let text = serde_json::to_string(&holder).unwrap_or_default();
                rewrite(&mut file, text.as_bytes()).map_err(refuse)?;
                Ok(Self { file })
            }
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                // The holder may be between taking the lock and writing its name.
                let holder = serde_json::from_str(&text)
                    .unwrap_or_else(|_| Holder { process: 0, campaign: String::new() });
                Err(Error::Locked { path: journal.to_path_buf(), holder })
            }
            Err(TryLockError::Error(source)) => Err(refuse(source)),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file stays: removing it would race with a process that has just opened it.
        let _ = rewrite(&mut self.file, b"");
    }
}

fn rewrite(file: &mut File, text: &[u8]) -> std::io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(text)
}

fn beside(journal: &Path) -> PathBuf {
    let mut path = OsString::from(journal);
    path.push(".lock");
    path.into()
}
