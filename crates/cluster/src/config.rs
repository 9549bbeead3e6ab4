//! Where the cluster is, and who we are there.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions};

use crate::error::Error;
use crate::names::Names;

/// How to reach a cluster. Everything about users and encryption is what `async-nats` reads.
#[derive(Clone, Debug)]
pub struct Config {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`, also with `user:password@`; several are separated by commas.
    pub url: String,
    /// The name of the cluster: streams and subjects begin with it, so that several share a server.
    pub name: String,
    /// The version of Twinrun: jobs of different versions never meet.
    pub version: String,
    /// Which workers take the jobs; those with this label.
    pub label: Option<String>,
    /// How long the server waits for a sign of life of a job's worker before it hands the job out again.
    pub lease: Duration,
    /// How long results and contents are kept.
    pub keep: Duration,
    /// Copies of everything, on a server that is a cluster itself.
    pub replicas: usize,
    /// A user's file (`.creds`).
    pub credentials: Option<PathBuf>,
    /// A file with an nkey's seed.
    pub nkey: Option<PathBuf>,
    /// Certificates of authorities to trust.
    pub ca: Option<PathBuf>,
    /// Our own certificate with its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

impl Config {
    /// A cluster at an address, with defaults for all else.
    pub fn new(url: &str, version: &str) -> Config {
        Config {
            url: url.to_owned(),
            name: "twinrun".to_owned(),
            version: version.to_owned(),
            label: None,
            lease: Duration::from_secs(30),
            keep: Duration::from_secs(14 * 24 * 3600),
            replicas: 1,
            credentials: None,
            nkey: None,
            ca: None,
            certificate: None,
        }
    }

    /// The names of streams and subjects.
    ///
    /// # Errors
    /// When the cluster's name or the label cannot be used.
    pub fn names(&self) -> Result<Names, Error> {
        Names::new(&self.name, &self.version)
    }

    pub(crate) async fn connect(&self, who: &str) -> Result<Client, Error> {
        let refuse = |path: &PathBuf, reason: String| Error::Credentials { path: path.clone(), reason };
        let mut options = ConnectOptions::new()
            .name(who)
            .request_timeout(Some(Duration::from_secs(10)))
            // The server may be restarted at any time; waiting longer only makes the others wait.
            .reconnect_delay_callback(|attempt| Duration::from_millis(100 * attempt.clamp(1, 20) as u64));
        if let Some(path) = &self.credentials {
            options =
                options.credentials_file(path).await.map_err(|error| refuse(path, error.to_string()))?;
        }
        if let Some(path) = &self.nkey {
            let seed = std::fs::read_to_string(path).map_err(|error| refuse(path, error.to_string()))?;
            options = options.nkey(seed.trim().to_owned());
        }
        // Whoever names certificates wants encryption; a server (or somebody in its place) without it would get names and
        // passwords in plain text.
        if self.ca.is_some() || self.certificate.is_some() {
            options = options.require_tls(true);
        }
        if let Some(path) = &self.ca {
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        let addresses: Vec<&str> = self.url.split(',').map(str::trim).collect();
        // Passwords in the address are for the server alone.
        let shown = || addresses.iter().map(|it| without_password(it)).collect::<Vec<_>>().join(",");
        options.connect(addresses.as_slice()).await.map_err(|error| Error::Connect {
            url: shown(),
            reason: error.to_string(),
            away: matches!(
                error.kind(),
                ConnectErrorKind::Io | ConnectErrorKind::TimedOut | ConnectErrorKind::MaxReconnects
            ),
        })
    }
}

/// An address as it may be shown.
fn without_password(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{host}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_password("nats://me:secret@host:4222"), "nats://host:4222");
        assert_eq!(without_password("host:4222"), "nats://host:4222");
    }
}
