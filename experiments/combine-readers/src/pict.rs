//! Models with what the real PICT made of each: compared in both directions.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use twinrun_combine::expression::{Cell, Expression};
use twinrun_combine::readers::{PictOptions, read_pict_with};
use twinrun_combine::{Config, Constraint, Model, differences, generate};

/// One model and what PICT made of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub seed: u64,
    pub strength: usize,
    pub case_sensitive: bool,
    pub features: Vec<String>,
    pub model: String,
    pub accepted: bool,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub columns: Vec<String>,
    #[serde(default)]
    pub rows: Vec<Vec<String>>,
}

/// What the comparison of one case gave.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Why we refuse what PICT accepts.
    pub refused: Option<String>,
    /// PICT refuses it, and we do not.
    pub taken: bool,
    /// Rows of ours with a combination that PICT forbids.
    pub forbidden_rows: usize,
    /// Combinations of PICT's that no row of ours has.
    pub missing: usize,
    /// Combinations that PICT lacks because of the rows that it chose for its sub-models, not because of the constraints.
    pub gaps: usize,
    pub ours: usize,
    pub example: String,
}

/// All cases of a file.
pub(crate) fn cases(path: &Path) -> Result<Vec<Case>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines().map(|line| serde_json::from_str(line).map_err(|error| error.to_string())).collect()
}

pub(crate) fn compare(case: &Case) -> Outcome {
    let options = PictOptions {
        case_sensitive: case.case_sensitive,
        order: Some(case.strength),
        ..PictOptions::default()
    };
    let made = read_pict_with(&case.model, &options)
        .and_then(|model| generate(&model, &Config::default()).map(|array| (model, array.rows)));
    let (model, rows) = match made {
        Err(error) if case.accepted => {
            return Outcome { refused: Some(error.to_string()), ..Outcome::default() };
        }
        Err(_) => return Outcome::default(),
        Ok(_) if !case.accepted => return Outcome { taken: true, ..Outcome::default() },
        Ok(made) => made,
    };
    let theirs: Vec<Vec<usize>> = case.rows.iter().map(|row| indexes(&model, &case.columns, row)).collect();
    let mut found = differences(&model, &rows, &theirs, case.strength);
    let all = found.first.len();
    found.first.retain(|tuple| reachable(&model, &theirs, tuple));
    let has = |row: &Vec<usize>| {
        found.first.iter().any(|tuple| tuple.iter().all(|&(own, value)| row[own] == value))
    };
    let example = found.first.first().or(found.second.first()).map_or_else(String::new, |tuple| {
        let part = |&(own, value): &(usize, usize)| {
            let parameter = &model.parameters[own];
            format!("{} = {}", parameter.name, parameter.values[value].label)
        };
        tuple.iter().map(part).collect::<Vec<_>>().join(", ")
    });
    Outcome {
        forbidden_rows: rows.iter().filter(|row| has(row)).count(),
        missing: found.second.len(),
        gaps: all - found.first.len(),
        ours: rows.len(),
        example,
        ..Outcome::default()
    }
}

/// Whether a combination could occur in PICT's array at all. PICT covers each sub-model first and then combines the rows
/// that it chose for it, as if they were values: what needs another row of a sub-model is lost to it, though no constraint
/// forbids it.
fn reachable(model: &Model, theirs: &[Vec<usize>], tuple: &[(usize, usize)]) -> bool {
    let is = |parameter: usize, value: usize| {
        let label = model.parameters[parameter].values[value].label.clone();
        Expression::Among(Cell { run: 0, parameter }, vec![label])
    };
    let mut narrowed = model.clone();
    let mut require = |expression: Expression| {
        let place = twinrun_combine::Place { line: 0, column: 0 };
        narrowed.constraints.push(Constraint { text: String::new(), expression, place });
    };
    require(Expression::And(tuple.iter().map(|&(parameter, value)| is(parameter, value)).collect()));
    for mixed in &model.mixed {
        let chosen: BTreeSet<Vec<usize>> =
            theirs.iter().map(|row| mixed.parameters.iter().map(|&own| row[own]).collect()).collect();
        let row = |values: &Vec<usize>| {
            Expression::And(
                mixed.parameters.iter().zip(values).map(|(&own, &value)| is(own, value)).collect(),
            )
        };
        require(Expression::Or(chosen.iter().map(row).collect()));
    }
    // Invalid values are ordinary ones here: the combination itself says whether it has one.
    narrowed
        .parameters
        .iter_mut()
        .for_each(|parameter| parameter.values.iter_mut().for_each(|value| value.invalid = false));
    narrowed.mixed.clear();
    generate(&narrowed, &Config { strength: Some(1), ..Config::default() }).is_ok()
}

/// A row of PICT's in the order of the model; negative values have their sign before them.
fn indexes(model: &Model, columns: &[String], row: &[String]) -> Vec<usize> {
    let mut out = vec![0; model.parameters.len()];
    for (column, cell) in columns.iter().zip(row) {
        let parameter = model.parameter(column).expect("PICT's columns are the model's parameters");
        let negative = cell.strip_prefix('~').and_then(|rest| model.value(parameter, rest));
        out[parameter] =
            negative.or_else(|| model.value(parameter, cell)).expect("PICT's values are the model's");
    }
    out
}

/// A line of the result for a case that differs.
pub(crate) fn row(case: &Case, outcome: &Outcome) -> Value {
    json!({ "model": case.seed, "features": case.features.join(", "), "pict": case.rows.len(), "ours": outcome.ours,
        "refused": outcome.refused, "not refused": if outcome.taken { case.message.as_str() } else { "" },
        "forbidden rows": outcome.forbidden_rows, "missing": outcome.missing, "example": outcome.example })
}
