//! Places in a program's text: line from 1 and column from 0, columns in UTF-16 units as debuggers of JavaScript count them.
//!
//! Lines end where JavaScript ends them (ECMA-262, 12.3): at LF, CR LF, a lone CR, U+2028 and U+2029. Compilers of C and Python
//! end them at a lone CR too, and at neither of the other two; programs of theirs with these are refused ([`crate::Outline::of`]).

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 0.
    pub column: u32,
}

impl Position {
    /// A place at a line (from 1) and a column (from 0).
    pub fn new(line: u32, column: u32) -> Self {
        Position { line, column }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// Converts between byte offsets and positions of one text.
#[derive(Clone, Debug)]
pub struct LineIndex {
    text: String,
    starts: Vec<usize>,
}

/// Whether a text has line ends that only JavaScript knows.
pub(crate) fn has_separators(text: &str) -> bool {
    text.contains(['\u{2028}', '\u{2029}'])
}

impl LineIndex {
    /// Indexes a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = text.char_indices().filter(|&(at, character)| match character {
            '\n' | '\u{2028}' | '\u{2029}' => true,
            '\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, end)| at + end.len_utf8())).collect();
        LineIndex { text: text.to_owned(), starts }
    }

    /// The number of lines; a final line break opens one more, empty line.
    pub fn lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The text of a line (from 1) without its line break; empty when there is no such line.
    pub fn line(&self, line: u32) -> &str {
        let Some(&start) = self.starts.get((line as usize).wrapping_sub(1)) else { return "" };
        &self.text[start..self.end_of(line as usize, start)]
    }

    /// The position of a byte offset; offsets past the end give the end.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset);
        let column = self.text[self.starts[line - 1]..offset].encode_utf16().count();
        Position::new(line as u32, column as u32)
    }

    /// The byte offset of a position; columns past the end of the line give the end of the line.
    pub fn offset(&self, position: Position) -> usize {
        let Some(&start) = self.starts.get((position.line as usize).wrapping_sub(1)) else {
            return self.text.len();
        };
        let end = self.end_of(position.line as usize, start);
        let mut column = 0;
        for (at, character) in self.text[start..end].char_indices() {
            if column >= position.column {
                return start + at;
            }
            column += character.len_utf16() as u32;
        }
        end
    }

    /// Where the text of a line ends, before its line break.
    fn end_of(&self, line: usize, start: usize) -> usize {
        let whole = &self.text[start..self.starts.get(line).copied().unwrap_or(self.text.len())];
        start + whole.trim_end_matches(['\r', '\n', '\u{2028}', '\u{2029}']).len()
    }

    /// The indexed text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_and_positions_are_inverse() {
        let text = "var a = '𝒳é';\n\nlet b;\n";
        let index = LineIndex::new(text);
        for (offset, _) in text.char_indices() {
            assert_eq!(index.offset(index.position(offset)), offset, "offset {offset}");
        }
        assert_eq!(index.position(text.find('é').unwrap()), Position::new(1, 11));
        assert_eq!(index.lines(), 4);
        assert_eq!(index.line(3), "let b;");
    }

    #[test]
    fn lines_end_where_javascript_ends_them() {
        let index = LineIndex::new("a\rb\r\nc\u{2028}d\u{2029}e\nf");
        let lines: Vec<&str> = (1..=index.lines()).map(|line| index.line(line)).collect();
        assert_eq!(lines, ["a", "b", "c", "d", "e", "f"]);
        let text = index.text().to_owned();
        for (offset, character) in text.char_indices().filter(|(_, c)| c.is_alphabetic()) {
            assert_eq!(index.position(offset).column, 0, "{character}");
            assert_eq!(index.offset(index.position(offset)), offset);
        }
    }

    #[test]
    fn positions_outside_the_text_are_clamped() {
        let index = LineIndex::new("ab\ncd");
        assert_eq!(index.offset(Position::new(1, 99)), 2);
        assert_eq!(index.offset(Position::new(9, 0)), 5);
        assert_eq!(index.position(99), Position::new(2, 2));
    }
}
