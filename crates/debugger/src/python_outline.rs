//! Outlines of Python programs, from their grammar.
//!
//! Debug adapters break at lines, so a statement counts only when it begins its line, and insertions are whole lines. In a function the
//! names that surely have a value are its parameters, at the top the variables that were assigned before.

use tree_sitter::{Node, Parser};

use crate::error::{Error, Result};
use crate::outline::{Gap, Joint, Literal, Outline, ParameterSite, Statement};

/// Inside of these a literal is a pattern, a type or part of a text, or stands where other names are in scope.
const FIXED: [&str; 7] = [
    "case_pattern",
    "type",
    "string",
    "decorator",
    "import_from_statement",
    "global_statement",
    "nonlocal_statement",
];

/// Expressions with a scope of their own: what they name of a function is captured.
const SCOPES: [&str; 5] =
    ["lambda", "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"];

/// Reads a program.
pub(crate) fn outline(source: &str) -> Result<Outline> {
    let unreadable = || Error::Program("it cannot be read".to_owned());
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).map_err(|_| unreadable())?;
    let tree = parser.parse(source, None).ok_or_else(unreadable)?;
    let mut reader = Reader { source, outline: Outline::default(), names: Vec::new() };
    reader.visit(tree.root_node(), Place::Top);
    reader.outline.joints.sort_unstable();
    reader.outline.joints.dedup();
    Ok(reader.outline)
}

/// What a piece of text belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Class,
    Function,
    /// In a function, in an expression with a scope of its own.
    Captured,
}

struct Reader<'s> {
    source: &'s str,
    outline: Outline,
    /// Names with a value here.
    names: Vec<String>,
}

impl Reader<'_> {
    fn visit(&mut self, node: Node<'_>, place: Place) {
        if node.is_error() || node.is_missing() || FIXED.contains(&node.kind()) {
            return;
        }
        match node.kind() {
            "function_definition" => return self.function(node, place),
            "class_definition" => {
                self.outline.joints.push((node.start_byte(), Joint::Class));
                let outer = std::mem::take(&mut self.names);
                self.children(node, Place::Class);
                self.names = outer;
                return;
            }
            "yield" | "await" => self.outline.joints.push((node.start_byte(), Joint::Suspension)),
            "for_statement" | "while_statement" => {
                self.outline.joints.push((node.start_byte(), Joint::Loop));
                self.inside(node, Joint::Body);
            }
            "except_clause" => self.inside(node, Joint::Catch),
            "pattern_list" | "tuple_pattern" => {
                self.outline.joints.push((node.start_byte(), Joint::Pattern));
            }
            "integer" => self.integer(node),
            "true" | "false" => self.boolean(node, place),
            kind if SCOPES.contains(&kind) && place == Place::Function => {
                return self.children(node, Place::Captured);
            }
            _ => {}
        }
        self.children(node, place);
    }

    fn children(&mut self, node: Node<'_>, place: Place) {
        let list = matches!(node.kind(), "module" | "block");
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        let statements = children.iter().filter(|child| child.kind() != "comment").count();
        for child in children {
            let counts = list && child.kind() != "comment";
            if counts {
                self.statement(child, statements > 1);
            }
            self.visit(child, place);
            if counts && node.kind() == "module" {
                self.assigned(child);
            }
        }
    }

    fn function(&mut self, node: Node<'_>, place: Place) {
        // Default values are computed outside, but only once: no name of the function is in scope there.
        let parameters = node.child_by_field_name("parameters");
        let mut names = Vec::new();
        if let Some(parameters) = parameters {
            let mut cursor = parameters.walk();
            let all: Vec<Node<'_>> = parameters.named_children(&mut cursor).collect();
            for parameter in &all {
                let name = match parameter.kind() {
                    "identifier" => Some(*parameter),
                    "typed_parameter" => parameter.named_child(0),
                    _ => parameter.child_by_field_name("name"),
                };
                let plain =
                    name.filter(|name| name.kind() == "identifier").map(|name| self.text(name).to_owned());
                names.extend(plain.filter(|name| name != "self"));
                if parameter.kind().contains("default") {
                    self.outline.joints.push((parameter.start_byte(), Joint::Default));
                }
            }
            let close = parameters.end_byte() - 1;
            let inner = &self.source[parameters.start_byte() + 1..close];
            if !inner.contains('*') && !parameters.has_error() {
                let after_another = !inner.trim().is_empty() && !inner.trim_end().ends_with(',');
                self.outline.parameters.push(ParameterSite { offset: close, after_another });
            }
        }
        let outer = std::mem::replace(&mut self.names, names);
        if let Some(body) = node.child_by_field_name("body") {
            let mut cursor = body.walk();
            if let Some(last) = body.named_children(&mut cursor).last() {
                self.outline.joints.push((last.start_byte(), Joint::End));
            }
            self.visit(body, if place == Place::Captured { place } else { Place::Function });
        }
        self.names = outer;
    }

    /// The statements of the block in a compound statement.
    fn inside(&mut self, node: Node<'_>, joint: Joint) {
        let mut cursor = node.walk();
        for block in node.named_children(&mut cursor).filter(|child| child.kind() == "block") {
            let mut cursor = block.walk();
            let starts = block.named_children(&mut cursor).filter(|child| child.kind() != "comment");
            self.outline.joints.extend(starts.map(|child| (child.start_byte(), joint)));
        }
    }

    /// A statement of a list: it counts where it begins its line and is no text that stands for documentation.
    fn statement(&mut self, node: Node<'_>, has_others: bool) {
        let (start, end) = (node.start_byte(), node.end_byte());
        let line = self.source[..start].rfind('\n').map_or(0, |at| at + 1);
        let begins = self.source[line..start].trim().is_empty();
        let inner = node.named_child(0);
        let says_nothing = node.kind() == "expression_statement"
            && inner.is_some_and(|inner| matches!(inner.kind(), "string" | "concatenated_string"));
        if !begins || says_nothing || node.has_error() {
            return;
        }
        let definition =
            node.child_by_field_name("definition").filter(|_| node.kind() == "decorated_definition");
        self.outline.starts.push(definition.map_or(start, |inner| inner.start_byte()));
        if node.parent().is_some_and(|parent| parent.kind() == "module") {
            self.outline.entry.get_or_insert(start);
        }
        // What a future import needs is to be first.
        if node.kind() != "future_import_statement" {
            self.outline.gaps.push(Gap {
                offset: line,
                new_line_first: false,
                readable: self.names.clone(),
                assignable: self.names.clone(),
                mentionable: self.names.clone(),
                local: Vec::new(),
                enclosing: Vec::new(),
            });
        }
        let changes_names = inner.is_some_and(|inner| {
            matches!(inner.kind(), "assignment" | "augmented_assignment" | "named_expression")
        });
        let ends_line = self.source[end..].lines().next().unwrap_or_default().trim().is_empty();
        if node.kind() == "expression_statement" && !changes_names && has_others && ends_line {
            self.outline.statements.push(Statement { range: start..end, declares: false, function: None });
        }
    }

    /// A variable of the top level that a statement assigns; one that is deleted somewhere is not known.
    fn assigned(&mut self, statement: Node<'_>) {
        let assignment = statement.named_child(0).filter(|inner| inner.kind() == "assignment");
        let name = assignment.and_then(|inner| {
            inner.child_by_field_name("left").filter(|_| inner.child_by_field_name("right").is_some())
        });
        let Some(name) = name.filter(|name| name.kind() == "identifier") else { return };
        let name = self.text(name).to_owned();
        if !self.source.contains(&format!("del {name}")) && !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    fn integer(&mut self, node: Node<'_>) {
        let text = self.text(node);
        let plain =
            text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
        if let (true, true, Ok(value)) = (plain, text.len() < 9, text.parse()) {
            let literal =
                Literal { range: node.byte_range(), value, readable: Vec::new(), enclosing: Vec::new() };
            self.outline.integers.push(literal);
        }
    }

    fn boolean(&mut self, node: Node<'_>, place: Place) {
        // At the top a name may stand for something else by the time a class is made or a function called.
        let readable = if place == Place::Function { self.names.clone() } else { Vec::new() };
        let value = node.kind() == "true";
        self.outline.booleans.push(Literal {
            range: node.byte_range(),
            value,
            readable,
            enclosing: Vec::new(),
        });
    }

    fn text(&self, node: Node<'_>) -> &str {
        &self.source[node.byte_range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines before which something can be inserted, each with the names known there.
    fn check(source: &str, expected: &[(&str, &[&str])]) -> Outline {
        let outline = outline(source).unwrap();
        let found: Vec<(&str, Vec<&str>)> = outline
            .gaps
            .iter()
            .map(|gap| {
                let line = source[gap.offset..].lines().next().unwrap_or_default().trim();
                (line, gap.readable.iter().map(String::as_str).collect())
            })
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            expected.iter().map(|(line, names)| (*line, names.to_vec())).collect();
        assert_eq!(found, expected);
        outline
    }

    #[test]
    fn gaps_stand_before_whole_statements_and_know_parameters() {
        let outline = check(
            "items = [\n    1,\n]\n\ndef f(a,\n      b=2):\n    'says'\n    if a:\n        return b\n    else:\n        return f(\n            1)\n",
            &[
                ("items = [", &[]),
                ("def f(a,", &["items"]),
                ("if a:", &["a", "b"]),
                ("return b", &["a", "b"]),
                ("return f(", &["a", "b"]),
            ],
        );
        assert_eq!((outline.entry, outline.parameters.len()), (Some(0), 1));
        assert_eq!(outline.integers.iter().map(|literal| literal.value).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn decorators_texts_and_one_line_blocks_stay_whole() {
        let outline = check(
            "@once\ndef g(*rest): return True\nfor x in 'a\\nb': print(f'{x:5}', 7)\n",
            &[("@once", &[]), ("for x in 'a\\nb': print(f'{x:5}', 7)", &[])],
        );
        assert_eq!(outline.parameters.len(), 0);
        assert_eq!(outline.integers.len(), 1);
        assert_eq!(outline.starts.len(), 2);
    }

    #[test]
    fn joints_are_where_debuggers_have_work_of_their_own() {
        let source = "def f(a=1):\n    try:\n        yield a\n    except ValueError:\n        pass\n";
        let kinds: Vec<Joint> = outline(source).unwrap().joints.iter().map(|(_, kind)| *kind).collect();
        for kind in [Joint::Default, Joint::Suspension, Joint::Catch, Joint::End] {
            assert!(kinds.contains(&kind), "{kind:?} in {kinds:?}");
        }
    }
}
