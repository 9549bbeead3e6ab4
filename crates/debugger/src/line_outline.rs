//! Outlines of Python programs, read line by line.
//!
//! Debug adapters know lines, not columns, so a statement counts only when it begins its line; insertions are whole lines.
//! What is not surely understood (continued lines, strings over lines) is left alone.

use crate::outline::{Gap, Literal, Outline, ParameterSite, Statement};

/// Reads a Python program indented by spaces.
pub(crate) fn python(source: &str) -> Outline {
    let mut outline = Outline::default();
    let mut open = 0i32;
    let mut in_text = false;
    let mut decorated = false;
    // The enclosing definitions with their indentation and parameters.
    let mut definitions: Vec<(usize, Vec<String>)> = Vec::new();
    let mut top: Vec<String> = Vec::new();
    for (offset, line) in lines(source) {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        let continued = open > 0 || in_text;
        if line.matches("\"\"\"").count() % 2 == 1 {
            in_text = !in_text;
        }
        if continued || in_text || text.is_empty() || text.starts_with('#') {
            open += brackets(text);
            continue;
        }
        definitions.retain(|(at, _)| *at < indent);
        let joined = ["else", "elif", "except", "finally", "case "].iter().any(|word| text.starts_with(word));
        let doc = text.starts_with(['"', '\'', '@']);
        if !joined && !doc {
            outline.starts.push(offset + indent);
            if indent == 0 {
                outline.entry.get_or_insert(offset);
            }
            if !decorated {
                let names = match definitions.last() {
                    Some((_, parameters)) => parameters.clone(),
                    // Inside a class or a compound statement at the top, names of the program are still its own.
                    None => top.clone(),
                };
                outline.gaps.push(gap(offset, names));
            }
            let simple = !text.ends_with(':') && brackets(text) == 0;
            if simple && !text.contains('=') && !text.starts_with("return") && !text.starts_with("import") {
                outline.statements.push(Statement {
                    range: offset + indent..offset + line.len(),
                    declares: false,
                    function: None,
                });
            }
        }
        decorated = text.starts_with('@');
        if text.starts_with("def ") && text.ends_with(':') {
            let names = parameters(text);
            let star = text.contains('*');
            definitions.push((indent, names.clone()));
            if let (Some(close), false) = (line.rfind("):").or_else(|| line.rfind(") ->")), star) {
                outline
                    .parameters
                    .push(ParameterSite { offset: offset + close, after_another: !names.is_empty() });
            }
        } else if text.starts_with("class ") && text.ends_with(':') {
            definitions.push((indent, Vec::new()));
        } else if indent == 0
            && let Some((name, _)) = text.split_once(" = ")
            && is_name(name)
        {
            top.push(name.to_owned());
        }
        integers(offset, line, &mut outline);
        booleans(offset, line, definitions.last().map(|(_, names)| names), &mut outline);
        open += brackets(text);
    }
    outline
}

fn gap(offset: usize, names: Vec<String>) -> Gap {
    Gap {
        offset,
        new_line_first: false,
        readable: names.clone(),
        assignable: names.clone(),
        mentionable: names,
        local: Vec::new(),
        enclosing: Vec::new(),
    }
}

fn lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = 0;
    source.split_inclusive('\n').map(move |line| {
        let start = offset;
        offset += line.len();
        (start, line.trim_end_matches('\n'))
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// The plain parameters of a definition on one line.
fn parameters(text: &str) -> Vec<String> {
    let (Some(open), Some(close)) = (text.find('('), text.rfind(')')) else { return Vec::new() };
    if close < open {
        return Vec::new();
    }
    text[open + 1..close]
        .split(',')
        .filter(|part| !part.contains(['*', '[', '(']))
        .filter_map(|part| {
            let name = part.split(['=', ':']).next().unwrap_or_default().trim();
            let name = name.rsplit(' ').next().unwrap_or_default();
            (is_name(name) && name != "void" && name != "self").then(|| name.to_owned())
        })
        .collect()
}

fn brackets(text: &str) -> i32 {
    let count = |signs: &[char]| text.matches(signs).count() as i32;
    count(&['(', '[', '{']) - count(&[')', ']', '}'])
}

/// Decimal integer literals outside of strings and comments.
fn integers(offset: usize, line: &str, outline: &mut Outline) {
    let bytes = line.as_bytes();
    let mut at = 0;
    let mut quote = None;
    while at < bytes.len() {
        let byte = bytes[at];
        match quote {
            Some(mark) => {
                if byte == b'\\' {
                    at += 1;
                } else if byte == mark {
                    quote = None;
                }
            }
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            None if byte == b'#' => return,
            None if byte.is_ascii_digit() => {
                let end = at
                    + bytes[at..]
                        .iter()
                        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'.')
                        .count();
                let before = at.checked_sub(1).map_or(b' ', |index| bytes[index]);
                let text = &line[at..end];
                let plain = text.bytes().all(|byte| byte.is_ascii_digit())
                    && (text.len() == 1 || !text.starts_with('0'));
                if plain
                    && !before.is_ascii_alphanumeric()
                    && before != b'_'
                    && before != b'.'
                    && text.len() < 9
                {
                    outline.integers.push(Literal {
                        range: offset + at..offset + end,
                        value: text.parse().unwrap_or(0),
                        readable: Vec::new(),
                        enclosing: Vec::new(),
                    });
                }
                at = end;
                continue;
            }
            None if byte.is_ascii_alphabetic() || byte == b'_' => {
                at += bytes[at..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
                    .count();
                continue;
            }
            None => {}
        }
        at += 1;
    }
}

/// `True` and `False` of a Python line without strings.
fn booleans(offset: usize, line: &str, names: Option<&Vec<String>>, outline: &mut Outline) {
    if line.contains(['"', '\'', '#']) || line.trim_start().starts_with("def ") {
        return;
    }
    for (word, value) in [("True", true), ("False", false)] {
        for (at, _) in line.match_indices(word) {
            let is_word = |index: Option<usize>| {
                index
                    .and_then(|index| line.as_bytes().get(index))
                    .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
            };
            if !is_word(at.checked_sub(1)) && !is_word(Some(at + word.len())) {
                outline.booleans.push(Literal {
                    range: offset + at..offset + at + word.len(),
                    value,
                    readable: names.cloned().unwrap_or_default(),
                    enclosing: Vec::new(),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_gaps_avoid_continued_lines_and_clauses() {
        let source = "items = [\n    1,\n]\n\ndef f(a, b=2):\n    if a:\n        return b\n    else:\n        return f(\n            1)\n";
        let outline = python(source);
        let lines: Vec<&str> =
            outline.gaps.iter().map(|gap| source[gap.offset..].lines().next().unwrap().trim()).collect();
        assert_eq!(lines, ["items = [", "def f(a, b=2):", "if a:", "return b", "return f("]);
        assert_eq!(outline.gaps[3].readable, ["a", "b"]);
        assert_eq!(outline.parameters.len(), 1);
        assert_eq!(outline.integers.iter().map(|literal| literal.value).collect::<Vec<_>>(), [2]);
    }
}
