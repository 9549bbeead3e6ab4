//! What workers say of themselves.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::message::shown;
use crate::names::{ANY, Class, word};

/// A worker as others see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Its name.
    pub worker: String,
    /// Its machine.
    pub host: String,
    /// Its process.
    pub process: u32,
    /// Its version of Twinrun.
    pub version: String,
    /// Jobs that it runs at once.
    pub jobs: usize,
    /// Its labels.
    pub labels: Vec<String>,
    /// It runs programs of its machine.
    pub commands: bool,
    /// Jobs that run now.
    pub running: usize,
    /// Jobs that it has answered.
    pub answered: u64,
    /// Messages that it has refused.
    pub refused: u64,
    /// Children that died.
    pub deaths: u64,
    /// It takes no further jobs.
    pub draining: bool,
}

impl Presence {
    /// # Errors
    /// When it is none.
    pub(crate) fn read(bytes: &[u8]) -> Result<Presence, Error> {
        let read: Presence =
            serde_json::from_slice(bytes).map_err(|error| Error::Message(error.to_string()))?;
        word(&read.worker)?;
        Ok(read)
    }
}

/// Why none of these workers takes jobs of a kind; nothing where one of them may.
pub(crate) fn nobody(workers: &[Presence], version: &str, class: Class, label: &str) -> Option<String> {
    if workers.is_empty() {
        return Some("no worker is there: start some with `twinrun worker`".to_owned());
    }
    let same: Vec<&Presence> = workers.iter().filter(|it| it.version == version).collect();
    if same.is_empty() {
        let others: BTreeSet<String> = workers.iter().map(|it| shown(&it.version)).collect();
        let others: Vec<String> = others.into_iter().take(5).collect();
        return Some(format!(
            "the workers there are of version {}, and these jobs need version {version}",
            others.join(", ")
        ));
    }
    let labelled = |it: &&&Presence| label == ANY || it.labels.iter().any(|other| other == label);
    if !same.iter().any(|it| labelled(&it)) {
        return Some(format!("no worker has the label {label}"));
    }
    let fit = |it: &&Presence| labelled(&it) && (class == Class::Sandbox || it.commands);
    match same.iter().any(fit) {
        true => None,
        false => Some("no worker was started with --allow-commands".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_why_nobody_takes_jobs() {
        let worker = |version: &str, commands, labels: &[&str]| Presence {
            worker: "w".to_owned(),
            host: String::new(),
            process: 1,
            version: version.to_owned(),
            jobs: 1,
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            commands,
            running: 0,
            answered: 0,
            refused: 0,
            deaths: 0,
            draining: false,
        };
        let check = |workers: &[Presence], class, label, expect: Option<&str>| {
            let told = nobody(workers, "2", class, label);
            match expect {
                Some(words) => assert!(told.as_deref().is_some_and(|it| it.contains(words)), "{told:?}"),
                None => assert_eq!(told, None),
            }
        };
        check(&[], Class::Sandbox, ANY, Some("no worker is there"));
        check(&[worker("1", true, &[])], Class::Sandbox, ANY, Some("are of version 1"));
        check(&[worker("2", false, &[])], Class::Commands, ANY, Some("--allow-commands"));
        check(&[worker("2", true, &[])], Class::Sandbox, "big", Some("the label big"));
        check(
            &[worker("2", false, &["big"]), worker("2", true, &[])],
            Class::Commands,
            "big",
            Some("--allow"),
        );
        check(&[worker("1", true, &[]), worker("2", false, &[])], Class::Sandbox, ANY, None);
        check(&[worker("2", true, &["big"])], Class::Commands, "big", None);
    }
}
