//! A side of a comparison is one too large or one too small.

use super::Operator;
use crate::mutant::Edit;

pub(super) const OPERATOR: Operator = Operator {
    name: "off-by-one",
    about: "the right side of a comparison or the value of a `return` is one too large or too small",
    propose: |node, source, scope, edits| {
        let changed = match node.kind() {
            "binary_expression" => {
                let sign = node.child_by_field_name("operator").map(|sign| source.text(sign));
                if !matches!(sign, Some("<" | "<=" | ">" | ">=" | "==" | "!=")) {
                    return;
                }
                node.child_by_field_name("right")
            }
            "return_statement" => node.named_child(0),
            _ => return,
        };
        // Literals are the constant operator's; of other texts only plain integers are sure to take `± 1`.
        let Some(side) = changed.filter(|side| side.kind() == "identifier") else { return };
        let text = source.text(side);
        if scope.is_integer(text, side.start_byte()) {
            edits.extend(["+", "-"].map(|sign| Edit::node(side, format!("({text} {sign} 1)"))));
        }
    },
};
