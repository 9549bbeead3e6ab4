//! What kept us from answering, with the place in the file where there is one.

use std::fmt;

/// A place in a text: line and column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// The place of a byte offset in a text.
    pub fn of(text: &str, offset: usize) -> Place {
        let before = &text[..floor(text, offset)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Place { line, column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}", self.line, self.column)
    }
}

fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Why a model could not be read, or an array not be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not a model.
    #[error("{place}: {message}")]
    Syntax {
        /// Where.
        place: Place,
        /// What was expected or found.
        message: String,
    },
    /// The model says something that makes no sense as a whole.
    #[error("{0}")]
    Model(String),
    /// No row satisfies all constraints.
    #[error("the constraints contradict each other; these {} alone cannot be met together:{}", .conflict.len(), listed(.conflict))]
    Contradiction {
        /// A minimal set of constraints, as written, that no row satisfies.
        conflict: Vec<String>,
    },
    /// A constraint relates too many parameters in a way that is neither a sum nor a logical formula.
    #[error(
        "the constraint `{0}` has one comparison over too many combinations of values; split it or write it as a sum"
    )]
    TooWide(String),
    /// The tables for this strength would need more memory than allowed.
    #[error(
        "strength {strength} over {values} values needs {needed} MiB for its tables; the limit is {limit} MiB"
    )]
    TooLarge {
        /// The strength asked for.
        strength: usize,
        /// Values of all parameters together.
        values: usize,
        /// Memory that the tables would take.
        needed: usize,
        /// Memory that they may take.
        limit: usize,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

fn listed(constraints: &[String]) -> String {
    constraints.iter().map(|text| format!("\n  {text}")).collect()
}
