//! What a user knows to be correct, as text: `a=1, b=2` (a case), `a <= b <= c` (all inputs that satisfy it), `f(x) = x*x` (a function).

use std::collections::BTreeMap;

/// Inputs for which the answer is known to be correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// One case: the value of each argument.
    Case(BTreeMap<String, i64>),
    /// All inputs that satisfy a condition: its text, and its comparisons.
    Where(String, Vec<Comparison>),
    /// A function that is passed.
    Function(String),
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
#[error("{0}: write a case (`a=1, b=2`), a condition (`a <= b <= c && a != 0`) or a function (`f(x) = x*x`)")]
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
        let mut comparisons: Vec<Comparison> = Vec::new();
        for part in text.split("&&").flat_map(|part| part.split(',')) {
            comparisons.extend(chain(part)?);
        }
        let case: Option<BTreeMap<String, i64>> = comparisons
            .iter()
            .map(|it| match (&it.left, it.operator.as_str(), &it.right) {
                (Operand::Name(name), "==", Operand::Number(value)) => Some((name.clone(), *value)),
                _ => None,
            })
            .collect();
        Ok(match case {
            Some(case) => Given::Case(case),
            None => Given::Where(text.trim().to_owned(), comparisons),
        })
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
        let case: Given = "a=1, b == -2".parse().expect("a case");
        assert_eq!(case, Given::Case(BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), -2)])));
        let Given::Where(text, comparisons) = "a <= A[1] < 9 && a != 0".parse().expect("a condition") else {
            panic!("it is a condition");
        };
        assert_eq!(text, "a <= A[1] < 9 && a != 0");
        assert_eq!(comparisons.len(), 3);
        assert_eq!(comparisons[1].left, Operand::Name("A[1]".to_owned()));
        assert_eq!("f(x) = x*x + 1".parse(), Ok(Given::Function("x*x + 1".to_owned())));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for text in ["", "a", "a < ", "a + 1 < b", "a < b <"] {
            assert!(text.parse::<Given>().is_err(), "{text}");
        }
    }
}
