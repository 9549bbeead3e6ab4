//! The meaning of printed conditions: a parser and evaluator of what [`crate::readable`] writes, which knows nothing of terms.
//!
//! Integers are mathematical, floats are IEEE 754 numbers of 32 or 64 bits, and names stand for what was drawn. The book's page on proofs has the
//! grammar. Nothing has a value where it divides by zero or needs what is not given; a conjunction with a false part is false nevertheless.

mod lexer;
mod parser;
mod value;

pub use lexer::is_plain;
pub use parser::{Expression, parse};
pub use value::Printed;

/// Evaluates a printed text.
///
/// # Errors
/// When the text is not of the grammar; the message says where.
pub fn evaluate(text: &str, input: &dyn Fn(&str) -> Option<Printed>) -> Result<Option<Printed>, String> {
    Ok(parse(text)?.evaluate(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<Printed>) {
        let inputs = |name: &str| {
            Some(match name {
                "a" => Printed::Whole(-3),
                "b[2]" => Printed::Whole(200),
                "len(t)" => Printed::Whole(2),
                "t#2[0].1" => Printed::Whole(7),
                "my input" | "true" | "" => Printed::Whole(1),
                "x" => Printed::Double(0.1),
                "y" => Printed::Single(0.1),
                _ => return None,
            })
        };
        assert_eq!(evaluate(text, &inputs).expect(text), expected, "{text}");
    }

    #[test]
    fn integers_are_mathematical_and_wrap_where_it_says_so() {
        check("a * 4000000000 - 1", Some(Printed::Whole(-12_000_000_001)));
        check("uint8(a)", Some(Printed::Whole(253)));
        check("int8(b[2]) < 0", Some(Printed::Truth(true)));
        check("a / 2 + a % 2 + a mod 2 + (a div 2)", Some(Printed::Whole(-1 - 1 + 1 - 2)));
        check("a >> 1 == -2 && (a & 255) == 253", Some(Printed::Truth(true)));
        check("-3 <= a < len(t) && `my input` != 0", Some(Printed::Truth(true)));
        check("2*t#2[0].1 - 1 == 13 ? 'a' : 0", Some(Printed::Whole(97)));
    }

    #[test]
    fn what_stands_in_quotes_is_a_name() {
        check("`true` == `` && `my input` == 1", Some(Printed::Truth(true)));
        check("true && `true` == 2", Some(Printed::Truth(false)));
    }

    #[test]
    fn floats_are_numbers_of_their_size() {
        check("x == 0.1", Some(Printed::Truth(true)));
        check("double(y) == x", Some(Printed::Truth(false)));
        check("y == 0.1f && float(x) == y", Some(Printed::Truth(true)));
        check("isnan(nan) && nan != nan && !(nan <= nan) && same(nan, nan)", Some(Printed::Truth(true)));
        check("-0.0 == 0.0 && !same(-0.0, 0.0) && negative(-0.0)", Some(Printed::Truth(true)));
        check("to_int8(-1e300) == -128 && to_uint8(double(2)) == 2", Some(Printed::Truth(true)));
        check("bits(1.0) == 4607182418800017408", Some(Printed::Truth(true)));
        check("double_of_bits(4607182418800017408)", Some(Printed::Double(1.0)));
    }

    #[test]
    fn what_has_no_value_does_not_hide_what_is_false() {
        check("a / 0", None);
        check("a / 0 == 1 && a == 1", Some(Printed::Truth(false)));
        check("a / 0 == 1 || a == -3", Some(Printed::Truth(true)));
        check("unknown", None);
    }

    #[test]
    fn other_texts_are_refused_with_the_place() {
        for text in ["", "a <", "a b", "f(a", "(a", "a ? 1", "1 + …", "`a"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"(".repeat(100_000)).is_err());
    }
}
