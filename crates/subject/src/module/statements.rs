//! Branch statements: which source statement a branch belongs to.
//!
//! The line table gives a branch the column of an operator, a keyword or a closing brace; published measures count
//! statements. So the source is parsed, and the branch belongs to the innermost statement around its position: an `if`,
//! `while`, `for`, `do`, `switch` or `match` for its condition, otherwise the simple statement (`return a && b;` is one).
//! Where the source is not at hand, all branches of a line are one statement.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::{Language, Node, Parser, Point, Tree};
use twinrun_base::sites::{Place, Sites, Statement};

use crate::roots::Roots;

/// Fills [`Sites::statements`] and the statement of every branch.
pub(super) fn group(sites: &mut Sites, roots: &Roots, c_files: &BTreeSet<u32>) {
    let mut trees: BTreeMap<u32, Option<Tree>> = BTreeMap::new();
    let mut first_columns: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for place in sites.branches.iter().filter_map(|branch| branch.place) {
        let first = first_columns.entry((place.file, place.line)).or_insert(place.column);
        *first = place.column.min(*first);
    }
    let mut known: BTreeMap<Place, u32> = BTreeMap::new();
    for branch in &mut sites.branches {
        let Some(place) = branch.place else { continue };
        let tree = trees.entry(place.file).or_insert_with(|| {
            let shown = sites.files.get(place.file as usize)?;
            parse(shown, &roots.read(shown)?, c_files.contains(&place.file))
        });
        let start = tree.as_ref().and_then(|tree| statement_at(tree, place)).unwrap_or_else(|| Place {
            column: first_columns.get(&(place.file, place.line)).copied().unwrap_or(place.column),
            ..place
        });
        let statements = &mut sites.statements;
        branch.statement = Some(*known.entry(start).or_insert_with(|| {
            statements.push(Statement { place: start });
            statements.len() as u32 - 1
        }));
    }
}

fn parse(path: &str, source: &[u8], is_c: bool) -> Option<Tree> {
    let language: Language = if path.ends_with(".rs") {
        tree_sitter_rust::LANGUAGE.into()
    } else if is_c {
        tree_sitter_c::LANGUAGE.into()
    } else {
        tree_sitter_cpp::LANGUAGE.into()
    };
    let mut parser = Parser::new();
    parser.set_language(&language).ok()?;
    parser.parse(source, None)
}

/// Nodes that are statements by themselves.
const STATEMENTS: [&str; 22] = [
    "if_statement",
    "while_statement",
    "for_statement",
    "for_range_loop",
    "do_statement",
    "switch_statement",
    "expression_statement",
    "return_statement",
    "declaration",
    "throw_statement",
    "goto_statement",
    "co_return_statement",
    "if_expression",
    "while_expression",
    "for_expression",
    "match_expression",
    "loop_expression",
    "let_declaration",
    "const_item",
    "static_item",
    "static_assert_declaration",
    "condition_declaration",
];

/// Nodes that hold statements; what stands directly inside one (the value of a block in Rust) counts as a statement.
const HOLDERS: [&str; 9] = [
    "block",
    "compound_statement",
    "translation_unit",
    "source_file",
    "case_statement",
    "match_arm",
    "else_clause",
    "declaration_list",
    "field_declaration_list",
];

/// Where the innermost statement around `place` starts.
fn statement_at(tree: &Tree, place: Place) -> Option<Place> {
    let row = place.line.checked_sub(1)? as usize;
    let column = place.column.checked_sub(1)? as usize;
    let mut node = tree
        .root_node()
        .descendant_for_point_range(Point { row, column }, Point { row, column: column + 1 })?;
    loop {
        if STATEMENTS.contains(&node.kind()) {
            return Some(start(place, &node));
        }
        let parent = node.parent()?;
        if HOLDERS.contains(&parent.kind()) && !is_outside(&node) {
            return Some(start(place, &node));
        }
        node = parent;
    }
}

/// Whether a node directly inside a holder belongs to what is around it: the braces of a loop's body carry the loop's own
/// branch, and a pattern that of its `match`.
fn is_outside(node: &Node<'_>) -> bool {
    matches!(
        node.kind(),
        "}" | "{" | "match_pattern" | "block" | "compound_statement" | "match_arm" | "=>" | "else"
    )
}

fn start(place: Place, node: &Node<'_>) -> Place {
    let Point { row, column } = node.start_position();
    Place { file: place.file, line: row as u32 + 1, column: column as u32 + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `source` has marks `<n>` before positions; all marks with the same number must fall into the same statement.
    fn check(path: &str, source: &str) {
        let (mut plain, mut marks) = (String::new(), Vec::new());
        let mut rest = source;
        while let Some(open) = rest.find('‹') {
            plain.push_str(&rest[..open]);
            let close = rest.find('›').expect("a mark is closed");
            let line = plain.matches('\n').count() as u32 + 1;
            let column = (plain.len() - plain.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1;
            marks.push((rest[open + '‹'.len_utf8()..close].to_owned(), Place { file: 0, line, column }));
            rest = &rest[close + '›'.len_utf8()..];
        }
        plain.push_str(rest);
        let tree = parse(path, plain.as_bytes(), path.ends_with(".c")).expect("the grammar loads");
        let mut starts: BTreeMap<String, Place> = BTreeMap::new();
        for (mark, place) in marks {
            let found = statement_at(&tree, place).unwrap_or_else(|| panic!("no statement at mark {mark}"));
            let expected = *starts.entry(mark.clone()).or_insert(found);
            assert_eq!(found, expected, "mark {mark} in\n{plain}");
        }
        let distinct: BTreeSet<Place> = starts.values().copied().collect();
        assert_eq!(distinct.len(), starts.len(), "{starts:?}");
    }

    #[test]
    fn the_branches_of_a_condition_are_one_statement() {
        check(
            "a.c",
            "int f(int a, int b) {\n  ‹1›if (a ‹1›&& b ‹1›||\n ‹1›a) return ‹2›a && ‹2›b;\n else ‹3›if (‹3›b) a = ‹4›a ? 1 : 2;\n return 0; }",
        );
    }

    #[test]
    fn loops_keep_their_head_and_give_away_their_body() {
        check(
            "a.c",
            "void f(int n) { ‹1›for (int i = 0; i ‹1›< n; ‹1›i++) { ‹2›while (n > 3 ‹2›&& n) n--; ‹3›do { n++; ‹3›} while (n ‹3›< 4); } }",
        );
    }

    #[test]
    fn a_relation_and_its_macros_are_read() {
        check(
            "a.c",
            "RELATION(reverse) {\n int a[6];\n ‹1›for (int i = 0; ‹1›i < n; i++) a[i] = ‹2›i ? 1 : 2;\n ‹3›CHECK_EQ(‹3›x, y);\n}",
        );
    }

    #[test]
    fn lambdas_and_range_loops_of_cpp_are_told_apart() {
        check(
            "a.cpp",
            "int f(std::vector<int>& v) { ‹1›for (int x ‹1›: v) { ‹2›if (x) g([&](int y) { ‹3›return y ‹3›> x && y; }); } ‹4›return v.size() ‹4›? 1 : 2; }",
        );
    }

    #[test]
    fn rust_expressions_are_statements_where_they_stand_alone() {
        check(
            "a.rs",
            "fn f(a: i32, b: i32) -> bool { ‹1›if a > 0 ‹1›&& b > 0 { ‹2›let c = a ‹2›|| b; }\n ‹3›match ‹3›a { ‹3›0 => ‹4›a > 0 ‹4›&& b > 0, _ => true } }",
        );
    }
}
