//! Edits of a program's text and the mapping of positions across them.

use serde::{Deserialize, Serialize};

use crate::position::{LineIndex, Position};

/// Replaces a byte range of the old text; an empty range inserts, an empty text removes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Edit {
    /// First byte replaced.
    pub start: usize,
    /// First byte kept after it.
    pub end: usize,
    /// What stands there instead.
    pub text: String,
    /// An insertion that goes on with what stands before it: a place at its start is still the end of that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continues: bool,
}

impl Edit {
    /// Inserts a text before a byte.
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Edit { start: at, end: at, text: text.into(), continues: false }
    }

    /// Goes on, after what ends before a byte, with a text.
    pub fn go_on(at: usize, text: impl Into<String>) -> Self {
        Edit { continues: true, ..Edit::insert(at, text) }
    }

    /// Replaces a range.
    pub fn replace(start: usize, end: usize, text: impl Into<String>) -> Self {
        Edit { start, end, text: text.into(), continues: false }
    }
}

/// Applies edits that do not overlap, in the order of their places.
pub fn apply(source: &str, edits: &[Edit]) -> String {
    let mut text = String::with_capacity(source.len() + 64);
    let mut at = 0;
    for edit in edits {
        text.push_str(&source[at..edit.start]);
        text.push_str(&edit.text);
        at = edit.end;
    }
    text.push_str(&source[at..]);
    text
}

/// Where a position of the new text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From this position of the old text.
    Kept(Position),
    /// From inside a replaced piece that began at this position of the old text.
    Replaced(Position),
    /// From nowhere: it was inserted.
    Inserted,
}

/// Maps positions between the text before and after edits.
#[derive(Clone, Debug)]
pub struct PositionMap {
    old: LineIndex,
    new: LineIndex,
    edits: Vec<Edit>,
}

impl PositionMap {
    /// The mapping of some edits of a text; they must be in order and not overlap.
    pub fn new(source: &str, edits: &[Edit]) -> Self {
        PositionMap {
            old: LineIndex::new(source),
            new: LineIndex::new(&apply(source, edits)),
            edits: edits.to_vec(),
        }
    }

    /// Where an old position went; none when its text was removed. A position inside a replaced piece goes to the start
    /// of what replaced it.
    pub fn forward(&self, position: Position) -> Option<Position> {
        self.forward_offset(self.old.offset(position)).map(|offset| self.new.position(offset))
    }

    /// Where an old byte offset went.
    pub fn forward_offset(&self, offset: usize) -> Option<usize> {
        let mut shift = 0isize;
        for edit in &self.edits {
            if offset < edit.start {
                break;
            }
            if edit.start <= offset && offset < edit.end {
                return (!edit.text.is_empty()).then_some(edit.start.wrapping_add_signed(shift));
            }
            shift += edit.text.len() as isize - (edit.end - edit.start) as isize;
        }
        Some(offset.wrapping_add_signed(shift))
    }

    /// The old position that stands for a place: its own, or the start of the piece that is replaced around it.
    pub(crate) fn representative(&self, old: Position) -> Position {
        let offset = self.old.offset(old);
        let around = self.edits.iter().find(|edit| (edit.start..edit.end).contains(&offset));
        around.map_or(old, |edit| self.old.position(edit.start))
    }

    /// Where a new position comes from.
    pub fn origin(&self, position: Position) -> Origin {
        let offset = self.new.offset(position);
        let mut shift = 0isize;
        for edit in &self.edits {
            let start = edit.start.wrapping_add_signed(shift);
            if offset < start {
                break;
            }
            if offset == start && edit.continues {
                break;
            }
            if offset < start + edit.text.len() {
                return if edit.start == edit.end {
                    Origin::Inserted
                } else {
                    Origin::Replaced(self.old.position(edit.start))
                };
            }
            shift += edit.text.len() as isize - (edit.end - edit.start) as isize;
        }
        Origin::Kept(self.old.position(offset.wrapping_add_signed(-shift)))
    }

    /// Whether an old and a new position stand for the same place; inside a replaced piece all places are the same.
    pub fn same(&self, old: Position, new: Position) -> bool {
        match self.origin(new) {
            Origin::Kept(position) => position == old,
            Origin::Inserted => false,
            Origin::Replaced(start) => {
                let offset = self.old.offset(old);
                let first = self.old.offset(start);
                self.edits.iter().any(|edit| edit.start == first && (edit.start..edit.end).contains(&offset))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> PositionMap {
        // "let a = 12; f(a);" with a line inserted before `f` and the literal replaced.
        PositionMap::new(
            "let a = 12; f(a);",
            &[Edit::replace(8, 10, "(11+1)"), Edit::insert(12, "if (0) {}\n")],
        )
    }

    #[test]
    fn positions_move_with_the_text() {
        let map = map();
        assert_eq!(map.forward(Position::new(1, 0)), Some(Position::new(1, 0)));
        assert_eq!(map.forward(Position::new(1, 12)), Some(Position::new(2, 0)));
        assert_eq!(map.origin(Position::new(2, 0)), Origin::Kept(Position::new(1, 12)));
    }

    #[test]
    fn inserted_text_comes_from_nowhere() {
        assert_eq!(map().origin(Position::new(1, 18)), Origin::Inserted);
        assert!(!map().same(Position::new(1, 12), Position::new(1, 18)));
    }

    #[test]
    fn a_replaced_piece_is_one_place() {
        let map = map();
        assert_eq!(map.forward(Position::new(1, 8)), Some(Position::new(1, 8)));
        assert!(map.same(Position::new(1, 8), Position::new(1, 11)));
        assert!(map.same(Position::new(1, 9), Position::new(1, 8)));
        assert!(!map.same(Position::new(1, 10), Position::new(1, 11)));
    }

    #[test]
    fn the_end_of_what_goes_on_is_still_its_end() {
        // `=> 1` ends at column 13, where a parameter goes on.
        let map = PositionMap::new("(a, f = () => 1) => 2", &[Edit::go_on(15, ", fresh1")]);
        assert!(map.same(Position::new(1, 15), Position::new(1, 15)));
        assert!(map.same(Position::new(1, 15), Position::new(1, 23)));
        assert_eq!(map.origin(Position::new(1, 17)), Origin::Inserted);
        assert_eq!(map.forward(Position::new(1, 15)), Some(Position::new(1, 23)));
    }

    #[test]
    fn removed_text_has_no_place() {
        let map = PositionMap::new("a; b; c;", &[Edit::replace(3, 6, "")]);
        assert_eq!(map.forward(Position::new(1, 3)), None);
        assert_eq!(map.forward(Position::new(1, 6)), Some(Position::new(1, 3)));
        assert_eq!(map.origin(Position::new(1, 3)), Origin::Kept(Position::new(1, 6)));
    }
}
