//! Readers of models: our own TOML form, PICT, ACTS (text and XML), CTWedge, the `.model` / `.constraints` pair, and the
//! feature models of DIMACS and FeatureIDE.

mod acts;
mod clauses;
mod ctwedge;
mod features;
mod pict;
mod suggest;
mod toml_form;
mod xml;

use std::path::Path;

pub use acts::{read_acts, read_acts_xml};
pub use clauses::read_clauses;
pub use ctwedge::read_ctwedge;
pub use features::{read_dimacs, read_feature_ide};
pub use pict::{PictOptions, read_pict, read_pict_with};
pub(crate) use suggest::nearest;
pub use toml_form::{ModelForm, read_toml};

use crate::error::{Error, Place};
use crate::model::Model;

/// Reads a model from a file, whose form is known by its ending or, failing that, by its first lines.
///
/// # Errors
/// When the file cannot be read or is no model; the error names the place.
pub fn read_file(path: &Path) -> Result<Model, Error> {
    read_file_with(path, &PictOptions::default())
}

/// The same, with options for models in PICT's form.
///
/// # Errors
/// As [`read_file`].
pub fn read_file_with(path: &Path, options: &PictOptions) -> Result<Model, Error> {
    let read = |path: &Path| {
        std::fs::read_to_string(path)
            .map_err(|source| Error::File { path: path.display().to_string(), source })
    };
    let text = read(path)?;
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or("") {
        "toml" => read_toml(&text),
        "pict" => read_pict_with(&text, options),
        "dimacs" | "cnf" => read_dimacs(&text),
        "xml" => read_xml(&text),
        "acts" => read_acts(&text),
        "ctw" | "ctwedge" => read_ctwedge(&text),
        "model" => {
            let beside = path.with_extension("constraints");
            let constraints = if beside.exists() { read(&beside)? } else { String::new() };
            read_clauses(&text, &constraints)
        }
        _ if text.contains("[Parameter]") => read_acts(&text),
        _ if text.trim_start().starts_with("Model ") => read_ctwedge(&text),
        _ if text.trim_start().starts_with('<') => read_xml(&text),
        _ if text.lines().any(|line| line.starts_with("p cnf ")) => read_dimacs(&text),
        _ => read_pict_with(&text, options),
    }
}

/// FeatureIDE's XML, or that of ACTS.
///
/// # Errors
/// With the place of the first thing that makes no sense.
pub fn read_xml(text: &str) -> Result<Model, Error> {
    if text.contains("<featureModel") || text.contains("<extendedFeatureModel") {
        read_feature_ide(text)
    } else {
        read_acts_xml(text)
    }
}

/// An error at a place.
fn syntax<T>(line: usize, column: usize, message: impl Into<String>) -> Result<T, Error> {
    Err(Error::Syntax { place: Place { line, column }, message: message.into() })
}

/// The column of a part of a line.
fn column(line: &str, part: &str) -> usize {
    let offset = (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize).min(line.len());
    line.get(..offset).map_or(1, |before| before.chars().count() + 1)
}

/// Splits at commas that stand outside quotes, brackets and parentheses.
fn split_list(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quote, mut from) = (0usize, None, 0);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some('"'),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Takes a pair of quotes off.
fn unquote(text: &str) -> &str {
    let text = text.trim();
    match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => inner,
        None => text,
    }
}
