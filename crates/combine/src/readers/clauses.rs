//! The form of the covering-array literature. `.model`: the strength, the number of parameters, their sizes.
//! `.constraints`: the number of clauses, then each as its length and its literals, `-` before the running
//! number of a value for "not that value".

use super::syntax;
use crate::error::{Error, Place};
use crate::expression::{Cell, Comparison, Expression, Term};
use crate::model::{Constraint, Model, Parameter, Value};
use crate::value::Scalar;

/// Reads the two texts; the second may be empty.
///
/// # Errors
/// With the place of the first word that is wrong.
pub fn read_clauses(model: &str, constraints: &str) -> Result<Model, Error> {
    let mut words = Words::new(model);
    let strength = words.number("the strength")?;
    let count = words.number("the number of parameters")?;
    let mut out = Model { strength: Some(strength), ..Model::default() };
    for index in 0..count {
        let size = words.number("the number of values of a parameter")?;
        let values = (0..size).map(|value| Value::plain(&value.to_string())).collect();
        out.parameters.push(Parameter { name: format!("p{index}"), values });
    }
    out.validate()?;
    let owner: Vec<(usize, usize)> = out
        .parameters
        .iter()
        .enumerate()
        .flat_map(|(p, parameter)| (0..parameter.values.len()).map(move |v| (p, v)))
        .collect();
    let mut words = Words::new(constraints);
    if words.peek().is_none() {
        return Ok(out);
    }
    let count = words.number("the number of constraints")?;
    for _ in 0..count {
        let place = words.place();
        let length = words.number("the length of a constraint")?;
        let mut parts = Vec::new();
        let mut text = Vec::new();
        for _ in 0..length {
            let negative = words.sign();
            let place = words.place();
            let value = words.number("the running number of a value")?;
            let Some(&(parameter, value)) = owner.get(value) else {
                return syntax(
                    place.line,
                    place.column,
                    format!("there is no value {value}; the last is {}", owner.len() - 1),
                );
            };
            let comparison = if negative { Comparison::Different } else { Comparison::Equal };
            let cell = Term::Cell(Cell { run: 0, parameter });
            parts.push(Expression::Compare(comparison, cell, Term::Constant(Scalar::Number(value as f64))));
            text.push(format!("p{parameter} {} {value}", if negative { "!=" } else { "=" }));
        }
        out.constraints.push(Constraint {
            text: text.join(" or "),
            expression: Expression::Or(parts),
            place,
        });
    }
    Ok(out)
}

struct Words<'a> {
    words: Vec<(&'a str, Place)>,
    at: usize,
    end: Place,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Words<'a> {
        let mut words = Vec::new();
        for (line, content) in text.lines().enumerate() {
            for word in content.split_whitespace() {
                words.push((word, Place { line: line + 1, column: super::column(content, word) }));
            }
        }
        Words { words, at: 0, end: Place::of(text, text.len()) }
    }

    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).map(|(word, _)| *word)
    }

    fn place(&self) -> Place {
        self.words.get(self.at).map_or(self.end, |(_, place)| *place)
    }

    fn sign(&mut self) -> bool {
        let sign = self.peek();
        if matches!(sign, Some("-" | "+")) {
            self.at += 1;
        }
        sign == Some("-")
    }

    fn number(&mut self, what: &str) -> Result<usize, Error> {
        let place = self.place();
        match self.peek().map(str::parse::<usize>) {
            Some(Ok(number)) => {
                self.at += 1;
                Ok(number)
            }
            _ => syntax(
                place.line,
                place.column,
                format!("expected {what}, found `{}`", self.peek().unwrap_or("nothing")),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_values_run_through_all_parameters() {
        let model = read_clauses("2\n3\n2 3 2\n", "1\n2\n- 1 - 4\n").unwrap();
        assert_eq!(model.constraints[0].text, "p0 != 1 or p1 != 2");
        assert_eq!(model.parameters[1].values.len(), 3);
    }

    #[test]
    fn errors_name_the_place() {
        let error = read_clauses("2\n3\n2 3 2\n", "1\n2\n- 1 - 9\n").unwrap_err().to_string();
        assert_eq!(error, "line 3, column 7: there is no value 9; the last is 6");
        assert!(read_clauses("2\n3\n2 x 2\n", "").unwrap_err().to_string().starts_with("line 3, column 3:"));
        assert!(read_clauses("2\n3\n2 0 2\n", "").unwrap_err().to_string().contains("has no values"));
    }
}
