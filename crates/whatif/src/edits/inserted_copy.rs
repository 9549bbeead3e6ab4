//! A statement of the same function once more, elsewhere.

use tree_sitter::Node;

use super::Kind;
use super::inserted_statement::places;
use crate::source::{enclosing, walk};

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
        let in_loop = enclosing(at.node, &LOOPS).is_some();
        let in_switch = enclosing(at.node, &["switch_statement"]).is_some();
        walk(at.function, &mut |node| {
            let text = at.source.text(node);
            let copied = match node.kind() {
                "expression_statement" => node.named_child_count() > 0,
                "return_statement" | "if_statement" => true,
                _ => false,
            };
            if copied
                && node != at.node
                && text.len() <= LONGEST
                && !copies.contains(&text)
                && leaves(node).is_none_or(|jump| in_loop || jump == "break_statement" && in_switch)
                && at.scope.fits(at.source, node, at.node.start_byte())
            {
                copies.push(text);
            }
        });
        changes.extend(copies.into_iter().take(MOST).map(|copy| place.put(statement, at.source, copy)));
    },
};

const LOOPS: [&str; 4] = ["while_statement", "for_statement", "do_statement", "for_range_loop"];

/// The jump out of a loop that a statement has of its own; `continue` rather than `break`.
fn leaves(statement: Node<'_>) -> Option<&'static str> {
    let mut found = None;
    walk(statement, &mut |node| {
        let inside = |kinds: &[&str]| {
            enclosing(node, kinds).is_some_and(|it| it.start_byte() >= statement.start_byte())
        };
        match node.kind() {
            "continue_statement" if !inside(&LOOPS) => found = Some("continue_statement"),
            "break_statement" if !inside(&LOOPS) && !inside(&["switch_statement"]) => {
                found = found.or(Some("break_statement"));
            }
            _ => {}
        }
    });
    found
}
