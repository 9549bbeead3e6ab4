//! Another function with as many parameters.

use super::{Change, Kind};
use crate::source::walk;

/// More functions than this are not tried at one place.
const MOST: usize = 8;

pub(super) const KIND: Kind = Kind {
    name: "called-function",
    about: "another function of the file with as many parameters is called",
    weight: 0.5,
    propose: |at, changes| {
        let node = at.node;
        if node.kind() != "call_expression" {
            return;
        }
        let (Some(called), Some(arguments)) =
            (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
        else {
            return;
        };
        let own = at.source.text(called);
        let count = arguments.named_child_count();
        let mut others: Vec<&str> = Vec::new();
        walk(at.source.tree.root_node(), &mut |it| {
            if it.kind() != "function_declarator" {
                return;
            }
            let (Some(name), Some(parameters)) =
                (it.child_by_field_name("declarator"), it.child_by_field_name("parameters"))
            else {
                return;
            };
            let name_text = at.source.text(name);
            if name.kind() == "identifier"
                && parameters.named_child_count() == count
                && name_text != own
                && !others.contains(&name_text)
            {
                others.push(name_text);
            }
        });
        changes.extend(others.into_iter().take(MOST).map(|other| Change::node(called, other)));
    },
};
