//! What a term is made of: one operator and the terms below it.

use std::num::NonZeroU32;

use crate::sort::{Rational, Sort};

/// A term in an arena of [`Terms`](crate::Terms). Equal terms have equal identities, and a term's parts have smaller ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(NonZeroU32);

impl Term {
    /// The position in the arena: children always come before their parents.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    pub(crate) fn at(index: usize) -> Term {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Term(number.expect("an arena holds at most 2^32 - 1 terms"))
    }
}

/// A free symbol, mostly one input of a relation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub(crate) u32);

/// An uninterpreted function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Function(pub(crate) u32);

/// Bit-vector operators that are not sums.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BvOp {
    /// Product modulo 2^width.
    Mul,
    /// Unsigned quotient; all ones for a zero divisor, as in SMT-LIB.
    Udiv,
    /// Unsigned remainder; the dividend for a zero divisor.
    Urem,
    /// Signed quotient, rounded to zero.
    Sdiv,
    /// Signed remainder with the sign of the dividend.
    Srem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift left; zero when the distance is at least the width (SMT-LIB, not WebAssembly).
    Shl,
    /// Logical shift right.
    Lshr,
    /// Arithmetic shift right.
    Ashr,
}

/// Bit-vector orders.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BvOrder {
    /// Unsigned less than.
    Ult,
    /// Unsigned at most.
    Ule,
    /// Signed less than.
    Slt,
    /// Signed at most.
    Sle,
}

/// Float operators of one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatUnary {
    /// Absolute value.
    Abs,
    /// Negation.
    Neg,
    /// Square root.
    Sqrt,
    /// Round up.
    Ceil,
    /// Round down.
    Floor,
    /// Round to zero.
    Trunc,
    /// Round to nearest, ties to even.
    Nearest,
}

/// Float operators of two operands, rounding to nearest even.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatBinary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
}

/// Float predicates; every comparison with a NaN is false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatOrder {
    /// IEEE equality: the two zeros are equal.
    Eq,
    /// Less than.
    Lt,
    /// At most.
    Le,
}

/// A linear sum modulo 2^width: `constant + Σ factor · part`. Parts ascend, no factor is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BvSum {
    /// The constant summand.
    pub constant: u64,
    /// The other summands.
    pub parts: Vec<(Term, u64)>,
}

/// A linear sum of integers or reals: `constant + Σ factor · part`. Parts ascend, no factor is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NumSum {
    /// The constant summand.
    pub constant: Rational,
    /// The other summands.
    pub parts: Vec<(Term, Rational)>,
}

/// One operator with its operands. Sorts are kept beside, in the arena.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A free symbol.
    Symbol(Symbol),
    /// A truth value.
    Bool(bool),
    /// A bit-vector constant of a width.
    Bv(u8, u64),
    /// An integer or real constant.
    Num(Sort, Box<Rational>),
    /// A float constant by its bits.
    Float(Sort, u64),
    /// Negation.
    Not(Term),
    /// Conjunction of at least two ascending terms.
    And(Box<[Term]>),
    /// Disjunction of at least two ascending terms.
    Or(Box<[Term]>),
    /// Equality of two terms of one sort; for floats, identity of values.
    Eq(Term, Term),
    /// If the first then the second else the third.
    Ite(Term, Term, Term),
    /// A linear sum of bit-vectors.
    BvSum(Box<BvSum>),
    /// Another bit-vector operator.
    BvOp(BvOp, Term, Term),
    /// A bit-vector order.
    BvOrder(BvOrder, Term, Term),
    /// Bits `high` down to `low` of a term.
    Extract(u8, u8, Term),
    /// The first term's bits above the second's.
    Concat(Term, Term),
    /// Widened with zeros to a width.
    ZeroExtend(u8, Term),
    /// Widened with copies of the sign to a width.
    SignExtend(u8, Term),
    /// A linear sum of integers or reals.
    NumSum(Box<NumSum>),
    /// A product of two integers or two reals.
    NumMul(Term, Term),
    /// A quotient of reals.
    RealDiv(Term, Term),
    /// Integer quotient, rounded so that the remainder is not negative (SMT-LIB `div`).
    IntDiv(Term, Term),
    /// The remainder that belongs to `IntDiv`.
    IntMod(Term, Term),
    /// At most, over integers or reals.
    NumLe(Term, Term),
    /// Less than, over reals.
    NumLt(Term, Term),
    /// An integer as a real.
    ToReal(Term),
    /// A float operator of one operand.
    FloatUnary(FloatUnary, Term),
    /// A float operator of two operands.
    FloatBinary(FloatBinary, Term, Term),
    /// A float predicate of two operands.
    FloatOrder(FloatOrder, Term, Term),
    /// Whether a float is a NaN.
    IsNan(Term),
    /// Whether a float's sign is negative (false for NaN).
    IsNegative(Term),
    /// The float with these bits.
    FloatFromBits(Term),
    /// The bits of a float; a NaN has the canonical ones.
    FloatToBits(Term),
    /// A bit-vector's number (signed when true) as a float of the sort.
    FloatFromBv(bool, Sort, Term),
    /// A float rounded to zero as a bit-vector of a width (signed when true); only used where it fits.
    FloatToBv(bool, u8, Term),
    /// Promotion or demotion.
    FloatConvert(Sort, Term),
    /// An array that holds one byte everywhere.
    ConstArray(Term),
    /// An array with one byte replaced.
    Store(Term, Term, Term),
    /// A byte of an array.
    Select(Term, Term),
    /// An uninterpreted function applied to arguments.
    Apply(Function, Box<[Term]>),
}

impl Node {
    /// Calls `visit` for every direct part.
    pub fn for_each_part(&self, mut visit: impl FnMut(Term)) {
        match self {
            Node::Symbol(_) | Node::Bool(_) | Node::Bv(..) | Node::Num(..) | Node::Float(..) => {}
            Node::Not(a)
            | Node::Extract(_, _, a)
            | Node::ZeroExtend(_, a)
            | Node::SignExtend(_, a)
            | Node::ToReal(a)
            | Node::FloatUnary(_, a)
            | Node::IsNan(a)
            | Node::IsNegative(a)
            | Node::FloatFromBits(a)
            | Node::FloatToBits(a)
            | Node::FloatFromBv(_, _, a)
            | Node::FloatToBv(_, _, a)
            | Node::FloatConvert(_, a)
            | Node::ConstArray(a) => visit(*a),
            Node::Eq(a, b)
            | Node::BvOp(_, a, b)
            | Node::BvOrder(_, a, b)
            | Node::Concat(a, b)
            | Node::NumMul(a, b)
            | Node::RealDiv(a, b)
            | Node::IntDiv(a, b)
            | Node::IntMod(a, b)
            | Node::NumLe(a, b)
            | Node::NumLt(a, b)
            | Node::FloatBinary(_, a, b)
            | Node::FloatOrder(_, a, b)
            | Node::Select(a, b) => {
                visit(*a);
                visit(*b);
            }
            Node::Ite(a, b, c) | Node::Store(a, b, c) => {
                visit(*a);
                visit(*b);
                visit(*c);
            }
            Node::And(parts) | Node::Or(parts) | Node::Apply(_, parts) => {
                parts.iter().copied().for_each(visit);
            }
            Node::BvSum(sum) => sum.parts.iter().for_each(|(part, _)| visit(*part)),
            Node::NumSum(sum) => sum.parts.iter().for_each(|(part, _)| visit(*part)),
        }
    }
}
