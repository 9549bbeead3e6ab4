//! A side of an operation alone; a condition that always or never holds.

use super::{Change, Kind, is_condition};

pub(super) const KIND: Kind = Kind {
    name: "dropped-part",
    about: "one side of an operation alone; a condition that always or never holds",
    weight: 0.6,
    propose: |at, changes| {
        let node = at.node;
        if node.kind() == "binary_expression" {
            let sides = ["left", "right"].map(|side| node.child_by_field_name(side));
            changes.extend(sides.iter().flatten().map(|side| Change::node(node, at.source.text(*side))));
        }
        if node.kind() == "unary_expression"
            && let Some(argument) = node.child_by_field_name("argument")
        {
            changes.push(Change::node(node, at.source.text(argument)));
        }
        if is_condition(node) {
            changes.extend(["0", "1"].map(|value| Change::node(node, value)));
        }
    },
};
