//! The child of a worker: runs jobs that it is given on a pipe, one after the other, and knows no network.
//!
//! One JSON text a line in both directions. It ends when its standard input does, so that nothing outlives a killed worker.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_base::{Cut, cut};
use twinrun_campaign::remote::hash;
use twinrun_campaign::{Context, Halt, JobId, What, catch};

use crate::shelf::Shelf;

/// A kind of jobs that a worker understands.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Its name in messages.
    pub name: &'static str,
    /// Its jobs may run programs of the machine.
    pub commands: bool,
    /// Makes ready what the jobs of one setting share.
    pub open: fn(&Opening<'_>) -> Result<Box<dyn Work>, Halt>,
}

/// What a kind is opened with.
pub struct Opening<'a> {
    /// The setting's data.
    pub data: &'a Value,
    /// Contents by hash.
    pub blobs: &'a dyn Blobs,
    /// A folder of this child's own, for what must be a file.
    pub folder: &'a Path,
    /// Programs of the machine may be run.
    pub commands: bool,
}

/// Contents by their hash.
pub trait Blobs {
    /// # Errors
    /// When they cannot be had.
    fn fetch(&self, hash: &str) -> Result<Vec<u8>, String>;
}

/// What the jobs of one setting share, ready to run them.
pub trait Work {
    /// Runs a job: its canonical JSON, and what may be spent on it.
    ///
    /// # Errors
    /// When it cannot be done, or was interrupted.
    fn run(
        &mut self,
        spec: &str,
        allowance: &Value,
        blobs: &dyn Blobs,
        context: &Context<'_>,
    ) -> Result<Value, Halt>;
}

/// To the child.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Told {
    /// Run a job.
    Run { kind: String, setting: String, allowance: Value, id: JobId, spec: String },
    /// Contents are in the folder now, or cannot be had.
    Have { hash: String, problem: Option<String> },
    /// Nobody waits for the job any more.
    Stop,
}

/// From the child.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Says {
    /// It needs contents.
    Need(String),
    /// How far it is.
    Progress { done: u64, total: Option<u64>, note: String },
    /// The result, as JSON text.
    Finished(String),
    /// Why there is none.
    Failed(String),
    /// It stopped as it was told.
    Interrupted,
    /// Another worker may be able to: a tool is missing here.
    Cannot(String),
}

/// A failure that begins with this is no answer: another worker may be able to run the job.
pub const CANNOT: &str = "cannot run here: ";

/// Settings whose preparations are kept: a subject is compiled once, not for every job.
const KEPT: usize = 4;

/// Runs jobs until standard input ends. `folder` is the worker's.
pub fn serve(kinds: &[Kind], commands: bool, folder: &Path, scratch: &Path) {
    let Ok(shelf) = Shelf::open(folder) else { return };
    // The one who is killed first when memory runs out should be this process, not the worker.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let (jobs, waiting) = channel();
    let (contents, arrived) = channel();
    let running: Arc<Mutex<Option<Cut>>> = Arc::default();
    let cuts = Arc::clone(&running);
    std::thread::spawn(move || {
        listen(&jobs, &contents, &cuts);
        std::process::exit(0);
    });
    let pipe = Pipe { shelf, arrived: Mutex::new(arrived) };
    let mut bench = Bench { kinds, commands, scratch: scratch.to_owned(), ready: VecDeque::new() };
    for told in waiting {
        let Told::Run { kind, setting, allowance, id, spec } = told else { continue };
        let cut = Cut::new(None);
        *running.lock().unwrap_or_else(PoisonError::into_inner) = Some(cut.clone());
        let heard = |what: What| {
            if let What::Progress { done, total, note, .. } = what {
                say(&Says::Progress { done, total, note });
            }
        };
        let context = Context::apart(id, &cut, &heard);
        let ran = catch(|| {
            cut::within(Some(cut.clone()), || {
                let work = bench.ready(&kind, &setting, &pipe)?;
                work.run(&spec, &allowance, &pipe, &context)
            })
        });
        if ran.is_err() {
            // What panicked may be in any state.
            bench.ready.retain(|(name, _)| *name != (kind.clone(), setting.clone()));
        }
        say(&match ran {
            Ok(Ok(result)) => Says::Finished(result.to_string()),
            Ok(Err(Halt::Interrupted)) => Says::Interrupted,
            Ok(Err(Halt::Failed(reason))) => match reason.strip_prefix(CANNOT) {
                Some(reason) => Says::Cannot(reason.to_owned()),
                None => Says::Failed(reason),
            },
            Err(panic) => Says::Failed(panic),
        });
    }
}

/// Reads what the worker says.
fn listen(jobs: &Sender<Told>, contents: &Sender<(String, Option<String>)>, running: &Mutex<Option<Cut>>) {
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        match serde_json::from_str(&line) {
            Ok(Told::Have { hash, problem }) => drop(contents.send((hash, problem))),
            Ok(Told::Stop) => {
                let running = running.lock().unwrap_or_else(PoisonError::into_inner);
                running.iter().for_each(Cut::signal);
            }
            Ok(run) => drop(jobs.send(run)),
            Err(_) => return,
        }
    }
}

fn say(what: &Says) {
    let mut line = serde_json::to_vec(what).unwrap_or_default();
    line.push(b'\n');
    let mut out = std::io::stdout().lock();
    // Without a reader there is no worker, and `listen` ends the process.
    let _ = out.write_all(&line).and_then(|()| out.flush());
}

/// Contents from the worker's folder, which the worker fills on request.
struct Pipe {
    shelf: Shelf,
    arrived: Mutex<Receiver<(String, Option<String>)>>,
}

impl Blobs for Pipe {
    fn fetch(&self, name: &str) -> Result<Vec<u8>, String> {
        if let Ok(bytes) = self.shelf.get(name) {
            return Ok(bytes);
        }
        say(&Says::Need(name.to_owned()));
        let arrived = self.arrived.lock().map_err(|_| "the pipe broke".to_owned())?;
        loop {
            match arrived.recv() {
                Ok((hash, _)) if hash != name => {}
                Ok((_, Some(problem))) => return Err(problem),
                Ok((_, None)) => return self.shelf.get(name).map_err(|error| error.to_string()),
                Err(_) => return Err("the pipe broke".to_owned()),
            }
        }
    }
}

struct Bench<'a> {
    kinds: &'a [Kind],
    commands: bool,
    scratch: PathBuf,
    ready: VecDeque<((String, String), Box<dyn Work>)>,
}

impl Bench<'_> {
    fn ready(&mut self, kind: &str, setting: &str, pipe: &Pipe) -> Result<&mut dyn Work, Halt> {
        let name = (kind.to_owned(), setting.to_owned());
        if let Some(place) = self.ready.iter().position(|(other, _)| *other == name) {
            let found = self.ready.remove(place);
            self.ready.extend(found);
        } else {
            let failed = |reason: String| Halt::Failed(reason);
            let known = self.kinds.iter().find(|known| known.name == kind);
            let known =
                known.ok_or_else(|| failed(format!("{CANNOT}no jobs of the kind `{kind}` are known")))?;
            if known.commands && !self.commands {
                return Err(failed(format!("{CANNOT}it was not started with --allow-commands")));
            }
            let data = pipe.fetch(setting).map_err(|problem| failed(format!("{CANNOT}{problem}")))?;
            let data: Value = serde_json::from_slice(&data)?;
            let folder = self.scratch.join(&hash(setting.as_bytes())[..16]);
            std::fs::create_dir_all(&folder)?;
            let opening = Opening { data: &data, blobs: pipe, folder: &folder, commands: self.commands };
            let work = (known.open)(&opening)?;
            if self.ready.len() == KEPT {
                self.ready.pop_front();
            }
            self.ready.push_back((name, work));
        }
        match self.ready.back_mut() {
            Some((_, work)) => Ok(&mut **work),
            None => Err(Halt::Failed("nothing is ready".to_owned())),
        }
    }
}
