//! The sorts of terms and exact rational numbers.

use std::cmp::Ordering;
use std::fmt;

/// What kind of value a term denotes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A bit-vector of 1 to 64 bits.
    Bv(u8),
    /// A mathematical integer.
    Int,
    /// A mathematical real number.
    Real,
    /// An IEEE binary32 number.
    F32,
    /// An IEEE binary64 number.
    F64,
    /// An array from 32-bit addresses to bytes.
    Array,
}

impl Sort {
    /// The width of a bit-vector sort.
    ///
    /// # Panics
    /// When the sort is no bit-vector.
    pub fn width(self) -> u8 {
        match self {
            Sort::Bv(width) => width,
            other => panic!("{other:?} has no width"),
        }
    }

    /// True for `F32` and `F64`.
    pub fn is_float(self) -> bool {
        matches!(self, Sort::F32 | Sort::F64)
    }
}

/// All ones of a bit-vector.
pub fn mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The signed reading of `width` bits.
pub fn signed(width: u8, value: u64) -> i64 {
    let shift = 64 - u32::from(width);
    ((value << shift) as i64) >> shift
}

/// The least signed number of `width` bits.
pub fn signed_min(width: u8) -> i64 {
    i64::MIN >> (64 - u32::from(width))
}

/// The greatest signed number of `width` bits.
pub fn signed_max(width: u8) -> i64 {
    i64::MAX >> (64 - u32::from(width))
}

/// An exact fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational { numerator: 0, denominator: 1 };
    /// One.
    pub const ONE: Rational = Rational { numerator: 1, denominator: 1 };

    /// The fraction `numerator / denominator`, or nothing when the denominator is zero or the numbers grow too large.
    pub fn new(numerator: i128, denominator: i128) -> Option<Rational> {
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).max(1) as i128;
        let sign = denominator.signum();
        Some(Rational { numerator: sign * numerator / divisor, denominator: sign * denominator / divisor })
    }

    /// A whole number.
    pub fn whole(value: i128) -> Rational {
        Rational { numerator: value, denominator: 1 }
    }

    /// The part above the line.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The part below the line, always positive.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The value when it is a whole number.
    pub fn as_whole(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// The sum, unless it grows too large.
    pub fn plus(self, other: Rational) -> Option<Rational> {
        if self.denominator == 1 && other.denominator == 1 {
            return self.numerator.checked_add(other.numerator).map(Rational::whole);
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Rational::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The product, unless it grows too large.
    pub fn times(self, other: Rational) -> Option<Rational> {
        if self.denominator == 1 && other.denominator == 1 {
            return self.numerator.checked_mul(other.numerator).map(Rational::whole);
        }
        Rational::new(
            self.numerator.checked_mul(other.numerator)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    /// The negative.
    pub fn negated(self) -> Rational {
        Rational { numerator: -self.numerator, denominator: self.denominator }
    }

    /// One divided by this, unless this is zero.
    pub fn inverse(self) -> Option<Rational> {
        Rational::new(self.denominator, self.numerator)
    }

    /// The sign: -1, 0 or 1.
    pub fn signum(self) -> i128 {
        self.numerator.signum()
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        // Whole parts first: cross products of large fractions could overflow.
        let (left, right) =
            (self.numerator.div_euclid(self.denominator), other.numerator.div_euclid(other.denominator));
        left.cmp(&right).then_with(|| {
            let left = self.numerator.rem_euclid(self.denominator);
            let right = other.numerator.rem_euclid(other.denominator);
            match (left.checked_mul(other.denominator), right.checked_mul(self.denominator)) {
                (Some(left), Some(right)) => left.cmp(&right),
                // The continued fraction continues with the inverses, whose order is the opposite one.
                _ => {
                    let left = Rational { numerator: self.denominator, denominator: left.max(1) };
                    let right = Rational { numerator: other.denominator, denominator: right.max(1) };
                    right.cmp(&left)
                }
            }
        })
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(formatter, "{}", self.numerator),
            _ => write!(formatter, "{}/{}", self.numerator, self.denominator),
        }
    }
}

/// The greatest common divisor.
pub(crate) fn gcd(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rationals_are_kept_in_lowest_terms_and_ordered() {
        let third = Rational::new(2, 6).unwrap();
        assert_eq!((third.numerator(), third.denominator()), (1, 3));
        let minus_half = Rational::new(3, -6).unwrap();
        assert!(minus_half < third && minus_half < Rational::ZERO);
        assert_eq!(third.plus(minus_half), Rational::new(-1, 6));
        assert_eq!(third.times(third.inverse().unwrap()), Some(Rational::ONE));
        assert_eq!(Rational::ZERO.inverse(), None);
    }

    #[test]
    fn signed_readings_of_narrow_vectors() {
        assert_eq!(signed(8, 0x80), -128);
        assert_eq!(signed(1, 1), -1);
        assert_eq!((signed_min(8), signed_max(8)), (-128, 127));
        assert_eq!(mask(64), u64::MAX);
    }
}
