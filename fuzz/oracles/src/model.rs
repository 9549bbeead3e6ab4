//! Input models: any text is a model or a mistake with its place, in every form, and a model that was read is sound.

use twinrun_combine::readers::{read_acts, read_clauses, read_ctwedge, read_pict, read_toml};
use twinrun_combine::{Error, Model};

/// The bytes are the text of a model in each of the forms.
pub fn model(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // The clauses have two files; the second begins after an empty line.
    let (first, second) = text.split_once("\n\n").unwrap_or((&text, ""));
    for read in [
        read_toml(&text),
        read_pict(&text),
        read_acts(&text),
        read_ctwedge(&text),
        read_clauses(first, second),
    ] {
        match read {
            Ok(model) => sound(&model),
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
}

fn answered(error: &Error, text: &str) {
    assert!(!error.to_string().is_empty());
    if let Error::Syntax { place, .. } = error {
        assert!(place.line >= 1 && place.line <= text.lines().count() + 1, "{error}");
        assert!(place.column >= 1);
    }
}
