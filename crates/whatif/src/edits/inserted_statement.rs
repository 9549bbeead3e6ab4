//! A statement that was forgotten: a variable gets another's value or a constant, is counted up or down, a function or a loop is left.

use tree_sitter::Node;

use super::{At, Change, Kind, is_statement};
use crate::source::{Source, enclosing};

pub(super) const KIND: Kind = Kind {
    name: "inserted-statement",
    about: "`v = w;`, `v = c;`, `v++;`, `v--;`, `return v;`, `break;` or `continue;` before a statement, at the end of a block, or where nothing stands",
    weight: 0.9,
    propose: |at, changes| {
        let Some((statement, place)) = places(at) else { return };
        changes.extend(statements(at).into_iter().map(|inserted| place.put(statement, at.source, &inserted)));
    },
};

/// Where a statement may be put.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Before this place, directly in a block.
    Before(usize),
    /// Instead of a lone `;`.
    Empty,
    /// Before the only statement of a body, which becomes a block.
    Body,
}

impl Place {
    /// A statement, put here.
    pub(super) fn put(self, statement: Node<'_>, source: &Source<'_>, inserted: &str) -> Change {
        match self {
            Place::Before(place) => Change::Insert(place, inserted.to_owned()),
            Place::Empty => Change::node(statement, inserted),
            Place::Body => Change::node(statement, format!("{{ {inserted} {} }}", source.text(statement))),
        }
    }
}

/// Where something may be inserted at a node.
pub(super) fn places<'n>(at: &At<'n, '_>) -> Option<(Node<'n>, Place)> {
    let node = at.node;
    let parent = node.parent()?;
    if node.kind() == "expression_statement" && node.named_child_count() == 0 {
        return Some((node, Place::Empty));
    }
    // The end of a block: its closing bracket.
    if node.kind() == "}" && parent.kind() == "compound_statement" {
        return Some((node, Place::Before(node.start_byte())));
    }
    if !is_statement(node) {
        return None;
    }
    match parent.kind() {
        "compound_statement" | "case_statement" => Some((node, Place::Before(node.start_byte()))),
        "if_statement" | "else_clause" | "while_statement" | "for_statement" | "do_statement"
        | "for_range_loop" => {
            // `else if` is one thing to a reader.
            (parent.kind() != "else_clause" || node.kind() != "if_statement").then_some((node, Place::Body))
        }
        _ => None,
    }
}

/// More statements than this are not tried at one place.
const MOST: usize = 120;

fn statements(at: &At<'_, '_>) -> Vec<String> {
    let here = at.node.start_byte();
    let mut all = Vec::new();
    let variables = at.scope.assignable(here, at.function.byte_range());
    for (name, kind) in &variables {
        let integer = at.scope.is_integer(name, here);
        if integer {
            all.extend(["= 0;", "++;", "--;", "= 1;"].map(|text| match text.starts_with('=') {
                true => format!("{name} {text}"),
                false => format!("{name}{text}"),
            }));
        } else if kind.contains('*') || matches!(kind.as_str(), "double" | "float") {
            all.push(format!("{name} = 0;"));
        }
        let others = at.scope.alternatives(name, here);
        all.extend(others.iter().map(|other| format!("{name} = {other};")));
    }
    if enclosing(at.node, &["while_statement", "for_statement", "do_statement"]).is_some() {
        all.extend(["break;", "continue;"].map(str::to_owned));
    }
    let returned = at.function.child_by_field_name("type").map(|it| at.source.text(it).to_owned());
    match returned.as_deref() {
        Some("void") => all.push("return;".to_owned()),
        Some(returned) => {
            let same = variables.iter().filter(|(_, kind)| kind == returned);
            all.extend(same.map(|(name, _)| format!("return {name};")));
            all.extend(["return 0;", "return 1;"].map(str::to_owned));
        }
        None => {}
    }
    all.truncate(MOST);
    all
}
