//! Mistakes in the project file, as data with their place; the command line underlines them.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use crate::suggest::suggest;

/// A mistake in `twinrun.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The bytes that are wrong.
    pub span: Range<usize>,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.path.display(), self.line, self.column, self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl Mistake {
    /// A mistake at these bytes of the text.
    pub fn at(path: &Path, text: &str, span: Range<usize>, message: String, help: Option<String>) -> Mistake {
        let start = (0..=span.start.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let before = &text[..start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Mistake { path: path.to_owned(), text: text.to_owned(), span, line, column, message, help }
    }

    /// A mistake at the value under these keys (or the last of them that is there).
    pub fn under(path: &Path, text: &str, keys: &[&str], message: String, help: Option<String>) -> Mistake {
        Mistake::at(path, text, span_of(text, keys), message, help)
    }

    /// What the parser found.
    pub(super) fn parsed(path: &Path, text: &str, error: &toml::de::Error) -> Mistake {
        let message = error.message().to_owned();
        let help = unknown_field(&message).map(|(name, known)| match suggest(&name, &known) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("known keys are {}", known.join(", ")),
        });
        let shown = match unknown_field(&message) {
            Some((name, _)) => format!("`{name}` is not a key that is known here"),
            None => message,
        };
        Mistake::at(path, text, error.span().unwrap_or(0..0), shown, help)
    }
}

/// Takes serde's sentence on an unknown field or variant apart: its name and the known ones. The sentence is fixed by serde's
/// `Error::unknown_field`, which gives no data.
fn unknown_field(message: &str) -> Option<(String, Vec<String>)> {
    let rest =
        message.strip_prefix("unknown field `").or_else(|| message.strip_prefix("unknown variant `"))?;
    let (name, rest) = rest.split_once('`')?;
    let known = rest.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    Some((name.to_owned(), known))
}

fn span_of(text: &str, keys: &[&str]) -> Range<usize> {
    let Ok(table) = DeTable::parse(text) else { return 0..0 };
    let mut span = 0..0;
    let mut table = table.get_ref();
    for key in keys {
        let Some((found, value)) = table.iter().find(|(name, _)| name.get_ref() == key) else { break };
        span = found.span();
        let DeValue::Table(inner) = value.get_ref() else { break };
        table = inner;
    }
    span
}
