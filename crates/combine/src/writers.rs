//! Arrays as text: CSV, JSON, and the tab-separated form of PICT; and back again, so that any tool's array can
//! be checked.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::check::Verification;
use crate::error::{Error, Place};
use crate::generate::Array;
use crate::groups::{ConcreteStage, Group, Test};
use crate::model::Model;
use crate::value::Scalar;

/// A header and one line a row; cells with commas, quotes or line breaks are quoted.
pub fn csv(model: &Model, rows: &[Vec<usize>]) -> String {
    let names = model.parameters.iter().map(|parameter| parameter.name.as_str());
    let mut text = csv_line(names);
    rows.iter().for_each(|row| text.push_str(&csv_line(model.labels(row).into_iter())));
    text
}

/// The same with concrete values.
pub fn csv_tests(model: &Model, tests: &[Test]) -> String {
    let mut text = csv_line(model.parameters.iter().map(|parameter| parameter.name.as_str()));
    for test in tests {
        let values: Vec<String> = test.values().map(ToString::to_string).collect();
        text.push_str(&csv_line(values.iter().map(String::as_str)));
    }
    text
}

/// One JSON object: what is known about the array, and its rows as objects by parameter.
pub fn json(model: &Model, array: &Array) -> Value {
    let rows: Vec<Value> = array.rows.iter().map(|row| Value::Object(json_row(model, row))).collect();
    json!({
        "strength": array.strength,
        "size": array.rows.len(),
        "lower_bound": array.lower_bound,
        "tuples": array.tuples,
        "uncovered": array.uncovered,
        "dead": array.dead.iter().map(|&(p, v)| dead_text(model, p, v)).collect::<Vec<_>>(),
        "solver_calls": { "found": array.solver_calls.0, "none": array.solver_calls.1 },
        "rows": rows,
    })
}

/// The same with the groups that were found and, where there is one, the concrete stage.
pub fn json_report(model: &Model, array: &Array, stage: Option<&ConcreteStage>, groups: &[Group]) -> Value {
    let mut value = json(model, array);
    let group =
        |group: &Group| json!({ "relation": model.relations[group.relation].name, "tests": group.tests });
    value["groups"] = groups.iter().map(group).collect();
    if let Some(stage) = stage {
        let cells = |test: &Test| test.values().map(|value| json!(value)).collect::<Value>();
        value["tests"] = stage.tests.iter().map(cells).collect();
        value["concrete"] = json!({ "met": stage.solved, "given_up": stage.given_up,
            "searches": { "found": stage.calls.0, "none": stage.calls.1 } });
    }
    value
}

/// What the checker found.
pub fn json_verification(rows: usize, strength: usize, found: &Verification) -> Value {
    json!({ "rows": rows, "strength": strength, "complete": found.complete(), "covered": found.covered,
        "infeasible": found.infeasible, "missing": found.missing_count, "broken_rows": found.broken.len() })
}

fn json_row(model: &Model, row: &[usize]) -> Map<String, Value> {
    let cell = |(&value, parameter): (&usize, &crate::model::Parameter)| {
        let value = &parameter.values[value];
        let shown = match value.set.only() {
            Some(Scalar::Number(number)) if Scalar::parse(&value.label) == Scalar::Number(number) => {
                if number.fract() == 0.0 && number.abs() < 9e15 {
                    json!(number as i64)
                } else {
                    json!(number)
                }
            }
            _ => json!(value.label),
        };
        (parameter.name.clone(), shown)
    };
    row.iter().zip(&model.parameters).map(cell).collect()
}

/// How a value that can never occur is named.
pub fn dead_text(model: &Model, parameter: usize, value: usize) -> String {
    let parameter = &model.parameters[parameter];
    format!("{} = {}", parameter.name, parameter.values[value].label)
}

/// PICT's own output: tab-separated, the header first, invalid values with `~`.
pub fn pict(model: &Model, rows: &[Vec<usize>]) -> String {
    let names: Vec<&str> = model.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let mut text = names.join("\t") + "\n";
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&model.parameters)
            .map(|(&value, parameter)| {
                let value = &parameter.values[value];
                format!("{}{}", if value.invalid { "~" } else { "" }, value.label)
            })
            .collect();
        let _ = writeln!(text, "{}", cells.join("\t"));
    }
    text
}

/// Reads an array back: CSV or tab-separated, with a header that names every parameter in any order.
///
/// # Errors
/// With the place of the first cell that is no value of its parameter.
pub fn read_array(model: &Model, text: &str) -> Result<Vec<Vec<usize>>, Error> {
    let tabs = text.lines().next().is_some_and(|line| line.contains('\t'));
    let mut lines = records(text, tabs).into_iter();
    let syntax = |line: usize, column: usize, message: String| Error::Syntax {
        place: Place { line, column },
        message,
    };
    let Some((_, header)) = lines.next() else { return Err(syntax(1, 1, "the array is empty".to_owned())) };
    let mut order = Vec::new();
    for (at, name) in header.iter().enumerate() {
        let parameter = model.parameter(name);
        order.push(
            parameter.ok_or_else(|| {
                syntax(1, at + 1, format!("cell {}: there is no parameter `{name}`", at + 1))
            })?,
        );
    }
    if let Some(missing) = (0..model.parameters.len()).find(|parameter| !order.contains(parameter)) {
        return Err(syntax(
            1,
            1,
            format!("there is no column for parameter `{}`", model.parameters[missing].name),
        ));
    }
    let mut rows = Vec::new();
    for (line, cells) in lines {
        if cells.len() != order.len() {
            return Err(syntax(
                line,
                1,
                format!("{} cells, where the header has {}", cells.len(), order.len()),
            ));
        }
        let mut row = vec![0; model.parameters.len()];
        for (at, (cell, &parameter)) in cells.iter().zip(&order).enumerate() {
            let value =
                model.value(parameter, cell).or_else(|| model.value(parameter, cell.trim_start_matches('~')));
            let name = &model.parameters[parameter].name;
            row[parameter] = value.ok_or_else(|| {
                syntax(line, at + 1, format!("cell {}: `{name}` has no value `{cell}`", at + 1))
            })?;
        }
        rows.push(row);
    }
    Ok(rows)
}

fn csv_line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let quote = |cell: &str| {
        if cell.contains([',', '"', '\n', '\r', '\t']) || cell != cell.trim() {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    };
    cells.map(quote).collect::<Vec<_>>().join(",") + "\n"
}

/// Splits a text into records of cells, each with the line that it starts on.
fn records(text: &str, tabs: bool) -> Vec<(usize, Vec<String>)> {
    let separator = if tabs { '\t' } else { ',' };
    let mut records = Vec::new();
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let (mut line, mut start) = (1, 1);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        line += usize::from(c == '\n');
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                cell.push('"');
                chars.next();
            }
            '"' if quoted || cell.is_empty() && !tabs => quoted = !quoted,
            '\r' if !quoted => {}
            '\n' if !quoted => {
                cells.push(std::mem::take(&mut cell));
                if cells.len() > 1 || !cells[0].is_empty() {
                    records.push((start, std::mem::take(&mut cells)));
                }
                cells.clear();
                start = line;
            }
            c if c == separator && !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    if !cell.is_empty() || !cells.is_empty() {
        cells.push(cell);
        records.push((start, cells));
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Config, generate};
    use crate::readers::read_toml;

    fn model() -> Model {
        read_toml(
            "[[parameters]]\nname = \"a, b\"\nvalues = ['x, \"y\"', \" spaced\", 3]\n[[parameters]]\nname = \"n\"\nvalues = [1, 2]\n[[parameters]]\nname = \"m\"\nvalues = [true, false]\n",
        )
        .unwrap()
    }

    #[test]
    fn values_with_commas_and_quotes_survive_the_way_there_and_back() {
        let model = model();
        let array = generate(&model, &Config::default()).unwrap();
        let text = csv(&model, &array.rows);
        assert!(text.starts_with("\"a, b\",n,m\n"), "{text}");
        assert_eq!(read_array(&model, &text).unwrap(), array.rows);
        assert_eq!(read_array(&model, &pict(&model, &array.rows)).unwrap(), array.rows);
        assert_eq!(json(&model, &array)["rows"][0].as_object().unwrap().len(), 3);
    }

    #[test]
    fn a_wrong_cell_is_named() {
        let error = read_array(&model(), "n,m,\"a, b\"\n1,true,3\n7,true,3\n").unwrap_err().to_string();
        assert_eq!(error, "line 3, column 1: cell 1: `n` has no value `7`");
    }
}
