//! Takes the input rule of a relation from what its runs are given: the relation is run on many cases, and each input of
//! a follow-up is expressed by the source's inputs where one short formula fits all of them.

use crate::error::{Error, Place};
use crate::expression::{Expression, Names, parse};
use crate::groups::Relation;
use crate::model::Model;
use crate::value::{Scalar, TOLERANCE};

/// What the runs of one group were given: for each run, one value for every parameter of the model.
pub type Sample = Vec<Vec<Scalar>>;

/// The input rule that fits all samples, in the language of rules; empty when nothing changes.
///
/// # Errors
/// When there are no samples, or some input of a follow-up follows no formula that is tried.
pub fn learn(model: &Model, name: &str, samples: &[Sample]) -> Result<(Relation, String), Error> {
    let Some(first) = samples.first().filter(|_| samples.len() >= LEAST) else {
        return Err(Error::Model(format!(
            "the input rule of relation `{name}` cannot be taken from its runs: only {} of its cases gave every run its inputs; name \
             them with GIVEN, or write `input`",
            samples.len()
        )));
    };
    let runs: Vec<String> = match first.len() {
        2 => vec!["source".to_owned(), "follow".to_owned()],
        count => (1..=count).map(|run| format!("run{run}")).collect(),
    };
    let mut parts: Vec<String> = Vec::new();
    for (run, prefix) in runs.iter().enumerate().skip(1) {
        for (parameter, description) in model.parameters.iter().enumerate() {
            let own = |sample: &Sample| sample[run][parameter].clone();
            let formula = formula(model, samples, &own, parameter, &runs[0]).ok_or_else(|| {
                Error::Model(format!(
                    "the input rule of relation `{name}` cannot be taken from its runs: no short formula gives `{}` of run {}; write \
                     `input` by hand",
                    description.name,
                    run + 1
                ))
            })?;
            if let Some(formula) = formula {
                parts.push(format!("{} = {formula}", input(prefix, &description.name)));
            }
        }
    }
    let text = if parts.is_empty() { "nothing changes".to_owned() } else { parts.join(" and ") };
    let names: Vec<&str> = runs.iter().map(String::as_str).collect();
    let names = Names { parameters: &model.parameters, runs: &names };
    let rule = match parts.is_empty() {
        true => Expression::Constant(true),
        false => parse(&text, Place::default(), names)?,
    };
    let count = model.parameters.len();
    Ok((Relation::new(name, runs, rule, None, true, count, String::new()), text))
}

/// Fewer samples than this say too little.
const LEAST: usize = 12;

/// A formula over the source for one input: `None` inside when it is just the source's own; nothing when none fits.
fn formula(
    model: &Model,
    samples: &[Sample],
    own: &dyn Fn(&Sample) -> Scalar,
    parameter: usize,
    source: &str,
) -> Option<Option<String>> {
    let equal = |other: usize| samples.iter().all(|sample| same(&own(sample), &sample[0][other]));
    if equal(parameter) {
        return Some(None);
    }
    let name = |other: usize| input(source, &model.parameters[other].name);
    if let Some(other) = (0..model.parameters.len()).find(|&other| equal(other)) {
        return Some(Some(name(other)));
    }
    if samples.iter().all(|sample| same(&own(sample), &own(&samples[0]))) {
        return Some(Some(match own(&samples[0]) {
            Scalar::Number(number) => number.to_string(),
            Scalar::Text(text) => format!("\"{text}\""),
        }));
    }
    let numbers: Option<Vec<f64>> = samples.iter().map(|sample| own(sample).number()).collect();
    let numbers = numbers?;
    let columns: Vec<(usize, Vec<f64>)> = (0..model.parameters.len())
        .filter_map(|other| {
            let column: Option<Vec<f64>> = samples.iter().map(|sample| sample[0][other].number()).collect();
            Some((other, column?))
        })
        .collect();
    // The parameter itself first: a follow-up mostly changes an input by something.
    let mut order: Vec<&(usize, Vec<f64>)> = columns.iter().collect();
    order.sort_by_key(|(other, _)| (*other != parameter, *other));
    for (other, column) in &order {
        if let Some((factor, constant)) = affine(column, &numbers) {
            return Some(Some(shown(factor, &name(*other), constant)));
        }
    }
    for (at, (first, a)) in columns.iter().enumerate() {
        for (second, b) in &columns[at..] {
            if numbers.iter().zip(a.iter().zip(b)).all(|(own, (a, b))| (own - a * b).abs() <= TOLERANCE) {
                return Some(Some(format!("{} * {}", name(*first), name(*second))));
            }
        }
    }
    for (first, a) in &order {
        for sign in [1.0, -1.0] {
            let rest: Vec<f64> = numbers.iter().zip(a).map(|(own, a)| own - sign * a).collect();
            for (second, b) in columns.iter().filter(|(second, _)| second != first) {
                if let Some((factor, constant)) = affine(b, &rest) {
                    let head = if sign > 0.0 { name(*first) } else { format!("0 - {}", name(*first)) };
                    return Some(Some(format!("{head} + {}", shown(factor, &name(*second), constant))));
                }
            }
        }
    }
    None
}

/// How rules name an input of a run.
fn input(run: &str, name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_alphabetic())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { format!("{run}.{name}") } else { format!("{run}[{name}]") }
}

/// `y = factor * x + constant` for all points, with a factor other than 0.
fn affine(x: &[f64], y: &[f64]) -> Option<(f64, f64)> {
    let other = x.iter().position(|value| (value - x[0]).abs() > TOLERANCE)?;
    let factor = (y[other] - y[0]) / (x[other] - x[0]);
    let constant = y[0] - factor * x[0];
    let fits = x.iter().zip(y).all(|(x, y)| (factor * x + constant - y).abs() <= 1e-6 * y.abs().max(1.0));
    (fits && factor.abs() > TOLERANCE).then_some((tidy(factor), tidy(constant)))
}

fn tidy(number: f64) -> f64 {
    if (number - number.round()).abs() < 1e-9 { number.round() } else { number }
}

fn shown(factor: f64, name: &str, constant: f64) -> String {
    let term = match factor {
        1.0 => name.to_owned(),
        -1.0 => format!("(0 - {name})"),
        factor => format!("{factor} * {name}"),
    };
    match constant {
        0.0 => term,
        constant if constant < 0.0 => format!("{term} - {}", -constant),
        constant => format!("{term} + {constant}"),
    }
}

fn same(a: &Scalar, b: &Scalar) -> bool {
    a.compare(b) == std::cmp::Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::read_toml;

    fn check(follow: fn(f64, f64, f64) -> [f64; 3]) -> Result<String, String> {
        let parameter = |name: &str| format!("[[parameters]]\nname = \"{name}\"\nrange = [0, 9]\n");
        let model = read_toml(&["a", "b", "k"].map(parameter).concat()).unwrap();
        let scalars = |values: [f64; 3]| values.map(Scalar::Number).to_vec();
        let samples: Vec<Sample> = (0..40)
            .map(|i| (f64::from(i % 7), f64::from(i % 5), f64::from(i % 3)))
            .map(|(a, b, k)| vec![scalars([a, b, k]), scalars(follow(a, b, k))])
            .collect();
        learn(&model, "r", &samples).map(|(_, text)| text).map_err(|error| error.to_string())
    }

    #[test]
    fn short_formulas_are_found_and_others_refused() {
        assert_eq!(check(|a, b, k| [a, b, k]).unwrap(), "nothing changes");
        assert_eq!(check(|a, b, k| [b, a, k]).unwrap(), "follow.a = source.b and follow.b = source.a");
        assert_eq!(
            check(|a, _, k| [2.0 * a - 1.0, 4.0, k]).unwrap(),
            "follow.a = 2 * source.a - 1 and follow.b = 4"
        );
        assert_eq!(
            check(|a, b, k| [a + k, b - a, k]).unwrap(),
            "follow.a = source.a + source.k and follow.b = source.b + (0 - source.a)"
        );
        assert_eq!(check(|a, b, k| [a * k, b, k]).unwrap(), "follow.a = source.a * source.k");
        assert!(
            check(|a, b, k| [a * b + k, b, k]).unwrap_err().contains("no short formula gives `a` of run 2")
        );
    }
}
