//! Input models: parameters with their values, constraints between them, strengths and seed rows.

use crate::error::{Error, Place};
use crate::expression::Expression;
use crate::groups::Relation;
use crate::readers::nearest;
use crate::value::{Concrete, Scalar};

/// The inputs of a subject, abstractly.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// In the order of the file; rows have one cell for each.
    pub parameters: Vec<Parameter>,
    /// What every row satisfies.
    pub constraints: Vec<Constraint>,
    /// The strength that the file asks for, if it does.
    pub strength: Option<usize>,
    /// Parameters that are covered at a strength of their own.
    pub mixed: Vec<Mixed>,
    /// Rows, perhaps partial, that the array has to contain.
    pub seeds: Vec<Vec<Option<usize>>>,
    /// Relations between rows.
    pub relations: Vec<Relation>,
    /// The subject of the project that the rows are inputs of, if the file names one.
    pub subject: Option<String>,
    /// What the reader found odd, but could go on with.
    pub warnings: Vec<String>,
}

/// One input.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name, unique in the model.
    pub name: String,
    /// What it can be; never empty after [`Model::validate`].
    pub values: Vec<Value>,
}

impl Parameter {
    /// A parameter with a single class of values.
    pub fn single(name: &str, label: &str, set: Concrete) -> Parameter {
        let value = Value { set, ..Value::plain(label) };
        Parameter { name: name.to_owned(), values: vec![value] }
    }
}

/// One value of a parameter, or a class of values.
#[derive(Debug, Clone)]
pub struct Value {
    /// How the value is written.
    pub label: String,
    /// Further names for the same value.
    pub aliases: Vec<String>,
    /// The concrete values that it stands for.
    pub set: Concrete,
    /// How often it is preferred when coverage leaves the choice; 1 for every value alike.
    pub weight: u32,
    /// An invalid value is tested alone: never two in one row.
    pub invalid: bool,
}

impl Value {
    /// A plain value: the text, or the number that it spells.
    pub fn plain(text: &str) -> Value {
        let set = Concrete::One(Scalar::parse(text));
        Value { label: text.to_owned(), aliases: Vec::new(), set, weight: 1, invalid: false }
    }
}

/// A condition that every row satisfies.
#[derive(Debug, Clone)]
pub struct Constraint {
    /// As the user wrote it.
    pub text: String,
    /// As we understood it.
    pub expression: Expression,
    /// Where it stands in the file.
    pub place: Place,
}

/// Some parameters at a strength of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mixed {
    /// Indexes of the parameters.
    pub parameters: Vec<usize>,
    /// Their strength.
    pub strength: usize,
}

impl Model {
    /// The index of a parameter by name.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }

    /// The index of a parameter's value by its label.
    pub fn value(&self, parameter: usize, label: &str) -> Option<usize> {
        let values = &self.parameters.get(parameter)?.values;
        let named = |value: &Value| value.label == label || value.aliases.iter().any(|alias| alias == label);
        values.iter().position(named).or_else(|| {
            let scalar = Scalar::parse(label);
            scalar.number()?;
            // Another tool's `5.0` may be our `5`; where `007` and `7` are two values, `07` is neither.
            let same = |value: &&Value| value.set == Concrete::One(scalar.clone());
            if values.iter().filter(same).count() != 1 {
                return None;
            }
            values.iter().position(|value| same(&value))
        })
    }

    /// The parameter and the value with these names.
    ///
    /// # Errors
    /// When there are none, with the names that may have been meant.
    pub fn find(&self, name: &str, label: &str) -> Result<(usize, usize), Error> {
        let parameter = self.parameter(name).ok_or_else(|| Error::Model(self.no_parameter(name)))?;
        let value =
            self.value(parameter, label).ok_or_else(|| Error::Model(self.no_value(parameter, label)))?;
        Ok((parameter, value))
    }

    /// That no parameter has a name, in words.
    pub(crate) fn no_parameter(&self, name: &str) -> String {
        let names = self.parameters.iter().map(|parameter| parameter.name.as_str());
        format!("there is no parameter `{name}`{}", nearest(name, names))
    }

    /// That a parameter has no such value, in words.
    pub(crate) fn no_value(&self, parameter: usize, label: &str) -> String {
        let parameter = &self.parameters[parameter];
        let labels = parameter.values.iter().map(|value| value.label.as_str());
        format!("`{}` has no value `{label}`{}", parameter.name, nearest(label, labels))
    }

    /// The labels of a row.
    pub fn labels(&self, row: &[usize]) -> Vec<&str> {
        row.iter()
            .zip(&self.parameters)
            .map(|(&value, parameter)| parameter.values[value].label.as_str())
            .collect()
    }

    /// Checks what no reader can check alone.
    ///
    /// # Errors
    /// Parameters without values, names that occur twice, strengths that make no sense.
    pub fn validate(&self) -> Result<(), Error> {
        if self.parameters.is_empty() {
            return Err(Error::Model("the model has no parameters".to_owned()));
        }
        for (i, parameter) in self.parameters.iter().enumerate() {
            if parameter.values.is_empty() {
                return Err(Error::Model(format!("parameter `{}` has no values", parameter.name)));
            }
            if parameter.values.iter().all(|value| value.invalid) {
                return Err(Error::Model(format!("parameter `{}` has only invalid values", parameter.name)));
            }
            if self.parameters[..i].iter().any(|other| other.name == parameter.name) {
                return Err(Error::Model(format!("two parameters are called `{}`", parameter.name)));
            }
            let mut labels: Vec<&str> = parameter.values.iter().map(|value| value.label.as_str()).collect();
            labels.sort_unstable();
            if let Some(twice) = labels.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Error::Model(format!(
                    "parameter `{}` has the value `{}` twice",
                    parameter.name, twice[0]
                )));
            }
        }
        for mixed in &self.mixed {
            self.check_strength(mixed.strength, mixed.parameters.len())?;
        }
        Ok(())
    }

    /// Checks a strength against the number of parameters that it covers.
    ///
    /// # Errors
    /// When it is 0, above 6, or above that number.
    pub fn check_strength(&self, strength: usize, parameters: usize) -> Result<(), Error> {
        if strength == 0 || strength > 6 {
            return Err(Error::Model(format!("strength {strength} is not between 1 and 6")));
        }
        if strength > parameters {
            return Err(Error::Model(format!(
                "strength {strength} is above the number of parameters, {parameters}"
            )));
        }
        Ok(())
    }
}
