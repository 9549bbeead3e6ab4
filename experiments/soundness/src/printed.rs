//! The names that printed conditions use, for the inputs of a case.
//!
//! An input has the name under which it was drawn, `#2` and so on behind it where that was drawn before; `a[1]`, `m[0][2]` and `t[3]` are elements,
//! `len(t)` is a length, `ops[1]` an operation and `ops[1].0` its argument. What is still not unique gets a number behind it, in the order of drawing.

use std::collections::{BTreeMap, HashMap};

use twinrun_base::{Case, Domain, Shape, Value};
use twinrun_term::printed::{Expression, Printed, parse};

/// The values of a case by the names that conditions use.
pub struct Named(HashMap<String, Printed>);

impl Named {
    /// The names of a case.
    pub fn of(case: &Case) -> Named {
        let mut named = Named(HashMap::new());
        let mut drawn: BTreeMap<&str, u32> = BTreeMap::new();
        for input in &case.inputs {
            let count = drawn.entry(input.name.as_str()).or_insert(0);
            *count += 1;
            let name = if *count == 1 { input.name.clone() } else { format!("{}#{count}", input.name) };
            named.input(&name, &input.domain, &input.value);
        }
        named
    }

    fn input(&mut self, name: &str, domain: &Domain, value: &Value) {
        let columns = match domain {
            Domain::Ints { shape: Shape::Matrix(_, columns), .. }
            | Domain::Floats { shape: Shape::Matrix(_, columns), .. } => Some(*columns as usize),
            _ => None,
        };
        let element = |index: usize| match columns {
            Some(columns) => format!("{name}[{}][{}]", index / columns.max(1), index % columns.max(1)),
            None => format!("{name}[{index}]"),
        };
        match value {
            Value::Int(number) => self.add(name.to_owned(), Printed::Whole((*number).into())),
            Value::Float(number) => self.add(name.to_owned(), Printed::Double(*number)),
            Value::Ints(numbers) => {
                for (index, number) in numbers.iter().enumerate() {
                    self.add(element(index), Printed::Whole((*number).into()));
                }
            }
            Value::Floats(numbers) => {
                for (index, number) in numbers.iter().enumerate() {
                    self.add(element(index), Printed::Double(*number));
                }
            }
            Value::Bytes(bytes) => {
                if !matches!(domain, Domain::Text { min, max, .. } if min == max) {
                    self.add(format!("len({name})"), Printed::Whole(bytes.len() as i128));
                }
                for (index, byte) in bytes.iter().enumerate() {
                    self.add(element(index), Printed::Whole((*byte).into()));
                }
            }
            Value::Ops(ops) => {
                self.add(format!("len({name})"), Printed::Whole(ops.len() as i128));
                for (index, op) in ops.iter().enumerate() {
                    self.add(format!("{name}[{index}]"), Printed::Whole(op.op.into()));
                    for (position, argument) in op.arguments.iter().enumerate() {
                        self.add(format!("{name}[{index}].{position}"), Printed::Whole((*argument).into()));
                    }
                }
            }
        }
    }

    fn add(&mut self, label: String, value: Printed) {
        let mut name = label.clone();
        let mut number = 1;
        while self.0.contains_key(&name) {
            number += 1;
            name = format!("{label}#{number}");
        }
        self.0.insert(name, value);
    }
}

/// A condition as it is printed: alternatives, read once and evaluated often.
pub struct Said(Vec<Expression>);

impl Said {
    /// Reads alternatives.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn read(alternatives: &[String]) -> Result<Said, String> {
        Ok(Said(alternatives.iter().map(|text| parse(text)).collect::<Result<_, _>>()?))
    }

    /// Whether it holds for a case. What has no value there, such as a condition on an element beyond the length, does not hold.
    pub fn holds(&self, case: &Named) -> bool {
        let value = |name: &str| case.0.get(name).copied();
        self.0.iter().any(|part| part.evaluate(&value) == Some(Printed::Truth(true)))
    }
}
