//! Debugger processes: started with their output watched, ended with their whole group.

use std::io::{self, BufRead as _, BufReader};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use twinrun_base::cut;

use crate::error::{Error, Result};
use crate::trace::Ending;

/// How long a wait may last before it asks whether it is cut.
pub(crate) const SLICE: Duration = Duration::from_millis(100);

/// A child that is killed with everything it started when the value is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    program: PathBuf,
    child: Born,
    lines: Receiver<String>,
}

impl Process {
    /// Starts a command in a process group of its own; its standard error is read line by line.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let program = PathBuf::from(command.get_program());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = spawn(command)?;
        let errors = child.child.stderr.take();
        let (sender, lines) = channel();
        thread::spawn(move || {
            // Reading goes on to the end of the stream, so that the child never blocks on a full pipe.
            for line in BufReader::new(errors.into_iter().next().expect("the stream is piped")).lines() {
                let Ok(line) = line else { break };
                let _ = sender.send(line);
            }
        });
        Ok(Process { program, child, lines })
    }

    /// Waits for a line that `pick` accepts.
    pub(crate) fn wait_for_line<T>(
        &mut self,
        limit: Duration,
        pick: impl Fn(&str) -> Option<T>,
    ) -> Result<T> {
        let deadline = Instant::now() + limit;
        let mut said = String::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(SLICE)) {
                Err(RecvTimeoutError::Timeout) if cut::is_requested() => return Err(Error::Cut),
                Err(RecvTimeoutError::Timeout) if left > SLICE => {}
                Ok(line) => {
                    if let Some(picked) = pick(&line) {
                        return Ok(picked);
                    }
                    said = line;
                }
                Err(_) => {
                    let why = match self.ended(Duration::from_millis(50)) {
                        Some(status) => format!("it ended with {status}; its last words: {said:?}"),
                        None => format!("nothing within {} ms; its last words: {said:?}", limit.as_millis()),
                    };
                    return Err(Error::NoConnection { program: self.program.clone(), why });
                }
            }
        }
    }

    /// How the process ended, if it does within the limit.
    pub(crate) fn ended(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            match self.child.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline && !cut::is_requested() => {
                    thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }

    /// The ending that a lost connection stands for.
    pub(crate) fn ending(&mut self) -> Ending {
        match self.ended(Duration::from_secs(10)) {
            Some(status) => match (status.signal(), status.code()) {
                (Some(signal), _) => Ending::Crashed(signal_name(signal)),
                (None, Some(code)) => Ending::Exited(code),
                (None, None) => Ending::Crashed(status.to_string()),
            },
            None => Ending::Crashed("the connection was closed".to_owned()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end_group(&mut self.child);
    }
}

/// A child with the mark that all it starts inherit in their environment.
#[derive(Debug)]
pub(crate) struct Born {
    pub(crate) child: Child,
    mark: String,
}

/// The variable of the environment by which everything that a debugger started is found again.
const MARK: &str = "TWINRUN_DEBUGGEE";

type Birth = (Command, Sender<io::Result<Child>>);

/// Starts a command in a process group of its own that dies with us, however we end.
///
/// Linux ties a child to the *thread* that started it, so one thread that lives as long as we do starts them all.
pub(crate) fn spawn(mut command: Command) -> Result<Born> {
    static NURSERY: OnceLock<Mutex<Sender<Birth>>> = OnceLock::new();
    let program = PathBuf::from(command.get_program());
    let us = std::process::id() as libc::pid_t;
    static BORN: AtomicU64 = AtomicU64::new(0);
    let mark = format!("{us}-{}", BORN.fetch_add(1, Ordering::Relaxed));
    command.process_group(0).env(MARK, &mark);
    // SAFETY: between fork and exec only two system calls are made, which are safe there.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            // We may have died before the line above.
            if libc::getppid() == us { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
        });
    }
    let nursery = NURSERY.get_or_init(|| {
        let (sender, births) = channel::<Birth>();
        thread::spawn(move || {
            for (mut command, answer) in births {
                let _ = answer.send(command.spawn());
            }
        });
        Mutex::new(sender)
    });
    let (answer, child) = channel();
    let asked = nursery.lock().is_ok_and(|nursery| nursery.send((command, answer)).is_ok());
    let child = if asked { child.recv().ok() } else { None };
    let child = child.unwrap_or_else(|| Err(io::Error::other("the thread that starts processes is gone")));
    let child = child.map_err(|source| Error::Start { program, source })?;
    Ok(Born { child, mark })
}

/// Kills a child with its whole group, and what it started in groups and sessions of their own.
pub(crate) fn end_group(born: &mut Born) {
    let child = &mut born.child;
    if let Ok(None) = child.try_wait() {
        // SAFETY: `kill` takes plain numbers; the group is the child's own, and the child has not been waited for, so
        // its number cannot have been given to another process.
        unsafe {
            libc::kill(-(child.id() as libc::pid_t), libc::SIGKILL);
        }
        let _ = child.wait();
    }
    let wanted = format!("{MARK}={}", born.mark);
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let number = process.file_name().to_str().and_then(|name| name.parse::<libc::pid_t>().ok());
        let Some(number) = number.filter(|number| *number > 1) else { continue };
        let Ok(environment) = std::fs::read(process.path().join("environ")) else { continue };
        if environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes()) {
            // SAFETY: `kill` takes plain numbers. The process had our mark a moment ago, so that it is none of anybody else.
            unsafe {
                libc::kill(number, libc::SIGKILL);
            }
        }
    }
}

fn signal_name(signal: i32) -> String {
    match signal {
        libc::SIGSEGV => "SIGSEGV".to_owned(),
        libc::SIGABRT => "SIGABRT".to_owned(),
        libc::SIGILL => "SIGILL".to_owned(),
        libc::SIGTRAP => "SIGTRAP".to_owned(),
        libc::SIGKILL => "SIGKILL".to_owned(),
        libc::SIGBUS => "SIGBUS".to_owned(),
        other => format!("signal {other}"),
    }
}
