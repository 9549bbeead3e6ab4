//! A NATS server of our own on loopback: for tests, the demonstration and the study.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server; it ends with this value, its storage stays.
#[derive(Debug)]
pub struct Server {
    program: PathBuf,
    storage: PathBuf,
    port: u16,
    process: Child,
}

/// How long a server may take to start, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

impl Server {
    /// The program on the PATH, or where `./x` installs it, upwards from here.
    pub fn find(from: &Path) -> Option<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
        places.extend(from.ancestors().map(|folder| folder.join(".deps/nats/bin")));
        places.into_iter().map(|folder| folder.join("nats-server")).find(|program| program.is_file())
    }

    /// Starts a server whose streams lie in a folder.
    ///
    /// # Errors
    /// When it cannot be started or does not answer.
    pub fn start(program: &Path, storage: &Path) -> std::io::Result<Server> {
        // Free now; whoever takes it in between makes the server end, and that is told.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let process = launch(program, storage, port)?;
        let mut server = Server { program: program.to_owned(), storage: storage.to_owned(), port, process };
        server.wait()?;
        Ok(server)
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Its process.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Kills it as a power cut of its machine would, without a word.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn kill(&mut self) -> std::io::Result<()> {
        self.process.kill()?;
        self.process.wait().map(drop)
    }

    /// Starts it again with the same storage, at the same address.
    ///
    /// # Errors
    /// When it cannot be started or does not answer.
    pub fn restart(&mut self) -> std::io::Result<()> {
        self.process = launch(&self.program, &self.storage, self.port)?;
        self.wait()
    }

    fn wait(&mut self) -> std::io::Result<()> {
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if let Some(status) = self.process.try_wait()? {
                return Err(std::io::Error::other(format!("nats-server ended with {status}")));
            }
            if began.elapsed() > PATIENCE {
                return Err(std::io::Error::other("nats-server does not answer"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn launch(program: &Path, storage: &Path, port: u16) -> std::io::Result<Child> {
    Command::new(program)
        .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
        .arg(storage)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}
