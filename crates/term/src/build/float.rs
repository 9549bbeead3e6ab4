//! IEEE floats, bit-precise but for NaNs.
//!
//! A term of a float's sort denotes a number of IEEE 754, of which there is one NaN: so do solvers read it, and so does arithmetic, which makes
//! canonical NaNs. Where the sign and payload of a NaN may matter (moves, negation, absolute value, `copysign`, reinterpretation), whoever builds
//! terms carries the bits, as a bit-vector; [`Terms::float_from_bits`] finds the number again below what was done to its bits.

use crate::node::{BvOp, FloatBinary, FloatOrder, FloatUnary, Node, Term};
use crate::ops;
use crate::rules::Rule;
use crate::sort::Sort;
use crate::terms::Terms;

impl Terms {
    /// A float constant of a sort by its bits; every NaN becomes the canonical one.
    pub fn float_constant(&mut self, sort: Sort, bits: u64) -> Term {
        self.intern(Node::Float(sort, ops::canonical(sort, bits)), sort)
    }

    /// The bits of a float with every NaN made the canonical one.
    pub fn canonical(&self, sort: Sort, bits: u64) -> u64 {
        ops::canonical(sort, bits)
    }

    /// The bits of a float constant.
    pub fn as_float(&self, term: Term) -> Option<u64> {
        match self.node(term) {
            Node::Float(_, bits) => Some(*bits),
            _ => None,
        }
    }

    /// An operator of one operand.
    pub fn float_unary(&mut self, op: FloatUnary, term: Term) -> Term {
        let sort = self.sort(term);
        if let Some(bits) = self.as_float(term) {
            return self.float_constant(sort, ops::float_unary(op, sort, bits));
        }
        match (op, self.node(term)) {
            _ if self.is_plain() => {}
            (FloatUnary::Neg, Node::FloatUnary(FloatUnary::Neg, inner)) => return *inner,
            (FloatUnary::Abs, Node::FloatUnary(FloatUnary::Abs, _)) => return term,
            (FloatUnary::Abs, Node::FloatUnary(FloatUnary::Neg, inner)) => {
                let inner = *inner;
                return self.float_unary(FloatUnary::Abs, inner);
            }
            _ => {}
        }
        self.intern(Node::FloatUnary(op, term), sort)
    }

    /// An operator of two operands.
    pub fn float_binary(&mut self, op: FloatBinary, left: Term, right: Term) -> Term {
        let sort = self.sort(left);
        if let (Some(a), Some(b)) = (self.as_float(left), self.as_float(right)) {
            return self.float_constant(sort, ops::float_binary(op, sort, a, b));
        }
        let commutes = matches!(op, FloatBinary::Add | FloatBinary::Mul);
        let (left, right) = if commutes && right < left { (right, left) } else { (left, right) };
        self.intern(Node::FloatBinary(op, left, right), sort)
    }

    /// A comparison; false when an operand is a NaN.
    pub fn float_order(&mut self, order: FloatOrder, left: Term, right: Term) -> Term {
        let sort = self.sort(left);
        if let (Some(a), Some(b)) = (self.as_float(left), self.as_float(right)) {
            return self.bool(ops::float_order(order, sort, a, b));
        }
        let (left, right) =
            if order == FloatOrder::Eq && right < left { (right, left) } else { (left, right) };
        self.intern(Node::FloatOrder(order, left, right), Sort::Bool)
    }

    /// IEEE equality.
    pub fn float_eq(&mut self, left: Term, right: Term) -> Term {
        self.float_order(FloatOrder::Eq, left, right)
    }

    /// Whether a float is a NaN.
    pub fn is_nan(&mut self, term: Term) -> Term {
        match self.node(term) {
            Node::Float(sort, bits) => {
                let answer = ops::as_f64(*sort, *bits).is_nan();
                self.bool(answer)
            }
            Node::FloatFromBv(..) if !self.is_plain() => self.bool(false),
            _ => self.intern(Node::IsNan(term), Sort::Bool),
        }
    }

    /// Whether a float's sign is negative; false for a NaN.
    pub fn is_negative(&mut self, term: Term) -> Term {
        match self.node(term) {
            Node::Float(sort, bits) => {
                let number = ops::as_f64(*sort, *bits);
                self.bool(!number.is_nan() && number.is_sign_negative())
            }
            _ => self.intern(Node::IsNegative(term), Sort::Bool),
        }
    }

    /// WebAssembly's `min`: a NaN if one operand is, and -0 is below +0.
    pub fn float_min(&mut self, left: Term, right: Term) -> Term {
        self.float_extreme(left, right, true)
    }

    /// WebAssembly's `max`.
    pub fn float_max(&mut self, left: Term, right: Term) -> Term {
        self.float_extreme(left, right, false)
    }

    fn float_extreme(&mut self, left: Term, right: Term, least: bool) -> Term {
        let sort = self.sort(left);
        let nan = if sort == Sort::F32 { self.f32(f32::NAN) } else { self.f64(f64::NAN) };
        let (left_nan, right_nan) = (self.is_nan(left), self.is_nan(right));
        let any_nan = self.or2(left_nan, right_nan);
        let (first, second) = if least { (left, right) } else { (right, left) };
        let strictly = self.float_order(FloatOrder::Lt, first, second);
        let equal = self.float_eq(left, right);
        let negative = self.is_negative(left);
        let sign = if least { negative } else { self.not(negative) };
        let tie = self.and2(equal, sign);
        let takes_left = self.or2(strictly, tie);
        let chosen = self.ite(takes_left, left, right);
        self.ite(any_nan, nan, chosen)
    }

    /// Whether a float is surely no NaN, whatever its symbols are, given that those that `number` accepts are none.
    pub fn never_nan(&self, term: Term, number: &impl Fn(Term) -> bool) -> bool {
        match *self.node(term) {
            Node::Float(sort, bits) => !ops::as_f64(sort, bits).is_nan(),
            Node::FloatFromBv(..) => true,
            Node::FloatUnary(FloatUnary::Neg | FloatUnary::Abs, part) | Node::FloatConvert(_, part) => {
                self.never_nan(part, number)
            }
            _ => number(term),
        }
    }

    /// The float with the bits of a 32- or 64-bit vector. What only changes the sign is a float operator of what it changes.
    pub fn float_from_bits(&mut self, bits: Term) -> Term {
        if let Some(&known) = self.numbers_of_bits.get(&bits) {
            return known;
        }
        let number = self.number_of_bits(bits);
        self.numbers_of_bits.insert(bits, number);
        number
    }

    fn number_of_bits(&mut self, bits: Term) -> Term {
        let width = self.width(bits);
        let sort = if width == 32 { Sort::F32 } else { Sort::F64 };
        let sign = 1 << (width - 1);
        match *self.node(bits) {
            Node::Bv(_, value) => self.float_constant(sort, value),
            Node::FloatToBits(inner) => {
                self.use_rule(Rule::BitsOfFloat);
                inner
            }
            _ if self.is_plain() => self.intern(Node::FloatFromBits(bits), sort),
            Node::BvOp(BvOp::Xor, part, changed) if self.as_bv(changed) == Some(sign) => {
                let number = self.float_from_bits(part);
                self.float_unary(FloatUnary::Neg, number)
            }
            // Where the sign was clear, setting it is adding it.
            Node::BvSum(ref sum) if sum.constant == sign && matches!(sum.parts[..], [(_, 1)]) => {
                let part = sum.parts[0].0;
                let number = self.float_from_bits(part);
                self.float_unary(FloatUnary::Neg, number)
            }
            Node::BvOp(BvOp::Or, part, changed) if self.as_bv(changed) == Some(sign) => {
                let number = self.float_from_bits(part);
                let size = self.float_unary(FloatUnary::Abs, number);
                self.float_unary(FloatUnary::Neg, size)
            }
            Node::ZeroExtend(_, cut) => match *self.node(cut) {
                Node::Extract(high, 0, part) if high == width - 2 && self.width(part) == width => {
                    let number = self.float_from_bits(part);
                    self.float_unary(FloatUnary::Abs, number)
                }
                _ => self.intern(Node::FloatFromBits(bits), sort),
            },
            Node::Ite(condition, then, other) => {
                let (then, other) = (self.float_from_bits(then), self.float_from_bits(other));
                self.ite(condition, then, other)
            }
            _ => self.intern(Node::FloatFromBits(bits), sort),
        }
    }

    /// Bits of a float with the other sign.
    pub fn bits_negated(&mut self, bits: Term) -> Term {
        let sign = self.sign_bit(bits);
        self.bv_op(BvOp::Xor, bits, sign)
    }

    /// Bits of a float without its sign.
    pub fn bits_absolute(&mut self, bits: Term) -> Term {
        let width = self.width(bits);
        let size = self.extract(width - 2, 0, bits);
        self.zero_extend(width, size)
    }

    /// Bits of a float whose sign is negative exactly if a condition holds.
    pub fn bits_with_sign(&mut self, bits: Term, negative: Term) -> Term {
        let absolute = self.bits_absolute(bits);
        let sign = self.sign_bit(bits);
        let negated = self.bv_op(BvOp::Or, absolute, sign);
        self.ite(negative, negated, absolute)
    }

    fn sign_bit(&mut self, bits: Term) -> Term {
        let width = self.width(bits);
        self.bv(width, 1 << (width - 1))
    }

    /// The bits of a float; a NaN has the canonical ones.
    pub fn float_to_bits(&mut self, term: Term) -> Term {
        let width = if self.sort(term) == Sort::F32 { 32 } else { 64 };
        match *self.node(term) {
            Node::Float(_, bits) => self.bv(width, bits),
            _ => self.intern(Node::FloatToBits(term), Sort::Bv(width)),
        }
    }

    /// The number of a bit-vector as a float.
    pub fn float_from_bv(&mut self, is_signed: bool, sort: Sort, term: Term) -> Term {
        let width = self.width(term);
        match self.as_bv(term) {
            Some(value) => self.float_constant(sort, ops::float_from_bv(is_signed, sort, width, value)),
            None => self.intern(Node::FloatFromBv(is_signed, sort, term), sort),
        }
    }

    /// A float rounded to zero as a bit-vector. What it is outside of the range is open: see [`Terms::float_fits`].
    pub fn float_to_bv(&mut self, is_signed: bool, width: u8, term: Term) -> Term {
        let sort = self.sort(term);
        match self.as_float(term) {
            Some(bits) => self.bv(width, ops::float_to_bv(is_signed, width, sort, bits)),
            None => self.intern(Node::FloatToBv(is_signed, width, term), Sort::Bv(width)),
        }
    }

    /// Whether a float, rounded to zero, is a number of the width (WebAssembly traps where it is not).
    pub fn float_fits(&mut self, is_signed: bool, width: u8, term: Term) -> Term {
        let sort = self.sort(term);
        let power = |exponent: u8| 2f64.powi(i32::from(exponent));
        let constant = |terms: &mut Terms, value: f64| match sort {
            Sort::F32 => terms.f32(value as f32),
            _ => terms.f64(value),
        };
        let (below, above) =
            if is_signed { (-power(width - 1) - 1.0, power(width - 1)) } else { (-1.0, power(width)) };
        let high = constant(self, above);
        // Where the least number minus one is no float of this sort, the least number itself is the least that fits. The difference
        // itself may round to the least number already.
        let exact_below = match sort {
            Sort::F32 => f64::from(below as f32) == below,
            _ => true,
        } && below + 1.0 != below
            && below != -power(width - 1);
        let low_holds = if exact_below {
            let low = constant(self, below);
            self.float_order(FloatOrder::Lt, low, term)
        } else {
            let low = constant(self, -power(width - 1));
            self.float_order(FloatOrder::Le, low, term)
        };
        let high_holds = self.float_order(FloatOrder::Lt, term, high);
        self.and2(low_holds, high_holds)
    }

    /// Promotion or demotion to a sort.
    pub fn float_convert(&mut self, sort: Sort, term: Term) -> Term {
        let from = self.sort(term);
        if from == sort {
            return term;
        }
        match self.as_float(term) {
            Some(bits) => self.float_constant(sort, ops::float_convert(sort, from, bits)),
            None => self.intern(Node::FloatConvert(sort, term), sort),
        }
    }
}
