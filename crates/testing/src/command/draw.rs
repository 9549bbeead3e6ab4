//! Drawing the parameters of a command through the same provider as every other input, so that they shrink and replay alike.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};
use twinrun_base::{Inputs, IntKind};
use twinrun_subject::Ordered;
use twinrun_subject::command::{Parameter, ParameterValue, RangeSpec, TextSpec};

use super::script;
use crate::executor::ExecuteError;

/// Parameters by name, in the order of the project file.
pub(crate) type Parameters = Vec<(String, ParameterValue)>;

/// The value of a parameter.
pub(super) fn get<'p>(parameters: &'p Parameters, name: &str) -> Option<&'p ParameterValue> {
    parameters.iter().find(|(other, _)| other == name).map(|(_, value)| value)
}

/// A parameter as text.
pub(super) fn text(value: &ParameterValue) -> String {
    match value {
        ParameterValue::Bool(truth) => truth.to_string(),
        ParameterValue::Int(number) => number.to_string(),
        ParameterValue::Float(number) => number.to_string(),
        ParameterValue::Text(text) => text.clone(),
        ParameterValue::List(items) => items.join(" "),
    }
}

/// All parameters on one line.
pub(super) fn show(parameters: &Parameters) -> String {
    let shown = parameters.iter().map(|(name, value)| format!("{name} = {:?}", text(value)));
    shown.collect::<Vec<_>>().join(", ")
}

/// Draws from a provider; scripts run in the project's folder.
pub(super) struct Drawer<'d> {
    pub(super) inputs: &'d mut dyn Inputs,
    pub(super) folder: &'d Path,
}

impl Drawer<'_> {
    /// One value for each parameter.
    pub(super) fn parameters(&mut self, specs: &Ordered<Parameter>) -> Result<Parameters, ExecuteError> {
        specs.iter().map(|(name, spec)| Ok((name.to_owned(), self.parameter(name, spec)?))).collect()
    }

    fn parameter(&mut self, name: &str, spec: &Parameter) -> Result<ParameterValue, ExecuteError> {
        Ok(match spec {
            Parameter::Values(values) => {
                let index = self.choice(name, values.len())?;
                values[index].clone()
            }
            Parameter::Range(RangeSpec::Int([lo, hi])) => {
                ParameterValue::Int(self.inputs.int(name, IntKind::I64, *lo, *hi))
            }
            Parameter::Range(RangeSpec::Float([lo, hi])) => {
                ParameterValue::Float(self.inputs.float(name, *lo, *hi))
            }
            Parameter::Text(spec) => ParameterValue::Text(self.text(name, spec)),
            Parameter::Lines(spec) => {
                let count = self.inputs.int(name, IntKind::Length, i64::from(spec.min), i64::from(spec.max));
                let lines =
                    (1..=count).map(|line| self.text(&format!("{name} line {line}"), &spec.line) + "\n");
                ParameterValue::Text(lines.collect())
            }
            Parameter::Corpus(pattern) => {
                let files = script::corpus(self.folder, pattern)?;
                let index = self.choice(name, files.len())?;
                let bytes = fs::read(&files[index]).map_err(|error| {
                    ExecuteError::new(format!(
                        "cannot read {} of the corpus `{pattern}`: {error}",
                        files[index].display()
                    ))
                })?;
                ParameterValue::Text(String::from_utf8_lossy(&bytes).into_owned())
            }
            Parameter::Generator(program) => {
                let seed = self.inputs.int(name, IntKind::I64, 0, i64::from(u32::MAX));
                let size = self.inputs.int(&format!("{name} size"), IntKind::Length, 0, 100);
                let answer = script::run(
                    program,
                    self.folder,
                    &json!({"parameter": name, "seed": seed, "size": size}),
                )?;
                script::parameter(program, answer.get("value").unwrap_or(&Json::Null))?
            }
        })
    }

    /// An index below `count`.
    pub(super) fn choice(&mut self, name: &str, count: usize) -> Result<usize, ExecuteError> {
        if count == 0 {
            return Err(ExecuteError::new(format!("the parameter {name} has no values")));
        }
        Ok(self.inputs.int(name, IntKind::Choice, 0, count as i64 - 1) as usize)
    }

    /// A permutation of `count` things.
    pub(super) fn permutation(&mut self, name: &str, count: usize) -> Vec<usize> {
        let mut order = Vec::new();
        self.inputs.permutation(name, count as u32, &mut order);
        order.into_iter().map(|index| index as usize).collect()
    }

    fn text(&mut self, name: &str, spec: &TextSpec) -> String {
        let TextSpec { min, max, alphabet } = spec;
        let mut bytes = Vec::new();
        if alphabet.is_ascii() {
            self.inputs.text(name, *min, *max, alphabet.as_bytes(), &mut bytes);
            return bytes.into_iter().map(char::from).collect();
        }
        // Letters of several bytes: draw their numbers.
        let letters: Vec<char> = alphabet.chars().take(256).collect();
        let numbers: Vec<u8> = (0..letters.len()).map(|number| number as u8).collect();
        self.inputs.text(name, *min, *max, &numbers, &mut bytes);
        bytes.into_iter().filter_map(|number| letters.get(usize::from(number))).collect()
    }
}
