//! A statement that is no assignment is deleted: a call, an `if` with all that it holds, a `return` before the end.

use super::Operator;
use crate::mutant::Edit;

pub(super) const OPERATOR: Operator = Operator {
    name: "deleted-statement",
    about: "a call, an `if` with its body, a `break`, `continue` or early `return` is deleted",
    propose: |node, _, _, edits| {
        let delete = match node.kind() {
            "if_statement" | "break_statement" | "continue_statement" => true,
            "expression_statement" => node.named_child(0).is_some_and(|it| it.kind() == "call_expression"),
            // The last return of a function gives it its value.
            "return_statement" => {
                let last = node.next_named_sibling().is_none();
                let outermost = node
                    .parent()
                    .and_then(|it| it.parent())
                    .is_some_and(|it| it.kind() == "function_definition");
                !(last && outermost)
            }
            _ => false,
        };
        // `case` bodies may not be left without a statement, and an `else if` is the `else`'s whole body: `;` serves both.
        if delete {
            edits.push(Edit::node(node, ";"));
        }
    },
};
