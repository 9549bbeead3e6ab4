//! Another field that the program uses.

use super::{Change, Kind};
use crate::source::walk;

/// More fields than this are not tried at one place.
const MOST: usize = 8;

pub(super) const KIND: Kind = Kind {
    name: "field",
    about: "another field that the file uses; the compiler tells whether the structure has it",
    weight: 0.7,
    propose: |at, changes| {
        if at.node.kind() != "field_identifier"
            || at.node.parent().is_none_or(|it| it.kind() != "field_expression")
        {
            return;
        }
        let own = at.source.text(at.node);
        let mut others: Vec<&str> = Vec::new();
        walk(at.source.tree.root_node(), &mut |node| {
            let text = at.source.text(node);
            if node.kind() == "field_identifier" && text != own && !others.contains(&text) {
                others.push(text);
            }
        });
        changes.extend(others.into_iter().take(MOST).map(|other| Change::node(at.node, other)));
    },
};
