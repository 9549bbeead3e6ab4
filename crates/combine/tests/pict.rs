//! A sample of models with what the real PICT made of each: refused where PICT refuses, and the same combinations otherwise.
//! `./x experiment combine-readers` takes all 1,500.

use serde_json::Value;
use twinrun_combine::readers::{PictOptions, read_pict_with};
use twinrun_combine::{Config, Model, differences, generate};

#[test]
fn models_mean_what_pict_makes_of_them() {
    let mut compared = 0;
    for line in include_str!("data/pict-models.jsonl").lines() {
        let case: Value = serde_json::from_str(line).expect("a line is a case");
        let strength = case["strength"].as_u64().map_or(2, |strength| strength as usize);
        let case_sensitive = case["case_sensitive"] == true;
        let options = PictOptions { case_sensitive, order: Some(strength), ..PictOptions::default() };
        let text = case["model"].as_str().expect("a case has a model");
        let made = read_pict_with(text, &options)
            .and_then(|model| generate(&model, &Config::default()).map(|array| (model, array.rows)));
        assert_eq!(made.is_ok(), case["accepted"] == true, "{text}\n{:?}", made.err());
        let Ok((model, rows)) = made else { continue };
        let theirs: Vec<Vec<usize>> =
            case["rows"].as_array().expect("rows").iter().map(|row| indexes(&model, row)).collect();
        let found = differences(&model, &rows, &theirs, strength);
        assert!(found.second.is_empty(), "missing {:?} of\n{text}", found.second);
        // PICT itself may lose combinations to the rows that it chose for a sub-model.
        assert!(found.first.is_empty() || !model.mixed.is_empty(), "forbidden {:?} in\n{text}", found.first);
        compared += 1;
    }
    assert!(compared > 50);
}

fn indexes(model: &Model, row: &Value) -> Vec<usize> {
    let cells = row.as_array().expect("a row is a list").iter().enumerate();
    cells
        .map(|(parameter, cell)| {
            let label = cell.as_str().unwrap_or("");
            let negative = label.strip_prefix('~').and_then(|rest| model.value(parameter, rest));
            negative.or_else(|| model.value(parameter, label)).expect("a value of the model")
        })
        .collect()
}
