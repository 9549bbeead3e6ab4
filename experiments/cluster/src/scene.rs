//! A server and processes on loopback.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use twinrun_cluster::server::Server;

/// Milliseconds after which a job without a sign of life is handed out again.
pub(crate) const LEASE: u64 = 1500;

/// A process of ours, killed with this value.
pub(crate) struct Actor(pub(crate) Child);

impl Actor {
    pub(crate) fn alive(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A server with a folder for everything.
pub(crate) struct Scene {
    pub(crate) server: Server,
    pub(crate) folder: PathBuf,
    /// The name of the cluster on it.
    pub(crate) cluster: String,
}

impl Scene {
    pub(crate) fn new(folder: &Path, cluster: &str) -> Result<Scene, String> {
        let program = Server::find(&twinrun_results::workspace_root())
            .ok_or("nats-server is not installed: `./x experiment cluster` installs it")?;
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        let server = Server::start(&program, &folder.join("storage")).map_err(|error| error.to_string())?;
        Ok(Scene { server, folder: folder.to_owned(), cluster: cluster.to_owned() })
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// A worker of this study's own.
    pub(crate) fn worker(&self, name: &str, jobs: usize) -> Result<Actor, String> {
        let folder = self.folder.join(format!("worker-{name}"));
        let words = ["worker", &self.url(), &self.cluster, name].map(str::to_owned);
        let more = [folder.display().to_string(), jobs.to_string(), LEASE.to_string()];
        spawn(Command::new(this()?).args(words).args(more))
    }

    /// A worker of Twinrun itself.
    pub(crate) fn twinrun_worker(&self, name: &str, jobs: usize) -> Result<Actor, String> {
        let folder = self.folder.join(format!("twinrun-{name}"));
        let mut command = Command::new(twinrun()?);
        command.args([
            "worker",
            "--quiet",
            "--allow-commands",
            "--nats",
            &self.url(),
            "--cluster-name",
            &self.cluster,
        ]);
        command.args([
            "--name",
            name,
            "--jobs",
            &jobs.to_string(),
            "--lease",
            &(LEASE as f64 / 1e3).to_string(),
        ]);
        spawn(command.arg("--folder").arg(folder))
    }

    pub(crate) fn coordinator(
        &self,
        journal: &str,
        log: &str,
        jobs: &Path,
        answers: &Path,
    ) -> Result<Actor, String> {
        let journal = self.folder.join(journal).display().to_string();
        let words =
            ["coordinate", &self.url(), &self.cluster, &journal, &LEASE.to_string(), log].map(str::to_owned);
        spawn(Command::new(this()?).args(words).arg(jobs).arg(answers))
    }
}

pub(crate) fn spawn(command: &mut Command) -> Result<Actor, String> {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(Actor).map_err(|error| error.to_string())
}

pub(crate) fn this() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| error.to_string())
}

/// The command, built beside this program.
pub(crate) fn twinrun() -> Result<PathBuf, String> {
    let program = this()?.with_file_name("twinrun");
    match program.is_file() {
        true => Ok(program),
        false => Err(format!("{} is missing: build it with `--features cluster`", program.display())),
    }
}

/// Seconds of processor time that a process has used.
pub(crate) fn cpu_seconds(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0);
    // Fields 14 and 15 of the whole line, in hundredths of a second.
    (ticks(11) + ticks(12)) / 100.0
}
