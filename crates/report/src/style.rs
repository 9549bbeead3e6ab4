//! Colours, or none.

use unicode_width::UnicodeWidthStr;

/// What a piece of text is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Headings.
    Bold,
    /// Violations and crashes.
    Red,
    /// What holds.
    Green,
    /// Warnings and notes.
    Yellow,
    /// Places in the source.
    Cyan,
    /// What matters less.
    Dim,
}

/// Paints, or leaves text as it is.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    color: bool,
}

impl Paint {
    /// With or without colours.
    pub fn new(color: bool) -> Self {
        Self { color }
    }

    /// The text in this ink.
    pub fn ink(self, ink: Ink, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_string();
        }
        let code = match ink {
            Ink::Bold => "1",
            Ink::Red => "1;31",
            Ink::Green => "32",
            Ink::Yellow => "33",
            Ink::Cyan => "36",
            Ink::Dim => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// The columns that unpainted text takes on a terminal.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Unpainted text with blanks after it, up to a width.
pub(crate) fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Breaks unpainted text into lines of at most `most` columns, at a blank where there is one.
pub(crate) fn wrap(text: &str, most: usize) -> Vec<String> {
    let most = most.max(8);
    let mut lines = vec![];
    let mut rest = text;
    while width(rest) > most {
        let mut end = 0;
        let mut columns = 0;
        let mut soft = None;
        for (at, char) in rest.char_indices() {
            columns += width(char.encode_utf8(&mut [0; 4]));
            if columns > most {
                break;
            }
            end = at + char.len_utf8();
            if char == ' ' {
                soft = Some(end);
            }
        }
        let end = soft.filter(|soft| *soft > end / 2).unwrap_or(end);
        lines.push(rest[..end].trim_end().to_string());
        rest = rest[end..].trim_start();
    }
    if !rest.is_empty() || lines.is_empty() {
        lines.push(rest.to_string());
    }
    lines
}

/// `1234567` as `1,234,567`.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 violation`, `2 violations`.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_text_fits_and_nothing_is_lost() {
        let text = "[1, 2, 3], \"a text without any blank whatsoever 数数数数数数数数数数\"";
        for most in 8..80 {
            let lines = wrap(text, most);
            assert!(lines.iter().all(|line| width(line) <= most), "{most}: {lines:?}");
            assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        }
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
