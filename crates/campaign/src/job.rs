//! What a job is, and its identity: the hash of its canonical JSON.

use std::fmt;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;

/// One independent piece of work, as plain data.
///
/// The data must name everything that the result depends on: subject (by hash), relation, seeds, limits, flags,
/// toolchain, version of the algorithm. A job runs from what was written and read back, so a field that is not
/// serialised can influence nothing, and the same job can run in another process or on another machine.
pub trait Job: Serialize + DeserializeOwned + Sync {
    /// What people read in progress and reports.
    fn label(&self) -> String;
}

/// The identity of a job: BLAKE3 of its canonical JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct JobId([u8; 32]);

impl JobId {
    /// The id of a job.
    pub fn of(job: &impl Job) -> Result<Self, Error> {
        Ok(spell(0, job)?.0)
    }

    /// The bytes of the hash.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JobId({self})")
    }
}

impl From<JobId> for String {
    fn from(id: JobId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for JobId {
    type Error = blake3::HexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl FromStr for JobId {
    type Err = blake3::HexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(*blake3::Hash::from_hex(text)?.as_bytes()))
    }
}

/// The id of a job, its canonical JSON, and the job as read back from it.
pub(crate) fn spell<J: Job>(index: usize, job: &J) -> Result<(JobId, String, J), Error> {
    let refuse = |reason: String| Error::Job { index, reason };
    let write = |job: &J| serde_json::to_value(job).map(|value| canonical(&value));
    let text = write(job).map_err(|error| refuse(format!("it cannot be written as JSON: {error}")))?;
    let read: J = serde_json::from_str(&text)
        .map_err(|error| refuse(format!("it cannot be read back from its JSON: {error}")))?;
    match write(&read) {
        Ok(again) if again == text => Ok((JobId(*blake3::hash(text.as_bytes()).as_bytes()), text, read)),
        _ => Err(refuse("it changes when it is written and read back".into())),
    }
}

/// JSON with sorted keys and no white space: equal data, equal text.
fn canonical(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            let fields = fields
                .into_iter()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), canonical(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use super::*;

    impl<T: Serialize + DeserializeOwned + Sync> Job for Vec<T> {
        fn label(&self) -> String {
            String::new()
        }
    }

    impl<T: Serialize + DeserializeOwned + Sync> Job for BTreeMap<String, T> {
        fn label(&self) -> String {
            String::new()
        }
    }

    impl<T: Serialize + DeserializeOwned + Sync> Job for HashMap<String, T> {
        fn label(&self) -> String {
            String::new()
        }
    }

    #[test]
    fn the_order_of_keys_does_not_change_the_id() {
        let words = ["subject", "relation", "seed", "a", "é", "\"", "Z"];
        let ordered: BTreeMap<String, usize> =
            words.iter().map(|word| (word.to_string(), word.len())).collect();
        let unordered: HashMap<String, usize> = ordered.clone().into_iter().collect();
        assert_eq!(JobId::of(&ordered).unwrap(), JobId::of(&unordered).unwrap());
    }

    #[test]
    fn every_field_changes_the_id() {
        let ids =
            [vec![1, 2], vec![2, 1], vec![12], vec![1, 2, 0], vec![]].map(|job| JobId::of(&job).unwrap());
        for (index, id) in ids.iter().enumerate() {
            assert!(!ids[..index].contains(id));
        }
    }

    #[test]
    fn the_id_of_known_data_never_changes() {
        let job = BTreeMap::from([("b".to_string(), vec![1, 2]), ("a".to_string(), vec![])]);
        let (id, text, _) = spell(0, &job).unwrap();
        assert_eq!(text, r#"{"a":[],"b":[1,2]}"#);
        assert_eq!(id.to_string(), blake3::hash(text.as_bytes()).to_hex().to_string());
        assert_eq!(id.to_string().parse::<JobId>().unwrap(), id);
    }

    #[test]
    fn numbers_survive_exactly_and_nan_is_refused() {
        for number in [0.1, -0.0, f64::MIN_POSITIVE, 1.797e308, 0.30000000000000004, 5e-324] {
            assert_eq!(spell(0, &vec![number]).unwrap().2[0].to_bits(), number.to_bits());
        }
        assert!(matches!(JobId::of(&vec![f64::NAN]), Err(Error::Job { index: 0, .. })));
        assert!(matches!(JobId::of(&vec![f64::INFINITY]), Err(Error::Job { .. })));
    }
}
