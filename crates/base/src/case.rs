//! Cases: one assignment of a relation's inputs, in the order in which the relation drew them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How an integer input is represented in the subject; the number is its code in the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntKind {
    /// A signed 32-bit number.
    I32 = 0,
    /// A signed 64-bit number.
    I64 = 1,
    /// An unsigned 32-bit number.
    U32 = 2,
    /// A truth value, 0 or 1.
    Bool = 3,
    /// One of several alternatives, counted from 0.
    Choice = 4,
    /// The length of something; shrinks first.
    Length = 5,
    /// One byte.
    U8 = 6,
    /// A signed 16-bit number.
    I16 = 7,
}

impl IntKind {
    /// The kind with this ABI code.
    pub fn from_code(code: u32) -> Option<IntKind> {
        use IntKind::{Bool, Choice, I16, I32, I64, Length, U8, U32};
        [I32, I64, U32, Bool, Choice, Length, U8, I16].get(code as usize).copied()
    }

    /// How many bytes an array element of this kind takes in the subject's memory.
    pub fn bytes(self) -> usize {
        match self {
            IntKind::U8 => 1,
            IntKind::I16 => 2,
            IntKind::I64 => 8,
            _ => 4,
        }
    }
}

/// How many elements an array input has, and whether it is a matrix (row by row).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shape {
    /// A plain array of so many elements.
    Array(u32),
    /// A matrix of rows × columns.
    Matrix(u32, u32),
}

impl Shape {
    /// The number of elements.
    pub fn count(self) -> usize {
        match self {
            Shape::Array(count) => count as usize,
            Shape::Matrix(rows, columns) => rows as usize * columns as usize,
        }
    }
}

/// One kind of operation in a sequence for a stateful subject: its name and the ranges of its (up to three) arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpSpec {
    /// The operation's name.
    pub name: String,
    /// Inclusive ranges of the arguments.
    pub arguments: Vec<(i32, i32)>,
}

impl OpSpec {
    /// Parses `push 0..99; pop; move 0..3 0..3`: operations separated by semicolons, each a name and its argument ranges
    /// (both ends included).
    pub fn parse(text: &str) -> Result<Vec<OpSpec>, String> {
        let mut specs = Vec::new();
        for part in text.split(';').map(str::trim).filter(|part| !part.is_empty()) {
            let mut words = part.split_whitespace();
            let name = words.next().unwrap_or_default().to_owned();
            let mut arguments = Vec::new();
            for word in words {
                let range =
                    word.split_once("..").and_then(|(lo, hi)| Some((lo.parse().ok()?, hi.parse().ok()?)));
                match range {
                    Some((lo, hi)) if lo <= hi => arguments.push((lo, hi)),
                    _ => return Err(format!("operation `{name}`: `{word}` is not a range such as 0..9")),
                }
            }
            if arguments.len() > 3 {
                return Err(format!(
                    "operation `{name}` has {} arguments; at most 3 are possible",
                    arguments.len()
                ));
            }
            specs.push(OpSpec { name, arguments });
        }
        if specs.is_empty() { Err("no operations are given".to_owned()) } else { Ok(specs) }
    }
}

/// One operation of a sequence: the index of its [`OpSpec`] and its arguments (unused ones are 0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Op {
    /// Which operation, counted from 0 in the order of the specification.
    pub op: i32,
    /// Its arguments.
    pub arguments: [i32; 3],
}

/// What values an input may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Domain {
    /// A number from `lo` to `hi`, both included.
    Int {
        /// Its representation.
        kind: IntKind,
        /// The least value.
        lo: i64,
        /// The greatest value.
        hi: i64,
    },
    /// A finite double from `lo` to `hi`.
    Float {
        /// The least value.
        lo: f64,
        /// The greatest value.
        hi: f64,
    },
    /// An array or matrix of integers.
    Ints {
        /// The representation of an element.
        kind: IntKind,
        /// How many.
        shape: Shape,
        /// The least element.
        lo: i64,
        /// The greatest element.
        hi: i64,
    },
    /// An array or matrix of doubles.
    Floats {
        /// How many.
        shape: Shape,
        /// The least element.
        lo: f64,
        /// The greatest element.
        hi: f64,
    },
    /// Text of `min` to `max` bytes over an alphabet (empty: all bytes).
    Text {
        /// The least length.
        min: u32,
        /// The greatest length.
        max: u32,
        /// The bytes that may occur.
        alphabet: Vec<u8>,
    },
    /// A permutation of 0 … n-1.
    Permutation {
        /// How many elements are permuted.
        n: u32,
    },
    /// A sequence of up to `max` operations.
    Ops {
        /// The greatest length.
        max: u32,
        /// The kinds of operations.
        specs: Vec<OpSpec>,
    },
}

/// The value of an input or an output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// An integer of any kind.
    Int(i64),
    /// A double.
    #[serde(with = "float")]
    Float(f64),
    /// Integers; a permutation too.
    Ints(Vec<i64>),
    /// Doubles.
    #[serde(with = "floats")]
    Floats(Vec<f64>),
    /// Text or raw bytes, not necessarily UTF-8.
    Bytes(Vec<u8>),
    /// Operations.
    Ops(Vec<Op>),
}

/// One input of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// The name that the relation gave it.
    pub name: String,
    /// What it may be.
    pub domain: Domain,
    /// What it is.
    pub value: Value,
}

/// One assignment of a relation's inputs, in drawing order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The inputs.
    pub inputs: Vec<Input>,
}

impl Case {
    /// The value of the first input with this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.inputs.iter().find(|input| input.name == name).map(|input| &input.value)
    }
}

impl fmt::Display for Value {
    /// Source-like notation: `3`, `0.5`, `[1, 2]`, `"text\n"`, `[push(3), pop]` without operation names (`op0(3)`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T>(f: &mut fmt::Formatter<'_>, items: &[T], show: impl Fn(&T) -> String) -> fmt::Result {
            f.write_str("[")?;
            for (index, item) in items.iter().enumerate() {
                write!(f, "{}{}", if index == 0 { "" } else { ", " }, show(item))?;
            }
            f.write_str("]")
        }
        match self {
            Value::Int(number) => write!(f, "{number}"),
            Value::Float(number) => write!(f, "{number:?}"),
            Value::Ints(numbers) => list(f, numbers, i64::to_string),
            Value::Floats(numbers) => list(f, numbers, |number| format!("{number:?}")),
            Value::Bytes(bytes) => write!(f, "\"{}\"", bytes.escape_ascii()),
            Value::Ops(ops) => list(f, ops, |op| {
                format!("op{}({}, {}, {})", op.op, op.arguments[0], op.arguments[1], op.arguments[2])
            }),
        }
    }
}

impl fmt::Display for Input {
    /// `name = value`, with operation names and matrix rows where the domain knows them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = ", self.name)?;
        match (&self.domain, &self.value) {
            (Domain::Ops { specs, .. }, Value::Ops(ops)) => {
                f.write_str("[")?;
                for (index, op) in ops.iter().enumerate() {
                    let spec = usize::try_from(op.op).ok().and_then(|op| specs.get(op));
                    let name = spec.map_or("?", |spec| &spec.name);
                    let count = spec.map_or(3, |spec| spec.arguments.len());
                    let arguments: Vec<String> = op.arguments[..count].iter().map(i32::to_string).collect();
                    let separator = if index == 0 { "" } else { ", " };
                    match arguments.is_empty() {
                        true => write!(f, "{separator}{name}")?,
                        false => write!(f, "{separator}{name}({})", arguments.join(", "))?,
                    }
                }
                f.write_str("]")
            }
            (Domain::Ints { shape: Shape::Matrix(_, columns), .. }, Value::Ints(numbers)) if *columns > 0 => {
                f.write_str("[")?;
                for (index, row) in numbers.chunks(*columns as usize).enumerate() {
                    write!(f, "{}{}", if index == 0 { "" } else { ", " }, Value::Ints(row.to_vec()))?;
                }
                f.write_str("]")
            }
            (Domain::Int { kind: IntKind::Bool, .. }, Value::Int(truth)) => write!(f, "{}", *truth != 0),
            (_, value) => write!(f, "{value}"),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, input) in self.inputs.iter().enumerate() {
            write!(f, "{}{input}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Doubles as text where JSON has no number for them (NaN and infinities), so that every case survives a round trip.
mod float {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    pub(super) enum Text {
        Number(f64),
        Text(String),
    }

    impl From<f64> for Text {
        fn from(number: f64) -> Text {
            if number.is_finite() { Text::Number(number) } else { Text::Text(number.to_string()) }
        }
    }

    impl TryFrom<Text> for f64 {
        type Error = String;
        fn try_from(text: Text) -> Result<f64, String> {
            match text {
                Text::Number(number) => Ok(number),
                Text::Text(text) => text.parse().map_err(|_| format!("`{text}` is not a number")),
            }
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Text::from(*number).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Text::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}

mod floats {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::float::Text;

    pub(super) fn serialize<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        numbers.iter().map(|number| Text::from(*number)).collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let texts = Vec::<Text>::deserialize(deserializer)?;
        texts.into_iter().map(|text| text.try_into().map_err(serde::de::Error::custom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &Value, expected: &str) {
        assert_eq!(value.to_string(), expected);
        let json = serde_json::to_string(value).unwrap();
        let back: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(back.to_string(), expected, "through {json}");
    }

    #[test]
    fn values_print_as_source_and_survive_json() {
        check(&Value::Int(-3), "-3");
        check(&Value::Float(0.1), "0.1");
        check(&Value::Float(f64::NEG_INFINITY), "-inf");
        check(&Value::Floats(vec![1.0, f64::NAN]), "[1.0, NaN]");
        check(&Value::Ints(vec![4, -2, 1]), "[4, -2, 1]");
        check(&Value::Bytes(b"a\"\xff".to_vec()), "\"a\\\"\\xff\"");
    }

    #[test]
    fn operations_print_with_their_names() {
        let specs = OpSpec::parse("push 0..99; pop").unwrap();
        let value = Value::Ops(vec![Op { op: 0, arguments: [7, 0, 0] }, Op { op: 1, arguments: [0; 3] }]);
        let input = Input { name: "ops".into(), domain: Domain::Ops { max: 5, specs }, value };
        assert_eq!(input.to_string(), "ops = [push(7), pop]");
    }

    #[test]
    fn a_bad_operation_says_what_is_wrong() {
        assert_eq!(OpSpec::parse("push 9").unwrap_err(), "operation `push`: `9` is not a range such as 0..9");
        assert_eq!(OpSpec::parse(" ; ").unwrap_err(), "no operations are given");
    }
}
