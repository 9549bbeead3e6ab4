//! A solver process on two pipes. Every read and write has a watchdog and hears of cuts, so that a solver that hangs can be ended.

use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use twinrun_base::cut;

use crate::program::{Kind, Program};
use crate::sexpr::{self, Sexpr};

/// Why a dialogue broke off.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The watchdog barked: the solver has used more time than its resource limit should take on any machine.
    Late,
    /// A cut came.
    Cut,
    /// The process ended or closed its pipes.
    Ended(String),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Broken::Ended(error.to_string())
    }
}

#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    buffer: Vec<u8>,
}

impl Process {
    pub(crate) fn start(program: &Program, memory_megabytes: u64) -> io::Result<Process> {
        let mut command = Command::new(&program.path);
        match program.kind {
            Kind::Z3 => command.args(["-in", "-smt2", &format!("-memory:{memory_megabytes}")]),
            Kind::Cvc5 => {
                command.args(["--lang=smt2", "--incremental", "--produce-models", "--produce-unsat-cores"])
            }
            Kind::Bitwuzla => {
                command.args(["--lang", "smt2", "--produce-models", "--produce-unsat-assumptions"])
            }
        };
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        for descriptor in [input.as_raw_fd(), output.as_raw_fd()] {
            set_nonblocking(descriptor)?;
        }
        Ok(Process { child, input, output, buffer: Vec::new() })
    }

    pub(crate) fn write(&mut self, text: &str, deadline: Instant) -> Result<(), Broken> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(0) => return Err(Broken::Ended("closed its input".to_owned())),
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.input.as_raw_fd(), libc::POLLOUT, deadline)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Writes what fits at once: what is not said then is not said.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        self.input.write_all(text.as_bytes())
    }

    /// Whether nothing is left of what it answered.
    pub(crate) fn is_silent(&self) -> bool {
        self.buffer.iter().all(u8::is_ascii_whitespace)
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The next answer.
    pub(crate) fn read(&mut self, deadline: Instant) -> Result<Sexpr, Broken> {
        let mut scanned = sexpr::Scanner::default();
        loop {
            if let Some(length) = scanned.complete(&self.buffer) {
                let text = String::from_utf8_lossy(&self.buffer[..length]).into_owned();
                self.buffer.drain(..length);
                return sexpr::parse(&text)
                    .ok_or_else(|| Broken::Ended(format!("unreadable answer: {text}")));
            }
            let mut chunk = [0; 8192];
            match self.output.read(&mut chunk) {
                Ok(0) => return Err(Broken::Ended("closed its output".to_owned())),
                Ok(count) => self.buffer.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.output.as_raw_fd(), libc::POLLIN, deadline)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only for a process that has ended, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn set_nonblocking(descriptor: RawFd) -> io::Result<()> {
    // SAFETY: `fcntl` with these commands only reads and sets flags of a descriptor that we own and that is open.
    let failed = unsafe {
        let flags = libc::fcntl(descriptor, libc::F_GETFL);
        flags < 0 || libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK) < 0
    };
    if failed { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn wait(descriptor: RawFd, events: libc::c_short, deadline: Instant) -> Result<(), Broken> {
    /// How long a cut may stay unheard.
    const LOOK: Duration = Duration::from_millis(50);
    loop {
        if cut::is_requested() {
            return Err(Broken::Cut);
        }
        let left = deadline.saturating_duration_since(Instant::now()).min(LOOK);
        if left.is_zero() {
            return Err(Broken::Late);
        }
        let milliseconds = i32::try_from(left.as_millis() + 1).unwrap_or(i32::MAX);
        let mut poll = libc::pollfd { fd: descriptor, events, revents: 0 };
        // SAFETY: `poll` points to one valid structure for the time of the call.
        let ready = unsafe { libc::poll(&raw mut poll, 1, milliseconds) };
        if ready > 0 {
            return Ok(());
        }
        if ready < 0 {
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error.into());
            }
        }
    }
}
