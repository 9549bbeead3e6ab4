//! What keeps us from having a subject. Every message says what to do.

use std::path::PathBuf;

/// An error of this crate.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Error {
    /// The bytes are something else.
    #[error("this is not a WebAssembly module: {reason}")]
    NotWasm {
        /// How one sees it.
        reason: String,
    },
    /// The bytes are damaged.
    #[error("the WebAssembly module is corrupt at byte {offset}: {reason}; build it again")]
    CorruptWasm {
        /// Where.
        offset: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The module is sound, but the engines cannot run it.
    #[error("the module uses a feature that is not supported here ({reason}); {}", if *exceptions {
        "it was built with WebAssembly exceptions: build C++ with `-fno-exceptions`, and C without `-mllvm -wasm-enable-sjlj`"
    } else {
        "build it for the baseline of `wasm32-wasi`"
    })]
    UnsupportedFeature {
        /// What the validator says.
        reason: String,
        /// Whether it is the exception-handling proposal.
        exceptions: bool,
    },
    /// No relation has this name.
    #[error("there is no relation `{name}`{}; {}", did_you_mean(suggestion.as_deref()), if known.is_empty() {
        "the module exports none".to_owned()
    } else {
        format!("known: {}", known.join(", "))
    })]
    UnknownRelation {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
        /// What was probably meant.
        suggestion: Option<String>,
    },
    /// A file could not be read or written.
    #[error("cannot {action} {}: {reason}", path.display())]
    Io {
        /// `read`, `write` …
        action: &'static str,
        /// Which file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

impl Error {
    /// An input or output error on `path`.
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>, error: &std::io::Error) -> Error {
        Error::Io { action, path: path.into(), reason: error.to_string() }
    }
}
