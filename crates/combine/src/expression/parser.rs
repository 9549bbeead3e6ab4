//! Reads conditions. The grammar is the union of our own form, PICT, ACTS and CTWedge:
//! `iff < implies < or < and < not < comparison < + - < * / %`, with `if … then … else …` on top.

use super::lexer::{Word, words};
use super::{Cell, Comparison, Expression, Operator, Term};
use crate::error::{Error, Place};
use crate::model::Parameter;
use crate::readers::nearest;
use crate::value::Scalar;

/// What names in a condition can mean.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// The parameters.
    pub parameters: &'a [Parameter],
    /// Prefixes of the runs, the source first; a name without a prefix belongs to the source.
    pub runs: &'a [&'a str],
}

impl<'a> Names<'a> {
    /// Names of a constraint, which speaks of one row only.
    pub fn single(parameters: &'a [Parameter]) -> Names<'a> {
        Names { parameters, runs: &[] }
    }

    fn cell(&self, name: &str) -> Option<Cell> {
        let find = |name: &str| self.parameters.iter().position(|parameter| parameter.name == name);
        if let Some(parameter) = find(name) {
            return Some(Cell { run: 0, parameter });
        }
        let (prefix, rest) = name.split_once('.')?;
        let run = self.runs.iter().position(|run| *run == prefix)?;
        find(rest).map(|parameter| Cell { run, parameter })
    }

    /// Every parameter, and every value.
    fn all(&self) -> impl Iterator<Item = &'a str> {
        let values = self.parameters.iter().flat_map(|parameter| &parameter.values);
        let names = self.parameters.iter().map(|parameter| parameter.name.as_str());
        names.chain(values.map(|value| value.label.as_str()))
    }

    fn is_value(&self, name: &str) -> bool {
        self.parameters.iter().flat_map(|parameter| &parameter.values).any(|value| value.label == name)
    }
}

/// Reads one condition.
///
/// # Errors
/// With the place of the first thing that makes no sense.
pub fn parse(text: &str, start: Place, names: Names<'_>) -> Result<Expression, Error> {
    let words = words(text, start)?;
    let mut parser = Parser { words: &words, at: 0, depth: 0, names };
    let node = parser.conditional()?;
    parser.accept(";");
    if *parser.peek() != Word::End {
        return Err(parser.unexpected("the end of the condition"));
    }
    let place = words[0].1;
    parser.condition(node, place)
}

enum Node {
    Condition(Expression),
    Term(Term),
}

struct Parser<'a> {
    words: &'a [(Word, Place)],
    at: usize,
    depth: usize,
    names: Names<'a>,
}

/// Nesting beyond this is refused instead of overflowing the stack.
const DEEPEST: usize = 200;

impl Parser<'_> {
    fn peek(&self) -> &Word {
        &self.words[self.at].0
    }

    fn place(&self) -> Place {
        self.words[self.at].1
    }

    fn fail<T>(&self, place: Place, message: impl Into<String>) -> Result<T, Error> {
        Err(Error::Syntax { place, message: message.into() })
    }

    fn unexpected(&self, expected: &str) -> Error {
        let found = match self.peek() {
            Word::Name(name) => format!("`{name}`"),
            Word::Bracketed(name) => format!("`[{name}]`"),
            Word::Text(text) => format!("\"{text}\""),
            Word::Number(number) => number.to_string(),
            Word::Symbol(symbol) => format!("`{symbol}`"),
            Word::End => "nothing more".to_owned(),
        };
        Error::Syntax { place: self.place(), message: format!("expected {expected}, found {found}") }
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Word::Symbol(own) if *own == symbol);
        self.at += usize::from(found);
        found
    }

    fn accept_any(&mut self, symbols: &[&str], keyword: &str) -> bool {
        symbols.iter().any(|symbol| self.accept(symbol)) || self.keyword(keyword)
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let found = matches!(self.peek(), Word::Name(name) if name.eq_ignore_ascii_case(keyword) && self.names.cell(name).is_none());
        self.at += usize::from(found);
        found
    }

    fn condition(&self, node: Node, place: Place) -> Result<Expression, Error> {
        match node {
            Node::Condition(expression) => Ok(expression),
            Node::Term(Term::Cell(cell)) => Ok(Expression::Compare(
                Comparison::Equal,
                Term::Cell(cell),
                Term::Constant(Scalar::Text("true".to_owned())),
            )),
            Node::Term(Term::Constant(Scalar::Text(text))) if text.eq_ignore_ascii_case("true") => {
                Ok(Expression::Constant(true))
            }
            Node::Term(Term::Constant(Scalar::Text(text))) if text.eq_ignore_ascii_case("false") => {
                Ok(Expression::Constant(false))
            }
            Node::Term(_) => self.fail(place, "this is a value, where a condition is needed"),
        }
    }

    fn term(&self, node: Node, place: Place) -> Result<Term, Error> {
        match node {
            Node::Term(term) => Ok(term),
            Node::Condition(_) => self.fail(place, "this is a condition, where a value is needed"),
        }
    }

    fn conditional(&mut self) -> Result<Node, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail(self.place(), "the condition is nested too deeply");
        }
        let node = if self.keyword("if") { self.if_then_else() } else { self.equivalence() };
        self.depth -= 1;
        node
    }

    fn if_then_else(&mut self) -> Result<Node, Error> {
        let condition = self.nested()?;
        if !self.keyword("then") {
            return Err(self.unexpected("`then`"));
        }
        let then = self.nested()?;
        let implied = condition.clone().implies(then);
        if !self.keyword("else") {
            return Ok(Node::Condition(implied));
        }
        let otherwise = self.nested()?;
        Ok(Node::Condition(Expression::And(vec![implied, Expression::Or(vec![condition, otherwise])])))
    }

    fn nested(&mut self) -> Result<Expression, Error> {
        let place = self.place();
        let node = self.conditional()?;
        self.condition(node, place)
    }

    fn equivalence(&mut self) -> Result<Node, Error> {
        let place = self.place();
        let mut left = self.implication()?;
        while self.accept_any(&["<=>", "<->"], "iff") {
            let a = self.condition(left, place)?;
            let place = self.place();
            let right = self.implication()?;
            let b = self.condition(right, place)?;
            left = Node::Condition(Expression::And(vec![a.clone().implies(b.clone()), b.implies(a)]));
        }
        Ok(left)
    }

    fn implication(&mut self) -> Result<Node, Error> {
        let place = self.place();
        let left = self.disjunction()?;
        if !self.accept_any(&["=>", "->"], "implies") {
            return Ok(left);
        }
        let condition = self.condition(left, place)?;
        let then = self.implication_right()?;
        Ok(Node::Condition(condition.implies(then)))
    }

    fn implication_right(&mut self) -> Result<Expression, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail(self.place(), "the condition is nested too deeply");
        }
        let place = self.place();
        let node = self.implication()?;
        self.depth -= 1;
        self.condition(node, place)
    }

    fn disjunction(&mut self) -> Result<Node, Error> {
        self.sequence(&["||", "∨"], "or", Self::conjunction, Expression::Or)
    }

    fn conjunction(&mut self) -> Result<Node, Error> {
        self.sequence(&["&&", "∧"], "and", Self::negation, Expression::And)
    }

    fn sequence(
        &mut self,
        symbols: &[&str],
        keyword: &str,
        part: fn(&mut Self) -> Result<Node, Error>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Node, Error> {
        let place = self.place();
        let first = part(self)?;
        if !self.accept_any(symbols, keyword) {
            return Ok(first);
        }
        let mut parts = vec![self.condition(first, place)?];
        loop {
            let place = self.place();
            let node = part(self)?;
            parts.push(self.condition(node, place)?);
            if !self.accept_any(symbols, keyword) {
                return Ok(Node::Condition(join(parts)));
            }
        }
    }

    fn negation(&mut self) -> Result<Node, Error> {
        if !self.accept_any(&["!", "¬"], "not") {
            return self.comparison();
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail(self.place(), "the condition is nested too deeply");
        }
        let place = self.place();
        let node = self.negation()?;
        self.depth -= 1;
        Ok(Node::Condition(Expression::Not(Box::new(self.condition(node, place)?))))
    }

    fn comparison(&mut self) -> Result<Node, Error> {
        let place = self.place();
        let first = self.sum()?;
        if self.keyword("in") {
            let term = self.term(first, place)?;
            return self.membership(&term).map(Node::Condition);
        }
        if self.keyword("not") {
            if !self.keyword("in") {
                return Err(self.unexpected("`in`"));
            }
            let term = self.term(first, place)?;
            return Ok(Node::Condition(Expression::Not(Box::new(self.membership(&term)?))));
        }
        if self.keyword("like") {
            let Node::Term(Term::Cell(cell)) = first else {
                return self.fail(place, "`like` needs a parameter on its left");
            };
            return match self.peek().clone() {
                Word::Text(pattern) => {
                    self.at += 1;
                    Ok(Node::Condition(Expression::Like(cell, pattern)))
                }
                _ => Err(self.unexpected("a quoted pattern")),
            };
        }
        let Some(mut comparison) = self.comparison_symbol() else { return Ok(first) };
        let mut left = match first {
            // `(a and b) = c` compares truth values.
            Node::Condition(a) => return self.truth_comparison(a, comparison),
            Node::Term(term) => term,
        };
        let mut parts = Vec::new();
        loop {
            let place = self.place();
            let node = self.sum()?;
            let right = self.term(node, place)?;
            parts.push(compare(comparison, left, right.clone()));
            left = right;
            match self.comparison_symbol() {
                Some(next) => comparison = next,
                None => break,
            }
        }
        Ok(Node::Condition(if parts.len() == 1 { parts.remove(0) } else { Expression::And(parts) }))
    }

    fn truth_comparison(&mut self, a: Expression, comparison: &str) -> Result<Node, Error> {
        let place = self.place();
        let node = self.sum()?;
        let b = self.condition(node, place)?;
        let same = Expression::And(vec![a.clone().implies(b.clone()), b.implies(a)]);
        match comparison {
            "=" | "==" => Ok(Node::Condition(same)),
            "!=" | "<>" | "≠" => Ok(Node::Condition(Expression::Not(Box::new(same)))),
            _ => self.fail(place, "conditions cannot be ordered"),
        }
    }

    fn comparison_symbol(&mut self) -> Option<&'static str> {
        ["==", "=", "!=", "<>", "≠", "<=", "≤", ">=", "≥", "<", ">"]
            .into_iter()
            .find(|symbol| self.accept(symbol))
    }

    fn membership(&mut self, term: &Term) -> Result<Expression, Error> {
        if !self.accept("{") {
            return Err(self.unexpected("`{` and a list of values"));
        }
        let mut parts = Vec::new();
        loop {
            let place = self.place();
            let node = self.sum()?;
            let member = self.term(node, place)?;
            parts.push(Expression::Compare(Comparison::Equal, term.clone(), member));
            if self.accept("}") {
                return Ok(Expression::Or(parts));
            }
            if !self.accept(",") {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    fn sum(&mut self) -> Result<Node, Error> {
        self.arithmetic(&[("+", Operator::Add), ("-", Operator::Subtract)], Self::product)
    }

    fn product(&mut self) -> Result<Node, Error> {
        let operators = [("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)];
        self.arithmetic(&operators, Self::unary)
    }

    fn arithmetic(
        &mut self,
        operators: &[(&str, Operator)],
        part: fn(&mut Self) -> Result<Node, Error>,
    ) -> Result<Node, Error> {
        let place = self.place();
        let mut left = part(self)?;
        while let Some(&(_, operator)) = operators.iter().find(|(symbol, _)| self.accept(symbol)) {
            let a = self.term(left, place)?;
            let place = self.place();
            let right = part(self)?;
            let b = self.term(right, place)?;
            left = Node::Term(Term::Arithmetic(operator, Box::new(a), Box::new(b)));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Node, Error> {
        if !self.accept("-") {
            return self.primary();
        }
        let place = self.place();
        let node = self.primary()?;
        Ok(Node::Term(match self.term(node, place)? {
            Term::Constant(Scalar::Number(number)) => Term::Constant(Scalar::Number(-number)),
            term => Term::Arithmetic(
                Operator::Subtract,
                Box::new(Term::Constant(Scalar::Number(0.0))),
                Box::new(term),
            ),
        }))
    }

    fn primary(&mut self) -> Result<Node, Error> {
        let place = self.place();
        match self.peek().clone() {
            Word::Symbol("(") => {
                self.at += 1;
                let node = self.conditional()?;
                if !self.accept(")") {
                    return Err(self.unexpected("`)`"));
                }
                Ok(node)
            }
            Word::Number(number) => {
                self.at += 1;
                Ok(Node::Term(Term::Constant(Scalar::Number(number))))
            }
            Word::Text(text) => {
                self.at += 1;
                Ok(Node::Term(Term::Constant(Scalar::Text(text))))
            }
            Word::Bracketed(name) => {
                self.at += 1;
                match self.names.cell(&name) {
                    Some(cell) => Ok(Node::Term(Term::Cell(cell))),
                    None => self.fail(place, format!("there is no parameter `{name}`")),
                }
            }
            Word::Name(name) => {
                self.at += 1;
                if let Some(cell) = self.names.cell(&name) {
                    Ok(Node::Term(Term::Cell(cell)))
                } else if self.names.is_value(&name)
                    || ["true", "false"].contains(&name.to_lowercase().as_str())
                {
                    Ok(Node::Term(Term::Constant(Scalar::Text(name))))
                } else if let Some(cell) = self.run_with_bracket(&name) {
                    Ok(Node::Term(Term::Cell(cell)))
                } else {
                    let hint = nearest(&name, self.names.all());
                    self.fail(place, format!("there is no parameter or value `{name}`{hint}"))
                }
            }
            _ => Err(self.unexpected("a parameter or a value")),
        }
    }

    /// `follow[the name]`: a run, then a name that needs brackets.
    fn run_with_bracket(&mut self, prefix: &str) -> Option<Cell> {
        let run = self.names.runs.iter().position(|run| *run == prefix)?;
        let Word::Bracketed(name) = self.peek() else { return None };
        let parameter = self.names.parameters.iter().position(|parameter| parameter.name == *name)?;
        self.at += 1;
        Some(Cell { run, parameter })
    }
}

fn compare(symbol: &str, left: Term, right: Term) -> Expression {
    match symbol {
        "=" | "==" => Expression::Compare(Comparison::Equal, left, right),
        "!=" | "<>" | "≠" => Expression::Compare(Comparison::Different, left, right),
        "<" => Expression::Compare(Comparison::Less, left, right),
        "<=" | "≤" => Expression::Compare(Comparison::AtMost, left, right),
        ">" => Expression::Compare(Comparison::Less, right, left),
        _ => Expression::Compare(Comparison::AtMost, right, left),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Value;

    fn parameters() -> Vec<Parameter> {
        let make = |name: &str, values: &[&str]| Parameter {
            name: name.to_owned(),
            values: values.iter().map(|value| Value::plain(value)).collect(),
        };
        vec![make("a", &["0", "1", "2"]), make("os name", &["linux", "mac"]), make("c", &["true", "false"])]
    }

    fn check(text: &str, expected: Result<&str, (usize, &str)>) {
        let parameters = parameters();
        let names = Names { parameters: &parameters, runs: &["source", "follow"] };
        match (parse(text, Place { line: 1, column: 1 }, names), expected) {
            (Ok(expression), Ok(same)) => {
                let other = parse(same, Place { line: 1, column: 1 }, names).unwrap();
                assert_eq!(expression, other, "{text}");
            }
            (Err(Error::Syntax { place, message }), Err((column, part))) => {
                assert_eq!(place.column, column, "{text}: {message}");
                assert!(message.contains(part), "{text}: {message}");
            }
            (got, _) => panic!("{text}: {got:?}"),
        }
    }

    #[test]
    fn dialects_mean_the_same() {
        check("IF [a] = 1 THEN [os name] <> \"linux\";", Ok("a == 1 implies [os name] != linux"));
        check(
            "(a = 1) && c => `os name` in {\"linux\", mac}",
            Ok("a=1 and c=\"true\" -> [os name]=linux or [os name]=mac"),
        );
        check("!(a > 1) || c = false", Ok("not (1 < a) or c == false"));
        check("0 <= a < 2", Ok("0 <= a and a < 2"));
        check("follow.a = source.a + 1", Ok("follow[a] = a + 1"));
    }

    #[test]
    fn errors_name_the_column() {
        check("a = 1 and", Err((10, "found nothing more")));
        check("a = 1 and b2 = 3", Err((11, "no parameter or value `b2`")));
        check("a + (a = 1) = 2", Err((5, "a condition, where a value")));
        check("a", Ok("a = true"));
        check("a + 1", Err((1, "a value, where a condition")));
        check("[os] = linux", Err((1, "no parameter `os`")));
        check("a = \"x", Err((5, "never closed")));
        check(&"(".repeat(5000), Err((201, "nested too deeply")));
    }
}
