//! Mutants and how they are made and applied.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tree_sitter::Node;
use twinrun_base::Location;

use crate::edits::is_subject;
use crate::fault::{Fault, fault};
use crate::operators::OPERATORS;
use crate::source::{Language, ParseError, Source, enclosing, walk};
use crate::types::Scope;

/// One change at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Stable within one version of the source: operator and place.
    pub id: String,
    /// The operator's name.
    pub operator: String,
    /// Where the changed text begins.
    pub location: Location,
    /// The line on which the changed text ends.
    pub last_line: u32,
    /// The changed bytes of the source.
    pub range: Range<usize>,
    /// What stood there.
    pub original: String,
    /// What stands there now.
    pub replacement: String,
    /// The function that it is in.
    pub function: String,
    /// The statement that is wrong now.
    pub fault: Fault,
}

impl Mutant {
    /// What changed, on one line: ``cnt < 0` → `cnt <= 0``.
    pub fn describe(&self) -> String {
        let short = |text: &str| {
            let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if line.chars().count() > 60 { line.chars().take(57).collect::<String>() + "…" } else { line }
        };
        match self.replacement.trim_matches([';', ' ']).is_empty() {
            true => format!("`{}` deleted", short(&self.original)),
            false => format!("`{}` → `{}`", short(&self.original), short(&self.replacement)),
        }
    }
}

/// An operator's proposal: replace a range by a text.
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) replacement: String,
}

impl Edit {
    pub(crate) fn node(node: Node<'_>, replacement: impl Into<String>) -> Edit {
        Edit { range: node.byte_range(), replacement: replacement.into() }
    }
}

/// All mutants of a source, in source order, relations and what they are made of left out; two operators that propose the same text make one mutant.
///
/// # Errors
/// When the parser does not understand the source.
pub fn mutants(text: &str, file: &str, language: Language) -> Result<Vec<Mutant>, ParseError> {
    let source = Source::parse(text, file, language)?;
    let scope = Scope::read(&source);
    let mut found: Vec<Mutant> = Vec::new();
    walk(source.tree.root_node(), &mut |node| {
        let Some(function) = enclosing(node, &["function_definition"]) else { return };
        if in_declarator_or_constant(node) || !is_subject(&source, function) {
            return;
        }
        for operator in OPERATORS {
            let mut edits = Vec::new();
            (operator.propose)(node, &source, &scope, &mut edits);
            for edit in edits {
                let original = source.slice(edit.range.clone());
                let known = found
                    .iter()
                    .rev()
                    .take(64)
                    .any(|it| it.range == edit.range && it.replacement == edit.replacement);
                if original != edit.replacement && !known {
                    found.push(mutant(&source, file, operator.name, edit, function));
                }
            }
        }
    });
    found.sort_by(|a, b| (a.range.start, a.range.end, &a.id).cmp(&(b.range.start, b.range.end, &b.id)));
    Ok(found)
}

/// The source with the mutant in it.
pub fn apply(text: &str, mutant: &Mutant) -> String {
    replaced(text, &mutant.range, &mutant.replacement)
}

fn replaced(text: &str, range: &Range<usize>, replacement: &str) -> String {
    [&text[..range.start], replacement, &text[range.end..]].concat()
}

/// Types, array sizes, case labels and static data must stay compilable and are no code.
pub(crate) fn in_declarator_or_constant(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "array_declarator" if parent.child_by_field_name("size") == Some(at) => return true,
            "case_statement" if parent.child_by_field_name("value") == Some(at) => return true,
            "enumerator"
            | "bitfield_clause"
            | "type_descriptor"
            | "struct_specifier"
            | "static_assert_declaration" => return true,
            "compound_statement" => return false,
            _ => at = parent,
        }
    }
    false
}

fn mutant(source: &Source<'_>, file: &str, operator: &str, edit: Edit, function: Node<'_>) -> Mutant {
    let position = |offset: usize| {
        let before = &source.text[..offset];
        let line = before.matches('\n').count() as u32 + 1;
        let column = (offset - before.rfind('\n').map_or(0, |at| at + 1)) as u32 + 1;
        (line, column)
    };
    let (line, column) = position(edit.range.start);
    let (last_line, _) = position(edit.range.end);
    let original = source.slice(edit.range.clone()).to_owned();
    let mutated = replaced(source.text, &edit.range, &edit.replacement);
    let fault = fault(source.tree.root_node(), &edit.range, &edit.replacement, &mutated);
    Mutant {
        id: format!("{operator}-{line}-{column}-{:08x}", fingerprint(&edit.replacement)),
        operator: operator.to_owned(),
        location: Location { file: file.to_owned(), line, column },
        last_line,
        range: edit.range,
        original,
        replacement: edit.replacement,
        function: function_name(source, function),
        fault,
    }
}

/// A small stable hash (FNV-1a), so that ids of different replacements at one place differ.
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

pub(crate) fn function_name(source: &Source<'_>, function: Node<'_>) -> String {
    let mut at = function.child_by_field_name("declarator");
    while let Some(node) = at {
        match node.child_by_field_name("declarator") {
            Some(inner) => at = Some(inner),
            None => return source.text(node).to_owned(),
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAXSUB: &str = "\
int maxsub(int *a, int n) {
    int ans = 0, cnt = 0;
    for (int i = 0; i < n; i++) {
        cnt += a[i];
        if (cnt < 0 || n > 9)
            cnt = 0;
        if (cnt > ans)
            ans = cnt;
    }
    return ans;
}
";

    fn found(operator: &str) -> Vec<String> {
        let all = mutants(MAXSUB, "maxsub.c", Language::C).unwrap();
        all.iter()
            .filter(|it| it.operator == operator)
            .map(|it| format!("{}: {}", it.location.line, it.describe()))
            .collect()
    }

    #[test]
    fn each_operator_finds_its_places() {
        assert!(found("relational").contains(&"5: `<` → `<=`".to_owned()), "{:?}", found("relational"));
        assert!(found("logical").contains(&"5: `||` → `&&`".to_owned()), "{:?}", found("logical"));
        assert!(found("arithmetic").contains(&"4: `+=` → `-=`".to_owned()), "{:?}", found("arithmetic"));
        assert!(found("constant").contains(&"6: `0` → `1`".to_owned()), "{:?}", found("constant"));
        assert!(found("off-by-one").contains(&"3: `n` → `(n - 1)`".to_owned()), "{:?}", found("off-by-one"));
        assert!(found("negated-condition").contains(&"7: `cnt > ans` → `!(cnt > ans)`".to_owned()));
        assert!(
            found("deleted-assignment").contains(&"6: `cnt = 0;` deleted".to_owned()),
            "{:?}",
            found("deleted-assignment")
        );
        assert!(
            found("deleted-statement").iter().any(|it| it.starts_with("5:")),
            "{:?}",
            found("deleted-statement")
        );
        assert!(
            found("wrong-variable").contains(&"8: `cnt` → `i`".to_owned()),
            "{:?}",
            found("wrong-variable")
        );
        assert!(
            found("wrong-index").contains(&"4: `i` → `(i + 1)`".to_owned()),
            "{:?}",
            found("wrong-index")
        );
    }

    #[test]
    fn every_mutant_parses_and_differs_from_all_others() {
        let all = mutants(MAXSUB, "maxsub.c", Language::C).unwrap();
        let texts: std::collections::BTreeSet<String> = all.iter().map(|it| apply(MAXSUB, it)).collect();
        assert_eq!(texts.len(), all.len());
        for (mutant, text) in all.iter().map(|it| (it, apply(MAXSUB, it))) {
            Source::parse(&text, "maxsub.c", Language::C)
                .unwrap_or_else(|error| panic!("{mutant:?}: {error}"));
        }
        let ids: std::collections::BTreeSet<&String> = all.iter().map(|it| &it.id).collect();
        assert_eq!(ids.len(), all.len());
    }

    #[test]
    fn jumps_are_exchanged() {
        let text = "void f(int n) { while (n) { if (n == 3) break; n--; } a: n = 1; b: if (n) goto a; }";
        let all = mutants(text, "f.c", Language::C).unwrap();
        let jumps: Vec<String> =
            all.iter().filter(|it| it.operator == "jump").map(Mutant::describe).collect();
        assert_eq!(jumps, ["`break;` → `continue;`", "`a` → `b`"]);
    }

    #[test]
    fn declarations_sizes_and_labels_are_left_alone() {
        let text = "enum { N = 3 }; int g = 4; void f(int x) { int a[8]; switch (x) { case 2: a[0] = 1; } }";
        let all = mutants(text, "f.c", Language::C).unwrap();
        assert!(all.iter().all(|it| !["3", "4", "8", "2"].contains(&it.original.as_str())), "{all:#?}");
    }

    #[test]
    fn a_file_that_cannot_be_parsed_is_an_error() {
        let error = mutants("int f() { return 1 +; }", "f.c", Language::C).unwrap_err();
        assert!(matches!(error, ParseError::Syntax { line: 1, .. }));
    }
}
