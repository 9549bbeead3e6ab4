//! The built-in transformations of parameters.

use serde_json::json;
use twinrun_subject::command::{ParameterValue, Template, Transformation};

use super::Done;
use super::draw::{Drawer, Parameters, get, text};
use super::{process, script};
use crate::executor::ExecuteError;

/// Applies transformations in order; what they need to draw becomes part of the case.
pub(super) fn all(
    transformations: &[Transformation],
    mut parameters: Parameters,
    runs: &[Done],
    drawer: &mut Drawer<'_>,
) -> Result<Parameters, ExecuteError> {
    for (index, transformation) in transformations.iter().enumerate() {
        let label = format!("follow-up {} step {}", runs.len(), index + 1);
        one(transformation, &mut parameters, runs, drawer, &label)?;
    }
    Ok(parameters)
}

fn one(
    transformation: &Transformation,
    parameters: &mut Parameters,
    runs: &[Done],
    drawer: &mut Drawer<'_>,
    label: &str,
) -> Result<(), ExecuteError> {
    use Transformation as T;
    let old = |parameters: &Parameters, name: &str| get(parameters, name).map(text).unwrap_or_default();
    match transformation {
        T::Set { to, value } => {
            let value = match value {
                ParameterValue::Text(text) => {
                    let template = Template::parse(text).map_err(ExecuteError::new)?;
                    ParameterValue::Text(process::fill(&template, parameters))
                }
                other => other.clone(),
            };
            set(parameters, to, value);
        }
        T::Add { to, by } => number(parameters, to, |it| it + by)?,
        T::Multiply { to, by } => number(parameters, to, |it| it * by)?,
        T::Prepend { to, text } => {
            let front = process::fill(text, parameters);
            let changed = front + &old(parameters, to);
            set_text(parameters, to, changed);
        }
        T::Append { to, text } => {
            let end = process::fill(text, parameters);
            let changed = old(parameters, to) + &end;
            set_text(parameters, to, changed);
        }
        T::Replace { to, find, with } => {
            let changed = old(parameters, to).replace(find, with);
            set_text(parameters, to, changed);
        }
        T::Repeat { to, times } => {
            let changed = old(parameters, to).repeat(*times as usize);
            set_text(parameters, to, changed);
        }
        T::Reverse { to } => match get(parameters, to).cloned() {
            Some(ParameterValue::List(mut items)) => {
                items.reverse();
                set(parameters, to, ParameterValue::List(items));
            }
            Some(value) => set_text(parameters, to, text(&value).chars().rev().collect()),
            None => {}
        },
        T::ReverseLines { to } => lines(parameters, to, |lines| lines.reverse()),
        T::DuplicateLines { to } => lines(parameters, to, |lines| {
            *lines = lines.iter().flat_map(|it| [it.clone(), it.clone()]).collect();
        }),
        T::PermuteLines { to } => {
            let count = split(&old(parameters, to)).len();
            let order = drawer.permutation(&format!("{label} order"), count);
            lines(parameters, to, |lines| {
                *lines = order.iter().filter_map(|index| lines.get(*index).cloned()).collect();
            });
        }
        T::Permute { to } => {
            if let Some(ParameterValue::List(items)) = get(parameters, to).cloned() {
                let order = drawer.permutation(&format!("{label} order"), items.len());
                let items = order.iter().filter_map(|index| items.get(*index).cloned()).collect();
                set(parameters, to, ParameterValue::List(items));
            }
        }
        T::RemoveLine { to } => {
            let count = split(&old(parameters, to)).len();
            if count > 0 {
                let index = drawer.choice(&format!("{label} line"), count)?;
                lines(parameters, to, |lines| drop(lines.remove(index)));
            }
        }
        T::AddLine { to, line } => {
            let line = process::fill(line, parameters);
            lines(parameters, to, |lines| lines.push(line));
        }
        T::Upper { to } => {
            let changed = old(parameters, to).to_uppercase();
            set_text(parameters, to, changed);
        }
        T::Lower { to } => {
            let changed = old(parameters, to).to_lowercase();
            set_text(parameters, to, changed);
        }
        T::Swap { to, with } => {
            if let (Some(a), Some(b)) = (get(parameters, to).cloned(), get(parameters, with).cloned()) {
                set(parameters, to, b);
                set(parameters, with, a);
            }
        }
        T::Output { to, run } => {
            let output = runs
                .get(run.wrapping_sub(1))
                .map(|done| String::from_utf8_lossy(&done.output.stdout).into_owned());
            set_text(parameters, to, output.unwrap_or_default());
        }
        T::Script { script: program } => {
            let seed = drawer.inputs.int(
                &format!("{label} seed"),
                twinrun_base::IntKind::I64,
                0,
                i64::from(u32::MAX),
            );
            let described: Vec<_> = runs.iter().map(script::described).collect();
            let question =
                json!({"parameters": script::parameters(parameters), "runs": described, "seed": seed});
            let answer = script::run(program, drawer.folder, &question)?;
            for (name, value) in parameters.iter_mut() {
                if let Some(changed) = answer.get("parameters").and_then(|it| it.get(name.as_str())) {
                    *value = script::parameter(program, changed)?;
                }
            }
        }
    }
    Ok(())
}

fn set(parameters: &mut Parameters, name: &str, value: ParameterValue) {
    if let Some((_, slot)) = parameters.iter_mut().find(|(other, _)| other == name) {
        *slot = value;
    }
}

fn set_text(parameters: &mut Parameters, name: &str, value: String) {
    set(parameters, name, ParameterValue::Text(value));
}

fn number(parameters: &mut Parameters, name: &str, change: impl Fn(f64) -> f64) -> Result<(), ExecuteError> {
    let changed = match get(parameters, name) {
        Some(ParameterValue::Int(old)) => {
            let changed = change(*old as f64);
            // Whole stays whole where it can.
            if changed.fract() == 0.0 && changed.abs() < 9e15 {
                ParameterValue::Int(changed as i64)
            } else {
                ParameterValue::Float(changed)
            }
        }
        Some(ParameterValue::Float(old)) => ParameterValue::Float(change(*old)),
        Some(other) => match text(other).trim().parse::<f64>() {
            Ok(old) => ParameterValue::Float(change(old)),
            Err(_) => {
                return Err(ExecuteError::new(format!(
                    "the parameter {name} is {:?}, which is no number to add to or multiply",
                    text(other)
                )));
            }
        },
        None => return Ok(()),
    };
    set(parameters, name, changed);
    Ok(())
}

fn split(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn lines(parameters: &mut Parameters, name: &str, change: impl FnOnce(&mut Vec<String>)) {
    let mut lines = get(parameters, name).map(|value| split(&text(value))).unwrap_or_default();
    change(&mut lines);
    let joined = lines.iter().map(|line| format!("{line}\n")).collect();
    set_text(parameters, name, joined);
}
