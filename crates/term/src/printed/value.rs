//! What expressions evaluate to.

use super::parser::Expression;

/// A value of the printed language.
#[derive(Clone, Copy, Debug)]
pub enum Printed {
    /// A truth value.
    Truth(bool),
    /// An integer.
    Whole(i128),
    /// An IEEE number of 32 bits.
    Single(f32),
    /// An IEEE number of 64 bits.
    Double(f64),
}

/// Identity: one NaN, two zeros.
impl PartialEq for Printed {
    fn eq(&self, other: &Printed) -> bool {
        match (*self, *other) {
            (Printed::Truth(a), Printed::Truth(b)) => a == b,
            (Printed::Whole(a), Printed::Whole(b)) => a == b,
            (Printed::Single(a), Printed::Single(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            (Printed::Double(a), Printed::Double(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            _ => false,
        }
    }
}

impl Expression {
    /// The value, if it has one.
    pub fn evaluate(&self, input: &dyn Fn(&str) -> Option<Printed>) -> Option<Printed> {
        match self {
            Expression::Constant(value) => Some(*value),
            Expression::Name(name) => input(name),
            Expression::Prefix(sign, part) => match (*sign, part.evaluate(input)?) {
                ("!", Printed::Truth(value)) => Some(Printed::Truth(!value)),
                ("-", Printed::Whole(value)) => value.checked_neg().map(Printed::Whole),
                ("-", Printed::Single(value)) => Some(Printed::Single(-value)),
                ("-", Printed::Double(value)) => Some(Printed::Double(-value)),
                _ => None,
            },
            Expression::Infix(sign @ ("&&" | "||"), left, right) => {
                let decisive = *sign == "||";
                let truth = |part: &Expression| match part.evaluate(input) {
                    Some(Printed::Truth(value)) => Some(value),
                    _ => None,
                };
                match (truth(left), truth(right)) {
                    (Some(value), _) | (_, Some(value)) if value == decisive => {
                        Some(Printed::Truth(decisive))
                    }
                    (Some(_), Some(_)) => Some(Printed::Truth(!decisive)),
                    _ => None,
                }
            }
            Expression::Infix(sign, left, right) => {
                infix(sign, left.evaluate(input)?, right.evaluate(input)?)
            }
            Expression::Choice(parts) => match parts[0].evaluate(input)? {
                Printed::Truth(true) => parts[1].evaluate(input),
                Printed::Truth(false) => parts[2].evaluate(input),
                _ => None,
            },
            Expression::Call(name, arguments) => {
                let values: Option<Vec<Printed>> =
                    arguments.iter().map(|argument| argument.evaluate(input)).collect();
                call(name, &values?)
            }
        }
    }
}

fn infix(sign: &str, left: Printed, right: Printed) -> Option<Printed> {
    macro_rules! float {
        ($kind:ident, $a:expr, $b:expr) => {
            match sign {
                "+" => Printed::$kind($a + $b),
                "-" => Printed::$kind($a - $b),
                "*" => Printed::$kind($a * $b),
                "/" => Printed::$kind($a / $b),
                "<" => Printed::Truth($a < $b),
                "<=" => Printed::Truth($a <= $b),
                ">" => Printed::Truth($a > $b),
                ">=" => Printed::Truth($a >= $b),
                "==" => Printed::Truth($a == $b),
                "!=" => Printed::Truth($a != $b),
                _ => return None,
            }
        };
    }
    Some(match (left, right) {
        (Printed::Single(a), Printed::Single(b)) => float!(Single, a, b),
        (Printed::Double(a), Printed::Double(b)) => float!(Double, a, b),
        (Printed::Truth(a), Printed::Truth(b)) => match sign {
            "==" => Printed::Truth(a == b),
            "!=" => Printed::Truth(a != b),
            _ => return None,
        },
        (Printed::Whole(a), Printed::Whole(b)) => whole(sign, a, b)?,
        _ => return None,
    })
}

fn whole(sign: &str, a: i128, b: i128) -> Option<Printed> {
    let distance = u32::try_from(b).ok();
    Some(Printed::Whole(match sign {
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "div" => a.checked_div_euclid(b)?,
        "mod" => a.checked_rem_euclid(b)?,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<<" => {
            let shifted = a.checked_shl(distance?)?;
            (shifted >> distance? == a).then_some(shifted)?
        }
        // Beyond all digits only the sign is left.
        ">>" if b >= 0 => a >> b.min(127),
        _ => {
            return Some(Printed::Truth(match sign {
                "<" => a < b,
                "<=" => a <= b,
                ">" => a > b,
                ">=" => a >= b,
                "==" => a == b,
                "!=" => a != b,
                _ => return None,
            }));
        }
    }))
}

fn call(name: &str, arguments: &[Printed]) -> Option<Printed> {
    if let ("same", [left, right]) = (name, arguments) {
        return Some(Printed::Truth(left == right));
    }
    let [argument] = arguments else { return None };
    if let Printed::Whole(value) = *argument {
        return of_whole(name, value);
    }
    macro_rules! float {
        ($kind:ident, $value:expr) => {
            match name {
                "abs" => Printed::$kind($value.abs()),
                "sqrt" => Printed::$kind($value.sqrt()),
                "ceil" => Printed::$kind($value.ceil()),
                "floor" => Printed::$kind($value.floor()),
                "trunc" => Printed::$kind($value.trunc()),
                "nearest" => Printed::$kind($value.round_ties_even()),
                "isnan" => Printed::Truth($value.is_nan()),
                "negative" => Printed::Truth(!$value.is_nan() && $value.is_sign_negative()),
                "float" => Printed::Single($value as f32),
                "double" => Printed::Double(f64::from($value)),
                _ => return to_whole(name, f64::from($value)),
            }
        };
    }
    Some(match *argument {
        Printed::Single(value) if name == "bits" => {
            Printed::Whole(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits().into() })
        }
        Printed::Double(value) if name == "bits" => {
            Printed::Whole(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits().into() })
        }
        Printed::Single(value) => float!(Single, value),
        Printed::Double(value) => float!(Double, value),
        _ => return None,
    })
}

/// Functions of integers: readings of so many bits, and floats.
fn of_whole(name: &str, value: i128) -> Option<Printed> {
    let width =
        |prefix: &str| name.strip_prefix(prefix)?.parse().ok().filter(|width| (1..=64).contains(width));
    let wrapped = |width: u32| value.rem_euclid(1 << width);
    if let Some(width) = width("uint") {
        return Some(Printed::Whole(wrapped(width)));
    }
    if let Some(width) = width("int") {
        let number = wrapped(width);
        return Some(Printed::Whole(if number >> (width - 1) == 1 { number - (1 << width) } else { number }));
    }
    Some(match name {
        "float" => Printed::Single(value as f32),
        "double" => Printed::Double(value as f64),
        "float_of_bits" => Printed::Single(f32::from_bits(u32::try_from(value).ok()?)),
        "double_of_bits" => Printed::Double(f64::from_bits(u64::try_from(value).ok()?)),
        _ => return None,
    })
}

/// A float rounded to zero, and to the nearest number of so many bits.
fn to_whole(name: &str, value: f64) -> Option<Printed> {
    let (digits, is_signed) = match name.strip_prefix("to_int") {
        Some(digits) => (digits, true),
        None => (name.strip_prefix("to_uint")?, false),
    };
    let width: u32 = digits.parse().ok().filter(|width| (1..=64).contains(width))?;
    let (low, high) =
        if is_signed { (-(1i128 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) };
    Some(Printed::Whole((value as i128).clamp(low, high)))
}
