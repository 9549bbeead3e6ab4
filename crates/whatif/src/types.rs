//! Which variables are visible where, and of which type: enough to exchange a variable for another of the same type.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Node;

use crate::source::{Source, enclosing, walk};

/// A declared variable.
#[derive(Debug)]
pub(crate) struct Variable {
    name: String,
    /// The type as written, with pointer and array marks: `int`, `int *`, `int []`.
    kind: String,
    /// Where it may be used: from its declaration to the end of its block.
    visible: Range<usize>,
}

/// All variables of a source.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    variables: Vec<Variable>,
}

impl Scope {
    pub(crate) fn read(source: &Source<'_>) -> Scope {
        let mut variables = Vec::new();
        walk(source.tree.root_node(), &mut |node| {
            if !matches!(node.kind(), "declaration" | "parameter_declaration") {
                return;
            }
            let Some(base) = node.child_by_field_name("type") else { return };
            let home = match node.kind() {
                "parameter_declaration" => enclosing(node, &["function_definition"]),
                _ => enclosing(
                    node,
                    &["compound_statement", "for_statement", "function_definition", "translation_unit"],
                ),
            };
            let Some(home) = home else { return };
            let mut cursor = node.walk();
            for declarator in node.children_by_field_name("declarator", &mut cursor) {
                if let Some((name, marks)) = declared(source, declarator) {
                    let kind = format!("{}{marks}", source.text(base));
                    variables.push(Variable { name, kind, visible: declarator.end_byte()..home.end_byte() });
                }
            }
        });
        Scope { variables }
    }

    /// Other variables of the same type that may stand where this identifier stands, by name.
    pub(crate) fn alternatives(&self, name: &str, at: usize) -> Vec<&str> {
        let inner = self.visible(at);
        let Some(own) = inner.get(name) else { return Vec::new() };
        inner
            .values()
            .filter(|other| other.kind == own.kind && other.name != name)
            .map(|other| other.name.as_str())
            .collect()
    }

    /// The innermost variables that are visible here, by name: the last declaration of a name that is visible.
    fn visible(&self, at: usize) -> BTreeMap<&str, &Variable> {
        let mut inner: BTreeMap<&str, &Variable> = BTreeMap::new();
        for variable in self.variables.iter().filter(|variable| variable.visible.contains(&at)) {
            inner.insert(&variable.name, variable);
        }
        inner
    }

    /// Whether a part of a function may stand at another place: what it uses of the function's variables is visible there too, and is the same.
    pub(crate) fn fits(&self, source: &Source<'_>, part: Node<'_>, at: usize) -> bool {
        let (here, there) = (self.visible(part.start_byte()), self.visible(at));
        let mut fits = true;
        walk(part, &mut |node| {
            if node.kind() == "identifier" {
                let name = source.text(node);
                let same = |one: &&Variable, other: &&Variable| std::ptr::eq(*one, *other);
                fits &= match (here.get(name), there.get(name)) {
                    (Some(one), Some(other)) => same(one, other),
                    (one, _) => one.is_none(),
                };
            }
        });
        fits
    }

    /// The plain integers that are visible here.
    pub(crate) fn integers(&self, at: usize) -> Vec<&str> {
        self.visible(at).into_keys().filter(|name| self.is_integer(name, at)).collect()
    }

    /// The variables of a function that are visible here and can be assigned to as a whole, with their types.
    pub(crate) fn assignable(&self, at: usize, function: Range<usize>) -> Vec<(&str, String)> {
        let own = |variable: &&&Variable| {
            function.contains(&variable.visible.start)
                && !variable.kind.contains("[]")
                && !variable.kind.starts_with("const ")
        };
        let visible = self.visible(at);
        visible.values().filter(own).map(|it| (it.name.as_str(), it.kind.clone())).collect()
    }

    /// Whether the name is a variable that holds a plain integer here.
    pub(crate) fn is_integer(&self, name: &str, at: usize) -> bool {
        const INTEGERS: [&str; 14] = [
            "int",
            "long",
            "short",
            "char",
            "unsigned",
            "size_t",
            "unsigned int",
            "unsigned char",
            "int32_t",
            "uint32_t",
            "int64_t",
            "uint8_t",
            "long long",
            "unsigned long",
        ];
        let own = self
            .variables
            .iter()
            .rev()
            .find(|variable| variable.name == name && variable.visible.contains(&at));
        own.is_some_and(|variable| INTEGERS.contains(&variable.kind.as_str()))
    }
}

/// The declared name and the marks that its declarator adds to the type; functions are no variables.
fn declared(source: &Source<'_>, node: Node<'_>) -> Option<(String, String)> {
    match node.kind() {
        "identifier" => Some((source.text(node).to_owned(), String::new())),
        "init_declarator" => declared(source, node.child_by_field_name("declarator")?),
        "pointer_declarator" => {
            let (name, marks) = declared(source, node.child_by_field_name("declarator")?)?;
            Some((name, format!(" *{marks}")))
        }
        "array_declarator" => {
            let (name, marks) = declared(source, node.child_by_field_name("declarator")?)?;
            Some((name, format!(" []{marks}")))
        }
        "reference_declarator" => declared(source, node.named_child(0)?),
        _ => None,
    }
}
