//! Outlines of C, C++, Rust and Go programs, from their grammars.
//!
//! Debug adapters break at lines, so a statement counts only when it begins its line, and insertions are whole lines. A variable counts
//! as known only where it is a plain number with a value: those can be named without effect in every one of these languages.

use tree_sitter::{Node, Parser};

use crate::error::{Error, Result};
use crate::outline::{Gap, Literal, Outline, Statement};
use crate::program::Language;

/// Words for what matters in a grammar.
struct Grammar {
    functions: &'static [&'static str],
    /// Lists of statements.
    blocks: &'static [&'static str],
    /// Names of number types.
    numbers: &'static [&'static str],
    /// Integer literals.
    integers: &'static [&'static str],
    /// Inside of these a literal cannot be an expression.
    fixed: &'static [&'static str],
    /// Statements that declare.
    declarations: &'static [&'static str],
}

const C: Grammar = Grammar {
    functions: &["function_definition", "lambda_expression"],
    blocks: &["compound_statement"],
    numbers: &["int", "long", "unsigned", "double", "size_t", "char", "short", "float"],
    integers: &["number_literal"],
    fixed: &[
        "case_statement",
        "array_declarator",
        "enumerator",
        "preproc_if",
        "preproc_def",
        "bitfield_clause",
        "template_argument_list",
    ],
    declarations: &[
        "declaration",
        "type_definition",
        "struct_specifier",
        "using_declaration",
        "alias_declaration",
    ],
};

const RUST: Grammar = Grammar {
    functions: &["function_item", "closure_expression"],
    blocks: &["block"],
    numbers: &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "usize", "isize", "f32", "f64", "bool"],
    integers: &["integer_literal"],
    fixed: &[
        "match_pattern",
        "array_type",
        "const_item",
        "static_item",
        "macro_invocation",
        "tuple_struct_pattern",
        "attribute_item",
        "field_expression",
        "range_pattern",
        "type_arguments",
    ],
    declarations: &[
        "let_declaration",
        "const_item",
        "static_item",
        "function_item",
        "struct_item",
        "impl_item",
        "use_declaration",
        "enum_item",
    ],
};

const GO: Grammar = Grammar {
    functions: &["function_declaration", "method_declaration", "func_literal"],
    blocks: &["block", "statement_list"],
    numbers: &[
        "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint32", "uint64", "float64", "bool",
        "byte",
    ],
    integers: &["int_literal"],
    fixed: &["array_type", "const_declaration", "expression_case"],
    declarations: &[
        "short_var_declaration",
        "var_declaration",
        "const_declaration",
        "type_declaration",
        "labeled_statement",
    ],
};

/// Reads a program.
pub(crate) fn outline(source: &str, language: Language) -> Result<Outline> {
    let (tongue, grammar): (tree_sitter::Language, &Grammar) = match language {
        Language::C => (tree_sitter_c::LANGUAGE.into(), &C),
        Language::Cpp => (tree_sitter_cpp::LANGUAGE.into(), &C),
        Language::Rust => (tree_sitter_rust::LANGUAGE.into(), &RUST),
        Language::Go => (tree_sitter_go::LANGUAGE.into(), &GO),
        Language::JavaScript | Language::Python => {
            return Err(Error::Program("this language is read in another way".to_owned()));
        }
    };
    let mut parser = Parser::new();
    let unreadable = || Error::Program("it cannot be read".to_owned());
    parser.set_language(&tongue).map_err(|_| unreadable())?;
    let tree = parser.parse(source, None).ok_or_else(unreadable)?;
    let mut reader = Reader {
        source,
        language,
        grammar,
        outline: Outline::default(),
        known: Vec::new(),
        in_function: false,
        in_main: false,
    };
    reader.visit(tree.root_node());
    let Outline { starts, gaps, .. } = &mut reader.outline;
    starts.sort_unstable();
    starts.dedup();
    gaps.sort_by_key(|gap| gap.offset);
    gaps.dedup_by_key(|gap| gap.offset);
    Ok(reader.outline)
}

struct Reader<'s> {
    source: &'s str,
    language: Language,
    grammar: &'static Grammar,
    outline: Outline,
    /// Numbers with a value, each with whether it may be assigned.
    known: Vec<(String, bool)>,
    in_function: bool,
    /// In the function that a program begins with.
    in_main: bool,
}

impl Reader<'_> {
    fn visit(&mut self, node: Node<'_>) {
        if node.is_error() || node.is_missing() || self.grammar.fixed.contains(&node.kind()) {
            return;
        }
        let outer = (self.known.len(), self.in_function);
        if self.grammar.functions.contains(&node.kind()) {
            // A function inside another sees none of its variables: naming one would capture it, and then it is shown.
            self.known.clear();
            self.in_main = !self.in_function
                && self.text(node).split('{').next().is_some_and(|head| head.contains(" main("));
            self.in_function = true;
            self.parameters(node);
        }
        let is_block = self.in_function && self.grammar.blocks.contains(&node.kind());
        if self.in_function && self.grammar.integers.contains(&node.kind()) {
            self.integer(node);
        }
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        for child in children {
            let statement = is_block
                && child.is_named()
                && !child.kind().contains("comment")
                && child.kind() != "statement_list"
                && !child.kind().starts_with("preproc");
            if statement {
                self.statement(child);
            }
            self.visit(child);
            if statement {
                self.declare(child);
            }
        }
        self.known.truncate(outer.0);
        self.in_function = outer.1;
    }

    /// A statement of a block: it counts where it begins its line.
    fn statement(&mut self, node: Node<'_>) {
        let (start, end) = (node.start_byte(), node.end_byte());
        let line = self.source[..start].rfind('\n').map_or(0, |at| at + 1);
        if !self.source[line..start].trim().is_empty() || node.has_error() {
            return;
        }
        self.outline.starts.push(start);
        if self.in_main && self.outline.entry.is_none() {
            self.outline.entry = Some(start);
        }
        let names: Vec<String> = self.known.iter().map(|(name, _)| name.clone()).collect();
        let assignable = self.known.iter().filter(|(_, may)| *may).map(|(name, _)| name.clone());
        self.outline.gaps.push(Gap {
            offset: line,
            new_line_first: false,
            readable: names.clone(),
            assignable: assignable.collect(),
            mentionable: names,
            local: Vec::new(),
            enclosing: Vec::new(),
        });
        // The value of a Rust block has no semicolon and cannot go.
        let value = self.language == Language::Rust && !self.source[start..end].ends_with([';', '}']);
        let rest = self.source[end..].lines().next().unwrap_or_default();
        if !value && rest.trim().is_empty() {
            self.outline.statements.push(Statement {
                range: line..end,
                declares: self.grammar.declarations.contains(&node.kind()),
                function: None,
            });
        }
    }

    fn text(&self, node: Node<'_>) -> &str {
        &self.source[node.byte_range()]
    }

    fn is_number(&self, node: Option<Node<'_>>) -> bool {
        node.is_some_and(|node| {
            self.text(node).split_whitespace().all(|word| self.grammar.numbers.contains(&word))
        })
    }

    fn parameters(&mut self, function: Node<'_>) {
        let mut found = Vec::new();
        let mut open = vec![function];
        while let Some(node) = open.pop() {
            let name = match node.kind() {
                "parameter_declaration" => {
                    node.child_by_field_name("declarator").or_else(|| node.child_by_field_name("name"))
                }
                "parameter" => node.child_by_field_name("pattern"),
                kind if self.grammar.blocks.contains(&kind) => continue,
                _ => {
                    let mut cursor = node.walk();
                    open.extend(node.named_children(&mut cursor));
                    continue;
                }
            };
            let plain = name.filter(|name| name.kind() == "identifier");
            if let (Some(name), true) = (plain, self.is_number(node.child_by_field_name("type"))) {
                found.push((self.text(name).to_owned(), self.language != Language::Rust));
            }
        }
        found.sort();
        self.known.extend(found);
    }

    /// The numbers that a statement declares with a value.
    fn declare(&mut self, node: Node<'_>) {
        let mut found = Vec::new();
        match node.kind() {
            "declaration" if self.is_number(node.child_by_field_name("type")) => {
                let mut cursor = node.walk();
                for part in node.children_by_field_name("declarator", &mut cursor) {
                    let name =
                        part.child_by_field_name("declarator").filter(|name| name.kind() == "identifier");
                    if let (Some(name), "init_declarator") = (name, part.kind()) {
                        let fixed = self.text(node).contains("const ");
                        found.push((self.text(name).to_owned(), !fixed));
                    }
                }
            }
            "let_declaration" => {
                let name = node.child_by_field_name("pattern").filter(|name| name.kind() == "identifier");
                let value = node.child_by_field_name("value");
                let number = self.is_number(node.child_by_field_name("type"))
                    || value.is_some_and(|value| {
                        matches!(value.kind(), "integer_literal" | "float_literal" | "boolean_literal")
                    });
                if let (Some(name), true, true) = (name, number, value.is_some()) {
                    found.push((self.text(name).to_owned(), self.text(node).starts_with("let mut ")));
                }
            }
            "short_var_declaration" => {
                let side = |field| {
                    let list: Option<Node<'_>> = node.child_by_field_name(field);
                    list.filter(|list| list.named_child_count() == 1).and_then(|list| list.named_child(0))
                };
                let number = side("right").is_some_and(|value| {
                    matches!(value.kind(), "int_literal" | "float_literal" | "true" | "false")
                });
                if let (Some(name), true) = (side("left"), number) {
                    found.push((self.text(name).to_owned(), true));
                }
            }
            _ => {}
        }
        // One that shadows another is the only one that can be named.
        self.known.retain(|(name, _)| found.iter().all(|(new, _)| new != name));
        self.known.extend(found);
    }

    fn integer(&mut self, node: Node<'_>) {
        let text = self.text(node);
        let plain =
            text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
        if let (true, true, Ok(value)) = (plain, text.len() < 9, text.parse()) {
            self.outline.integers.push(Literal {
                range: node.byte_range(),
                value,
                readable: Vec::new(),
                enclosing: Vec::new(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines before which something can be inserted, each with the variables known there.
    fn check(source: &str, language: Language, expected: &[(&str, &[&str])]) {
        let outline = outline(source, language).unwrap();
        let found: Vec<(&str, Vec<&str>)> = outline
            .gaps
            .iter()
            .map(|gap| {
                let line = source[gap.offset..].lines().next().unwrap_or_default().trim();
                (line, gap.assignable.iter().map(String::as_str).collect())
            })
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            expected.iter().map(|(line, names)| (*line, names.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_program_begins_with_the_first_statement_of_its_main_function() {
        let source =
            "int f(void) {\n    return 1;\n}\nint main(void) {\n    int x = f();\n    return x;\n}\n";
        assert_eq!(outline(source, Language::C).unwrap().entry, source.find("int x"));
        let library = "int f(void) {\n    return 1;\n}\n";
        assert_eq!(outline(library, Language::C).unwrap().entry, None);
    }

    #[test]
    fn gaps_stand_before_whole_statements_and_know_the_numbers() {
        check(
            "int f(int a, int *p)\n{\n    int x = 1;\n    if (a)\n        x = 2;\n    else\n        x = 3;\n    return x;\n}\n",
            Language::C,
            &[("int x = 1;", &["a"]), ("if (a)", &["a", "x"]), ("return x;", &["a", "x"])],
        );
        check(
            "fn f(a: i32) -> i32 {\n    let mut x = 1;\n    x += a;\n    x\n}\n",
            Language::Rust,
            &[("let mut x = 1;", &[]), ("x += a;", &["x"]), ("x", &["x"])],
        );
        check(
            "package main\nfunc f(a int) int {\n\tx := 1\n\treturn x + a\n}\n",
            Language::Go,
            &[("x := 1", &["a"]), ("return x + a", &["a", "x"])],
        );
    }
}
