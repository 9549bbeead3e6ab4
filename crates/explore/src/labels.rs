//! What the names in printed conditions stand for, given a case.

use std::collections::BTreeMap;

use twinrun_base::{Case, Domain, Value};
use twinrun_term::printed::Printed;

use crate::host::label;

/// The numbers of a case under the names that conditions give them. A name that several have stands for none of them.
pub fn labels(case: &Case) -> BTreeMap<String, Printed> {
    let mut found: BTreeMap<String, Option<Printed>> = BTreeMap::new();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    let mut tell = |name: String, value: Printed| {
        found.entry(name).and_modify(|known| *known = None).or_insert(Some(value));
    };
    for input in &case.inputs {
        let count = seen.entry(&input.name).and_modify(|count| *count += 1).or_insert(1);
        let name = if *count == 1 { input.name.clone() } else { format!("{}#{count}", input.name) };
        let element = |index: usize| match &input.domain {
            Domain::Ints { shape, .. } | Domain::Floats { shape, .. } => label(&name, *shape, index),
            _ => format!("{name}[{index}]"),
        };
        let whole = |number: i64| Printed::Whole(number.into());
        match &input.value {
            Value::Int(number) => tell(name, whole(*number)),
            Value::Float(number) => tell(name, Printed::Double(*number)),
            Value::Ints(numbers) => {
                numbers.iter().enumerate().for_each(|(index, number)| tell(element(index), whole(*number)));
            }
            Value::Floats(numbers) => {
                let numbers = numbers.iter().enumerate();
                numbers.for_each(|(index, number)| tell(element(index), Printed::Double(*number)));
            }
            Value::Bytes(bytes) => {
                tell(format!("len({name})"), whole(bytes.len() as i64));
                bytes
                    .iter()
                    .enumerate()
                    .for_each(|(index, byte)| tell(element(index), whole((*byte).into())));
            }
            Value::Ops(ops) => {
                tell(format!("len({name})"), whole(ops.len() as i64));
                for (index, op) in ops.iter().enumerate() {
                    tell(element(index), whole(op.op.into()));
                    for (position, argument) in op.arguments.iter().enumerate() {
                        tell(format!("{}.{position}", element(index)), whole((*argument).into()));
                    }
                }
            }
        }
    }
    found.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))).collect()
}
