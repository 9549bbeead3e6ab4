//! Our own form: the `[combine]` table of `twinrun.toml`, or a file that consists of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::suggest::warn_of_values;
use crate::error::{Error, Place};
use crate::expression::{Expression, Names, parse};
use crate::groups::Relation;
use crate::model::{Constraint, Mixed, Model, Parameter, Value};
use crate::value::{Concrete, Scalar};

/// The table as it is written.
#[derive(Debug, Clone, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct ModelForm {
    /// The subject of the project that the rows are inputs of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The strength, 2 unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<usize>,
    /// The parameters, in the order of the rows' cells.
    #[serde(default)]
    pub parameters: Vec<ParameterForm>,
    /// Conditions that every row satisfies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Spanned<String>>,
    /// Parameters with a strength of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mixed: Vec<MixedForm>,
    /// Rows that the array has to contain: labels by parameter, others left open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<toml::Table>,
    /// Relations between rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<RelationForm>,
}

/// One parameter as it is written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterForm {
    /// Its name.
    pub name: Spanned<String>,
    /// Its values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ValueForm>,
    /// Or all integers from the first to the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(i64, i64)>,
}

/// One value as it is written: a scalar, or a table for classes, weights and invalid values.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ValueForm {
    /// Yes or no.
    Boolean(bool),
    /// A number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Anything else.
    Text(String),
    /// A value with more to say.
    Class(ClassForm),
}

/// A class of values, or a value with a weight.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassForm {
    /// How rows show it; made from the set when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A single concrete value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Scalar>,
    /// Any of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any_of: Option<Vec<Scalar>>,
    /// A range such as `"[1, 10)"` or `"0.5..1.5"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// Preferred this often when coverage leaves the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
    /// Tested alone: never two such values in one row.
    #[serde(default)]
    pub invalid: bool,
}

/// Parameters with a strength of their own, as written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MixedForm {
    /// Their names.
    pub parameters: Vec<Spanned<String>>,
    /// Their strength.
    pub strength: usize,
}

/// A relation's input rule as it is written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationForm {
    /// Its name.
    pub name: String,
    /// The prefixes of the runs in the rules, the source first; `["source", "follow"]` unless said otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<Vec<String>>,
    /// What holds between the rows, for classes where it is possible and for concrete values exactly; without it, the
    /// rule is taken from the subject's relation of this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Spanned<String>>,
    /// What holds between concrete values only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concrete: Option<Spanned<String>>,
    /// Parameters that no rule names in a follow-up are the same in all runs; `"any"` leaves them open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<Others>,
    /// What holds between the outputs, in words or as a condition; whoever runs the group judges it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

/// What becomes of parameters that a relation's rules do not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    /// Equal in all runs.
    Same,
    /// Anything.
    Any,
}

#[derive(Deserialize)]
struct Outer {
    combine: Option<ModelForm>,
    #[serde(default)]
    subject: BTreeMap<String, OuterSubject>,
}

#[derive(Deserialize)]
struct OuterSubject {
    model: Option<ModelForm>,
}

/// Reads a model from the `[combine]` table of a text, from the only `[subject.NAME.model]`, or from the whole text when
/// it has neither.
///
/// # Errors
/// With the place of the first thing that makes no sense.
pub fn read_toml(text: &str) -> Result<Model, Error> {
    let wrong = |error: toml::de::Error| Error::Syntax {
        place: error.span().map(|span| Place::of(text, span.start)).unwrap_or_default(),
        message: error.message().trim().to_owned(),
    };
    let outer: Outer = toml::from_str(text).map_err(wrong)?;
    let of_subject = outer.subject.into_iter().find_map(|(name, subject)| {
        subject.model.map(|form| ModelForm { subject: form.subject.clone().or(Some(name)), ..form })
    });
    let form = match outer.combine.or(of_subject) {
        Some(form) => form,
        None if text.lines().any(|line| line.trim_start().starts_with("[subject.")) => {
            return Err(Error::Model(
                "the project has no input model: add a table `[combine]` with `subject` and `parameters`"
                    .to_owned(),
            ));
        }
        None => toml::from_str(text).map_err(wrong)?,
    };
    model(&form, text)
}

fn model(form: &ModelForm, text: &str) -> Result<Model, Error> {
    let at = |offset: usize, message: String| Error::Syntax { place: Place::of(text, offset), message };
    let mut model = Model { strength: form.strength, subject: form.subject.clone(), ..Model::default() };
    for parameter in &form.parameters {
        let name = parameter.name.get_ref().clone();
        let mut values = Vec::new();
        for value in &parameter.values {
            values.push(
                read_value(value)
                    .map_err(|why| at(parameter.name.span().start, format!("parameter `{name}`: {why}")))?,
            );
        }
        if let Some((low, high)) = parameter.range {
            if high.saturating_sub(low) > 100_000 {
                return Err(at(
                    parameter.name.span().start,
                    format!("the range of parameter `{name}` is too long"),
                ));
            }
            values.extend((low..=high).map(|number| Value::plain(&number.to_string())));
        }
        if values.is_empty() {
            return Err(at(parameter.name.span().start, format!("parameter `{name}` has no values")));
        }
        model.parameters.push(Parameter { name, values });
    }
    for constraint in &form.constraints {
        let place = inside_quotes(text, constraint);
        let expression = parse(constraint.get_ref(), place, Names::single(&model.parameters))?;
        model.constraints.push(Constraint { text: constraint.get_ref().clone(), expression, place });
    }
    for mixed in &form.mixed {
        let find = |name: &Spanned<String>| {
            let index = model.parameter(name.get_ref());
            index.ok_or_else(|| at(name.span().start, model.no_parameter(name.get_ref())))
        };
        let parameters = mixed.parameters.iter().map(find).collect::<Result<_, _>>()?;
        model.mixed.push(Mixed { parameters, strength: mixed.strength });
    }
    for relation in &form.relations {
        let relation = read_relation(relation, &model, text)?;
        model.relations.push(relation);
    }
    for seed in &form.seeds {
        let row = seed_row(seed, &model)?;
        model.seeds.push(row);
    }
    model.validate()?;
    warn_of_values(&mut model);
    Ok(model)
}

/// The place of a text after its opening quotes.
fn inside_quotes(text: &str, spanned: &Spanned<String>) -> Place {
    let start = spanned.span().start;
    let quotes = text[start..].chars().take_while(|c| *c == '"' || *c == '\'').count();
    Place::of(text, start + if quotes == 2 { 1 } else { quotes })
}

fn read_relation(form: &RelationForm, model: &Model, text: &str) -> Result<Relation, Error> {
    let names = form.runs.clone().unwrap_or_else(|| vec!["source".to_owned(), "follow".to_owned()]);
    if names.len() < 2 {
        return Err(Error::Model(format!("relation `{}` needs at least two runs", form.name)));
    }
    let runs: Vec<&str> = names.iter().map(String::as_str).collect();
    let rule = |spanned: &Spanned<String>| {
        let names = Names { parameters: &model.parameters, runs: &runs };
        parse(spanned.get_ref(), inside_quotes(text, spanned), names)
    };
    let input = form.input.as_ref().map_or(Ok(Expression::Constant(false)), rule)?;
    let concrete = form.concrete.as_ref().map(rule).transpose()?;
    let others_same = form.others != Some(Others::Any);
    let output = form.output.clone().unwrap_or_default();
    let relation =
        Relation::new(&form.name, names, input, concrete, others_same, model.parameters.len(), output);
    Ok(Relation { taken: form.input.is_none(), ..relation })
}

fn read_value(form: &ValueForm) -> Result<Value, String> {
    let class = match form {
        ValueForm::Boolean(value) => return Ok(Value::plain(&value.to_string())),
        ValueForm::Integer(value) => return Ok(Value::plain(&value.to_string())),
        ValueForm::Real(value) => return Ok(Value::plain(&value.to_string())),
        ValueForm::Text(value) => {
            return Ok(Value { set: Concrete::One(Scalar::Text(value.clone())), ..Value::plain(value) });
        }
        ValueForm::Class(class) => class,
    };
    let set = match (&class.value, &class.any_of, &class.range) {
        (Some(scalar), None, None) => Concrete::One(scalar.clone()),
        (None, Some(list), None) if !list.is_empty() => Concrete::AnyOf(list.clone()),
        (None, None, Some(range)) => Concrete::parse_interval(range)
            .ok_or_else(|| format!("`{range}` is no range, or an empty one"))?,
        (None, None, None) => match &class.name {
            Some(name) => Concrete::One(Scalar::parse(name)),
            None => return Err("a value needs a name, a value, a range or a list".to_owned()),
        },
        _ => return Err("a value has just one of `value`, `any_of` and `range`".to_owned()),
    };
    let label = class.name.clone().unwrap_or_else(|| match (&set, &class.range) {
        (_, Some(range)) => range.clone(),
        (Concrete::AnyOf(list), _) => list.iter().map(ToString::to_string).collect::<Vec<_>>().join("|"),
        (set, _) => set.only().map(|scalar| scalar.to_string()).unwrap_or_default(),
    });
    Ok(Value { set, weight: class.weight.unwrap_or(1), invalid: class.invalid, ..Value::plain(&label) })
}

fn seed_row(seed: &toml::Table, model: &Model) -> Result<Vec<Option<usize>>, Error> {
    let mut row = vec![None; model.parameters.len()];
    for (name, value) in seed {
        let Some(parameter) = model.parameter(name) else {
            return Err(Error::Model(format!("a seed names `{name}`, which is no parameter")));
        };
        let label = match value {
            toml::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        row[parameter] = model.value(parameter, &label);
        if row[parameter].is_none() {
            return Err(Error::Model(format!(
                "a seed gives `{name}` the value `{label}`, which it does not have"
            )));
        }
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
[combine]
strength = 2
constraints = ["n = few implies os != 'mac, old'", "n + m <= 6"]
seeds = [{ os = "linux", m = 3 }]
mixed = [{ parameters = ["os", "n"], strength = 2 }]

[[combine.parameters]]
name = "os"
values = ["linux", 'mac, old', { name = "beos", weight = 3 }, { value = "none", invalid = true }]

[[combine.parameters]]
name = "n"
values = [0, { name = "few", range = "[1,5]" }, { name = "many", range = "(5,20)" }]

[[combine.parameters]]
name = "m"
range = [1, 4]
"#;

    #[test]
    fn a_whole_model_is_read() {
        let model = read_toml(TEXT).unwrap();
        assert_eq!(model.parameters[1].values[2].set, Concrete::Integers(6, 19));
        assert_eq!(model.constraints[1].place, Place { line: 4, column: 53 });
        assert_eq!(model.seeds[0], [Some(0), None, Some(2)]);
        assert!(model.parameters[0].values[3].invalid);
    }

    #[test]
    fn errors_name_the_place() {
        let fails = |from: &str, to: &str| read_toml(&TEXT.replace(from, to)).unwrap_err().to_string();
        assert_eq!(fails("n + m", "n + k"), "line 4, column 57: there is no parameter or value `k`");
        assert!(fails("range = [1, 4]", "").starts_with("line 17, column 8: parameter `m` has no values"));
        assert!(
            fails("strength = 2\nconstraints", "strenth = 2\nconstraints")
                .starts_with("line 3, column 1: unknown field")
        );
        assert!(fails("(5,20)", "(5,6)").contains("is no range"));
    }
}
