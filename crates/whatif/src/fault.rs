//! Where the fault of a mutant is: the statement that is wrong, in the mutated source.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tree_sitter::Node;

/// What kind of place is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The condition of a branch statement.
    Branch,
    /// A statement without a decision of its own: an assignment, a call, a return, a loop's first or last part.
    Plain,
    /// Nothing stands where a statement should, or another jump: there is no code to point at.
    Missing,
}

/// The wrong statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What kind of place.
    pub kind: FaultKind,
    /// Line and column, from 1, where it begins in the mutated source.
    pub from: (u32, u32),
    /// Just past its end in the mutated source.
    pub to: (u32, u32),
}

const STATEMENTS: [&str; 17] = [
    "expression_statement",
    "declaration",
    "return_statement",
    "if_statement",
    "while_statement",
    "for_statement",
    "for_range_loop",
    "do_statement",
    "switch_statement",
    "case_statement",
    "break_statement",
    "continue_statement",
    "goto_statement",
    "labeled_statement",
    "throw_statement",
    "compound_statement",
    "function_definition",
];

/// The fault that replacing `range` makes; `mutated` is the text afterwards.
pub(crate) fn fault(root: Node<'_>, range: &Range<usize>, replacement: &str, mutated: &str) -> Fault {
    let grown = replacement.len() as isize - range.len() as isize;
    let place = |kind: FaultKind, from: usize, to: usize| Fault {
        kind,
        from: position(mutated, from),
        to: position(mutated, to.saturating_add_signed(grown)),
    };
    let whole = || place(FaultKind::Missing, range.start, range.end);
    let Some(node) = root.descendant_for_byte_range(range.start, range.end) else { return whole() };
    let is_jump =
        |node: Node<'_>| matches!(node.kind(), "break_statement" | "continue_statement" | "goto_statement");
    let mut at = node;
    let mut decides = false;
    loop {
        if STATEMENTS.contains(&at.kind()) {
            break;
        }
        let Some(parent) = at.parent() else { return whole() };
        let operator = parent.child_by_field_name("operator").map(|sign| sign.kind());
        let logical = parent.kind() == "binary_expression" && matches!(operator, Some("&&" | "||"));
        let chosen =
            parent.kind() == "conditional_expression" && parent.child_by_field_name("condition") == Some(at);
        decides |= logical || chosen;
        if STATEMENTS.contains(&parent.kind()) {
            let field = |name: &str| parent.child_by_field_name(name) == Some(at);
            if field("condition") {
                return place(FaultKind::Branch, parent.start_byte(), at.end_byte());
            }
            if parent.kind() == "for_statement" && (field("initializer") || field("update")) {
                return place(FaultKind::Plain, at.start_byte(), at.end_byte());
            }
        }
        at = parent;
    }
    // `exchange` replaces only a sign: it may be the node itself, directly below a logical expression.
    if at.byte_range() == *range || is_jump(at) {
        return whole();
    }
    // The initialiser of a loop is a declaration inside the loop's head: plain all the same.
    let kind = if decides { FaultKind::Branch } else { FaultKind::Plain };
    place(kind, at.start_byte(), at.end_byte())
}

/// Line and column, from 1, of a byte.
fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset.min(text.len())];
    let line = before.matches('\n').count() as u32 + 1;
    let column = (before.len() - before.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, mutants};

    const TEXT: &str = "\
int f(int *a, int n) {
    int best = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > best)
            best = a[i];
        if (best == 9)
            break;
    }
    return best > 5 ? best : n;
}
";

    fn check(original: &str, line: u32, expected: (FaultKind, u32, u32)) {
        let all = mutants(TEXT, "f.c", Language::C).unwrap();
        let found = all.iter().find(|it| it.original == original && it.location.line == line);
        let fault = found.unwrap_or_else(|| panic!("no mutant of `{original}`")).fault;
        assert_eq!((fault.kind, fault.from.0, fault.from.1), expected, "{original}: {fault:?}");
    }

    #[test]
    fn conditions_are_faults_of_their_branch_statement() {
        check(">", 4, (FaultKind::Branch, 4, 9));
        check("<", 3, (FaultKind::Branch, 3, 5));
        check(">", 9, (FaultKind::Branch, 9, 5));
    }

    #[test]
    fn the_other_parts_of_a_loop_are_plain() {
        check("++", 3, (FaultKind::Plain, 3, 28));
        check("0", 3, (FaultKind::Plain, 3, 10));
        check("0", 2, (FaultKind::Plain, 2, 5));
        check("i", 5, (FaultKind::Plain, 5, 13));
    }

    #[test]
    fn what_is_left_out_is_missing() {
        check("best = a[i];", 5, (FaultKind::Missing, 5, 13));
        check("break;", 7, (FaultKind::Missing, 7, 13));
    }
}
