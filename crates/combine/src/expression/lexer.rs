//! Splits the text of a condition into words. One set of words serves our own form, PICT, ACTS and CTWedge.

use crate::error::{Error, Place};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Word {
    /// A bare name; keywords are names too until the parser looks at them.
    Name(String),
    /// A parameter's name in brackets or backticks.
    Bracketed(String),
    /// A quoted value.
    Text(String),
    Number(f64),
    Symbol(&'static str),
    End,
}

/// Longest first, so that `<=>` is not read as `<=`.
const SYMBOLS: [&str; 32] = [
    "<=>", "<->", "==", "!=", "<>", "<=", ">=", "=>", "->", "&&", "||", "≤", "≥", "≠", "∧", "∨", "=", "<",
    ">", "+", "-", "*", "/", "%", "(", ")", "{", "}", ",", "!", "¬", ";",
];

pub(super) fn words(text: &str, start: Place) -> Result<Vec<(Word, Place)>, Error> {
    let mut words = Vec::new();
    let mut rest = text;
    // Counted on from the last word: a condition may have a hundred thousand of them.
    let (mut place, mut counted) = (start, 0);
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        place = place_after(place, &text[counted..at]);
        counted = at;
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, length) = match first {
            '"' | '\'' => quoted(rest, first, place)?,
            '`' => {
                let (name, length) = closed(rest, '`', place)?;
                (Word::Bracketed(name), length)
            }
            '[' => {
                let (name, length) = closed(rest, ']', place)?;
                (Word::Bracketed(name.trim().to_owned()), length)
            }
            c if c.is_ascii_digit() => number(rest),
            c if c.is_alphabetic() || c == '_' => {
                let end =
                    rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
                let name = rest[..end].trim_end_matches('.');
                (Word::Name(name.to_owned()), name.len())
            }
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => (Word::Symbol(symbol), symbol.len()),
                None => {
                    return Err(Error::Syntax { place, message: format!("unexpected character `{first}`") });
                }
            },
        };
        words.push((word, place));
        rest = &rest[length..];
    }
    words.push((Word::End, place_after(place, &text[counted..])));
    Ok(words)
}

fn place_after(start: Place, text: &str) -> Place {
    let inner = Place::of(text, text.len());
    if inner.line == 1 {
        Place { line: start.line, column: start.column + inner.column - 1 }
    } else {
        Place { line: start.line + inner.line - 1, column: inner.column }
    }
}

fn quoted(rest: &str, quote: char, place: Place) -> Result<(Word, usize), Error> {
    let mut value = String::new();
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if escaped {
            value.push(c);
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return Ok((Word::Text(value), at + 1));
        } else {
            value.push(c);
        }
    }
    Err(Error::Syntax { place, message: "this quote is never closed".to_owned() })
}

fn closed(rest: &str, end: char, place: Place) -> Result<(String, usize), Error> {
    match rest[1..].find(end) {
        Some(at) => Ok((rest[1..=at].to_owned(), at + 2)),
        None => Err(Error::Syntax { place, message: format!("this name is never closed by `{end}`") }),
    }
}

fn number(rest: &str) -> (Word, usize) {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let mut end = digits(rest);
    if rest[end..].starts_with('.') && rest[end + 1..].starts_with(|c: char| c.is_ascii_digit()) {
        end += 1 + digits(&rest[end + 1..]);
    }
    // A value such as `4k` or `15or` starts with digits but is a name.
    if rest[end..].starts_with(|c: char| c.is_alphabetic() || c == '_') {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        return (Word::Name(rest[..end].to_owned()), end);
    }
    (rest[..end].parse().map_or(Word::End, Word::Number), end)
}
