//! The condition of an `if`, a loop or a `?:` is negated.

use super::Operator;
use crate::mutant::Edit;

pub(super) const OPERATOR: Operator = Operator {
    name: "negated-condition",
    about: "the condition of an `if`, a loop or a `?:` is negated",
    propose: |node, source, _, edits| {
        if !matches!(
            node.kind(),
            "if_statement" | "while_statement" | "for_statement" | "conditional_expression"
        ) {
            return;
        }
        let Some(mut condition) = node.child_by_field_name("condition") else { return };
        if matches!(condition.kind(), "parenthesized_expression" | "condition_clause") {
            let Some(inner) = condition.named_child(0) else { return };
            condition = inner;
        }
        if matches!(condition.kind(), "declaration" | "init_statement") {
            return;
        }
        edits.push(Edit::node(condition, format!("!({})", source.text(condition))));
    },
};
