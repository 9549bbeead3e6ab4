//! PICT's text: parameters, `~` for invalid values, `(n)` for weights, `|` for aliases, `<Name>` to reuse
//! values, sub-models `{A, B} @ 3`, and constraints that end with `;`.

use super::{column, syntax};
use crate::error::{Error, Place};
use crate::expression::{Names, parse};
use crate::model::{Constraint, Mixed, Model, Parameter, Value};

/// Reads a model.
///
/// # Errors
/// With the place of the first thing that makes no sense.
pub fn read_pict(text: &str) -> Result<Model, Error> {
    let mut model = Model::default();
    let mut rules: Vec<(String, Place)> = Vec::new();
    let mut open: Option<(String, Place)> = None;
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let number = number + 1;
        let content = line.trim();
        if content.is_empty() && open.is_none() || content.starts_with('#') {
            continue;
        }
        if open.is_none() && content.starts_with('{') {
            groups.push((line, number));
        } else if open.is_none() && starts_parameter(content) {
            let parameter = parameter(line, number, &model)?;
            model.parameters.push(parameter);
        } else {
            let start = Place { line: number, column: column(line, content) };
            let (rule, _) = open.get_or_insert_with(|| (String::new(), start));
            // Keeping the line breaks keeps the places right.
            if rule.is_empty() {
                rule.push_str(content);
            } else {
                rule.push('\n');
                rule.push_str(line);
            }
            if content.ends_with(';') {
                rules.extend(open.take());
            }
        }
    }
    if let Some((_, place)) = open {
        return Err(Error::Syntax { place, message: "this constraint is never ended by `;`".to_owned() });
    }
    for (line, number) in groups {
        let mixed = submodel(line, number, &model)?;
        model.mixed.push(mixed);
    }
    for (text, place) in rules {
        for (text, place) in statements(&text, place) {
            let expression = parse(&text, place, Names::single(&model.parameters))?;
            let text = text.trim_end_matches(';').split_whitespace().collect::<Vec<_>>().join(" ");
            model.constraints.push(Constraint { text, expression, place });
        }
    }
    model.validate()?;
    Ok(model)
}

fn starts_parameter(content: &str) -> bool {
    let first = content.chars().next().unwrap_or(' ');
    let rest = content.get(2..).unwrap_or("").trim_start();
    let conditional = content.get(..2).is_some_and(|word| word.eq_ignore_ascii_case("if"))
        && (rest.starts_with(['[', '(']) || rest.to_lowercase().starts_with("not "));
    first != '[' && first != '(' && !conditional && content.contains(':')
}

/// Several statements may share lines; each ends at a `;` outside quotes.
fn statements(text: &str, start: Place) -> Vec<(String, Place)> {
    let mut out = Vec::new();
    let (mut from, mut quoted) = (0, false);
    for (at, c) in text.char_indices() {
        quoted ^= c == '"';
        if c == ';' && !quoted {
            let statement = &text[from..at];
            let skipped = from + statement.len() - statement.trim_start().len();
            let inner = Place::of(text, skipped);
            let column = if inner.line == 1 { start.column + inner.column - 1 } else { inner.column };
            if !statement.trim().is_empty() {
                out.push((text[skipped..at].to_owned(), Place { line: start.line + inner.line - 1, column }));
            }
            from = at + 1;
        }
    }
    out
}

fn parameter(line: &str, number: usize, model: &Model) -> Result<Parameter, Error> {
    let (name, list) = line.split_once(':').unwrap_or((line, ""));
    let name = name.trim().to_owned();
    if name.is_empty() {
        return syntax(number, 1, "this parameter has no name");
    }
    let mut values = Vec::new();
    for item in list.split(',') {
        let text = item.trim();
        if text.is_empty() {
            let what = if list.trim().is_empty() { "has no values" } else { "has an empty value" };
            return syntax(number, column(line, item), format!("parameter `{name}` {what}"));
        }
        if let Some(other) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
            let Some(other) = model.parameter(other.trim()) else {
                return syntax(number, column(line, text), format!("there is no parameter `{other}` above"));
            };
            values.extend(model.parameters[other].values.iter().cloned());
            continue;
        }
        let (text, invalid) = text.strip_prefix('~').map_or((text, false), |rest| (rest.trim(), true));
        let (text, weight) = weighted(text);
        let label = text.split('|').next().unwrap_or(text).trim();
        values.push(Value { weight, invalid, ..Value::plain(label) });
    }
    Ok(Parameter { name, values })
}

fn weighted(text: &str) -> (&str, u32) {
    let split = text.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    match split.and_then(|(label, weight)| Some((label.trim(), weight.trim().parse().ok()?))) {
        Some((label, weight)) if !label.is_empty() => (label, weight),
        _ => (text, 1),
    }
}

fn submodel(line: &str, number: usize, model: &Model) -> Result<Mixed, Error> {
    let parts = line.trim().trim_end_matches(';').split_once('}');
    let Some((names, strength)) = parts else {
        return syntax(number, 1, "this sub-model is never closed by `}`");
    };
    let strength_text = strength.trim().trim_start_matches('@').trim();
    let Ok(strength) = strength_text.parse() else {
        return syntax(number, column(line, strength), "expected `@` and a strength after the sub-model");
    };
    let mut parameters = Vec::new();
    for name in names.trim_start_matches('{').split(',') {
        match model.parameter(name.trim()) {
            Some(parameter) => parameters.push(parameter),
            None => {
                return syntax(
                    number,
                    column(line, name.trim()),
                    format!("there is no parameter `{}`", name.trim()),
                );
            }
        }
    }
    Ok(Mixed { parameters, strength })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(text: &str, message: &str) {
        assert_eq!(read_pict(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn a_whole_model_is_read() {
        let model = read_pict(
            "# disks\nSize: 10, 100 (5), ~-1\nFS: NTFS, FAT|fat32\nIf set: <FS>, none\n{Size, FS} @ 2\n\nIF [FS] = \"FAT\"\n  THEN [Size] <= 10; [Size] > 0 ;\n",
        )
        .unwrap();
        assert_eq!(model.parameters.len(), 3);
        assert!(model.parameters[0].values[2].invalid);
        assert_eq!(model.parameters[0].values[1].weight, 5);
        assert_eq!(model.parameters[2].values[1].label, "FAT");
        assert_eq!(model.mixed, [Mixed { parameters: vec![0, 1], strength: 2 }]);
        assert_eq!(model.constraints.len(), 2);
        assert_eq!(model.constraints[1].place, Place { line: 8, column: 22 });
    }

    #[test]
    fn errors_name_the_place() {
        fails("A: 1, 2\nB:\n", "line 2, column 3: parameter `B` has no values");
        fails("A: 1, 2\n[A] = 1 AND\n[C] = 2;\n", "line 3, column 1: there is no parameter `C`");
        fails("A: 1\nIF [A] = 1 THEN [A] = 2\n", "line 2, column 1: this constraint is never ended by `;`");
        fails("A: 1, 2, 1\n", "parameter `A` has the value `1` twice");
    }
}
