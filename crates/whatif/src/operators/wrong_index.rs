//! An index is one too large or one too small.

use super::Operator;
use crate::mutant::Edit;

pub(super) const OPERATOR: Operator = Operator {
    name: "wrong-index",
    about: "an array index is one too large or one too small",
    propose: |node, source, _, edits| {
        if node.kind() != "subscript_expression" {
            return;
        }
        let index = node.child_by_field_name("index").or_else(|| {
            let list = node.child_by_field_name("indices")?;
            if list.kind() == "subscript_argument_list" { list.named_child(0) } else { Some(list) }
        });
        if let Some(index) = index.filter(|index| index.kind() != "number_literal") {
            let text = source.text(index);
            edits.extend(["+", "-"].map(|sign| Edit::node(index, format!("({text} {sign} 1)"))));
        }
    },
};
