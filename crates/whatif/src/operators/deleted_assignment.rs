//! An assignment is deleted, also `i++` as a statement.

use super::Operator;
use crate::mutant::Edit;

pub(super) const OPERATOR: Operator = Operator {
    name: "deleted-assignment",
    about: "an assignment, `x++` or `x--` that stands alone is deleted",
    propose: |node, _, _, edits| {
        let assigns =
            |it: tree_sitter::Node<'_>| matches!(it.kind(), "assignment_expression" | "update_expression");
        if node.kind() == "expression_statement" && node.named_child(0).is_some_and(assigns) {
            edits.push(Edit::node(node, ";"));
        }
    },
};
