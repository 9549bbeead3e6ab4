//! One child of a worker: started when first needed, replaced when it dies.
//!
//! Threads read its pipes, so that the worker's one thread never waits for it.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::child::{Says, Told};
use crate::error::Error;

/// The longest line that a child may say: a larger result is a mistake that must not cost the worker its memory.
const MOST: u64 = 512 << 20;
/// What is kept of what a dying child wrote to standard error.
const LAST_WORDS: usize = 600;

/// How a child is started.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program, as a rule this one.
    pub program: PathBuf,
    /// Its arguments; the child's own folder is added.
    pub arguments: Vec<OsString>,
}

/// A child and the pipe to it.
pub(crate) struct Supervised {
    process: Child,
    input: ChildStdin,
    heard: UnboundedReceiver<Says>,
    errors: Option<JoinHandle<String>>,
    /// Its own folder, removed with it.
    _scratch: tempfile::TempDir,
}

impl Supervised {
    pub(crate) fn start(program: &Program, folder: &Path) -> Result<Supervised, Error> {
        let scratches = folder.join("scratch");
        let failed = |source| Error::Folder { path: scratches.clone(), source };
        std::fs::create_dir_all(&scratches).map_err(failed)?;
        let scratch = tempfile::tempdir_in(&scratches).map_err(failed)?;
        let mut process = Command::new(&program.program)
            .args(&program.arguments)
            .arg(scratch.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(Error::Child)?;
        let missing = || Error::Child(std::io::Error::other("it has no pipes"));
        let input = process.stdin.take().ok_or_else(missing)?;
        let mut output = BufReader::new(process.stdout.take().ok_or_else(missing)?);
        let stderr = process.stderr.take().ok_or_else(missing)?;
        let (says, heard) = unbounded_channel();
        thread::spawn(move || {
            while let Some(said) = next(&mut output)
                && says.send(said).is_ok()
            {}
        });
        let errors = Some(thread::spawn(move || last_words(stderr)));
        Ok(Supervised { process, input, heard, errors, _scratch: scratch })
    }

    /// Says something; a child that does not listen is found dead when it is heard.
    pub(crate) fn tell(&mut self, what: &Told) {
        let mut line = serde_json::to_vec(what).unwrap_or_default();
        line.push(b'\n');
        // A child reads all the time, also while it computes.
        let _ = self.input.write_all(&line);
    }

    /// The next thing that it says, or nothing when it is dead or talks nonsense.
    pub(crate) async fn hear(&mut self) -> Option<Says> {
        self.heard.recv().await
    }

    /// Why it died; it is killed where it has not.
    pub(crate) fn obituary(mut self) -> String {
        let _ = self.process.kill();
        let status = self.process.wait();
        let last_words = self.errors.take().and_then(|errors| errors.join().ok()).unwrap_or_default();
        let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        match last_words.is_empty() {
            true => status,
            false => format!("{status}: {last_words}"),
        }
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn next(output: &mut impl BufRead) -> Option<Says> {
    let mut line = Vec::new();
    output.take(MOST).read_until(b'\n', &mut line).ok()?;
    if line.pop() != Some(b'\n') {
        return None;
    }
    serde_json::from_slice(&line).ok()
}

fn last_words(mut stderr: impl Read) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = stderr.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..read]);
        let surplus = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..surplus);
    }
    String::from_utf8_lossy(&kept).trim().to_owned()
}
