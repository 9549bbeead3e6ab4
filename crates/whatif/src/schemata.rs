//! All edits of a file in one text (mutant schemata; Untch, Offutt and Harrold, 1993). A function with edits has its plain body and a switched one, chosen on
//! entry, so that code without edits keeps its speed and, with nothing switched on, everything is as it was.
//!
//! The alternative, a build for each edit, costs a compilation each: a hundred times more than running it.

use std::ops::Range;

use tree_sitter::Node;

use crate::edits::Edit;
use crate::source::{Language, ParseError, Source, walk};

/// How an edit is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    /// An expression is converted to the type of the one that it stands for, so that the others at its place keep theirs.
    Converted,
    /// As it is: for what cannot be converted, such as structures.
    Plain,
    /// Not at all: it does not compile.
    Dropped,
}

/// A text with switched edits.
pub struct Schemata {
    /// The text.
    pub text: String,
    /// What stands in front of the source: lines count from behind it.
    prefix: usize,
    /// Parts of it with the edits that an error there speaks of, outer ones first.
    regions: Vec<(Range<usize>, Vec<usize>)>,
    /// Edits that have no place where they could be switched.
    pub homeless: Vec<usize>,
}

impl Schemata {
    /// The edits that an error at this line and column (both from 1) speaks of; none outside of all edits.
    pub fn blamed(&self, line: usize, column: usize) -> Option<&[usize]> {
        let lines = self.text[self.prefix..].split_inclusive('\n');
        let begin: usize = lines.take(line.saturating_sub(1)).map(str::len).sum();
        let offset = self.prefix + begin + column.saturating_sub(1);
        let inside = self.regions.iter().filter(|(range, _)| range.contains(&offset));
        inside.min_by_key(|(range, _)| range.len()).map(|(_, edits)| edits.as_slice())
    }
}

/// The number that the subject sees for the edit with this index.
pub fn number(index: usize) -> usize {
    index + 1
}

/// Writes the edits with these indices into the text.
///
/// # Errors
/// When the parser does not understand the source.
pub fn schemata(
    text: &str,
    file: &str,
    language: Language,
    edits: &[(usize, &Edit, Writing)],
) -> Result<Schemata, ParseError> {
    let source = Source::parse(text, file, language)?;
    let root = source.tree.root_node();
    let mut out = Schemata { text: String::new(), prefix: 0, regions: Vec::new(), homeless: Vec::new() };
    let linkage = if language == Language::Cpp { "extern \"C\" " } else { "" };
    out.text += &format!(
        "{linkage}__attribute__((import_module(\"twinrun\"), import_name(\"edit\"))) int tw__edit(void);\n#line 1\n"
    );
    out.prefix = out.text.len();
    let live: Vec<_> = edits.iter().filter(|(_, _, writing)| *writing != Writing::Dropped).copied().collect();
    let mut position = 0;
    for function in live.chunk_by(|a, b| a.1.body == b.1.body) {
        let body = function[0].1.body.clone();
        // A function inside of another one.
        if body.start < position {
            out.homeless.extend(function.iter().map(|(index, ..)| *index));
            continue;
        }
        let mut hosts = Vec::new();
        for &(index, edit, writing) in function {
            match &edit.host {
                Some((range, form)) => add(&mut hosts, range.clone(), *form, index, edit, writing),
                None => out.homeless.push(index),
            }
        }
        // Outer places before inner ones; what is inserted stands before the statement that begins there.
        hosts.sort_by_key(|host: &Host<'_>| {
            (host.range.start, host.range.start != host.range.end, std::cmp::Reverse(host.range.end))
        });
        let indices: Vec<usize> = function.iter().map(|(index, ..)| *index).collect();
        let (Some(first), Some(last)) = (indices.iter().min(), indices.iter().max()) else { continue };
        out.text += &text[position..body.start];
        let begin = out.text.len();
        out.text += &format!(
            "{{ int tw__e = tw__edit(); if (tw__e >= {} && tw__e <= {}) ",
            number(*first),
            number(*last)
        );
        let mut writer =
            Writer { source: &source, language, labels: labels(&source, root, &body), out: &mut out };
        writer.write(body.clone(), &hosts);
        out.text += " else ";
        out.text += &text[body.clone()];
        out.text += " }";
        out.regions.push((begin..out.text.len(), indices));
        position = body.end;
    }
    out.text += &text[position..];
    Ok(out)
}

/// What is switched at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// Something stands before it.
    Insertion,
    /// Another statement.
    Statement,
    /// Another value.
    Expression,
}

/// A place with all edits that are switched there.
struct Host<'e> {
    range: Range<usize>,
    form: Form,
    edits: Vec<(usize, &'e Edit, Writing)>,
}

fn add<'e>(
    hosts: &mut Vec<Host<'e>>,
    range: Range<usize>,
    form: Form,
    index: usize,
    edit: &'e Edit,
    writing: Writing,
) {
    match hosts.iter_mut().find(|host| host.range == range && host.form == form) {
        Some(host) => host.edits.push((index, edit, writing)),
        None => hosts.push(Host { range, form, edits: vec![(index, edit, writing)] }),
    }
}

/// The smallest expression or statement around a replaced range whose value or effect can be chosen at run time.
pub(crate) fn host(
    root: Node<'_>,
    source: &Source<'_>,
    range: &Range<usize>,
    body: &Range<usize>,
) -> Option<(Range<usize>, Form)> {
    let mut at = root.named_descendant_for_byte_range(range.start, range.end);
    while let Some(node) = at {
        if node.byte_range() == *body {
            return None;
        }
        if is_value(node, source) {
            return Some((node.byte_range(), Form::Expression));
        }
        if is_effect(node) {
            return Some((node.byte_range(), Form::Statement));
        }
        at = node.parent();
    }
    None
}

/// Whether the node is an expression of which only the value counts.
fn is_value(node: Node<'_>, source: &Source<'_>) -> bool {
    let literal = ["identifier", "number_literal", "char_literal", "string_literal", "true", "false"];
    let expression = node.kind().ends_with("_expression")
        && !["parenthesized_expression", "sizeof_expression", "lambda_expression"].contains(&node.kind());
    let Some(parent) = node.parent().filter(|_| expression || literal.contains(&node.kind())) else {
        return false;
    };
    let field = |name: &str| parent.child_by_field_name(name) == Some(node);
    let sign = || parent.child_by_field_name("operator").map(|sign| source.text(sign));
    match parent.kind() {
        "assignment_expression" => !field("left"),
        "update_expression" | "template_argument_list" | "for_range_loop" => false,
        "pointer_expression" => sign() != Some("&"),
        "call_expression" => !field("function"),
        "field_expression" => field("argument") && sign() == Some("->"),
        "init_declarator" => field("value"),
        kind => !kind.ends_with("declarator") && kind != "parameter_declaration",
    }
}

/// Whether the node is a statement that another one may stand for.
fn is_effect(node: Node<'_>) -> bool {
    node.kind().ends_with("_statement")
        && !["case_statement", "labeled_statement", "compound_statement"].contains(&node.kind())
        || node.kind() == "for_range_loop"
}

/// The labels of a body: the switched one needs others.
fn labels(source: &Source<'_>, root: Node<'_>, body: &Range<usize>) -> Vec<String> {
    let mut labels = Vec::new();
    let Some(node) = root.descendant_for_byte_range(body.start, body.end) else { return labels };
    walk(node, &mut |node| {
        if node.kind() == "labeled_statement"
            && let Some(label) = node.child_by_field_name("label")
        {
            labels.push(source.text(label).to_owned());
        }
    });
    labels
}

struct Writer<'w, 's> {
    source: &'w Source<'s>,
    language: Language,
    labels: Vec<String>,
    out: &'w mut Schemata,
}

impl Writer<'_, '_> {
    /// Writes a part of the text, with the hosts in it.
    fn write(&mut self, range: Range<usize>, hosts: &[Host<'_>]) {
        let mut position = range.start;
        let mut rest = hosts;
        while let [host, others @ ..] = rest {
            let inner = others.iter().take_while(|it| it.range.start < host.range.end).count();
            self.copy(position..host.range.start);
            self.host(host, &others[..inner]);
            position = host.range.end;
            rest = &others[inner..];
        }
        self.copy(position..range.end);
    }

    fn host(&mut self, host: &Host<'_>, inner: &[Host<'_>]) {
        let begin = self.out.text.len();
        // One question where nothing is switched here: the edits of a place have neighbouring numbers.
        let (first, last) = (host.edits.first(), host.edits.last());
        let (Some((first, ..)), Some((last, ..))) = (first, last) else { return };
        let here = format!("tw__e >= {} && tw__e <= {}", number(*first), number(*last));
        match host.form {
            Form::Insertion => {
                self.out.text.push_str(&format!("if ({here}) {{ "));
                for (index, edit, _) in &host.edits {
                    let statement = edit.inserted.as_deref().unwrap_or_default();
                    self.variant(*index, &format!("if (tw__e == {}) {{ ", number(*index)), statement, " } ");
                }
                self.out.text.push_str("} ");
            }
            Form::Statement => {
                self.out.text.push_str(&format!("{{ if ({here}) {{ "));
                for (index, edit, _) in &host.edits {
                    let text = self.changed(host, edit);
                    self.variant(*index, &format!("if (tw__e == {}) {{ ", number(*index)), &text, " } else ");
                }
                self.out.text.push_str("{ } } else { ");
                self.write(host.range.clone(), inner);
                self.out.text.push_str(" } }");
            }
            Form::Expression => {
                self.out.text.push_str(&format!("({here} ? "));
                let original = self.source.slice(host.range.clone()).to_owned();
                for (place, (index, edit, writing)) in host.edits.iter().enumerate() {
                    let text = self.changed(host, edit);
                    let kind = match (self.language, writing) {
                        (Language::C, Writing::Converted) => {
                            format!("(__typeof__(0 ? ({original}) : ({original})))")
                        }
                        _ => String::new(),
                    };
                    // The last one is what is left.
                    let asked = match place + 1 < host.edits.len() {
                        true => format!("tw__e == {} ? {kind}(", number(*index)),
                        false => format!("{kind}("),
                    };
                    self.variant(*index, &asked, &text, ") : ");
                }
                self.out.text.push('(');
                self.write(host.range.clone(), inner);
                self.out.text.push_str("))");
            }
        }
        let edits = host.edits.iter().map(|(index, ..)| *index).collect();
        self.out.regions.push((begin..self.out.text.len(), edits));
    }

    /// The host's text with one edit in it.
    fn changed(&self, host: &Host<'_>, edit: &Edit) -> String {
        let before = self.source.slice(host.range.start..edit.range.start);
        [before, &edit.replacement, self.source.slice(edit.range.end..host.range.end)].concat()
    }

    fn variant(&mut self, index: usize, before: &str, text: &str, after: &str) {
        let begin = self.out.text.len();
        let text = self.labelled(text);
        self.out.text.push_str(before);
        self.out.text.push_str(&text);
        self.out.text.push_str(after);
        self.out.regions.push((begin..self.out.text.len(), vec![index]));
    }

    fn copy(&mut self, range: Range<usize>) {
        let text = self.labelled(self.source.slice(range));
        self.out.text.push_str(&text);
    }

    /// The text with labels of its own.
    fn labelled(&self, text: &str) -> String {
        if self.labels.is_empty() {
            return text.to_owned();
        }
        let mut out = String::new();
        let mut word = String::new();
        for letter in text.chars().chain(['\0']) {
            if letter.is_ascii_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            out.push_str(&word);
            if self.labels.contains(&word) {
                out.push_str("__tw");
            }
            word.clear();
            if letter != '\0' {
                out.push(letter);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::edits;

    const TEXT: &str = "int f(int a, int n) {\n    int r = 0;\n    again:\n    if (a < n) { r += a; a++; goto again; }\n    return r;\n}\n";

    #[test]
    fn what_is_written_parses_and_every_edit_is_in_it() {
        let all = edits(TEXT, "f.c", Language::C, &|_| true).unwrap();
        let indexed: Vec<_> =
            all.iter().enumerate().map(|(index, edit)| (index, edit, Writing::Converted)).collect();
        let schemata = schemata(TEXT, "f.c", Language::C, &indexed).unwrap();
        assert!(Source::parse(&schemata.text, "f.c", Language::C).is_ok(), "{}", schemata.text);
        for (index, edit) in all.iter().enumerate() {
            let there = schemata.regions.iter().any(|(_, edits)| *edits == [index]);
            assert!(there != schemata.homeless.contains(&index), "{edit:?}");
        }
        assert!(schemata.homeless.len() * 20 < all.len(), "{:?}", schemata.homeless);
        assert!(schemata.text.contains("goto again__tw;") && schemata.text.contains("goto again;"));
    }

    #[test]
    fn the_edits_of_a_place_have_neighbouring_numbers() {
        let all = edits(TEXT, "f.c", Language::C, &|_| true).unwrap();
        let mut seen = Vec::new();
        for place in all.chunk_by(|a, b| a.host == b.host) {
            assert!(!seen.contains(&&place[0].host), "{:?}", place[0]);
            seen.push(&place[0].host);
        }
    }

    #[test]
    fn an_error_is_blamed_on_the_smallest_part() {
        let all = edits(TEXT, "f.c", Language::C, &|_| true).unwrap();
        let indexed: Vec<_> =
            all.iter().enumerate().map(|(index, edit)| (index, edit, Writing::Plain)).collect();
        let schemata = schemata(TEXT, "f.c", Language::C, &indexed).unwrap();
        let own = |(_, edits): &&(Range<usize>, Vec<usize>)| *edits == [4];
        let place = schemata.regions.iter().find(own).unwrap().0.start;
        let line = schemata.text[schemata.prefix..place].matches('\n').count() + 1;
        let column = place - schemata.text[..place].rfind('\n').map_or(0, |at| at + 1) + 1;
        assert_eq!(schemata.blamed(line, column), Some(&[4usize][..]));
        assert_eq!(schemata.blamed(1, 3), None);
    }
}
