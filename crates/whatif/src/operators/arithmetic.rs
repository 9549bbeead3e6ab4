//! Another arithmetic or bit operator: `a + b` becomes `a - b`, `i++` becomes `i--`, `s += x` becomes `s -= x`.

use super::{Operator, exchange};

const FAMILIES: &[&[&str]] = &[
    &["+", "-"],
    &["*", "/"],
    &["%", "*"],
    &["+=", "-="],
    &["*=", "/="],
    &["&", "|"],
    &["&=", "|="],
    &["<<", ">>"],
    &["<<=", ">>="],
    &["++", "--"],
];

pub(super) const OPERATOR: Operator = Operator {
    name: "arithmetic",
    about: "another arithmetic or bit operator: `+` for `-`, `*` for `/`, `++` for `--`, also in assignments",
    propose: |node, source, _, edits| {
        if matches!(node.kind(), "binary_expression" | "assignment_expression" | "update_expression") {
            exchange(node, source, FAMILIES, edits);
        }
    },
};
