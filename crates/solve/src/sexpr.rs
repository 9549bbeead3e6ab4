//! S-expressions: where one answer ends, its structure, and the values that solvers write in it.

use twinrun_term::{ArrayValue, Rational, Sort, Value};

/// An answer of a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sexpr {
    Atom(String),
    List(Vec<Sexpr>),
}

/// Finds the end of the first complete expression, looking at every byte once.
#[derive(Default)]
pub(crate) struct Scanner {
    position: usize,
    depth: usize,
    /// The closing character of the quotation that the position is in.
    quotation: Option<u8>,
    in_atom: bool,
}

impl Scanner {
    pub(crate) fn complete(&mut self, bytes: &[u8]) -> Option<usize> {
        while let Some(&byte) = bytes.get(self.position) {
            self.position += 1;
            if let Some(quotation) = self.quotation {
                if byte == quotation {
                    self.quotation = None;
                }
                continue;
            }
            match byte {
                b'"' | b'|' => {
                    self.quotation = Some(byte);
                    self.in_atom = true;
                }
                b'(' => self.depth += 1,
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(self.position);
                    }
                }
                _ if byte.is_ascii_whitespace() => {
                    if self.in_atom && self.depth == 0 {
                        return Some(self.position);
                    }
                }
                _ => self.in_atom = true,
            }
        }
        None
    }
}

/// Parses one expression.
pub(crate) fn parse(text: &str) -> Option<Sexpr> {
    let mut open: Vec<Vec<Sexpr>> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let finished = match rest.as_bytes()[0] {
            b'(' => {
                open.push(Vec::new());
                rest = rest[1..].trim_start();
                continue;
            }
            b')' => {
                rest = rest[1..].trim_start();
                Sexpr::List(open.pop()?)
            }
            quotation @ (b'"' | b'|') => {
                let end = rest[1..].find(char::from(quotation))? + 2;
                let atom = Sexpr::Atom(rest[..end].to_owned());
                rest = rest[end..].trim_start();
                atom
            }
            _ => {
                let end =
                    rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
                let atom = Sexpr::Atom(rest[..end].to_owned());
                rest = rest[end..].trim_start();
                atom
            }
        };
        match open.last_mut() {
            Some(list) => list.push(finished),
            None => return Some(finished),
        }
    }
    None
}

impl Sexpr {
    pub(crate) fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(text) => Some(text),
            Sexpr::List(_) => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::Atom(_) => None,
            Sexpr::List(parts) => Some(parts),
        }
    }

    /// The value of a sort that this expression writes.
    pub(crate) fn value(&self, sort: Sort) -> Option<Value> {
        Some(match sort {
            Sort::Bool => Value::Bool(self.atom()?.parse().ok()?),
            Sort::Bv(_) => Value::Bv(self.bits()?),
            Sort::Int | Sort::Real => Value::Num(self.number()?),
            Sort::F32 => Value::Float(self.float(8, 23)?),
            Sort::F64 => Value::Float(self.float(11, 52)?),
            Sort::Array => Value::Array(Box::new(self.array()?)),
        })
    }

    fn bits(&self) -> Option<u64> {
        match self {
            Sexpr::Atom(text) => match text.split_at_checked(2)? {
                ("#x", digits) => u64::from_str_radix(digits, 16).ok(),
                ("#b", digits) => u64::from_str_radix(digits, 2).ok(),
                _ => None,
            },
            // (_ bv5 32)
            Sexpr::List(parts) => parts.get(1)?.atom()?.strip_prefix("bv")?.parse().ok(),
        }
    }

    fn number(&self) -> Option<Rational> {
        match self {
            Sexpr::Atom(text) => match text.split_once('.') {
                None => Some(Rational::whole(text.parse().ok()?)),
                Some((whole, fraction)) => {
                    let fraction = fraction.trim_end_matches('0');
                    let scale = 10i128.checked_pow(fraction.len() as u32)?;
                    Rational::new(format!("{whole}{fraction}").parse().ok()?, scale)
                }
            },
            Sexpr::List(parts) => match (parts[0].atom()?, &parts[1..]) {
                ("-", [part]) => Some(part.number()?.negated()),
                ("/", [above, below]) => above.number()?.times(below.number()?.inverse()?),
                ("to_real", [part]) => part.number(),
                _ => None,
            },
        }
    }

    fn float(&self, exponent: u32, fraction: u32) -> Option<u64> {
        let parts = self.list()?;
        let all_ones = ((1u64 << exponent) - 1) << fraction;
        let sign = 1u64 << (exponent + fraction);
        match (parts[0].atom()?, parts.get(1)?) {
            ("fp", first) => {
                let (exponent_bits, fraction_bits) = (parts.get(2)?.bits()?, parts.get(3)?.bits()?);
                Some(first.bits()? << (exponent + fraction) | exponent_bits << fraction | fraction_bits)
            }
            ("_", name) => match name.atom()? {
                "+zero" => Some(0),
                "-zero" => Some(sign),
                "+oo" => Some(all_ones),
                "-oo" => Some(sign | all_ones),
                "NaN" => Some(all_ones | 1 << (fraction - 1)),
                _ => None,
            },
            _ => None,
        }
    }

    fn array(&self) -> Option<ArrayValue> {
        let parts = self.list()?;
        if parts[0].atom() == Some("store") {
            let mut array = parts.get(1)?.array()?;
            array.bytes.insert(parts.get(2)?.bits()? as u32, parts.get(3)?.bits()? as u8);
            return Some(array);
        }
        // ((as const (Array …)) byte)
        let is_constant = parts[0].list()?.get(1)?.atom()? == "const";
        is_constant.then_some(())?;
        Some(ArrayValue { default: parts.get(1)?.bits()? as u8, ..ArrayValue::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, sort: Sort, expect: &Value) {
        assert_eq!(parse(text).and_then(|value| value.value(sort)).as_ref(), Some(expect), "{text}");
    }

    #[test]
    fn values_of_all_sorts_are_read() {
        check("true", Sort::Bool, &Value::Bool(true));
        check("#x00ff", Sort::Bv(16), &Value::Bv(255));
        check("#b101", Sort::Bv(3), &Value::Bv(5));
        check("(_ bv7 32)", Sort::Bv(32), &Value::Bv(7));
        check("(- 12)", Sort::Int, &Value::Num(Rational::whole(-12)));
        check("(- (/ 1.0 3.0))", Sort::Real, &Value::Num(Rational::new(-1, 3).unwrap()));
        check("2.50", Sort::Real, &Value::Num(Rational::new(5, 2).unwrap()));
        check(
            "(fp #b1 #x80 #b10000000000000000000000)",
            Sort::F32,
            &Value::Float((-3.0f32).to_bits().into()),
        );
        check("(_ -oo 11 53)", Sort::F64, &Value::Float(f64::NEG_INFINITY.to_bits()));
        let array = ArrayValue { default: 1, bytes: [(2, 3)].into() };
        check(
            "(store ((as const (Array (_ BitVec 32) (_ BitVec 8))) #x01) #x00000002 #x03)",
            Sort::Array,
            &Value::Array(Box::new(array)),
        );
    }

    #[test]
    fn an_answer_ends_where_its_brackets_close() {
        let text = b"((|a)(| (- 5))\n (b \"x)\"))\nsat\n";
        let end = Scanner::default().complete(text).unwrap();
        assert_eq!(&text[end..], b"\nsat\n");
        assert_eq!(Scanner::default().complete(&text[end..]), Some(5));
        assert_eq!(Scanner::default().complete(b"(a (b)"), None);
        assert_eq!(Scanner::default().complete(b"sa"), None);
    }
}
