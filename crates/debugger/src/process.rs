//! Debugger processes: started with their output watched, ended with their whole group.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::trace::Ending;

/// A child that is killed with everything it started when the value is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    program: PathBuf,
    child: Child,
    lines: Receiver<String>,
}

impl Process {
    /// Starts a command in a process group of its own; its standard error is read line by line.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let program = PathBuf::from(command.get_program());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let mut child =
            command.spawn().map_err(|source| Error::Start { program: program.clone(), source })?;
        let errors = child.stderr.take();
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
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
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
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
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
        if let Ok(None) = self.child.try_wait() {
            // SAFETY: `kill` takes plain numbers; the group is the child's own, and the child has not been waited for, so
            // its number cannot have been given to another process.
            unsafe {
                libc::kill(-(self.child.id() as libc::pid_t), libc::SIGKILL);
            }
            let _ = self.child.wait();
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
