//! From words to expressions.

use super::lexer::{Token, tokens};
use super::value::Printed;

/// A parsed text.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    /// A constant.
    Constant(Printed),
    /// An input by its name.
    Name(String),
    /// A sign before its operand: `-` or `!`.
    Prefix(&'static str, Box<Expression>),
    /// An operator between its operands.
    Infix(&'static str, Box<Expression>, Box<Expression>),
    /// `condition ? then : other`.
    Choice(Box<[Expression; 3]>),
    /// A function with its arguments.
    Call(String, Vec<Expression>),
}

/// Texts nested deeper are refused.
const MAX_DEPTH: u32 = 200;

/// Parses a text.
///
/// # Errors
/// When it is not of the grammar.
pub fn parse(text: &str) -> Result<Expression, String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    let expression = parser.choice()?;
    match parser.tokens.get(parser.at) {
        None => Ok(expression),
        Some(token) => Err(format!("nothing is expected behind word {}, not {token:?}", parser.at)),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
}

impl Parser {
    fn takes(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let Some(Token::Sign(sign)) = self.tokens.get(self.at) else { return None };
        let found = signs.iter().copied().find(|known| known == sign)?;
        self.at += 1;
        Some(found)
    }

    fn expects(&mut self, sign: &'static str) -> Result<(), String> {
        self.takes(&[sign]).map(drop).ok_or_else(|| format!("{sign} is expected at word {}", self.at))
    }

    fn choice(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the text is nested too deeply".to_owned());
        }
        let condition = self.or()?;
        let mut result = condition;
        if self.takes(&["?"]).is_some() {
            let then = self.choice()?;
            self.expects(":")?;
            let other = self.choice()?;
            result = Expression::Choice(Box::new([result, then, other]));
        }
        self.depth -= 1;
        Ok(result)
    }

    fn or(&mut self) -> Result<Expression, String> {
        self.joined(&["||"], Parser::and)
    }

    fn and(&mut self) -> Result<Expression, String> {
        self.joined(&["&&"], Parser::comparison)
    }

    fn joined(
        &mut self,
        signs: &[&'static str],
        part: fn(&mut Parser) -> Result<Expression, String>,
    ) -> Result<Expression, String> {
        let mut left = part(self)?;
        while let Some(sign) = self.takes(signs) {
            let right = part(self)?;
            left = Expression::Infix(sign, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// `a < b <= c` means both.
    fn comparison(&mut self) -> Result<Expression, String> {
        let mut left = self.bits()?;
        let mut all: Option<Expression> = None;
        while let Some(sign) = self.takes(&["<", "<=", "==", "!=", ">", ">="]) {
            let right = self.bits()?;
            let one = Expression::Infix(sign, Box::new(left), Box::new(right.clone()));
            all = Some(match all {
                None => one,
                Some(before) => Expression::Infix("&&", Box::new(before), Box::new(one)),
            });
            left = right;
        }
        Ok(all.unwrap_or(left))
    }

    fn bits(&mut self) -> Result<Expression, String> {
        self.joined(&["&", "|", "^", "<<", ">>"], Parser::sum)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        self.joined(&["+", "-"], Parser::product)
    }

    fn product(&mut self) -> Result<Expression, String> {
        self.joined(&["*", "/", "%", "mod", "div"], Parser::prefix)
    }

    fn prefix(&mut self) -> Result<Expression, String> {
        let mut signs = Vec::new();
        while let Some(sign) = self.takes(&["-", "!"]) {
            signs.push(sign);
        }
        let atom = self.atom()?;
        Ok(signs.into_iter().rev().fold(atom, |inner, sign| Expression::Prefix(sign, Box::new(inner))))
    }

    fn atom(&mut self) -> Result<Expression, String> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        Ok(match token {
            Some(Token::Whole(value)) => Expression::Constant(Printed::Whole(value)),
            Some(Token::Float(digits, true)) => {
                Expression::Constant(Printed::Single(digits.parse().map_err(|error| format!("{error}"))?))
            }
            Some(Token::Float(digits, false)) => {
                Expression::Constant(Printed::Double(digits.parse().map_err(|error| format!("{error}"))?))
            }
            Some(Token::Name(name)) => Expression::Name(name),
            Some(Token::Constant(name)) => Expression::Constant(match name {
                "true" => Printed::Truth(true),
                "false" => Printed::Truth(false),
                "nan" => Printed::Double(f64::NAN),
                _ => Printed::Double(f64::INFINITY),
            }),
            Some(Token::Function(name)) => {
                self.expects("(")?;
                let mut arguments = vec![self.choice()?];
                while self.takes(&[","]).is_some() {
                    arguments.push(self.choice()?);
                }
                self.expects(")")?;
                Expression::Call(name, arguments)
            }
            Some(Token::Sign("(")) => {
                let inner = self.choice()?;
                self.expects(")")?;
                inner
            }
            _ => return Err(format!("a value is expected at word {}", self.at - 1)),
        })
    }
}
