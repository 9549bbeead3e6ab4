//! The options of everything that can run on several machines, and how they become a runner.

use std::path::{Path, PathBuf};

use clap::Args;
use twinrun_subject::Project;
use twinrun_subject::project::ClusterFile;

use crate::apart::Away;
use crate::error::Error;
use crate::options::Common;

/// Where jobs run beside this machine.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Cluster {
    /// Run the jobs on the workers at this NATS server [default: `nats` of the project's `[cluster]`, else here]
    #[arg(long, value_name = "URL", help_heading = "Many machines")]
    nats: Option<String>,
    /// With --nats: the cores of this machine take jobs too
    #[arg(long, help_heading = "Many machines")]
    local: bool,
    #[command(flatten)]
    access: Access,
}

/// How to reach a cluster.
#[cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "nothing can be reached"))]
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Access {
    /// The name of the cluster, where several share a server [default: twinrun]
    #[arg(long, global = true, value_name = "NAME", help_heading = "Many machines")]
    cluster_name: Option<String>,
    /// Only workers with this label take the jobs
    #[arg(long, global = true, value_name = "LABEL", help_heading = "Many machines")]
    label: Option<String>,
    /// Seconds without a sign of life after which a job is handed out again; whoever comes first decides [default: 30]
    #[arg(long, global = true, value_name = "SECONDS", help_heading = "Many machines")]
    lease: Option<f64>,
    /// A user's file with credentials
    #[arg(long, global = true, value_name = "FILE", help_heading = "Many machines")]
    nats_creds: Option<PathBuf>,
    /// A file with the seed of an nkey
    #[arg(long, global = true, value_name = "FILE", help_heading = "Many machines")]
    nats_nkey: Option<PathBuf>,
    /// A file with the certificates of authorities to trust
    #[arg(long, global = true, value_name = "FILE", help_heading = "Many machines")]
    nats_ca: Option<PathBuf>,
    /// Our own certificate
    #[arg(long, global = true, value_name = "FILE", requires = "nats_key", help_heading = "Many machines")]
    nats_cert: Option<PathBuf>,
    /// The key of our own certificate
    #[arg(long, global = true, value_name = "FILE", requires = "nats_cert", help_heading = "Many machines")]
    nats_key: Option<PathBuf>,
}

impl Cluster {
    /// Who runs jobs elsewhere; nobody where neither the command line nor the project names a server.
    pub(crate) fn away(&self, project: Option<&Project>, common: &Common) -> Result<Option<Away>, Error> {
        let file = project.map(|project| &project.file.cluster);
        let Some(url) = self.nats.as_deref().or(file.and_then(|file| file.nats.as_deref())) else {
            return match self.local {
                true => Err(Error::Usage("--local needs --nats: without it everything runs here".to_owned())),
                false => Ok(None),
            };
        };
        let local = self.local || file.is_some_and(|file| file.local);
        let folder = project.map_or(Path::new("."), |project| &project.folder);
        runner(url, &self.access, file.unwrap_or(&ClusterFile::default()), folder, common)
            .map(|runner| Some(Away { runner, local }))
    }
}

#[cfg(feature = "cluster")]
fn runner(
    url: &str,
    access: &Access,
    file: &ClusterFile,
    folder: &Path,
    common: &Common,
) -> Result<std::sync::Arc<dyn twinrun_campaign::Runner>, Error> {
    let quiet = common.quiet;
    let config = access.config(url, file, folder)?;
    Ok(std::sync::Arc::new(twinrun_cluster::Coordinator::new(config, move |line| {
        if !quiet {
            eprintln!("note: {line}");
        }
    })))
}

#[cfg(not(feature = "cluster"))]
fn runner(
    _: &str,
    _: &Access,
    _: &ClusterFile,
    _: &Path,
    _: &Common,
) -> Result<std::sync::Arc<dyn twinrun_campaign::Runner>, Error> {
    Err(Error::Usage(
        "this twinrun was built without support for several machines: build it with `--features cluster`, or take a release"
            .to_owned(),
    ))
}

#[cfg(feature = "cluster")]
impl Access {
    /// The command line before the project's file; paths of the file are relative to the project.
    pub(crate) fn config(
        &self,
        url: &str,
        file: &ClusterFile,
        folder: &Path,
    ) -> Result<twinrun_cluster::Config, Error> {
        let mut config = twinrun_cluster::Config::new(url, env!("CARGO_PKG_VERSION"));
        let path = |given: &Option<PathBuf>, of_file: &Option<String>| {
            given.clone().or(of_file.as_ref().map(|path| folder.join(path)))
        };
        if let Some(name) = self.cluster_name.as_ref().or(file.name.as_ref()) {
            config.name.clone_from(name);
        }
        config.label = self.label.clone().or(file.label.clone());
        if let Some(seconds) = self.lease.or(file.lease) {
            let lease = std::time::Duration::try_from_secs_f64(seconds).ok();
            let lease = lease.filter(|lease| *lease >= std::time::Duration::from_millis(100));
            config.lease =
                lease.ok_or_else(|| Error::Usage(format!("a lease of {seconds} s is too short")))?;
        }
        config.replicas = file.replicas.unwrap_or(1).clamp(1, 5);
        config.credentials = path(&self.nats_creds, &file.credentials);
        config.nkey = path(&self.nats_nkey, &file.nkey);
        config.ca = path(&self.nats_ca, &file.ca);
        config.certificate = path(&self.nats_cert, &file.certificate).zip(path(&self.nats_key, &file.key));
        config.names().map_err(|error| Error::Usage(error.to_string()))?;
        Ok(config)
    }
}
