//! Two arguments, two sides or two neighbouring statements change places.

use super::{Change, Kind, is_statement};

pub(super) const KIND: Kind = Kind {
    name: "swapped",
    about: "two arguments of a call, the sides of a subtraction, division or comparison, or two neighbouring statements change places",
    weight: 0.8,
    propose: |at, changes| {
        let node = at.node;
        let text = |it| at.source.text(it);
        if node.kind() == "argument_list" {
            let arguments: Vec<_> =
                (0..node.named_child_count()).filter_map(|it| node.named_child(it as u32)).collect();
            for (place, first) in arguments.iter().enumerate() {
                for second in &arguments[place + 1..] {
                    let between = at.source.slice(first.end_byte()..second.start_byte());
                    let range = first.start_byte()..second.end_byte();
                    changes
                        .push(Change::Replace(range, format!("{}{between}{}", text(*second), text(*first))));
                }
            }
        }
        if node.kind() == "binary_expression"
            && let (Some(left), Some(sign), Some(right)) = (
                node.child_by_field_name("left"),
                node.child_by_field_name("operator"),
                node.child_by_field_name("right"),
            )
            && matches!(text(sign), "-" | "/" | "%" | "<" | ">" | "<=" | ">=")
        {
            changes.push(Change::node(node, format!("{} {} {}", text(right), text(sign), text(left))));
        }
        if let Some(next) = node.next_named_sibling().filter(|next| is_statement(*next) && is_statement(node))
        {
            let between = at.source.slice(node.end_byte()..next.start_byte());
            let range = node.start_byte()..next.end_byte();
            changes.push(Change::Replace(range, format!("{}{between}{}", text(next), text(node))));
        }
    },
};
