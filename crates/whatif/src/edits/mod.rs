//! Edits: small changes of the source text that might fix a fault, one file a kind. The mutation operators propose too: what breaks a program may fix it.

mod added_condition;
mod any_variable;
mod called_function;
mod copied_constant;
mod dropped_part;
mod field;
mod inserted_copy;
mod inserted_statement;
mod one_more;
mod swapped;

use std::collections::BTreeSet;
use std::ops::Range;

use serde::Serialize;
use tree_sitter::Node;

use crate::mutant::Edit as Proposal;
use crate::mutant::{function_name, in_declarator_or_constant};
use crate::operators::OPERATORS;
use crate::schemata::{Form, host};
use crate::source::{Language, ParseError, Source, enclosing, walk};
use crate::types::Scope;

/// A kind of edit.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// How often, among repairs that satisfy everything, one of this kind is the one that is meant: a weight, not a probability.
    pub weight: f64,
    /// Its proposals at one node of the tree.
    propose: fn(&At<'_, '_>, &mut Vec<Change>),
}

/// All kinds beside the mutation operators.
pub const KINDS: &[Kind] = &[
    any_variable::KIND,
    copied_constant::KIND,
    one_more::KIND,
    dropped_part::KIND,
    added_condition::KIND,
    swapped::KIND,
    field::KIND,
    called_function::KIND,
    inserted_statement::KIND,
    inserted_copy::KIND,
];

/// The weight of what a mutation operator proposes.
const OPERATOR: f64 = 1.2;

/// The same where it deletes, and of edits that leave a function or a loop, or fix a condition for good: what takes something away satisfies weak relations
/// too easily (Qi, Long, Achour and Rinard, 2015, on repairs that only delete).
const TAKES_AWAY: f64 = 0.4;

/// How much likelier something is missing where a condition guards nothing.
const GUARDS_NOTHING: f64 = 4.0;

/// A node with what is known around it.
struct At<'n, 's> {
    node: Node<'n>,
    source: &'n Source<'s>,
    scope: &'n Scope,
    /// The function definition around it.
    function: Node<'n>,
}

/// What is proposed.
enum Change {
    /// Another text for a range.
    Replace(Range<usize>, String),
    /// A statement before what stands here, which is directly in a block.
    Insert(usize, String),
}

impl Change {
    fn node(node: Node<'_>, text: impl Into<String>) -> Change {
        Change::Replace(node.byte_range(), text.into())
    }
}

/// One edit of one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edit {
    /// Its kind, or the mutation operator.
    pub kind: &'static str,
    /// The function that it is in.
    pub function: String,
    /// The bytes that are replaced; none for an insertion.
    pub range: Range<usize>,
    /// What stands there then.
    pub replacement: String,
    /// The line to look at, from 1: of what is changed, or before an insertion.
    pub line: u32,
    /// The line with code behind an insertion, if there is one in its block.
    #[serde(skip)]
    pub behind: Option<u32>,
    /// See [`Kind::weight`].
    #[serde(skip)]
    pub weight: f64,
    /// The definition that it is in.
    #[serde(skip)]
    pub(crate) body: Range<usize>,
    /// A statement that is inserted.
    #[serde(skip)]
    pub(crate) inserted: Option<String>,
    /// Where it can be switched, if anywhere.
    #[serde(skip)]
    pub(crate) host: Option<(Range<usize>, Form)>,
}

impl Edit {
    /// The source with the edit in it.
    pub fn apply(&self, text: &str) -> String {
        [&text[..self.range.start], &self.replacement, &text[self.range.end..]].concat()
    }

    /// What it does, on one line: ``i < n` → `i <= n``, `insert `cnt = 0;``.
    pub fn describe(&self, text: &str) -> String {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let original = line(&text[self.range.clone()]);
        match &self.inserted {
            Some(statement) => format!("insert `{}`", line(statement)),
            None if self.replacement.trim_matches([';', ' ']).is_empty() => format!("delete `{original}`"),
            None => format!("`{original}` → `{}`", line(&self.replacement)),
        }
    }
}

/// All edits of the functions of a source, on lines that `wanted` names, in the order of the functions.
///
/// # Errors
/// When the parser does not understand the source.
pub fn edits(
    text: &str,
    file: &str,
    language: Language,
    wanted: &dyn Fn(u32) -> bool,
) -> Result<Vec<Edit>, ParseError> {
    let source = Source::parse(text, file, language)?;
    let scope = Scope::read(&source);
    let mut found: Vec<Edit> = Vec::new();
    let mut known: BTreeSet<(usize, usize, String)> = BTreeSet::new();
    walk(source.tree.root_node(), &mut |node| {
        let Some(function) = enclosing(node, &["function_definition"]) else { return };
        let Some(body) = function.child_by_field_name("body") else { return };
        // What stands outside of the body, or in a function inside of it, is not this function's code.
        if node.start_byte() < body.start_byte()
            || !is_subject(&source, function)
            || in_declarator_or_constant(node)
            || enclosing(node, &["sizeof_expression", "preproc_def", "preproc_function_def"]).is_some()
        {
            return;
        }
        let at = At { node, source: &source, scope: &scope, function };
        let missing = if guards_nothing(node) { GUARDS_NOTHING } else { 1.0 };
        let mut propose = |kind: &'static str, weight: f64, changes: Vec<Change>| {
            let weight = weight * missing;
            for change in changes {
                let (range, replacement, inserted) = match change {
                    Change::Replace(range, text) => (range, text, None),
                    Change::Insert(place, statement) => {
                        (place..place, placed(source.text, place, &statement), Some(statement))
                    }
                };
                let (line, behind) = match inserted {
                    Some(_) => around(node),
                    // A lone `;` is not run: what it belongs to is.
                    None if is_empty(node) => {
                        (node.parent().unwrap_or(node).start_position().row as u32 + 1, None)
                    }
                    None => (line_of(text, range.start), None),
                };
                let takes_away = inserted.as_deref().map_or_else(
                    || {
                        replacement.trim_matches([';', ' ']).is_empty()
                            || is_condition(node) && matches!(replacement.as_str(), "0" | "1")
                    },
                    |text| ["return", "break", "continue"].iter().any(|jump| text.starts_with(jump)),
                );
                let weight = if takes_away { weight * TAKES_AWAY } else { weight };
                if (wanted(line) || behind.is_some_and(wanted))
                    && source.slice(range.clone()) != replacement
                    && known.insert((range.start, range.end, replacement.clone()))
                {
                    let host = match inserted {
                        Some(_) => Some((range.clone(), Form::Insertion)),
                        None => host(source.tree.root_node(), &source, &range, &body.byte_range()),
                    };
                    found.push(Edit {
                        kind,
                        function: function_name(&source, function),
                        range,
                        replacement,
                        line,
                        behind,
                        weight,
                        body: body.byte_range(),
                        inserted,
                        host,
                    });
                }
            }
        };
        for operator in OPERATORS {
            let mut proposals: Vec<Proposal> = Vec::new();
            (operator.propose)(node, &source, &scope, &mut proposals);
            let changes = proposals.into_iter().map(|it| Change::Replace(it.range, it.replacement)).collect();
            propose(operator.name, OPERATOR, changes);
        }
        for kind in KINDS {
            let mut changes = Vec::new();
            (kind.propose)(&at, &mut changes);
            propose(kind.name, kind.weight, changes);
        }
    });
    // Those that are switched at one place have neighbouring numbers.
    found.sort_by_key(|edit| {
        let host = edit.host.as_ref().map(|(range, form)| (range.start, *form, range.end));
        (edit.body.start, host, edit.range.start, edit.range.end)
    });
    Ok(found)
}

/// Relations and what they are made of are no part of the subject: the parser takes `RELATION(name)` for a name in brackets.
pub(crate) fn is_subject(source: &Source<'_>, function: Node<'_>) -> bool {
    const OURS: [&str; 6] = ["RUN(", "CHECK", "ASSUME(", "OUTPUT(", "GIVEN(", "tw_"];
    let text = source.text(function);
    !function_name(source, function).starts_with('(') && !OURS.iter().any(|word| text.contains(word))
}

fn line_of(text: &str, offset: usize) -> u32 {
    text[..offset].matches('\n').count() as u32 + 1
}

/// The lines around an insertion before a node of a block: of the statement before it, or of what the block belongs to, and of the statement that follows.
fn around(node: Node<'_>) -> (u32, Option<u32>) {
    let line = |node: Node<'_>| node.start_position().row as u32 + 1;
    let mut before = node.prev_named_sibling();
    // Comments and directives are not run.
    let is_code = |node: &Node<'_>| node.kind() != "comment" && !node.kind().starts_with("preproc");
    while let Some(other) = before.filter(|it| !is_code(it)) {
        before = other.prev_named_sibling();
    }
    let header = || node.parent().and_then(|block| block.parent().or(Some(block)));
    let first = before.or_else(header).unwrap_or(node);
    (line(first), (node.kind() != "}").then(|| line(node)))
}

/// Whether the node is the empty body of an `if` or `else`, or what closes it: comments and directives do nothing.
fn guards_nothing(node: Node<'_>) -> bool {
    let guarded =
        |body: Node<'_>| body.parent().is_some_and(|it| matches!(it.kind(), "if_statement" | "else_clause"));
    let block = node.parent().filter(|it| node.kind() == "}" && it.kind() == "compound_statement");
    match block {
        Some(block) => {
            let mut cursor = block.walk();
            let does = |it: Node<'_>| it.kind() != "comment" && !it.kind().starts_with("preproc");
            guarded(block) && !block.named_children(&mut cursor).any(does)
        }
        None => is_empty(node) && guarded(node),
    }
}

/// Whether the node is a lone `;`.
fn is_empty(node: Node<'_>) -> bool {
    node.kind() == "expression_statement" && node.named_child_count() == 0
}

/// A statement as it is written before a place: on a line of its own where the place begins a line.
fn placed(text: &str, place: usize, statement: &str) -> String {
    let begin = text[..place].rfind('\n').map_or(0, |at| at + 1);
    let indent = &text[begin..place];
    if !indent.chars().all(char::is_whitespace) {
        return format!("{statement} ");
    }
    match text[place..].starts_with('}') {
        true => format!("    {statement}\n{indent}"),
        false => format!("{statement}\n{indent}"),
    }
}

/// Whether a node is a use of a variable: no declaration, no called function, no name of a field.
fn is_use(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let declares = parent.kind().ends_with("declarator") && parent.child_by_field_name("value") != Some(node);
    let called = parent.kind() == "call_expression" && parent.child_by_field_name("function") == Some(node);
    node.kind() == "identifier" && !(declares || called || parent.kind() == "parameter_declaration")
}

/// The condition that a node is, of an `if` or a loop.
fn is_condition(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    match parent.kind() {
        "parenthesized_expression" | "condition_clause" => {
            parent.parent().is_some_and(|it| it.child_by_field_name("condition") == Some(parent))
                && node.is_named()
        }
        "for_statement" => parent.child_by_field_name("condition") == Some(node),
        _ => false,
    }
}

/// Statements that stand for themselves: what may be moved, copied, guarded.
fn is_statement(node: Node<'_>) -> bool {
    const STATEMENTS: [&str; 11] = [
        "expression_statement",
        "return_statement",
        "if_statement",
        "while_statement",
        "for_statement",
        "for_range_loop",
        "do_statement",
        "switch_statement",
        "break_statement",
        "continue_statement",
        "goto_statement",
    ];
    STATEMENTS.contains(&node.kind())
}
