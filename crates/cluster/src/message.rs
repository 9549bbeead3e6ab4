//! What travels: jobs, answers, events, orders. Everything is read as if a stranger had written it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use twinrun_campaign::JobId;
use twinrun_campaign::remote::{Answered, hash};

use crate::error::Error;
use crate::names::{FORMAT, Names, is_hash, word};

/// Text that travels in the message itself, or as contents of their own where it is long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Text {
    /// The text.
    Inline(String),
    /// The hash of the text.
    Apart(String),
}

/// A job in the queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// [`FORMAT`].
    pub format: u32,
    /// Who understands it.
    pub kind: String,
    /// The hash of the setting's data.
    pub setting: String,
    /// What the result does not depend on.
    pub allowance: Value,
    /// The job's identity.
    pub id: JobId,
    /// The job: canonical JSON, whose BLAKE3 is the identity.
    pub spec: Text,
}

/// The most characters of a failure's reason that are kept.
const MOST_REASON: usize = 4096;

impl Assignment {
    /// Reads a job that came with a subject.
    ///
    /// # Errors
    /// When it is no job of this version, or its subject names another one.
    pub fn read(payload: &[u8], subject: &str, names: &Names) -> Result<(Assignment, String, String), Error> {
        let read: Assignment =
            serde_json::from_slice(payload).map_err(|error| Error::Message(error.to_string()))?;
        if read.format != FORMAT {
            return Err(Error::Message(format!("its form is {}, and ours is {FORMAT}", read.format)));
        }
        word(&read.kind)?;
        if !is_hash(&read.setting) || matches!(&read.spec, Text::Apart(hash) if !is_hash(hash)) {
            return Err(Error::Message("a hash is none".to_owned()));
        }
        read.spec_matches()?;
        let key = names.key(&read.kind, &read.setting, read.id);
        let campaign = names.campaign_of(&read.kind, &read.setting);
        if !subject.ends_with(&format!(".{campaign}.{key}")) {
            return Err(Error::Message("its subject belongs to another job".to_owned()));
        }
        Ok((read, campaign, key))
    }

    /// Whether the text is the one that the identity names.
    fn spec_matches(&self) -> Result<(), Error> {
        let named = match &self.spec {
            Text::Inline(text) => hash(text.as_bytes()),
            Text::Apart(hash) => hash.clone(),
        };
        match named == self.id.to_string() {
            true => Ok(()),
            false => Err(Error::Message("its identity is not the hash of its text".to_owned())),
        }
    }
}

/// The answer to a job, as it stands in the bucket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// [`FORMAT`].
    pub format: u32,
    /// The key under which it stands: an answer cannot be moved to another job.
    pub key: String,
    /// Who ran it.
    pub worker: String,
    /// How long it ran.
    pub elapsed_ms: u64,
    /// What came out.
    pub outcome: Outcome,
}

/// What came out of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The result, as JSON text.
    Finished(Text),
    /// Why there is none.
    Failed(String),
}

impl Reply {
    /// # Errors
    /// When it is no answer to the job with this key.
    pub fn read(payload: &[u8], key: &str) -> Result<Reply, Error> {
        let read: Reply =
            serde_json::from_slice(payload).map_err(|error| Error::Message(error.to_string()))?;
        if read.format != FORMAT || read.key != key {
            return Err(Error::Message("it answers another job".to_owned()));
        }
        match &read.outcome {
            Outcome::Finished(Text::Apart(hash)) if !is_hash(hash) => {
                Err(Error::Message("a hash is none".to_owned()))
            }
            _ => Ok(read),
        }
    }

    /// An answer; a long reason is cut.
    pub fn new(key: &str, worker: &str, elapsed_ms: u64, answer: Result<Text, String>) -> Reply {
        let outcome = match answer {
            Ok(text) => Outcome::Finished(text),
            Err(reason) => Outcome::Failed(reason.chars().take(MOST_REASON).collect()),
        };
        Reply { format: FORMAT, key: key.to_owned(), worker: worker.to_owned(), elapsed_ms, outcome }
    }
}

/// The answer that a text stands for.
pub(crate) fn answered(text: &str) -> Answered {
    serde_json::from_str(text).map_err(|error| format!("the result is no JSON: {error}"))
}

/// What workers tell of jobs while they run. Nothing depends on it but what people see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Sign {
    /// A worker took a job, or still runs it.
    Runs {
        /// The job.
        key: String,
        /// The worker.
        worker: String,
    },
    /// How far it is.
    Progress {
        /// The job.
        key: String,
        /// Steps done.
        done: u64,
        /// Of how many.
        total: Option<u64>,
        /// What it is doing.
        note: String,
    },
    /// A worker cannot run a job; another one may.
    Cannot {
        /// The job.
        key: String,
        /// The worker.
        worker: String,
        /// Why not.
        reason: String,
    },
    /// Contents that a job needs are missing in the store.
    Missing {
        /// Which.
        hash: String,
    },
}

/// What workers are told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    /// Finish what runs, take nothing more, end.
    Drain {
        /// This worker, or all.
        worker: Option<String>,
    },
    /// Nobody waits for the jobs of this campaign any more.
    Cancel {
        /// The campaign.
        campaign: String,
    },
}

/// Text of a stranger, for a terminal: without control characters, and not long.
pub fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assignment() -> Assignment {
        let spec = r#"{"n":1}"#;
        Assignment {
            format: FORMAT,
            kind: "test".to_owned(),
            setting: hash(b"setting"),
            allowance: Value::Null,
            id: hash(spec.as_bytes()).parse().unwrap(),
            spec: Text::Inline(spec.to_owned()),
        }
    }

    #[test]
    fn a_job_is_read_only_under_its_own_subject_and_identity() {
        let names = Names::new("t", "1").unwrap();
        let good = assignment();
        let subject_of = |it: &Assignment| {
            let (campaign, key) =
                (names.campaign_of(&it.kind, &it.setting), names.key(&it.kind, &it.setting, it.id));
            names.job(crate::names::Class::Sandbox, "any", &campaign, &key)
        };
        let check = |it: &Assignment, subject: &str| {
            Assignment::read(&serde_json::to_vec(it).unwrap(), subject, &names).is_ok()
        };
        assert!(check(&good, &subject_of(&good)));
        assert!(!check(&good, "t.jobs.1f1.sandbox.any.x.y"));
        let changed = [
            Assignment { spec: Text::Inline(r#"{"n":2}"#.to_owned()), ..good.clone() },
            Assignment { setting: "../../etc/passwd".to_owned(), ..good.clone() },
            Assignment { kind: "te.st".to_owned(), ..good.clone() },
            Assignment { spec: Text::Apart("../x".to_owned()), ..good.clone() },
            Assignment { format: FORMAT + 1, ..good.clone() },
        ];
        for it in changed {
            assert!(!check(&it, &subject_of(&it)), "{it:?}");
        }
    }

    #[test]
    fn an_answer_counts_for_its_own_job_only() {
        let reply = Reply::new("a", "w", 1, Ok(Text::Inline("1".to_owned())));
        let bytes = serde_json::to_vec(&reply).unwrap();
        assert_eq!(Reply::read(&bytes, "a").unwrap(), reply);
        assert!(Reply::read(&bytes, "b").is_err());
        assert!(Reply::read(b"{\"format\":1", "a").is_err());
    }
}
