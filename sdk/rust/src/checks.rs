//! Checks: the property between the runs.

use crate::host;

/// How the two sides are compared; the number is its code for the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `==`
    Eq = 1,
    /// `!=`
    Ne = 2,
    /// `<=`
    Le = 3,
    /// `<`
    Lt = 4,
    /// `>=`
    Ge = 6,
    /// `>`
    Gt = 7,
}

impl Operator {
    fn holds<T: PartialOrd + ?Sized>(self, left: &T, right: &T) -> bool {
        match self {
            Operator::Eq => left == right,
            Operator::Ne => left != right,
            Operator::Le => left <= right,
            Operator::Lt => left < right,
            Operator::Ge => left >= right,
            Operator::Gt => left > right,
        }
    }
}

/// What the comparing checks accept. Other types: `check!(left == right)`.
pub trait Compare {
    /// Tells the host both sides.
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32);
}

macro_rules! integers {
    ($($type:ty, $unsigned:expr;)*) => {$(
        impl Compare for $type {
            fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
                host::check_int(operator as i32, $unsigned, *self as i64, *right as i64, text, line);
            }
        }
    )*};
}
integers! {
    i8, false; i16, false; i32, false; i64, false; isize, false;
    u8, false; u16, false; u32, false; u64, true; usize, true; bool, false;
}

impl Compare for char {
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        (*self as u32).compare(operator, &(*right as u32), text, line);
    }
}

impl Compare for f64 {
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        host::check_float(operator as i32, *self, *right, 0.0, text, line);
    }
}

impl Compare for f32 {
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        f64::from(*self).compare(operator, &f64::from(*right), text, line);
    }
}

impl Compare for str {
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        match operator {
            Operator::Eq => host::check_bytes(self.as_bytes(), right.as_bytes(), text, line),
            operator => host::check(operator.holds(self, right), text, line),
        }
    }
}

impl Compare for String {
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        self.as_str().compare(operator, right, text, line);
    }
}

impl<T: Compare + PartialOrd> Compare for [T] {
    /// Equality is told element by element, so that the report shows the first difference.
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        if operator == Operator::Eq {
            self.len().compare(operator, &right.len(), text, line);
            for (left, right) in self.iter().zip(right) {
                left.compare(operator, right, text, line);
            }
        } else {
            host::check(operator.holds(self, right), text, line);
        }
    }
}

impl<T: Compare + PartialOrd> Compare for Vec<T> {
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        self.as_slice().compare(operator, right, text, line);
    }
}

impl<T: Compare + PartialOrd, const N: usize> Compare for [T; N] {
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        self.as_slice().compare(operator, right, text, line);
    }
}

impl<T: Compare + PartialOrd> Compare for Option<T> {
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        match (self, right) {
            (Some(left), Some(right)) => left.compare(operator, right, text, line),
            _ => host::check(operator.holds(self, right), text, line),
        }
    }
}

impl<T: Compare + ?Sized> Compare for &T {
    fn compare(&self, operator: Operator, right: &Self, text: &str, line: u32) {
        (**self).compare(operator, *right, text, line);
    }
}

#[doc(hidden)]
#[inline(never)]
pub fn compare<T: Compare + ?Sized>(operator: Operator, left: &T, right: &T, text: &str, line: u32) {
    left.compare(operator, right, text, line);
}

#[doc(hidden)]
#[inline(never)]
pub fn check(condition: bool, text: &str, line: u32) {
    host::check(condition, text, line);
}

#[doc(hidden)]
#[inline(never)]
pub fn check_near(left: f64, right: f64, tolerance: f64, text: &str, line: u32) {
    host::check_float(5, left, right, tolerance, text, line);
}

/// The condition holds.
#[macro_export]
macro_rules! check {
    ($condition:expr) => {
        $crate::private::check($condition, stringify!($condition), line!())
    };
}

/// Both sides are equal.
#[macro_export]
macro_rules! check_eq {
    ($left:expr, $right:expr) => {
        $crate::private::compare($crate::Operator::Eq, &$left, &$right, concat!(stringify!($left), " == ", stringify!($right)), line!())
    };
}

/// The sides differ.
#[macro_export]
macro_rules! check_ne {
    ($left:expr, $right:expr) => {
        $crate::private::compare($crate::Operator::Ne, &$left, &$right, concat!(stringify!($left), " != ", stringify!($right)), line!())
    };
}

/// Left is at most right.
#[macro_export]
macro_rules! check_le {
    ($left:expr, $right:expr) => {
        $crate::private::compare($crate::Operator::Le, &$left, &$right, concat!(stringify!($left), " <= ", stringify!($right)), line!())
    };
}

/// Left is less than right.
#[macro_export]
macro_rules! check_lt {
    ($left:expr, $right:expr) => {
        $crate::private::compare($crate::Operator::Lt, &$left, &$right, concat!(stringify!($left), " < ", stringify!($right)), line!())
    };
}

/// Left is at least right.
#[macro_export]
macro_rules! check_ge {
    ($left:expr, $right:expr) => {
        $crate::private::compare($crate::Operator::Ge, &$left, &$right, concat!(stringify!($left), " >= ", stringify!($right)), line!())
    };
}

/// Left is greater than right.
#[macro_export]
macro_rules! check_gt {
    ($left:expr, $right:expr) => {
        $crate::private::compare($crate::Operator::Gt, &$left, &$right, concat!(stringify!($left), " > ", stringify!($right)), line!())
    };
}

/// The sides differ by at most the tolerance; a NaN is near nothing.
#[macro_export]
macro_rules! check_near {
    ($left:expr, $right:expr, $tolerance:expr) => {
        $crate::private::check_near(
            $left,
            $right,
            $tolerance,
            concat!(stringify!($left), " ≈ ", stringify!($right), " ± ", stringify!($tolerance)),
            line!(),
        )
    };
}
