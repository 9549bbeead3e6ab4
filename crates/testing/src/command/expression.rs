//! Expressions over parameters and outputs: numbers, comparisons, `&&`, `||`, `!`, and functions of the runs.
//!
//! Truth is 1 and falsehood 0. Texts occur only as arguments of functions and in comparisons with `==` and `!=`.

use super::Done;
use super::draw::{Parameters, get, text};
use crate::executor::ExecuteError;

/// Whether an expression is true.
pub(super) fn holds(source: &str, parameters: &Parameters, runs: &[Done]) -> Result<bool, ExecuteError> {
    Ok(evaluate(source, parameters, runs)? != 0.0)
}

/// The value of an expression.
pub(super) fn evaluate(source: &str, parameters: &Parameters, runs: &[Done]) -> Result<f64, ExecuteError> {
    let mut parser = Parser { rest: source, parameters, runs };
    let value = parser.binary(0).and_then(|value| match parser.rest.trim_start() {
        "" => value.number(),
        rest => Err(format!("`{rest}` is left over")),
    });
    value.map_err(|problem| ExecuteError::new(format!("the expression `{source}`: {problem}")))
}

/// All numbers in an output, in order.
pub(super) fn numbers(bytes: &[u8]) -> Vec<f64> {
    let text = String::from_utf8_lossy(bytes);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(|c: char| c.is_ascii_digit()).map(|at| from + at) {
        // A sign belongs to the number where no word or number stands before it.
        let before = text[..start].trim_end_matches('.');
        let begin = before.len().max(from);
        let signed = begin > from
            && before.ends_with('-')
            && !before[..before.len() - 1].ends_with(|c: char| c.is_alphanumeric());
        let end = begin + number_end(&text[begin..]).max(1);
        if let Ok(value) = text[begin..end].parse::<f64>() {
            found.push(if signed { -value } else { value });
        }
        from = end;
    }
    found
}

/// Where the number at the beginning of `text` ends.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

enum Term {
    Number(f64),
    Text(String),
}

impl Term {
    fn number(self) -> Result<f64, String> {
        match self {
            Term::Number(number) => Ok(number),
            Term::Text(text) => text.trim().parse().map_err(|_| format!("{text:?} is no number")),
        }
    }
}

/// Operators by binding strength, loosest first.
const LEVELS: [&[&str]; 5] =
    [&["||"], &["&&"], &["==", "!=", "<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

struct Parser<'p> {
    rest: &'p str,
    parameters: &'p Parameters,
    runs: &'p [Done],
}

impl Parser<'_> {
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        let found = rest.strip_prefix(token);
        if let Some(after) = found {
            self.rest = after;
        }
        found.is_some()
    }

    fn binary(&mut self, level: usize) -> Result<Term, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.eat(operator)) {
            let right = self.binary(level + 1)?;
            left = Term::Number(apply(operator, left, right)?);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Term, String> {
        if self.eat("!") {
            return Ok(Term::Number(f64::from(self.unary()?.number()? == 0.0)));
        }
        if self.eat("-") {
            return Ok(Term::Number(-self.unary()?.number()?));
        }
        if self.eat("(") {
            let inner = self.binary(0)?;
            return if self.eat(")") { Ok(inner) } else { Err("a `)` is missing".to_owned()) };
        }
        self.rest = self.rest.trim_start();
        match self.rest.chars().next() {
            Some('"') => {
                let end = self.rest[1..].find('"').ok_or("a `\"` is missing")?;
                let literal = self.rest[1..=end].to_owned();
                self.rest = &self.rest[end + 2..];
                Ok(Term::Text(literal))
            }
            Some(c) if c.is_ascii_digit() || c == '.' => {
                let end = number_end(self.rest).max(1);
                let number =
                    self.rest[..end].parse().map_err(|_| format!("`{}` is no number", &self.rest[..end]))?;
                self.rest = &self.rest[end..];
                Ok(Term::Number(number))
            }
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(format!("`{c}` is not expected here")),
            None => Err("something is missing at its end".to_owned()),
        }
    }

    fn name(&mut self) -> Result<Term, String> {
        let end =
            self.rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(self.rest.len());
        let name = self.rest[..end].to_owned();
        self.rest = &self.rest[end..];
        if !self.eat("(") {
            let value =
                get(self.parameters, &name).ok_or_else(|| format!("there is no parameter `{name}`"))?;
            return Ok(as_term(value));
        }
        let mut arguments = Vec::new();
        while !self.eat(")") {
            if !arguments.is_empty() && !self.eat(",") {
                return Err(format!("the arguments of `{name}` need a `,` or a `)`"));
            }
            arguments.push(self.binary(0)?);
        }
        self.call(&name, arguments)
    }

    fn call(&self, name: &str, arguments: Vec<Term>) -> Result<Term, String> {
        let mut arguments = arguments.into_iter();
        let mut next = || arguments.next().ok_or_else(|| format!("`{name}` needs more arguments"));
        let number = match name {
            "abs" => next()?.number()?.abs(),
            "min" => next()?.number()?.min(next()?.number()?),
            "max" => next()?.number()?.max(next()?.number()?),
            "exit" | "lines" | "number" | "length" | "param" => {
                let run = next()?.number()? as usize;
                let done = self
                    .runs
                    .get(run.wrapping_sub(1))
                    .ok_or_else(|| format!("there is no run {run} (yet)"))?;
                let stdout = &done.output.stdout;
                match name {
                    "exit" => f64::from(done.output.exit.unwrap_or(-1)),
                    "lines" => String::from_utf8_lossy(stdout).lines().count() as f64,
                    "length" => stdout.len() as f64,
                    "number" => {
                        let which = arguments.next().map_or(Ok(1.0), Term::number)? as usize;
                        let all = numbers(stdout);
                        *all.get(which.wrapping_sub(1))
                            .ok_or_else(|| format!("the output of run {run} has {} numbers", all.len()))?
                    }
                    _ => {
                        let Term::Text(name) = next()? else {
                            return Err("`param` needs a name in quotes".to_owned());
                        };
                        let value = get(&done.parameters, &name)
                            .ok_or_else(|| format!("there is no parameter `{name}`"))?;
                        return Ok(as_term(value));
                    }
                }
            }
            _ => return Err(format!("there is no function `{name}`")),
        };
        Ok(Term::Number(number))
    }
}

fn as_term(value: &twinrun_subject::command::ParameterValue) -> Term {
    use twinrun_subject::command::ParameterValue as P;
    match value {
        P::Bool(truth) => Term::Number(f64::from(*truth)),
        P::Int(number) => Term::Number(*number as f64),
        P::Float(number) => Term::Number(*number),
        other => Term::Text(text(other)),
    }
}

fn apply(operator: &str, left: Term, right: Term) -> Result<f64, String> {
    if let (Term::Text(a), Term::Text(b)) = (&left, &right)
        && matches!(operator, "==" | "!=")
    {
        return Ok(f64::from((a == b) == (operator == "==")));
    }
    let (a, b) = (left.number()?, right.number()?);
    let truth = |truth: bool| f64::from(truth);
    Ok(match operator {
        "||" => truth(a != 0.0 || b != 0.0),
        "&&" => truth(a != 0.0 && b != 0.0),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<=" => truth(a <= b),
        ">=" => truth(a >= b),
        "<" => truth(a < b),
        ">" => truth(a > b),
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        _ => a % b,
    })
}

#[cfg(test)]
mod tests {
    use twinrun_subject::command::ParameterValue;

    use super::*;

    fn check(source: &str, expected: Result<f64, &str>) {
        let parameters = vec![
            ("n".to_owned(), ParameterValue::Int(3)),
            ("word".to_owned(), ParameterValue::Text("ab".to_owned())),
        ];
        let output = super::super::process::Output {
            stdout: b"sum -2.5\nx-7 1e3\n".to_vec(),
            exit: Some(1),
            ..Default::default()
        };
        let runs = [Done { parameters: parameters.clone(), output }];
        match (evaluate(source, &parameters, &runs), expected) {
            (Ok(value), Ok(expected)) => assert!((value - expected).abs() < 1e-12, "{source} is {value}"),
            (Err(error), Err(expected)) => assert!(error.to_string().contains(expected), "{error}"),
            (value, expected) => panic!("{source}: {value:?} instead of {expected:?}"),
        }
    }

    #[test]
    fn operators_bind_as_usual() {
        check("1 + 2 * 3 - 4 / 2", Ok(5.0));
        check("n > 2 && !(n == 4) || 0", Ok(1.0));
        check("-n % 2 == -1", Ok(1.0));
        check("word == \"ab\" && word != \"b\"", Ok(1.0));
    }

    #[test]
    fn functions_speak_of_runs() {
        check("number(1)", Ok(-2.5));
        check("number(1, 2) + number(1, 3)", Ok(1007.0));
        check("exit(1) + lines(1) + abs(0 - 1) + max(1, 2) + param(1, \"n\")", Ok(9.0));
    }

    #[test]
    fn mistakes_are_named() {
        check("m > 2", Err("there is no parameter `m`"));
        check("number(2)", Err("there is no run 2"));
        check("(1", Err("a `)` is missing"));
        check("1 2", Err("`2` is left over"));
        check("frobnicate(1)", Err("there is no function `frobnicate`"));
        check("1 +", Err("something is missing at its end"));
    }

    #[test]
    fn numbers_in_output_keep_their_signs() {
        assert_eq!(numbers(b"a-1 -1 3-2 -.5 1.5e-3 x2"), [1.0, -1.0, 3.0, 2.0, -0.5, 0.0015, 2.0]);
    }
}
