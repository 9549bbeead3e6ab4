//! `break` and `continue` are exchanged; a `goto` goes to another label of its function.

use tree_sitter::Node;

use super::Operator;
use crate::mutant::Edit;
use crate::source::{Source, enclosing, walk};

pub(super) const OPERATOR: Operator = Operator {
    name: "jump",
    about: "`break` and `continue` are exchanged; a `goto` goes to the next label of its function",
    propose: |node, source, _, edits| match node.kind() {
        "break_statement" if in_loop(node) => edits.push(Edit::node(node, "continue;")),
        "continue_statement" => edits.push(Edit::node(node, "break;")),
        "goto_statement" => {
            let Some(label) = node.child_by_field_name("label") else { return };
            if let Some(other) = other_label(node, source, source.text(label)) {
                edits.push(Edit::node(label, other));
            }
        }
        _ => {}
    },
};

/// A `break` of a loop, not of a `switch`.
fn in_loop(node: Node<'_>) -> bool {
    const HOMES: [&str; 5] =
        ["for_statement", "while_statement", "do_statement", "switch_statement", "for_range_loop"];
    enclosing(node, &HOMES).is_some_and(|home| home.kind() != "switch_statement")
}

/// The label after this one, in source order and around the end.
fn other_label(node: Node<'_>, source: &Source<'_>, label: &str) -> Option<String> {
    let function = enclosing(node, &["function_definition"])?;
    let mut labels = Vec::new();
    walk(function, &mut |it| {
        if it.kind() == "labeled_statement"
            && let Some(name) = it.child_by_field_name("label")
        {
            labels.push(source.text(name).to_owned());
        }
    });
    let own = labels.iter().position(|it| it == label)?;
    let other = labels[(own + 1) % labels.len()].clone();
    (other != label).then_some(other)
}
