//! Values of parameters: scalars, and classes that stand for a set of concrete values.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Two numbers closer than this are equal: ratios such as 1/3 are written as decimals.
pub(crate) const TOLERANCE: f64 = 1e-9;

/// One concrete value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// A number.
    Number(f64),
    /// Anything else.
    Text(String),
}

impl Scalar {
    /// Reads a number where the text is one, otherwise keeps the text.
    pub fn parse(text: &str) -> Scalar {
        let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c));
        match text.parse::<f64>() {
            Ok(number) if plain && number.is_finite() => Scalar::Number(number),
            _ => Scalar::Text(text.to_owned()),
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Scalar::Number(number) => Some(*number),
            Scalar::Text(_) => None,
        }
    }

    /// Order between two scalars: numbers by size, otherwise the texts.
    pub fn compare(&self, other: &Scalar) -> Ordering {
        match (self, other) {
            (Scalar::Number(a), Scalar::Number(b)) => compare_numbers(*a, *b),
            _ => self.to_string().cmp(&other.to_string()),
        }
    }
}

/// Order between numbers that treats nearly equal ones as equal.
pub(crate) fn compare_numbers(a: f64, b: f64) -> Ordering {
    if (a - b).abs() <= TOLERANCE { Ordering::Equal } else { a.total_cmp(&b) }
}

impl fmt::Display for Scalar {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Number(number) => write!(formatter, "{number}"),
            Scalar::Text(text) => formatter.write_str(text),
        }
    }
}

/// The concrete values that an abstract value stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Concrete {
    /// Only itself.
    One(Scalar),
    /// All integers from `low` to `high`.
    Integers(i64, i64),
    /// All reals from `low` to `high`.
    Reals(f64, f64),
    /// Any of a list.
    AnyOf(Vec<Scalar>),
}

impl Concrete {
    /// The least and the greatest number, if all are numbers.
    pub fn interval(&self) -> Option<(f64, f64)> {
        match self {
            Concrete::One(scalar) => scalar.number().map(|number| (number, number)),
            Concrete::Integers(low, high) => Some((*low as f64, *high as f64)),
            Concrete::Reals(low, high) => Some((*low, *high)),
            Concrete::AnyOf(list) => {
                let numbers: Option<Vec<f64>> = list.iter().map(Scalar::number).collect();
                let numbers = numbers?;
                let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                (low <= high).then_some((low, high))
            }
        }
    }

    /// Whether the set has this member.
    pub fn contains(&self, scalar: &Scalar) -> bool {
        match (self, scalar) {
            (Concrete::One(own), _) => own.compare(scalar) == Ordering::Equal,
            (Concrete::Integers(low, high), Scalar::Number(number)) => {
                (number - number.round()).abs() <= TOLERANCE
                    && *low as f64 <= number.round()
                    && number.round() <= *high as f64
            }
            (Concrete::Reals(low, high), Scalar::Number(number)) => {
                *low - TOLERANCE <= *number && *number <= *high + TOLERANCE
            }
            (Concrete::AnyOf(list), _) => list.iter().any(|own| own.compare(scalar) == Ordering::Equal),
            _ => false,
        }
    }

    /// Whether two sets have a member in common.
    pub fn meets(&self, other: &Concrete) -> bool {
        match (self, other) {
            (Concrete::One(scalar), _) => other.contains(scalar),
            (_, Concrete::One(scalar)) => self.contains(scalar),
            (Concrete::AnyOf(list), _) => list.iter().any(|scalar| other.contains(scalar)),
            (_, Concrete::AnyOf(list)) => list.iter().any(|scalar| self.contains(scalar)),
            _ => match (self.interval(), other.interval()) {
                (Some((a, b)), Some((c, d))) => a.max(c) <= b.min(d) + TOLERANCE,
                _ => false,
            },
        }
    }

    /// The single member of a set that has just one.
    pub fn only(&self) -> Option<Scalar> {
        match self {
            Concrete::One(scalar) => Some(scalar.clone()),
            Concrete::Integers(low, high) if low == high => Some(Scalar::Number(*low as f64)),
            Concrete::AnyOf(list) if list.len() == 1 => Some(list[0].clone()),
            _ => None,
        }
    }

    /// Reads an interval such as `[1,10)`, `(2, 10]`, `1-10` or `1..10` over the integers.
    pub fn parse_interval(text: &str) -> Option<Concrete> {
        let text = text.trim();
        let (open_low, open_high, inner) = match (text.chars().next()?, text.chars().last()?) {
            (a @ ('[' | '('), b @ (']' | ')')) if text.len() > 2 => {
                (a == '(', b == ')', &text[1..text.len() - 1])
            }
            _ => (false, false, text),
        };
        let (low, high) = inner.split_once("..").or_else(|| inner.split_once(','))?;
        let (low, high) = (low.trim(), high.trim().trim_start_matches('='));
        if let (Ok(low), Ok(high)) = (low.parse::<i64>(), high.parse::<i64>()) {
            let (low, high) =
                (low.checked_add(i64::from(open_low))?, high.checked_sub(i64::from(open_high))?);
            return (low <= high).then_some(Concrete::Integers(low, high));
        }
        let (low, high) = (low.parse::<f64>().ok()?, high.parse::<f64>().ok()?);
        (low <= high).then_some(Concrete::Reals(low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_respect_open_ends() {
        assert_eq!(Concrete::parse_interval("(1, 10]"), Some(Concrete::Integers(2, 10)));
        assert_eq!(Concrete::parse_interval("[1,10)"), Some(Concrete::Integers(1, 9)));
        assert_eq!(Concrete::parse_interval("0.5..1.5"), Some(Concrete::Reals(0.5, 1.5)));
        assert_eq!(Concrete::parse_interval("[3,1]"), None);
    }

    #[test]
    fn sets_meet_only_in_common_members() {
        let few = Concrete::Integers(1, 5);
        assert!(few.meets(&Concrete::AnyOf(vec![Scalar::Number(5.0), Scalar::Number(9.0)])));
        assert!(!few.meets(&Concrete::Integers(6, 9)));
        assert!(!few.contains(&Scalar::Number(2.5)));
    }
}
