//! Arrays for people, in the terminal: a summary, a table, and what the checker found. The page is made in `page`.

use std::fmt::Write as _;

use crate::check::Verification;
use crate::generate::Array;
use crate::groups::{ConcreteStage, Group, distinct};
use crate::model::Model;
use crate::writers::{csv_tests, dead_text};

/// Everything about an array: summary, groups, and its rows, or its tests where they are concrete.
pub fn report(model: &Model, array: &Array, stage: Option<&ConcreteStage>, groups: &[Group]) -> String {
    let mut text = summary(model, array);
    let (found, none) = array.solver_calls;
    let _ = writeln!(text, "solver calls: {found} found a row, {none} found that there is none");
    if !model.relations.is_empty() {
        text.push_str(&groups_summary(model, array.rows.len(), groups));
    }
    match stage {
        Some(stage) => {
            let _ = writeln!(
                text,
                "concrete stage: {} groups met, {} given up; {} searches found values, {} found none\n",
                stage.solved, stage.given_up, stage.calls.0, stage.calls.1
            );
            text.push_str(&csv_tests(model, &stage.tests));
        }
        None => {
            text.push('\n');
            text.push_str(&table(model, &array.rows));
        }
    }
    text
}

/// One paragraph: size, coverage, lower bound, values that can never occur.
pub fn summary(model: &Model, array: &Array) -> String {
    let mut text = format!("{} rows at strength {}", array.rows.len(), array.strength);
    if array.uncovered == 0 {
        let _ = write!(text, " cover all {} feasible combinations", thousands(array.tuples));
    } else {
        let left = thousands(array.uncovered);
        let _ = write!(text, " leave {left} of {} feasible combinations uncovered", thousands(array.tuples));
    }
    match array.lower_bound {
        0 => text.push('\n'),
        bound => {
            let _ = writeln!(text, "; no array has fewer than {bound} rows");
        }
    }
    for &(parameter, value) in &array.dead {
        let _ = writeln!(text, "never occurs: {}", dead_text(model, parameter, value));
    }
    text
}

/// What the groups of an array are, relation by relation.
pub fn groups_summary(model: &Model, tests: usize, groups: &[Group]) -> String {
    let mut lonely = vec![true; tests];
    groups.iter().for_each(|group| group.tests.iter().for_each(|&test| lonely[test] = false));
    let alone = lonely.iter().filter(|alone| **alone).count();
    let counted = distinct(groups);
    let both = match groups.len() - counted.len() {
        0 => String::new(),
        both => format!(" ({both} of them both ways)"),
    };
    let mut text = format!("{} groups{both}; {alone} of {tests} tests are in none\n", counted.len());
    for (index, relation) in model.relations.iter().enumerate() {
        let own = counted.iter().filter(|group| group.relation == index).count();
        let _ = writeln!(text, "  {}: {own}", relation.name);
    }
    text
}

/// Rows as an aligned table, numbered from 1.
pub fn table(model: &Model, rows: &[Vec<usize>]) -> String {
    let mut lines: Vec<Vec<&str>> =
        vec![model.parameters.iter().map(|parameter| parameter.name.as_str()).collect()];
    lines.extend(rows.iter().map(|row| model.labels(row)));
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..model.parameters.len()).map(width).collect();
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let shown = if number == 0 { String::new() } else { number.to_string() };
        let _ = write!(text, "{shown:>5}");
        for (cell, width) in line.iter().zip(&widths) {
            let _ = write!(text, "  {cell:<width$}");
        }
        let kept = text.trim_end().len();
        text.truncate(kept);
        text.push('\n');
    }
    text
}

/// What the checker found, in words.
pub fn verification(model: &Model, rows: usize, strength: usize, found: &Verification) -> String {
    let mut text = format!(
        "{rows} rows: {} combinations covered, {} cannot occur, {} missing at strength {strength}\n",
        thousands(found.covered),
        thousands(found.infeasible),
        thousands(found.missing_count)
    );
    for &(row, constraint) in found.broken.iter().take(Verification::SHOWN) {
        let _ = writeln!(text, "row {} breaks `{}`", row + 1, model.constraints[constraint].text);
    }
    for row in found.mixed_invalid.iter().take(Verification::SHOWN) {
        let _ = writeln!(text, "row {} has two invalid values", row + 1);
    }
    for tuple in &found.missing {
        let parts: Vec<String> =
            tuple.iter().map(|&(parameter, value)| dead_text(model, parameter, value)).collect();
        let _ = writeln!(text, "missing: {}", parts.join(", "));
    }
    text
}

/// A number with commas between thousands.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::read_pict;

    #[test]
    fn a_small_array_is_shown_in_words() {
        let model = read_pict("A: <, 2\nB: 1, 22\n").unwrap();
        let array = Array {
            rows: vec![vec![0, 1], vec![1, 0]],
            strength: 2,
            tuples: 1234,
            lower_bound: 2,
            ..Array::default()
        };
        assert_eq!(
            summary(&model, &array),
            "2 rows at strength 2 cover all 1,234 feasible combinations; no array has fewer than 2 rows\n"
        );
        assert_eq!(table(&model, &array.rows), "       A  B\n    1  <  22\n    2  2  1\n");
    }
}
