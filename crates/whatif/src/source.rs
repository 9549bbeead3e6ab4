//! A parsed source file.

use std::ops::Range;

use tree_sitter::{Node, Parser, Tree};

/// The languages that mutants are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
}

impl Language {
    /// The language of a file, by its ending.
    pub fn of(file: &str) -> Option<Language> {
        match file.rsplit('.').next()? {
            "c" | "h" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "hpp" | "hh" => Some(Language::Cpp),
            _ => None,
        }
    }
}

/// The source cannot be mutated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The parser does not understand a place in it.
    #[error("{file}:{line}: the parser does not understand this place; mutants would be wrong around it")]
    Syntax {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// The grammar could not be loaded.
    #[error("the grammar cannot be used: {0}")]
    Grammar(String),
}

/// A source text with its syntax tree.
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    pub(crate) tree: Tree,
}

impl<'a> Source<'a> {
    pub(crate) fn parse(text: &'a str, file: &str, language: Language) -> Result<Source<'a>, ParseError> {
        let mut parser = Parser::new();
        let grammar = match language {
            Language::C => tree_sitter_c::LANGUAGE.into(),
            Language::Cpp => tree_sitter_cpp::LANGUAGE.into(),
        };
        parser.set_language(&grammar).map_err(|error| ParseError::Grammar(error.to_string()))?;
        let tree = parser.parse(text, None).ok_or_else(|| ParseError::Grammar("no tree".to_owned()))?;
        match first_error(tree.root_node()) {
            Some(node) => {
                Err(ParseError::Syntax { file: file.to_owned(), line: node.start_position().row + 1 })
            }
            None => Ok(Source { text, tree }),
        }
    }

    /// The text of a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &'a str {
        &self.text[node.byte_range()]
    }

    /// The text of a range.
    pub(crate) fn slice(&self, range: Range<usize>) -> &'a str {
        &self.text[range]
    }
}

/// The first place that the parser did not understand, inside functions; outside them nothing is mutated.
fn first_error(node: Node<'_>) -> Option<Node<'_>> {
    if !node.has_error() {
        return None;
    }
    let mut cursor = node.walk();
    let inside = node.children(&mut cursor).find_map(first_error);
    inside.or_else(|| {
        let broken = node.is_error() || node.is_missing();
        let mut parent = Some(node);
        let in_function = std::iter::from_fn(|| {
            let now = parent;
            parent = parent.and_then(|it| it.parent());
            now
        })
        .any(|it| it.kind() == "function_definition");
        (broken && in_function).then_some(node)
    })
}

/// Walks over all nodes below `node`, itself included, in source order.
pub(crate) fn walk<'t>(node: Node<'t>, visit: &mut impl FnMut(Node<'t>)) {
    visit(node);
    let mut cursor = node.walk();
    let children: Vec<Node<'t>> = node.children(&mut cursor).collect();
    for child in children {
        walk(child, visit);
    }
}

/// The nearest enclosing node of one of these kinds.
pub(crate) fn enclosing<'t>(node: Node<'t>, kinds: &[&str]) -> Option<Node<'t>> {
    let mut at = node.parent();
    while let Some(parent) = at {
        if kinds.contains(&parent.kind()) {
            return Some(parent);
        }
        at = parent.parent();
    }
    None
}
