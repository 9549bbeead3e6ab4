//! A NATS server of our own on loopback: for tests, the demonstration and the study.

use std::ffi::OsString;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server; it ends with this value, its storage stays.
#[derive(Debug)]
pub struct Server {
    launch: Launch,
    process: Child,
}

/// How a server is started.
#[derive(Clone, Debug)]
struct Launch {
    program: PathBuf,
    port: u16,
    scheme: &'static str,
    arguments: Vec<OsString>,
    environment: Vec<(String, OsString)>,
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
    pub fn start(program: &Path, storage: &Path) -> io::Result<Server> {
        let arguments = vec!["-js".into(), "-sd".into(), storage.into()];
        Server::launch(program, "nats", arguments, Vec::new())
    }

    /// Starts a server with a file of its configuration, which demands TLS and may name variables of the environment; what it
    /// says goes to a log. Only its port is ours.
    ///
    /// # Errors
    /// When it cannot be started or does not answer.
    pub fn guarded(
        program: &Path,
        config: &Path,
        log: &Path,
        environment: Vec<(String, OsString)>,
    ) -> io::Result<Server> {
        let arguments = vec!["-c".into(), config.into(), "-l".into(), log.into()];
        Server::launch(program, "tls", arguments, environment)
    }

    fn launch(
        program: &Path,
        scheme: &'static str,
        arguments: Vec<OsString>,
        environment: Vec<(String, OsString)>,
    ) -> io::Result<Server> {
        // Free now; whoever takes it in between makes the server end, and that is told.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let launch = Launch { program: program.to_owned(), port, scheme, arguments, environment };
        let process = launch.spawn()?;
        let mut server = Server { launch, process };
        server.wait()?;
        Ok(server)
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("{}://127.0.0.1:{}", self.launch.scheme, self.launch.port)
    }

    /// Its process.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Kills it as a power cut of its machine would, without a word.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn kill(&mut self) -> io::Result<()> {
        self.process.kill()?;
        self.process.wait().map(drop)
    }

    /// Starts it again with the same storage, at the same address.
    ///
    /// # Errors
    /// When it cannot be started or does not answer.
    pub fn restart(&mut self) -> io::Result<()> {
        self.process = self.launch.spawn()?;
        self.wait()
    }

    fn wait(&mut self) -> io::Result<()> {
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.launch.port)).is_err() {
            if let Some(status) = self.process.try_wait()? {
                return Err(io::Error::other(format!("nats-server ended with {status}")));
            }
            if began.elapsed() > PATIENCE {
                return Err(io::Error::other("nats-server does not answer"));
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

impl Launch {
    fn spawn(&self) -> io::Result<Child> {
        Command::new(&self.program)
            .args(["-a", "127.0.0.1", "-p", &self.port.to_string()])
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    }
}

/// An authority of our own, and a certificate by it for 127.0.0.1, both for servers and for clients.
#[derive(Clone, Debug)]
pub struct Certificates {
    /// The authority's certificate.
    pub ca: PathBuf,
    /// The certificate.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
}

impl Certificates {
    /// Makes them with the program `openssl`, for some days; `None` where there is none.
    ///
    /// # Errors
    /// When it does not do what it should.
    pub fn make(folder: &Path) -> io::Result<Option<Certificates>> {
        std::fs::create_dir_all(folder)?;
        let extensions = "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n";
        std::fs::write(folder.join("extensions"), extensions)?;
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
        let steps = [
            format!(
                "req -x509 {key} -keyout ca.key -out ca.pem -days 3 -subj /CN=authority -addext keyUsage=critical,keyCertSign"
            ),
            format!("req {key} -keyout server.key -out server.csr -subj /CN=127.0.0.1"),
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 3 -extfile extensions"
                .to_owned(),
        ];
        for step in &steps {
            let ran = Command::new("openssl").args(step.split(' ')).current_dir(folder).output();
            match ran {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
                Ok(output) if !output.status.success() => {
                    return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
                }
                Ok(_) => {}
            }
        }
        let path = |name: &str| folder.join(name);
        Ok(Some(Certificates {
            ca: path("ca.pem"),
            certificate: path("server.pem"),
            key: path("server.key"),
        }))
    }
}
