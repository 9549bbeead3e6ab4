//! Content hashes: the stable identities of jobs, builds, cases and findings.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A 128-bit content hash, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hash([u8; 16]);

impl Hash {
    /// The hash of several parts; their borders count, so `["ab", "c"]` differs from `["a", "bc"]`.
    pub fn of<Part: AsRef<[u8]>>(parts: impl IntoIterator<Item = Part>) -> Hash {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            let part = part.as_ref();
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Hash(bytes)
    }

    /// The first 12 digits, enough for people.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = String;

    fn try_from(text: String) -> Result<Hash, String> {
        let digits = |index: usize| {
            text.get(2 * index..2 * index + 2).and_then(|two| u8::from_str_radix(two, 16).ok())
        };
        let mut bytes = [0; 16];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte =
                digits(index).ok_or_else(|| format!("`{text}` is not a hash of 32 hexadecimal digits"))?;
        }
        if text.len() == 32 {
            Ok(Hash(bytes))
        } else {
            Err(format!("`{text}` is not a hash of 32 hexadecimal digits"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_of_parts_count() {
        assert_ne!(Hash::of(["ab", "c"]), Hash::of(["a", "bc"]));
    }

    #[test]
    fn a_hash_survives_its_text() {
        let hash = Hash::of(["x"]);
        assert_eq!(Hash::try_from(hash.to_string()), Ok(hash));
        assert!(Hash::try_from("12".to_owned()).is_err());
    }
}
