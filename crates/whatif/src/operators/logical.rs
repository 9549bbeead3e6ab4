//! `&&` becomes `||` and back; one side of either is left out.

use super::{Operator, exchange};
use crate::mutant::Edit;

pub(super) const OPERATOR: Operator = Operator {
    name: "logical",
    about: "`&&` for `||`, or one of their sides left out (a missing clause)",
    propose: |node, source, _, edits| {
        if node.kind() != "binary_expression" {
            return;
        }
        let Some(sign) = node.child_by_field_name("operator") else { return };
        if !matches!(source.text(sign), "&&" | "||") {
            return;
        }
        exchange(node, source, &[&["&&", "||"]], edits);
        for side in ["left", "right"].iter().filter_map(|side| node.child_by_field_name(*side)) {
            edits.push(Edit::node(node, source.text(side)));
        }
    },
};
