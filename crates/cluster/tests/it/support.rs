//! A server, workers and coordinators.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use twinrun_cluster::server::Server;
use twinrun_cluster::status::{Status, drain, status};
use twinrun_cluster::worker::{Options, Program, work};
use twinrun_cluster::{Config, runtime};

/// Milliseconds after which a job without a sign of life is handed out again.
const LEASE: u64 = 1500;
/// So long anything may take on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(300);

pub(crate) struct Scene {
    pub(crate) server: Mutex<Server>,
    pub(crate) folder: TempDir,
    /// Who the processes are that are started now, where a server asks.
    pub(crate) access: Option<Config>,
    url: String,
}

/// A process of a scene, killed with this value.
pub(crate) struct Actor(pub(crate) Child);

impl Drop for Actor {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Actor {
    /// What it wrote when it has ended by itself.
    pub(crate) fn ended(&mut self) -> String {
        let mut text = String::new();
        self.0.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        self.0.wait().unwrap();
        text
    }

    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Scene {
    /// A scene, where there is a server.
    pub(crate) fn new() -> Option<Scene> {
        let Some(program) = Server::find(Path::new(env!("CARGO_MANIFEST_DIR"))) else {
            return skipped("nats-server is not installed (`./x test` installs it)");
        };
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(&program, &folder.path().join("storage")).unwrap();
        Some(Scene::with(folder, server))
    }

    /// A scene around a server.
    pub(crate) fn with(folder: TempDir, server: Server) -> Scene {
        let url = server.url();
        Scene { server: Mutex::new(server), folder, access: None, url }
    }

    pub(crate) fn config(&self) -> Config {
        Config { lease: Duration::from_millis(LEASE), ..Config::new(&self.url, "1") }
    }

    pub(crate) fn worker(&self, name: &str, jobs: usize) -> Actor {
        let folder = self.folder.path().join(name);
        self.helper(&[
            "worker",
            &self.url,
            name,
            folder.to_str().unwrap(),
            &jobs.to_string(),
            &LEASE.to_string(),
        ])
    }

    pub(crate) fn coordinate(&self, journal: &str, jobs: &str) -> Actor {
        let journal = self.folder.path().join(format!("{journal}.journal"));
        self.helper(&["coordinate", &self.url, journal.to_str().unwrap(), &LEASE.to_string(), jobs])
    }

    fn helper(&self, arguments: &[&str]) -> Actor {
        let mut command = Command::new(program());
        if let Some(Config { ca, nkey, credentials, certificate, .. }) = self.access.clone() {
            let (certificate, key) = certificate.unzip();
            let files =
                [("CA", ca), ("NKEY", nkey), ("CREDS", credentials), ("CERT", certificate), ("KEY", key)];
            for (name, path) in files {
                command.envs(path.map(|path| (format!("HELPER_{name}"), path)));
            }
        }
        Actor(command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap())
    }

    /// What a worker of another version says that finds nothing to do.
    pub(crate) fn other_version(&self, version: &str) -> Vec<String> {
        let said = std::cell::RefCell::new(Vec::new());
        let options = Options {
            name: "other".to_owned(),
            jobs: 1,
            labels: Vec::new(),
            commands: false,
            folder: self.folder.path().join("other"),
            child: Program { program: program(), arguments: Vec::new() },
            idle: Some(Duration::ZERO),
        };
        let config = Config { version: version.to_owned(), ..self.config() };
        let log = |line: &str| said.borrow_mut().push(line.to_owned());
        let summary = runtime().unwrap().block_on(work(&config, &options, Rc::default(), &log)).unwrap();
        assert_eq!(summary.answered, 0);
        said.into_inner()
    }

    pub(crate) fn status(&self) -> Option<Status> {
        runtime().unwrap().block_on(status(&self.config())).ok()
    }

    /// Waits until something is so.
    pub(crate) fn until(&self, what: &str, is_so: impl Fn(&Status) -> bool) {
        let began = Instant::now();
        while !self.status().is_some_and(|status| is_so(&status)) {
            assert!(began.elapsed() < PATIENCE, "it never came about that {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn drain(&self) {
        runtime().unwrap().block_on(drain(&self.config(), None)).unwrap();
    }
}

/// Says that something cannot be tried here, and why.
pub(crate) fn skipped<T>(why: &str) -> Option<T> {
    // Not by `eprintln!`, which the test harness captures.
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
    None
}

/// The answers of a coordinator that ends by itself.
pub(crate) fn coordinated(mut coordinator: Actor) -> Vec<Value> {
    let text = coordinator.ended();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_twinrun-cluster-helper").into()
}
