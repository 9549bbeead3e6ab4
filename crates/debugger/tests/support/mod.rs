//! Debuggers for the tests, fetched on first use.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use twinrun_debugger::backends::node::{Isolation, Node};
use twinrun_debugger::{Language, Limits, Program};

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A Node of an exact version; none, with a message, where npm cannot fetch it.
pub(crate) fn node(version: &str) -> Option<Node> {
    let binary = root().join(".deps/node").join(version).join("bin/node");
    if !binary.exists() {
        let _ = Command::new(root().join("experiments/debuggers/fetch")).args(["node", version]).output();
    }
    if !binary.exists() {
        let _ = writeln!(
            std::io::stderr(),
            "skipped: node {version} is not installed and npm cannot fetch it (experiments/debuggers/fetch)"
        );
        return None;
    }
    Some(Node::new(&binary, Isolation::Context, Limits::default()).expect("the fetched node starts"))
}

/// A JavaScript program of a test.
pub(crate) fn javascript(source: &str) -> Program {
    Program::new("test", Language::JavaScript, source)
}
