//! Certificates: whatever lies in a file, checking answers, and what was not proved is not called met.

use std::time::Duration;

use twinrun_prove::certificate::check;
use twinrun_solve::Program;

/// The bytes are a file of a certificate. Nothing is said where no solver is installed.
pub fn certificate(data: &[u8]) {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(solver) = Program::find(here) else { return };
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("0001.smt2"), data).expect("a file can be written");
    let Ok(checked) = check(folder.path(), &solver, Duration::from_secs(2)) else { return };
    assert_eq!(checked.len(), 1);
    assert!(!checked[0].answer.is_empty());
    // A file in which nothing is asked proves nothing.
    let asked = data.windows(11).any(|part| part == b"(check-sat)");
    assert!(asked || checked[0].answer != "unsat", "met without a question: {}", checked[0].states);
}
