//! Arrays as text: CSV, JSON, and the tab-separated form of PICT; and back again, so that any tool's array can
//! be checked.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::check::Verification;
use crate::error::{Error, Place};
use crate::generate::Array;
use crate::groups::{ConcreteStage, Group, Test, distinct};
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
        let values = shown(model, test);
        text.push_str(&csv_line(values.iter().map(String::as_str)));
    }
    text
}

/// The values of a test as text: a plain value as it is written in the model, so that `007` stays `007`.
fn shown(model: &Model, test: &Test) -> Vec<String> {
    let cells = test.values().zip(&test.row).zip(&model.parameters);
    cells
        .map(|((scalar, &value), parameter)| {
            let label = &parameter.values[value].label;
            if Scalar::parse(label) == *scalar { label.clone() } else { scalar.to_string() }
        })
        .collect()
}

/// One JSON object: what is known about the array, and its rows, each with the labels of its values as text and with the
/// values themselves, `null` for a class of values.
pub fn json(model: &Model, array: &Array) -> Value {
    let only = |row: &Vec<usize>| -> Vec<Option<Scalar>> {
        row.iter()
            .zip(&model.parameters)
            .map(|(&value, parameter)| parameter.values[value].set.only())
            .collect()
    };
    let rows: Vec<Value> = array.rows.iter().map(|row| json_row(model, row, &only(row))).collect();
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
    let counted = distinct(groups);
    value["groups"] = counted.iter().map(group).collect();
    value["ordered_groups"] = json!(groups.len());
    if let Some(stage) = stage {
        let values = |test: &Test| test.values().cloned().map(Some).collect::<Vec<_>>();
        value["tests"] = stage.tests.iter().map(|test| json_row(model, &test.row, &values(test))).collect();
        value["concrete"] = json!({ "met": stage.solved, "given_up": stage.given_up,
            "searches": { "found": stage.calls.0, "none": stage.calls.1 } });
    }
    value
}

/// What the checker found, with the missing combinations that it lists.
pub fn json_verification(model: &Model, rows: usize, strength: usize, found: &Verification) -> Value {
    let tuple = |tuple: &Vec<(usize, usize)>| {
        let cell = |&(parameter, value): &(usize, usize)| {
            let parameter = &model.parameters[parameter];
            (parameter.name.clone(), json!(parameter.values[value].label))
        };
        Value::Object(tuple.iter().map(cell).collect())
    };
    json!({ "missing_combinations": found.missing.iter().map(tuple).collect::<Vec<_>>(), "rows": rows, "strength": strength, "complete": found.complete(), "covered": found.covered,
        "infeasible": found.infeasible, "missing": found.missing_count, "broken_rows": found.broken.len() })
}

/// A row, or a test that was made of it: one shape for both.
fn json_row(model: &Model, row: &[usize], values: &[Option<Scalar>]) -> Value {
    let typed = |value: &Option<Scalar>| match value {
        Some(Scalar::Number(number)) if number.fract() == 0.0 && number.abs() < 9e15 => json!(*number as i64),
        value => json!(value),
    };
    let labels: Map<String, Value> = row
        .iter()
        .zip(&model.parameters)
        .map(|(&value, parameter)| (parameter.name.clone(), json!(parameter.values[value].label)))
        .collect();
    let values: Map<String, Value> = values
        .iter()
        .zip(&model.parameters)
        .map(|(value, parameter)| (parameter.name.clone(), typed(value)))
        .collect();
    json!({ "labels": labels, "values": values })
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
        order
            .push(parameter.ok_or_else(|| {
                syntax(1, at + 1, format!("cell {}: {}", at + 1, model.no_parameter(name)))
            })?);
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
            row[parameter] = value.ok_or_else(|| {
                syntax(line, at + 1, format!("cell {}: {}", at + 1, model.no_value(parameter, cell)))
            })?;
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Reads rows to begin with: CSV, tab-separated, or our own JSON. Columns may be missing, and an empty cell or `*` leaves a
/// value open.
///
/// # Errors
/// With the place of the first cell that is no value of its parameter.
pub fn read_seeds(model: &Model, text: &str) -> Result<Vec<Vec<Option<usize>>>, Error> {
    let mut records: Vec<(usize, Vec<(String, String)>)> = Vec::new();
    if text.trim_start().starts_with('{') {
        let wrong = |message: String| Error::Syntax { place: Place { line: 1, column: 1 }, message };
        let value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let rows = value["rows"].as_array().ok_or_else(|| wrong("there are no `rows`".to_owned()))?;
        for (at, row) in rows.iter().enumerate() {
            let labels =
                row["labels"].as_object().ok_or_else(|| wrong(format!("row {} has no `labels`", at + 1)))?;
            let cell =
                |(name, label): (&String, &Value)| (name.clone(), label.as_str().unwrap_or("").to_owned());
            records.push((at + 1, labels.iter().map(cell).collect()));
        }
    } else {
        let tabs = text.lines().next().is_some_and(|line| line.contains('\t'));
        let mut lines = self::records(text, tabs).into_iter();
        let header = lines.next().map(|(_, cells)| cells).unwrap_or_default();
        records.extend(lines.map(|(line, cells)| (line, header.iter().cloned().zip(cells).collect())));
    }
    let mut seeds = Vec::new();
    for (line, cells) in records {
        let mut seed = vec![None; model.parameters.len()];
        for (at, (name, label)) in cells.iter().enumerate() {
            let wrong = |message: String| Error::Syntax { place: Place { line, column: at + 1 }, message };
            let name = name.trim();
            let parameter = model.parameter(name).ok_or_else(|| wrong(model.no_parameter(name)))?;
            if label.is_empty() || label == "*" {
                continue;
            }
            let value = model
                .value(parameter, label)
                .or_else(|| model.value(parameter, label.trim_start_matches('~')));
            seed[parameter] = Some(value.ok_or_else(|| wrong(model.no_value(parameter, label)))?);
        }
        seeds.push(seed);
    }
    Ok(seeds)
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
        assert_eq!(json(&model, &array)["rows"][0]["labels"].as_object().unwrap().len(), 3);
    }

    #[test]
    fn labels_stay_text_and_typed_values_stand_beside_them() {
        let model = crate::readers::read_pict("A: 5.10, 5.1, 007, 7\nB: x, y\n").unwrap();
        let array = generate(&model, &Config::default()).unwrap();
        assert_eq!(array.rows.len(), 8);
        let value = json(&model, &array);
        let row =
            |label: &str| value["rows"].as_array().unwrap().iter().find(|row| row["labels"]["A"] == label);
        assert_eq!(row("5.10").unwrap()["values"]["A"], 5.1);
        assert_eq!(row("007").unwrap()["values"]["A"], 7);
        let stage = crate::groups::concretise(&model, &array.rows, &[], &mut crate::Random::new(1));
        assert!(csv_tests(&model, &stage.tests).contains("007,"));
        let report = json_report(&model, &array, Some(&stage), &[]);
        assert_eq!(report["tests"][0]["labels"], report["rows"][0]["labels"]);
    }

    #[test]
    fn rows_to_begin_with_are_read_from_every_form_and_completed() {
        let mut model = crate::readers::read_pict("A: 1, 2\nB: x, y\nC: 1, 2\n").unwrap();
        assert_eq!(read_seeds(&model, "B,A\ny,*\n").unwrap(), [vec![None, Some(1), None]]);
        assert_eq!(read_seeds(&model, "A\tB\tC\n2\tx\t1\n").unwrap(), [vec![Some(1), Some(0), Some(0)]]);
        assert!(read_seeds(&model, "A\n3\n").unwrap_err().to_string().contains("`A` has no value `3`"));
        model.seeds = read_seeds(&model, "B,A\ny,2\ny,\n").unwrap();
        let array = generate(&model, &Config::default()).unwrap();
        assert_eq!(array.rows[0][..2], [1, 1]);
        let again = read_seeds(&model, &json(&model, &array).to_string()).unwrap();
        assert_eq!(again.len(), array.rows.len());
    }

    #[test]
    fn a_wrong_cell_is_named() {
        let error = read_array(&model(), "n,m,\"a, b\"\n1,true,3\n7,true,3\n").unwrap_err().to_string();
        assert_eq!(error, "line 3, column 1: cell 1: `n` has no value `7`");
    }
}
