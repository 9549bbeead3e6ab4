//! A condition is narrowed or widened by a comparison of variables; a statement gets a guard.

use super::{Change, Kind, is_condition};
use crate::source::walk;

/// More comparisons than this are not tried at one place.
const MOST: usize = 40;

pub(super) const KIND: Kind = Kind {
    name: "added-condition",
    about: "a comparison of two variables, or of one with 0, is added to a condition with `&&` or `||`, or guards a statement",
    weight: 0.5,
    propose: |at, changes| {
        let node = at.node;
        let statement =
            matches!(node.kind(), "expression_statement" | "return_statement" | "break_statement");
        if !is_condition(node) && !statement {
            return;
        }
        let text = at.source.text(node);
        // What the place speaks of first, then the rest of the function's whole numbers.
        let mut used: Vec<&str> = Vec::new();
        walk(node, &mut |inner| {
            let name = at.source.text(inner);
            if inner.kind() == "identifier"
                && at.scope.is_integer(name, node.start_byte())
                && !used.contains(&name)
            {
                used.push(name);
            }
        });
        let all = at.scope.integers(node.start_byte());
        let mut comparisons: Vec<String> = Vec::new();
        for (place, first) in used.iter().enumerate() {
            for second in
                all.iter().copied().filter(|second| second != first && !used[..place].contains(second))
            {
                comparisons.extend(["==", "!=", "<", ">"].map(|sign| format!("{first} {sign} {second}")));
            }
            comparisons.extend(["== 0", "!= 0", "> 0", "< 0"].map(|with| format!("{first} {with}")));
        }
        for comparison in comparisons.into_iter().take(MOST) {
            if statement {
                changes.push(Change::node(node, format!("if ({comparison}) {text}")));
            } else {
                changes.push(Change::node(node, format!("({text}) && {comparison}")));
                changes.push(Change::node(node, format!("({text}) || {comparison}")));
            }
        }
    },
};
