//! Another comparison: `<` becomes `<=` and `>`; `==` becomes `!=`.

use super::{Operator, exchange};

const FAMILIES: &[&[&str]] =
    &[&["<", "<="], &["<", ">"], &["<=", ">="], &[">", ">="], &["==", "!="], &["<=", "=="], &[">=", "=="]];

pub(super) const OPERATOR: Operator = Operator {
    name: "relational",
    about: "another comparison: `<` for `<=` or `>`, `==` for `!=`",
    propose: |node, source, _, edits| {
        if node.kind() == "binary_expression" {
            exchange(node, source, FAMILIES, edits);
        }
    },
};
