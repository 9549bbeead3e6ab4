//! Input models: any text is a model or a mistake with its place, in every form, and a model that was read is sound.

use twinrun_combine::readers::{
    PictOptions, read_acts, read_acts_xml, read_clauses, read_ctwedge, read_dimacs, read_feature_ide,
    read_pict, read_pict_with, read_toml,
};
use twinrun_combine::{Error, Model, writers};

/// The bytes are the text of a model in each of the forms.
pub fn model(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // The clauses have two files; the second begins after an empty line.
    let (first, second) = text.split_once("\n\n").unwrap_or((&text, ""));
    let exact = PictOptions { case_sensitive: true, values: ';', order: Some(2), ..PictOptions::default() };
    for read in [
        read_toml(&text),
        read_pict(&text),
        read_pict_with(&text, &exact),
        read_acts(&text),
        read_acts_xml(&text),
        read_ctwedge(&text),
        read_clauses(first, second),
        read_dimacs(&text),
        read_feature_ide(&text),
    ] {
        match read {
            Ok(model) => {
                sound(&model);
                // What follows the model may be rows for it.
                let _ = writers::read_seeds(&model, second);
                let _ = writers::read_array(&model, second);
            }
            Err(error) => answered(&error, &text),
        }
    }
}

fn sound(model: &Model) {
    model.validate().expect("what was read is valid");
    for (place, parameter) in model.parameters.iter().enumerate() {
        assert_eq!(model.parameter(&parameter.name), Some(place), "{}", parameter.name);
        assert!(!parameter.values.is_empty());
    }
    for constraint in &model.constraints {
        let within = |parameter: usize| parameter < model.parameters.len();
        assert!(constraint.expression.cells().iter().all(|cell| cell.run == 0 && within(cell.parameter)));
    }
}

fn answered(error: &Error, text: &str) {
    assert!(!error.to_string().is_empty());
    if let Error::Syntax { place, .. } = error {
        assert!(place.line >= 1 && place.line <= text.lines().count() + 1, "{error}");
        assert!(place.column >= 1);
    }
}
