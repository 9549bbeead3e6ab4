//! Certificates: whatever lies in a folder, reading it answers, and what is not whole is refused.

use twinrun_prove::certificate::{MANIFEST, SUMS, read, sha256};

/// The bytes are a manifest, with hashes that fit it.
pub fn certificate(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, text: &[u8]| {
        std::fs::write(folder.path().join(name), text).expect("a file can be written");
    };
    write(MANIFEST, data);
    write(SUMS, format!("{}  {MANIFEST}\n", sha256(data)).as_bytes());
    if let Ok(Ok(certificate)) = read(folder.path()) {
        // Without a file there is no obligation, and what was read is what was written.
        assert!(certificate.manifest.obligations.is_empty());
        assert_eq!(certificate.manifest_text().as_bytes(), data);
    }
}
