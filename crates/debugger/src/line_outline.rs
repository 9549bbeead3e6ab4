//! Outlines of C and Python programs, read line by line.
//!
//! Debug adapters know lines, not columns, so a statement counts only when it begins its line; insertions are whole lines.
//! What is not surely understood (continued lines, strings over lines, preprocessor lines) is left alone.

use crate::outline::{Gap, Literal, Outline, ParameterSite, Statement};
use crate::program::Language;

/// Reads a C program whose functions begin in the first column.
pub(crate) fn c(source: &str) -> Outline {
    let mut outline = Outline::default();
    let mut depth = 0usize;
    let mut in_function = false;
    // Variables that surely have a value, with the depth at which they were declared.
    let mut known: Vec<(String, usize)> = Vec::new();
    let mut complete = true;
    for (offset, line) in lines(source) {
        let text = line.trim();
        let starts_function = depth == 0 && text.ends_with('{') && text.contains('(');
        if starts_function {
            in_function = true;
            known = parameters(text).into_iter().map(|name| (name, 1)).collect();
        }
        let plain =
            !text.is_empty() && !text.starts_with('#') && !text.starts_with("//") && !text.starts_with('*');
        if in_function && depth > 0 && plain {
            let joined = ["else", "case ", "default", "}", "{"].iter().any(|word| text.starts_with(word));
            if complete && !joined {
                outline.starts.push(offset + line.len() - line.trim_start().len());
                let names: Vec<String> = known.iter().map(|(name, _)| name.clone()).collect();
                outline.gaps.push(gap(offset, names));
                if text.ends_with(';') && !declares_c(text) {
                    outline.statements.push(Statement {
                        range: offset..offset + line.len(),
                        declares: false,
                        function: None,
                    });
                }
            }
            if !text.starts_with("for") {
                known.extend(declared_c(text).map(|name| (name, depth)));
            }
            integers(offset, line, Language::C, &mut outline);
        }
        let (open, close) = braces(text);
        depth = (depth + open).saturating_sub(close);
        known.retain(|(_, at)| *at <= depth);
        if depth == 0 {
            in_function = false;
        }
        complete = !plain || text.ends_with([';', '{', '}']);
    }
    outline
}

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
        integers(offset, line, Language::Python, &mut outline);
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

const C_NUMBERS: [&str; 6] = ["int ", "long ", "unsigned ", "double ", "size_t ", "char "];

fn declares_c(text: &str) -> bool {
    C_NUMBERS.iter().any(|word| text.starts_with(word))
        || ["struct ", "const ", "static ", "return", "break", "continue", "goto"]
            .iter()
            .any(|word| text.starts_with(word))
}

/// Number variables that a C line declares with a value.
fn declared_c(text: &str) -> impl Iterator<Item = String> + '_ {
    let number = C_NUMBERS.iter().find(|word| text.starts_with(**word));
    let list = number.map_or("", |word| &text[word.len()..]);
    let simple = list.ends_with(';') && !list.contains(['(', '{', '[', '*', '"', '\'']);
    let list = if simple { list.trim_end_matches(';') } else { "" };
    list.split(',').filter_map(|part| {
        let (name, _) = part.split_once('=')?;
        let name = name.trim();
        is_name(name).then(|| name.to_owned())
    })
}

fn braces(text: &str) -> (usize, usize) {
    (text.matches('{').count(), text.matches('}').count())
}

fn brackets(text: &str) -> i32 {
    let count = |signs: &[char]| text.matches(signs).count() as i32;
    count(&['(', '[', '{']) - count(&[')', ']', '}'])
}

/// Decimal integer literals outside of strings and comments.
fn integers(offset: usize, line: &str, language: Language, outline: &mut Outline) {
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
            None if (byte == b'#' && language == Language::Python)
                || line[at..].starts_with("//") && language == Language::C =>
            {
                return;
            }
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
    fn c_gaps_stand_before_whole_statements_and_know_the_variables() {
        let source = "#include <stdio.h>\nint f(int a, int *p) {\n    int x = 1;\n    if (a)\n        x = 2;\n    else\n        x = 3;\n    return x;\n}\n";
        let outline = c(source);
        let lines: Vec<&str> =
            outline.gaps.iter().map(|gap| source[gap.offset..].lines().next().unwrap().trim()).collect();
        assert_eq!(lines, ["int x = 1;", "if (a)", "return x;"]);
        assert_eq!(outline.gaps[0].assignable, ["a"]);
        assert_eq!(outline.gaps[2].assignable, ["a", "x"]);
    }

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
