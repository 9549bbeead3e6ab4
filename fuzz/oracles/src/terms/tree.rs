//! The reference: trees that compute directly, with no simplification, and that build terms.

use twinrun_term::{BvOp, BvOrder, FloatOrder, Sort, Term, Terms, mask, signed};

use super::bytes::Bytes;
use super::floats::Float;
use super::setting::Setting;

pub(super) enum Tree {
    Symbol(usize),
    Constant(u8, u64),
    Op(BvOp, Box<[Tree; 2]>),
    Add(Box<[Tree; 2]>),
    Sub(Box<[Tree; 2]>),
    Extract(u8, u8, Box<Tree>),
    Concat(Box<[Tree; 2]>),
    Zero(u8, Box<Tree>),
    Sign(u8, Box<Tree>),
    Flag(u8, Box<Test>),
    Ite(Box<Test>, Box<[Tree; 2]>),
    /// The bits of a float.
    Bits(Box<Float>),
    /// A float rounded to zero and to the nearest number of the width.
    Rounded(bool, u8, Box<Float>),
    /// Bits of a float without their sign, with the other one, or with one that a condition tells.
    Absolute(Box<Tree>),
    Negated(Box<Tree>),
    Signed(Box<Tree>, Box<Test>),
}

pub(super) enum Test {
    Order(BvOrder, Tree, Tree),
    Eq(Tree, Tree),
    Not(Box<Test>),
    And(Box<[Test; 2]>),
    Or(Box<[Test; 2]>),
    Same(Box<[Test; 2]>),
    Choice(Box<[Test; 3]>),
    NonZero(Tree),
    FloatOrder(FloatOrder, Float, Float),
    FloatSame(Float, Float),
    Nan(Float),
    Negative(Float),
    /// Whether a float rounded to zero is a number of the width.
    Fits(bool, u8, Float),
}

const OPS: [BvOp; 11] = [
    BvOp::Mul,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
];

impl Setting {
    pub(super) fn tree(&self, bytes: &mut Bytes<'_>, width: u8, depth: u32) -> Tree {
        if depth == 0 || bytes.below(8) == 0 {
            return self.leaf(bytes, width);
        }
        let depth = depth - 1;
        let two = |bytes: &mut Bytes<'_>| {
            Box::new([self.tree(bytes, width, depth), self.tree(bytes, width, depth)])
        };
        match bytes.below(24) {
            0..=3 => Tree::Add(two(bytes)),
            4 => Tree::Sub(two(bytes)),
            5..=9 => {
                let op = bytes.choose(&OPS);
                let right = if bytes.below(2) == 0 {
                    self.constant(bytes, width)
                } else {
                    self.tree(bytes, width, depth)
                };
                Tree::Op(op, Box::new([self.tree(bytes, width, depth), right]))
            }
            10..=11 if width < 64 => {
                let wide = width + 1 + bytes.below(64 - width);
                let low = bytes.below(wide - width + 1);
                Tree::Extract(low + width - 1, low, Box::new(self.tree(bytes, wide, depth)))
            }
            12..=13 if width > 1 => {
                let split = 1 + bytes.below(width - 1);
                if bytes.below(2) == 0 {
                    // A term cut apart and joined again, as stores and loads do; the same choices give it twice.
                    let mut again = bytes.again();
                    let copy = Box::new(self.tree(&mut again, width, depth));
                    let other = Box::new(self.tree(bytes, width, depth));
                    let halves = [Tree::Extract(width - 1, split, copy), Tree::Extract(split - 1, 0, other)];
                    return Tree::Concat(Box::new(halves));
                }
                let halves = [self.tree(bytes, width - split, depth), self.tree(bytes, split, depth)];
                Tree::Concat(Box::new(halves))
            }
            14 | 15 if width > 1 => {
                let narrow = 1 + bytes.below(width - 1);
                let part = Box::new(self.tree(bytes, narrow, depth));
                if bytes.below(2) == 0 { Tree::Zero(width, part) } else { Tree::Sign(width, part) }
            }
            16 | 17 => Tree::Flag(width, Box::new(self.test(bytes, depth))),
            18 => Tree::Rounded(bytes.below(2) == 0, width, Box::new(self.float(bytes, depth, None))),
            19 if width == 32 => Tree::Bits(Box::new(self.float(bytes, depth, Some(Sort::F32)))),
            19 if width == 64 => Tree::Bits(Box::new(self.float(bytes, depth, Some(Sort::F64)))),
            20 if width >= 32 => {
                let part = Box::new(self.tree(bytes, width, depth));
                match bytes.below(3) {
                    0 => Tree::Absolute(part),
                    1 => Tree::Negated(part),
                    _ => Tree::Signed(part, Box::new(self.test(bytes, depth))),
                }
            }
            _ => Tree::Ite(Box::new(self.test(bytes, depth)), two(bytes)),
        }
    }

    fn leaf(&self, bytes: &mut Bytes<'_>, width: u8) -> Tree {
        let fitting: Vec<usize> = (0..self.widths.len()).filter(|&i| self.widths[i] == width).collect();
        if fitting.is_empty() || bytes.below(3) == 0 {
            return self.constant(bytes, width);
        }
        Tree::Symbol(bytes.choose(&fitting))
    }

    fn constant(&self, bytes: &mut Bytes<'_>, width: u8) -> Tree {
        let value = match bytes.below(6) {
            0 => u64::MAX,
            1 => 1 << bytes.below(width),
            2 => (1 << bytes.below(width)) - 1,
            3 => bytes.word(),
            _ => u64::from(bytes.below(12)),
        };
        Tree::Constant(width, value & mask(width))
    }

    pub(super) fn test(&self, bytes: &mut Bytes<'_>, depth: u32) -> Test {
        let width = bytes.choose(&self.widths);
        let inner = depth.saturating_sub(1);
        let choice = bytes.below(if depth == 0 { 9 } else { 18 });
        match choice {
            0..=3 => {
                let order = bytes.choose(&[BvOrder::Ult, BvOrder::Ule, BvOrder::Slt, BvOrder::Sle]);
                Test::Order(order, self.tree(bytes, width, depth), self.tree(bytes, width, depth))
            }
            4 | 5 => Test::Eq(self.tree(bytes, width, depth), self.tree(bytes, width, depth)),
            6 => Test::NonZero(self.tree(bytes, width, depth)),
            7..=9 => {
                let left = self.float(bytes, depth, None);
                let sort = Some(left.sort(self));
                match bytes.below(6) {
                    0 => Test::Nan(left),
                    1 => Test::Negative(left),
                    2 => Test::Fits(bytes.below(2) == 0, bytes.choose(&[8, 32, 64]), left),
                    3 => Test::FloatSame(left, self.float(bytes, depth, sort)),
                    _ => {
                        let order = bytes.choose(&[FloatOrder::Eq, FloatOrder::Lt, FloatOrder::Le]);
                        Test::FloatOrder(order, left, self.float(bytes, depth, sort))
                    }
                }
            }
            10 | 11 => Test::Not(Box::new(self.test(bytes, inner))),
            12 | 13 => Test::And(Box::new([self.test(bytes, inner), self.test(bytes, inner)])),
            14 | 15 => Test::Or(Box::new([self.test(bytes, inner), self.test(bytes, inner)])),
            16 => Test::Same(Box::new([self.test(bytes, inner), self.test(bytes, inner)])),
            _ => {
                let parts = [self.test(bytes, inner), self.test(bytes, inner), self.test(bytes, inner)];
                Test::Choice(Box::new(parts))
            }
        }
    }
}

impl Tree {
    pub(super) fn width(&self, setting: &Setting) -> u8 {
        match self {
            Tree::Symbol(i) => setting.widths[*i],
            Tree::Constant(width, _)
            | Tree::Zero(width, _)
            | Tree::Sign(width, _)
            | Tree::Flag(width, _)
            | Tree::Rounded(_, width, _) => *width,
            Tree::Op(_, parts) | Tree::Add(parts) | Tree::Sub(parts) | Tree::Ite(_, parts) => {
                parts[0].width(setting)
            }
            Tree::Absolute(part) | Tree::Negated(part) | Tree::Signed(part, _) => part.width(setting),
            Tree::Extract(high, low, _) => high - low + 1,
            Tree::Concat(parts) => parts[0].width(setting) + parts[1].width(setting),
            Tree::Bits(float) if float.sort(setting) == Sort::F32 => 32,
            Tree::Bits(_) => 64,
        }
    }

    pub(super) fn build(&self, terms: &mut Terms, symbols: &[Term]) -> Term {
        let two = |terms: &mut Terms, parts: &[Tree; 2]| {
            let left = parts[0].build(terms, symbols);
            (left, parts[1].build(terms, symbols))
        };
        match self {
            Tree::Symbol(i) => symbols[*i],
            Tree::Constant(width, value) => terms.bv(*width, *value),
            Tree::Op(op, parts) => {
                let (a, b) = two(terms, parts);
                terms.bv_op(*op, a, b)
            }
            Tree::Add(parts) => {
                let (a, b) = two(terms, parts);
                terms.bv_add(a, b)
            }
            Tree::Sub(parts) => {
                let (a, b) = two(terms, parts);
                terms.bv_sub(a, b)
            }
            Tree::Extract(high, low, part) => {
                let part = part.build(terms, symbols);
                terms.extract(*high, *low, part)
            }
            Tree::Concat(parts) => {
                let (a, b) = two(terms, parts);
                terms.concat(a, b)
            }
            Tree::Zero(width, part) => {
                let part = part.build(terms, symbols);
                terms.zero_extend(*width, part)
            }
            Tree::Sign(width, part) => {
                let part = part.build(terms, symbols);
                terms.sign_extend(*width, part)
            }
            Tree::Flag(width, test) => {
                let test = test.build(terms, symbols);
                terms.bool_to_bv(test, *width)
            }
            Tree::Ite(test, parts) => {
                let test = test.build(terms, symbols);
                let (a, b) = two(terms, parts);
                terms.ite(test, a, b)
            }
            Tree::Bits(float) => {
                let float = float.build(terms, symbols);
                terms.float_to_bits(float)
            }
            Tree::Rounded(is_signed, width, float) => {
                let float = float.build(terms, symbols);
                terms.float_to_bv(*is_signed, *width, float)
            }
            Tree::Absolute(part) => {
                let part = part.build(terms, symbols);
                terms.bits_absolute(part)
            }
            Tree::Negated(part) => {
                let part = part.build(terms, symbols);
                terms.bits_negated(part)
            }
            Tree::Signed(part, test) => {
                let (part, test) = (part.build(terms, symbols), test.build(terms, symbols));
                terms.bits_with_sign(part, test)
            }
        }
    }

    pub(super) fn run(&self, setting: &Setting, input: &[u64]) -> u64 {
        let width = self.width(setting);
        let sign = 1u64 << (width - 1);
        let of = |part: &Tree| part.run(setting, input);
        let value = match self {
            Tree::Symbol(i) => input[*i],
            Tree::Constant(_, value) => *value,
            Tree::Op(op, parts) => operation(*op, width, of(&parts[0]), of(&parts[1])),
            Tree::Add(parts) => of(&parts[0]).wrapping_add(of(&parts[1])),
            Tree::Sub(parts) => of(&parts[0]).wrapping_sub(of(&parts[1])),
            Tree::Extract(_, low, part) => of(part) >> low,
            Tree::Concat(parts) => of(&parts[0]) << parts[1].width(setting) | of(&parts[1]),
            Tree::Zero(_, part) => of(part),
            Tree::Sign(_, part) => signed(part.width(setting), of(part)) as u64,
            Tree::Flag(_, test) => u64::from(test.run(setting, input)),
            Tree::Ite(test, parts) => of(&parts[usize::from(!test.run(setting, input))]),
            Tree::Bits(float) => float.run(setting, input),
            Tree::Rounded(is_signed, _, float) => {
                let number = float.number(setting, input);
                let (low, high) = limits(*is_signed, width);
                (number as i128).clamp(low, high) as u64
            }
            Tree::Absolute(part) => of(part) & !sign,
            Tree::Negated(part) => of(part) ^ sign,
            Tree::Signed(part, test) if test.run(setting, input) => of(part) | sign,
            Tree::Signed(part, _) => of(part) & !sign,
        };
        value & mask(width)
    }
}

fn limits(is_signed: bool, width: u8) -> (i128, i128) {
    if is_signed { (-(1 << (width - 1)), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) }
}

/// SMT-LIB's bit-vector operators, by mathematical integers.
fn operation(op: BvOp, width: u8, left: u64, right: u64) -> u64 {
    let (a, b) = (i128::from(left), i128::from(right));
    let (x, y) = (i128::from(signed(width, left)), i128::from(signed(width, right)));
    let result = match op {
        BvOp::Mul => left.wrapping_mul(right).into(),
        BvOp::Udiv if b == 0 => -1,
        BvOp::Udiv => a / b,
        BvOp::Urem if b == 0 => a,
        BvOp::Urem => a % b,
        BvOp::Sdiv if y == 0 => {
            if x < 0 {
                1
            } else {
                -1
            }
        }
        BvOp::Sdiv => x / y,
        BvOp::Srem if y == 0 => x,
        BvOp::Srem => x % y,
        BvOp::And => a & b,
        BvOp::Or => a | b,
        BvOp::Xor => a ^ b,
        BvOp::Shl if b >= i128::from(width) => 0,
        BvOp::Shl => a << b,
        BvOp::Lshr => a >> b.min(100),
        BvOp::Ashr => x >> b.min(100),
    };
    result as u64 & mask(width)
}

impl Test {
    pub(super) fn build(&self, terms: &mut Terms, symbols: &[Term]) -> Term {
        match self {
            Test::Order(order, a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.bv_order(*order, a, b)
            }
            Test::Eq(a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.eq(a, b)
            }
            Test::Not(part) => {
                let part = part.build(terms, symbols);
                terms.not(part)
            }
            Test::And(parts) => {
                let (a, b) = (parts[0].build(terms, symbols), parts[1].build(terms, symbols));
                terms.and2(a, b)
            }
            Test::Or(parts) => {
                let (a, b) = (parts[0].build(terms, symbols), parts[1].build(terms, symbols));
                terms.or2(a, b)
            }
            Test::Same(parts) => {
                let (a, b) = (parts[0].build(terms, symbols), parts[1].build(terms, symbols));
                terms.eq(a, b)
            }
            Test::Choice(parts) => {
                let (a, b) = (parts[0].build(terms, symbols), parts[1].build(terms, symbols));
                let c = parts[2].build(terms, symbols);
                terms.ite(a, b, c)
            }
            Test::NonZero(part) => {
                let part = part.build(terms, symbols);
                terms.bv_to_bool(part)
            }
            Test::FloatOrder(order, a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.float_order(*order, a, b)
            }
            Test::FloatSame(a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.eq(a, b)
            }
            Test::Nan(part) => {
                let part = part.build(terms, symbols);
                terms.is_nan(part)
            }
            Test::Negative(part) => {
                let part = part.build(terms, symbols);
                terms.is_negative(part)
            }
            Test::Fits(is_signed, width, part) => {
                let part = part.build(terms, symbols);
                terms.float_fits(*is_signed, *width, part)
            }
        }
    }

    pub(super) fn run(&self, setting: &Setting, input: &[u64]) -> bool {
        let of = |part: &Test| part.run(setting, input);
        match self {
            Test::Order(order, a, b) => {
                let width = a.width(setting);
                let (a, b) = (a.run(setting, input), b.run(setting, input));
                let (x, y) = (signed(width, a), signed(width, b));
                match order {
                    BvOrder::Ult => a < b,
                    BvOrder::Ule => a <= b,
                    BvOrder::Slt => x < y,
                    BvOrder::Sle => x <= y,
                }
            }
            Test::Eq(a, b) => a.run(setting, input) == b.run(setting, input),
            Test::Not(part) => !of(part),
            Test::And(parts) => of(&parts[0]) && of(&parts[1]),
            Test::Or(parts) => of(&parts[0]) || of(&parts[1]),
            Test::Same(parts) => of(&parts[0]) == of(&parts[1]),
            Test::Choice(parts) => {
                if of(&parts[0]) {
                    of(&parts[1])
                } else {
                    of(&parts[2])
                }
            }
            Test::NonZero(part) => part.run(setting, input) != 0,
            Test::FloatOrder(order, a, b) => {
                let (a, b) = (a.number(setting, input), b.number(setting, input));
                match order {
                    FloatOrder::Eq => a == b,
                    FloatOrder::Lt => a < b,
                    FloatOrder::Le => a <= b,
                }
            }
            Test::FloatSame(a, b) => a.run(setting, input) == b.run(setting, input),
            Test::Nan(part) => part.number(setting, input).is_nan(),
            Test::Negative(part) => {
                let number = part.number(setting, input);
                number.is_sign_negative() && !number.is_nan()
            }
            Test::Fits(is_signed, width, part) => {
                let number = part.number(setting, input);
                let (low, high) = limits(*is_signed, *width);
                !number.is_nan() && number.abs() < 1e30 && (low..=high).contains(&(number.trunc() as i128))
            }
        }
    }
}
