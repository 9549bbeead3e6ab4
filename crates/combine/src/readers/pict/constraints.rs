//! PICT's constraints. Every term is settled while reading: which values of its parameters satisfy it, by PICT's rules for
//! case, numbers and names. What is left is a formula over sets of values.

use super::{PictOptions, nearest};
use crate::error::{Error, Place};
use crate::expression::{Cell, Expression, matches_pattern};
use crate::model::{Constraint, Model, Parameter};
use crate::value::Scalar;

/// Reads the lines of the constraints, each with its number, and adds them to the model.
pub(super) fn read(lines: &[(usize, &str)], options: &PictOptions, model: &mut Model) -> Result<(), Error> {
    let mut text: Vec<(char, Place)> = Vec::new();
    for &(number, line) in lines {
        text.extend(line.chars().zip(1..).map(|(c, column)| (c, Place { line: number + 1, column })));
        text.push(('\n', Place { line: number + 1, column: line.chars().count() + 1 }));
    }
    let mut parser = Parser {
        text: &text,
        at: 0,
        depth: 0,
        options,
        parameters: &model.parameters,
        warnings: Vec::new(),
        unknown: None,
    };
    let mut constraints = Vec::new();
    parser.skip();
    while parser.at < text.len() {
        constraints.extend(parser.constraint()?);
        parser.skip();
    }
    model.warnings.append(&mut parser.warnings);
    model.constraints = constraints;
    Ok(())
}

struct Parser<'a> {
    text: &'a [(char, Place)],
    at: usize,
    depth: usize,
    options: &'a PictOptions,
    parameters: &'a [Parameter],
    warnings: Vec<String>,
    /// A parameter that does not exist: its constraint is left out, as PICT does.
    unknown: Option<String>,
}

/// The right side of a term.
enum Right {
    Value(Scalar),
    Set(Vec<Scalar>),
    Parameter(Option<usize>),
}

/// Nesting beyond this is refused instead of overflowing the stack.
const DEEPEST: usize = 200;

impl Parser<'_> {
    fn place(&self) -> Place {
        self.text.get(self.at).or(self.text.last()).map_or(Place { line: 1, column: 1 }, |(_, place)| *place)
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(Error::Syntax { place: self.place(), message: message.into() })
    }

    fn skip(&mut self) {
        while self.text.get(self.at).is_some_and(|(c, _)| c.is_whitespace() || c.is_control()) {
            self.at += 1;
        }
    }

    /// Takes a word or a sign; PICT's words need no space behind them.
    fn accept(&mut self, word: &str) -> bool {
        self.skip();
        let mut at = self.at;
        for wanted in word.chars() {
            match self.text.get(at) {
                Some((c, _)) if c.eq_ignore_ascii_case(&wanted) => at += 1,
                _ => return false,
            }
        }
        self.at = at;
        true
    }

    fn constraint(&mut self) -> Result<Vec<Constraint>, Error> {
        let start = self.at;
        let place = self.place();
        let condition = if self.accept("IF") {
            let condition = self.checked(Self::clause)?;
            if !self.accept("THEN") {
                return self.fail("expected THEN or a logical operator");
            }
            Some(condition)
        } else {
            None
        };
        let then = self.checked(Self::clause)?;
        let otherwise = if self.accept("ELSE") { Some(self.checked(Self::clause)?) } else { None };
        self.skip();
        let end = self.at;
        if !self.accept(";") {
            return self.fail("this constraint is not ended by `;`");
        }
        let text: String = self.text[start..end].iter().map(|(c, _)| *c).collect();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut parts = vec![(condition.clone(), then, false)];
        parts.extend(otherwise.map(|otherwise| (condition, otherwise, true)));
        let mut constraints = Vec::new();
        for (condition, (then, unknown), negated) in parts {
            let (condition, unknown) = match condition {
                Some((condition, missing)) => (Some(condition), missing.or(unknown)),
                None => (None, unknown),
            };
            if let Some(name) = unknown {
                let hint = nearest(&name, self.parameters.iter().map(|own| own.name.as_str()));
                self.warnings.push(format!(
                    "{place}: there is no parameter `{name}`{hint}; the constraint `{text}` is left out"
                ));
                continue;
            }
            let expression = match condition {
                None => then,
                Some(condition) if negated => Expression::Or(vec![condition, then]),
                Some(condition) => condition.implies(then),
            };
            constraints.push(Constraint { text: text.clone(), expression, place });
        }
        Ok(constraints)
    }

    /// A part of a constraint, and a parameter in it that does not exist.
    fn checked(
        &mut self,
        part: fn(&mut Self) -> Result<Expression, Error>,
    ) -> Result<(Expression, Option<String>), Error> {
        self.unknown = None;
        let expression = part(self)?;
        Ok((expression, self.unknown.take()))
    }

    fn clause(&mut self) -> Result<Expression, Error> {
        let mut parts = vec![self.conjunction()?];
        while self.accept("OR") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Or(parts) })
    }

    fn conjunction(&mut self) -> Result<Expression, Error> {
        let mut parts = vec![self.condition()?];
        while self.accept("AND") {
            parts.push(self.condition()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::And(parts) })
    }

    fn condition(&mut self) -> Result<Expression, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail("the condition is nested too deeply");
        }
        let found = if self.accept("(") {
            let inner = self.clause()?;
            if !self.accept(")") {
                return self.fail("expected `)`");
            }
            inner
        } else if self.accept("NOT") {
            Expression::Not(Box::new(self.condition()?))
        } else if self.accept("ISNEGATIVE") {
            self.negativity(true)?
        } else if self.accept("ISPOSITIVE") {
            self.negativity(false)?
        } else {
            self.term()?
        };
        self.depth -= 1;
        Ok(found)
    }

    /// `IsNegative(P)`, `IsPositive(P)`; without a parameter, of some or of every one.
    fn negativity(&mut self, negative: bool) -> Result<Expression, Error> {
        if !self.accept("(") {
            return self.fail("expected `(`");
        }
        self.skip();
        let name = self.until(')')?;
        let of = |parameter: usize| {
            self.satisfying(parameter, |at| self.parameters[parameter].values[at].invalid == negative)
        };
        if name.is_empty() {
            let parts = (0..self.parameters.len()).map(of).collect();
            return Ok(if negative { Expression::Or(parts) } else { Expression::And(parts) });
        }
        match self.parameter(&name) {
            Some(parameter) => Ok(of(parameter)),
            None => Ok(self.missing(name)),
        }
    }

    fn missing(&mut self, name: String) -> Expression {
        self.unknown.get_or_insert(name);
        Expression::Constant(true)
    }

    fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|own| self.options.same(&own.name, name))
    }

    /// Text up to a closing sign; `\` before a sign takes its meaning away.
    fn until(&mut self, end: char) -> Result<String, Error> {
        let mut out = String::new();
        while let Some(&(c, _)) = self.text.get(self.at) {
            self.at += 1;
            match c {
                c if c == end => return Ok(out),
                '\\' => match self.text.get(self.at) {
                    Some(&(c @ ('\\' | '"' | ']'), _)) => {
                        out.push(c);
                        self.at += 1;
                    }
                    _ => return self.fail("only \\, \" and ] can follow a `\\`"),
                },
                // Lines of the file are one line for PICT.
                '\n' => {}
                c => out.push(c),
            }
        }
        self.fail(format!("expected `{end}`"))
    }

    fn bracketed(&mut self) -> Result<String, Error> {
        if !self.accept("[") {
            return self.fail("expected a parameter in brackets");
        }
        self.until(']')
    }

    fn term(&mut self) -> Result<Expression, Error> {
        let place = self.place();
        let start = self.at;
        let name = self.bracketed()?;
        let Some(relation) = self.relation() else {
            return self.fail("expected =, <>, <, <=, >, >=, IN, LIKE, NOT IN or NOT LIKE");
        };
        self.skip();
        let right = if relation.ends_with("IN") {
            if !self.accept("{") {
                return self.fail("expected `{` and a list of values");
            }
            let mut set = vec![self.scalar()?];
            while self.accept(",") {
                set.push(self.scalar()?);
            }
            if !self.accept("}") {
                return self.fail("expected `,` or `}`");
            }
            Right::Set(set)
        } else if self.text.get(self.at).is_some_and(|(c, _)| *c == '[') {
            let other = self.bracketed()?;
            let found = self.parameter(&other);
            if found.is_none() {
                self.missing(other);
            }
            Right::Parameter(found)
        } else {
            Right::Value(self.scalar()?)
        };
        let Some(parameter) = self.parameter(&name) else { return Ok(self.missing(name)) };
        let text: String = self.text[start..self.at].iter().map(|(c, _)| *c).collect();
        self.settle(parameter, relation, &right, text.trim(), place)
    }

    fn relation(&mut self) -> Option<&'static str> {
        for relation in ["=", "<>", "<=", ">=", ">", "<", "IN", "LIKE"] {
            if self.accept(relation) {
                return Some(relation);
            }
        }
        if !self.accept("NOT") {
            return None;
        }
        ["IN", "LIKE"]
            .into_iter()
            .zip(["NOT IN", "NOT LIKE"])
            .find(|(word, _)| self.accept(word))
            .map(|(_, both)| both)
    }

    fn scalar(&mut self) -> Result<Scalar, Error> {
        if self.accept("\"") {
            return Ok(Scalar::Text(self.until('"')?));
        }
        self.skip();
        let start = self.at;
        let mut end = start;
        let mut number = None;
        while let Some((c, _)) =
            self.text.get(end).filter(|(c, _)| c.is_ascii_digit() || "+-.eE".contains(*c))
        {
            end += 1;
            let text: String = self.text[start..end].iter().map(|(c, _)| *c).collect();
            if c.is_ascii_digit() || *c == '.' {
                number = text.parse::<f64>().ok().map(|value| (value, end)).or(number);
            }
        }
        match number {
            Some((number, end)) => {
                self.at = end;
                Ok(Scalar::Number(number))
            }
            None => self.fail("expected a value in quotes or a number"),
        }
    }

    /// Which values satisfy a term.
    fn settle(
        &mut self,
        parameter: usize,
        relation: &str,
        right: &Right,
        text: &str,
        place: Place,
    ) -> Result<Expression, Error> {
        let wrong = |message: String| Err(Error::Syntax { place, message });
        let own = &self.parameters[parameter];
        let numeric = is_numeric(own);
        let like = relation.ends_with("LIKE");
        if like && numeric {
            return wrong(format!("`{}` is numeric: LIKE compares texts", own.name));
        }
        match right {
            Right::Parameter(None) => Ok(Expression::Constant(true)),
            Right::Parameter(Some(other)) => {
                if *other == parameter {
                    return wrong(format!("`{}` is compared with itself", own.name));
                }
                let second = &self.parameters[*other];
                if is_numeric(second) != numeric {
                    return wrong(format!(
                        "`{}` and `{}` are compared, but only one of them is numeric",
                        own.name, second.name
                    ));
                }
                let pairs = (0..second.values.len()).map(|value| {
                    let right = scalar_of(second, value, numeric);
                    let left = self.satisfying(parameter, |at| {
                        self.compare(&scalar_of(own, at, numeric), relation, &right)
                    });
                    Expression::And(vec![self.satisfying(*other, |at| at == value), left])
                });
                Ok(Expression::Or(pairs.collect()))
            }
            Right::Value(_) | Right::Set(_) => {
                let listed: &[Scalar] = match right {
                    Right::Value(value) => std::slice::from_ref(value),
                    Right::Set(set) => set,
                    Right::Parameter(_) => &[],
                };
                if let Some(value) = listed.iter().find(|value| value.number().is_some() != numeric) {
                    return wrong(if numeric {
                        format!("`{}` is numeric and is compared with the text \"{value}\"", own.name)
                    } else {
                        format!("`{}` is not numeric: write {value} in quotes", own.name)
                    });
                }
                let (plain, negated) = match relation {
                    "IN" => ("=", false),
                    "NOT IN" => ("=", true),
                    other => (other, false),
                };
                let fits = |at: usize| {
                    let left = scalar_of(own, at, numeric);
                    listed.iter().any(|value| self.compare(&left, plain, value)) != negated
                };
                let found = self.satisfying(parameter, fits);
                self.warn_of(parameter, plain, listed, text, place, &found);
                Ok(found)
            }
        }
    }

    /// Says so when a value is not there, or when a term decides nothing.
    fn warn_of(
        &mut self,
        parameter: usize,
        relation: &str,
        listed: &[Scalar],
        text: &str,
        place: Place,
        found: &Expression,
    ) {
        let own = &self.parameters[parameter];
        let mut told = false;
        for value in listed.iter().filter(|_| ["=", "<>"].contains(&relation)) {
            let numeric = is_numeric(own);
            if !(0..own.values.len()).any(|at| self.compare(&scalar_of(own, at, numeric), "=", value)) {
                let names = own.values.iter().map(|value| value.label.as_str());
                let text = value.to_string();
                let first = own
                    .values
                    .iter()
                    .find(|own| own.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(&text)));
                let hint = match first {
                    Some(first) => format!(
                        " as its first name (it is another name of `{}`, and constraints see the first)",
                        first.label
                    ),
                    None => nearest(&text, names),
                };
                self.warnings.push(format!("{place}: `{}` has no value `{value}`{hint}", own.name));
                told = true;
            }
        }
        if let (Expression::Constant(constant), false) = (found, told) {
            let how = if *constant { "every value" } else { "no value" };
            self.warnings.push(format!("{place}: {how} of `{}` satisfies {text}", own.name));
        }
    }

    fn satisfying(&self, parameter: usize, fits: impl Fn(usize) -> bool) -> Expression {
        let values = &self.parameters[parameter].values;
        let labels: Vec<String> =
            (0..values.len()).filter(|&at| fits(at)).map(|at| values[at].label.clone()).collect();
        match labels.len() {
            0 => Expression::Constant(false),
            all if all == values.len() => Expression::Constant(true),
            _ => Expression::Among(Cell { run: 0, parameter }, labels),
        }
    }

    fn compare(&self, left: &Scalar, relation: &str, right: &Scalar) -> bool {
        let order = match (left, right) {
            (Scalar::Number(a), Scalar::Number(b)) => a.total_cmp(b),
            _ => {
                let (mut a, mut b) = (left.to_string(), right.to_string());
                if !self.options.case_sensitive {
                    (a, b) = (a.to_uppercase(), b.to_uppercase());
                }
                match relation {
                    "LIKE" => return matches_pattern(&a, &b),
                    "NOT LIKE" => return !matches_pattern(&a, &b),
                    _ => a.cmp(&b),
                }
            }
        };
        match relation {
            "=" => order.is_eq(),
            "<>" => order.is_ne(),
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            _ => order.is_ge(),
        }
    }
}

/// A parameter is numeric when the first name of every value is a number.
fn is_numeric(parameter: &Parameter) -> bool {
    parameter.values.iter().all(|value| Scalar::parse(&value.label).number().is_some())
}

fn scalar_of(parameter: &Parameter, value: usize, numeric: bool) -> Scalar {
    let label = &parameter.values[value].label;
    if numeric { Scalar::parse(label) } else { Scalar::Text(label.clone()) }
}
