//! One more or one less than a value: an index, a bound, an argument, what is assigned or returned.

use super::{Change, Kind, is_use};

pub(super) const KIND: Kind = Kind {
    name: "one-more",
    about: "one more or one less than a whole number: a side of an operation, an index, an argument, what is assigned or returned",
    weight: 0.9,
    propose: |at, changes| {
        let node = at.node;
        let Some(parent) = node.parent() else { return };
        let field = |name: &str| parent.child_by_field_name(name) == Some(node);
        let taken = match parent.kind() {
            "binary_expression" => {
                let sign = parent.child_by_field_name("operator").map(|it| at.source.text(it));
                matches!(sign, Some("<" | "<=" | ">" | ">=" | "==" | "!=" | "+" | "-" | "*" | "/" | "%"))
            }
            "assignment_expression" => field("right"),
            "init_declarator" => field("value"),
            "subscript_expression" => !field("argument"),
            "return_statement" | "argument_list" | "subscript_argument_list" => true,
            _ => false,
        };
        let text = at.source.text(node);
        let whole = match node.kind() {
            "identifier" => is_use(node) && at.scope.is_integer(text, node.start_byte()),
            "binary_expression" => {
                let sign = node.child_by_field_name("operator").map(|it| at.source.text(it));
                matches!(sign, Some("+" | "-" | "*" | "/" | "%" | ">>" | "<<"))
            }
            "subscript_expression" | "call_expression" | "field_expression" => true,
            _ => false,
        };
        if taken && whole {
            changes.extend(["+", "-"].map(|sign| Change::node(node, format!("({text} {sign} 1)"))));
        }
    },
};
