//! Another function with as many parameters.

use tree_sitter::Node;

use super::{Change, Kind};
use crate::source::{Source, walk};

/// More functions than this are not tried at one place.
const MOST: usize = 8;

pub(super) const KIND: Kind = Kind {
    name: "called-function",
    about: "another function that is declared above, with as many parameters of the same types, is called",
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
        // What is declared of functions above: their types, as far as the text tells.
        let mut declared: Vec<(&str, String)> = Vec::new();
        walk(at.source.tree.root_node(), &mut |it| {
            if it.kind() != "function_declarator" || it.start_byte() > node.start_byte() {
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
                && declared.iter().all(|(known, _)| *known != name_text)
            {
                declared.push((name_text, signature(it, parameters, at.source)));
            }
        });
        let known = declared.iter().find(|(name, _)| *name == own).map(|(_, types)| types.clone());
        let fits = |types: &String| known.as_ref().is_none_or(|known| known == types);
        let others =
            declared.iter().filter(|(name, types)| *name != own && fits(types)).map(|(name, _)| *name);
        changes.extend(others.take(MOST).map(|other| Change::node(called, other)));
    },
};

/// The types of a function's result and parameters, as written.
fn signature(declarator: Node<'_>, parameters: Node<'_>, source: &Source<'_>) -> String {
    let mut cursor = parameters.walk();
    let mut types: Vec<String> = Vec::new();
    // Pointers that the function gives stand between its type and its name.
    let mut outer = declarator.parent();
    while let Some(pointer) = outer.filter(|it| it.kind() == "pointer_declarator") {
        types.push("*".to_owned());
        outer = pointer.parent();
    }
    types.extend(outer.and_then(|it| it.child_by_field_name("type")).map(|it| source.text(it).to_owned()));
    for parameter in parameters.named_children(&mut cursor) {
        let mut kind = parameter.child_by_field_name("type").map_or("", |it| source.text(it)).to_owned();
        walk(parameter, &mut |node| {
            if matches!(
                node.kind(),
                "pointer_declarator" | "array_declarator" | "abstract_pointer_declarator"
            ) {
                kind.push('*');
            }
        });
        types.push(kind);
    }
    types.join(",")
}
