//! What a user knows to be correct, as text: `a=1, b=2 -> 1` (a case and its answer), `a <= b <= c -> b` (all inputs that satisfy it, and their answer),
//! `f(x) = x*x` (a function).

use std::collections::BTreeMap;

use twinrun_term::printed::parse;

/// What a user knows to be correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// The answer for a class of inputs.
    Inputs(Inputs),
    /// A function that is passed.
    Function(String),
}

/// A class of inputs, and the answer that is right for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// As it was written, without the expected answer.
    pub text: String,
    /// All of these hold.
    pub comparisons: Vec<Comparison>,
    /// What the right answer is, over the arguments; none where that is still to be asked for.
    pub expected: Option<String>,
}

impl Inputs {
    /// The one case that this is, where each comparison gives an argument its value.
    pub fn case(&self) -> Option<BTreeMap<&str, i64>> {
        let value = |it: &'_ Comparison| match (&it.left, it.operator.as_str(), &it.right) {
            (Operand::Name(_), "==", Operand::Number(value)) => Some(*value),
            _ => None,
        };
        let mut case = BTreeMap::new();
        for comparison in &self.comparisons {
            let Operand::Name(name) = &comparison.left else { return None };
            let value = value(comparison)?;
            if case.insert(name.as_str(), value).is_some_and(|known| known != value) {
                return None;
            }
        }
        Some(case)
    }

    /// The arguments that it speaks of.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.comparisons.iter().flat_map(|it| [&it.left, &it.right]).filter_map(|operand| match operand {
            Operand::Name(name) => Some(name.as_str()),
            Operand::Number(_) => None,
        })
    }
}

/// A comparison of two operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The left operand.
    pub left: Operand,
    /// One of `<`, `<=`, `>`, `>=`, `==`, `!=`.
    pub operator: String,
    /// The right operand.
    pub right: Operand,
}

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An argument, such as `a` or `a[2]`.
    Name(String),
    /// An integer.
    Number(i64),
}

/// Why a text tells no inputs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0}: write a case with its answer (`a=1, b=2 -> 1`), a condition with it (`a <= b <= c && a != 0 -> b`) or a function (`f(x) = x*x`)"
)]
pub struct NotUnderstood(String);

impl std::str::FromStr for Given {
    type Err = NotUnderstood;

    fn from_str(text: &str) -> Result<Given, NotUnderstood> {
        if let Some((head, body)) = text.split_once('=')
            && head.trim_end().ends_with("(x)")
            && !body.starts_with('=')
        {
            return Ok(Given::Function(body.trim().to_owned()));
        }
        let (text, expected) = match text.split_once("->") {
            Some((text, expected)) => (text, Some(expected.trim().to_owned())),
            None => (text, None),
        };
        if let Some(expected) = &expected {
            parse(expected)
                .map_err(|why| NotUnderstood(format!("`{expected}` is no expected answer ({why})")))?;
        }
        let mut comparisons: Vec<Comparison> = Vec::new();
        for part in text.split("&&").flat_map(|part| part.split(',')) {
            comparisons.extend(chain(part)?);
        }
        Ok(Given::Inputs(Inputs { text: text.trim().to_owned(), comparisons, expected }))
    }
}

/// `a <= b < c` as its comparisons.
fn chain(text: &str) -> Result<Vec<Comparison>, NotUnderstood> {
    let mut operands: Vec<Operand> = Vec::new();
    let mut operators: Vec<String> = Vec::new();
    let mut rest = text.trim();
    loop {
        let end = rest.find(['<', '>', '=', '!']).unwrap_or(rest.len());
        operands.push(operand(rest[..end].trim())?);
        rest = &rest[end..];
        if rest.is_empty() {
            break;
        }
        let known = ["<=", ">=", "==", "!=", "<", ">", "="].into_iter().find(|it| rest.starts_with(it));
        let Some(operator) = known else { return Err(NotUnderstood(format!("`{rest}` is no comparison"))) };
        operators.push(if operator == "=" { "==".to_owned() } else { operator.to_owned() });
        rest = rest[operator.len()..].trim_start();
    }
    if operators.is_empty() {
        return Err(NotUnderstood(format!("`{}` compares nothing", text.trim())));
    }
    let pairs = operands.windows(2).zip(operators);
    Ok(pairs
        .map(|(pair, operator)| Comparison { left: pair[0].clone(), operator, right: pair[1].clone() })
        .collect())
}

fn operand(text: &str) -> Result<Operand, NotUnderstood> {
    if let Ok(number) = text.parse() {
        return Ok(Operand::Number(number));
    }
    let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if starts && text.chars().all(|c| c.is_alphanumeric() || "_[]".contains(c)) {
        return Ok(Operand::Name(text.to_owned()));
    }
    Err(NotUnderstood(format!("`{text}` is neither an argument nor an integer")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_conditions_and_functions_are_told_apart() {
        let inputs = |text: &str| match text.parse() {
            Ok(Given::Inputs(inputs)) => inputs,
            other => panic!("{text}: {other:?}"),
        };
        let case = inputs("a=1, b == -2 -> a + b");
        assert_eq!(case.case(), Some(BTreeMap::from([("a", 1), ("b", -2)])));
        assert_eq!((case.text.as_str(), case.expected.as_deref()), ("a=1, b == -2", Some("a + b")));
        let condition = inputs("a <= A[1] < 9 && a != 0");
        assert_eq!((condition.case(), condition.expected.clone()), (None, None));
        assert_eq!(condition.text, "a <= A[1] < 9 && a != 0");
        assert_eq!(condition.comparisons.len(), 3);
        assert_eq!(condition.comparisons[1].left, Operand::Name("A[1]".to_owned()));
        assert_eq!("f(x) = x*x + 1".parse(), Ok(Given::Function("x*x + 1".to_owned())));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for text in ["", "a", "a < ", "a + 1 < b", "a < b <", "a < b -> ", "a < b -> c c"] {
            assert!(text.parse::<Given>().is_err(), "{text}");
        }
    }
}
