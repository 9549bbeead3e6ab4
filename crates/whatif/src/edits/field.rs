//! Another field that the program uses.

use tree_sitter::Node;

use super::{Change, Kind};
use crate::source::{Source, enclosing, walk};

/// More fields than this are not tried at one place.
const MOST: usize = 8;

pub(super) const KIND: Kind = Kind {
    name: "field",
    about: "another field of the structure",
    weight: 0.7,
    propose: |at, changes| {
        if at.node.kind() != "field_identifier"
            || at.node.parent().is_none_or(|it| it.kind() != "field_expression")
        {
            return;
        }
        let own = at.source.text(at.node);
        let mut others: Vec<&str> = Vec::new();
        let parent = at.node.parent().and_then(|it| it.child_by_field_name("argument"));
        let of = parent.map(|it| at.source.text(it));
        walk(at.source.tree.root_node(), &mut |node| {
            let mut add = |text| {
                if text != own && !others.contains(&text) {
                    others.push(text);
                }
            };
            match node.kind() {
                // The structure is declared here.
                "field_declaration_list" => {
                    let fields = fields(node, at.source);
                    if fields.contains(&own) {
                        fields.into_iter().for_each(add);
                    }
                }
                // Or what the same expression is used with tells some of it.
                "field_expression" => {
                    let child = |name: &str| node.child_by_field_name(name).map(|it| at.source.text(it));
                    if let (true, Some(field)) = (child("argument") == of, child("field")) {
                        add(field);
                    }
                }
                _ => {}
            }
        });
        changes.extend(others.into_iter().take(MOST).map(|other| Change::node(at.node, other)));
    },
};

/// The fields of one structure, those of structures in it left out.
fn fields<'s>(list: Node<'_>, source: &Source<'s>) -> Vec<&'s str> {
    let mut fields = Vec::new();
    walk(list, &mut |node| {
        if node.kind() == "field_identifier" && enclosing(node, &["field_declaration_list"]) == Some(list) {
            fields.push(source.text(node));
        }
    });
    fields
}
