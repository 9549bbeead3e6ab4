//! The names of streams, buckets, subjects and jobs, and what may be one.

use twinrun_campaign::JobId;
use twinrun_campaign::remote::hash;

use crate::error::Error;

/// The version of the messages: part of every job's key.
pub const FORMAT: u32 = 1;

/// The label of jobs that any worker may take.
pub const ANY: &str = "any";

/// What the jobs of a queue may do on the worker's machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// WebAssembly in the sandbox only.
    Sandbox,
    /// Programs of the machine.
    Commands,
}

impl Class {
    /// As it stands in subjects.
    pub fn word(self) -> &'static str {
        match self {
            Class::Sandbox => "sandbox",
            Class::Commands => "commands",
        }
    }
}

/// The names of one cluster, for one version.
#[derive(Clone, Debug)]
pub struct Names {
    cluster: String,
    version: String,
    /// The version as a part of subjects.
    pub token: String,
}

impl Names {
    /// # Errors
    /// When a name cannot be used.
    pub fn new(cluster: &str, version: &str) -> Result<Names, Error> {
        let cluster = word(cluster)?.to_owned();
        let token: String =
            version.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
        Ok(Names {
            cluster,
            version: version.to_owned(),
            token: word(&format!("{token}f{FORMAT}"))?.to_owned(),
        })
    }

    /// The stream of jobs.
    pub fn jobs(&self) -> String {
        format!("{}-jobs", self.cluster)
    }

    /// All jobs.
    pub fn all_jobs(&self) -> String {
        format!("{}.jobs.>", self.cluster)
    }

    /// The bucket of results.
    pub fn results(&self) -> String {
        format!("{}-results", self.cluster)
    }

    /// The bucket of workers.
    pub fn workers(&self) -> String {
        format!("{}-workers", self.cluster)
    }

    /// The object store.
    pub fn contents(&self) -> String {
        format!("{}-contents", self.cluster)
    }

    /// Where workers tell of the jobs of a campaign.
    pub fn events(&self, campaign: &str) -> String {
        format!("{}.events.{campaign}", self.cluster)
    }

    /// Where workers are told things.
    pub fn control(&self) -> String {
        format!("{}.control", self.cluster)
    }

    /// The consumer of one queue.
    pub fn consumer(&self, class: Class, label: &str) -> String {
        format!("{}-{}-{label}", self.token, class.word())
    }

    /// All jobs of one queue.
    pub fn queue(&self, class: Class, label: &str) -> String {
        format!("{}.jobs.{}.{}.{label}.>", self.cluster, self.token, class.word())
    }

    /// All jobs of a campaign in one queue.
    pub fn campaign(&self, class: Class, label: &str, campaign: &str) -> String {
        format!("{}.jobs.{}.{}.{label}.{campaign}.>", self.cluster, self.token, class.word())
    }

    /// One job.
    pub fn job(&self, class: Class, label: &str, campaign: &str, key: &str) -> String {
        format!("{}.jobs.{}.{}.{label}.{campaign}.{key}", self.cluster, self.token, class.word())
    }

    /// The name of a campaign: the same for all that want the same.
    pub fn campaign_of(&self, kind: &str, setting: &str) -> String {
        let mut name = hash(format!("{FORMAT}\n{}\n{kind}\n{setting}", self.version).as_bytes());
        name.truncate(24);
        name
    }

    /// The key of a job's result: everything that the result depends on, the version included.
    pub fn key(&self, kind: &str, setting: &str, id: JobId) -> String {
        hash(format!("{FORMAT}\n{}\n{kind}\n{setting}\n{id}", self.version).as_bytes())
    }
}

/// A part of a name: letters, digits, `-` and `_`.
///
/// # Errors
/// When it is none.
pub fn word(text: &str) -> Result<&str, Error> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match !text.is_empty() && text.len() <= 64 && text.chars().all(fits) {
        true => Ok(text),
        false => Err(Error::Name(text.chars().take(80).collect())),
    }
}

/// Whether a text is a BLAKE3 hash in hexadecimal digits: such names are also safe as file names.
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_versions_never_meet() {
        let id = "00".repeat(32).parse().unwrap();
        let (old, new) = (Names::new("t", "0.1.0").unwrap(), Names::new("t", "0.1.1").unwrap());
        assert_ne!(old.key("k", "s", id), new.key("k", "s", id));
        assert_ne!(old.queue(Class::Sandbox, ANY), new.queue(Class::Sandbox, ANY));
        assert_ne!(old.consumer(Class::Sandbox, ANY), new.consumer(Class::Sandbox, ANY));
    }

    #[test]
    fn names_cannot_leave_their_place() {
        for text in ["", "a.b", "a/b", "..", "a b", "*", ">", "ä", &"x".repeat(65)] {
            assert!(word(text).is_err(), "{text}");
        }
        assert!(word("big-memory_2").is_ok());
        assert!(!is_hash(&format!("../{}", "a".repeat(61))) && !is_hash(&"A".repeat(64)));
        assert!(is_hash(&"0af".repeat(22)[..64]));
    }
}
