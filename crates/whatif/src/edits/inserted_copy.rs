//! A statement of the same function once more, elsewhere.

use super::Kind;
use super::inserted_statement::places;
use crate::source::walk;

/// More copies than this are not tried at one place, and no longer ones.
const MOST: usize = 40;
const LONGEST: usize = 200;

pub(super) const KIND: Kind = Kind {
    name: "inserted-copy",
    about: "an assignment, a call, a `return` or a short `if` of the same function is repeated elsewhere",
    weight: 0.7,
    propose: |at, changes| {
        let Some((statement, place)) = places(at) else { return };
        let mut copies: Vec<&str> = Vec::new();
        walk(at.function, &mut |node| {
            let text = at.source.text(node);
            let copied = match node.kind() {
                "expression_statement" => node.named_child_count() > 0,
                "return_statement" | "if_statement" => true,
                _ => false,
            };
            if copied && node != at.node && text.len() <= LONGEST && !copies.contains(&text) {
                copies.push(text);
            }
        });
        changes.extend(copies.into_iter().take(MOST).map(|copy| place.put(statement, at.source, copy)));
    },
};
