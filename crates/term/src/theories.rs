//! Which theories a term needs, so that a query goes to the right solver without a look at its parts.

use crate::node::{BvOp, Node};
use crate::sort::Sort;
use crate::terms::Terms;

/// A set of theories.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Theories(u16);

impl Theories {
    /// Bit-vectors.
    pub const BITS: Theories = Theories(1);
    /// Integers.
    pub const INTEGERS: Theories = Theories(2);
    /// Reals.
    pub const REALS: Theories = Theories(4);
    /// Floats.
    pub const FLOATS: Theories = Theories(8);
    /// Arrays.
    pub const ARRAYS: Theories = Theories(16);
    /// Products or quotients of two terms that are not constant.
    pub const NONLINEAR: Theories = Theories(32);
    /// Uninterpreted functions.
    pub const FUNCTIONS: Theories = Theories(64);
    /// The bits of a float, which SMT-LIB can only speak of through a further symbol.
    pub const FLOAT_BITS: Theories = Theories(128);

    /// Both sets together.
    pub fn union(self, other: Theories) -> Theories {
        Theories(self.0 | other.0)
    }

    /// Whether all of `other` is inside.
    pub fn contains(self, other: Theories) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether anything of `other` is inside.
    pub fn intersects(self, other: Theories) -> bool {
        self.0 & other.0 != 0
    }
}

impl Terms {
    /// What one node adds to the theories of its parts.
    pub(crate) fn own_theories(&self, node: &Node, sort: Sort) -> Theories {
        let by_sort = match sort {
            Sort::Bool => Theories::default(),
            Sort::Bv(_) => Theories::BITS,
            Sort::Int => Theories::INTEGERS,
            Sort::Real => Theories::REALS,
            Sort::F32 | Sort::F64 => Theories::FLOATS,
            Sort::Array => Theories::ARRAYS,
        };
        let by_node = match node {
            Node::BvOp(BvOp::Mul | BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem, _, right)
            | Node::NumMul(_, right)
            | Node::RealDiv(_, right)
            | Node::IntDiv(_, right)
            | Node::IntMod(_, right)
                if !self.is_constant(*right) =>
            {
                Theories::NONLINEAR
            }
            Node::Apply(..) => Theories::FUNCTIONS,
            Node::FloatToBits(_) => Theories::FLOAT_BITS,
            _ => Theories::default(),
        };
        by_sort.union(by_node)
    }
}
