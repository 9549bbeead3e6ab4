//! The reference for floats: bits with one NaN.

use twinrun_term::{FloatBinary, FloatUnary, Sort, Term, Terms};

use super::bytes::Bytes;
use super::setting::Setting;
use super::tree::{Test, Tree};

pub(super) enum Float {
    Symbol(usize),
    Constant(Sort, u64),
    Unary(FloatUnary, Box<Float>),
    Binary(FloatBinary, Box<[Float; 2]>),
    Least(Box<[Float; 2]>),
    Greatest(Box<[Float; 2]>),
    Convert(Sort, Box<Float>),
    Number(bool, Sort, Box<Tree>),
    Bits(Box<Tree>),
    Ite(Box<Test>, Box<[Float; 2]>),
}

/// The bits with every NaN made the canonical one.
pub(super) fn canonical(sort: Sort, bits: u64) -> u64 {
    match sort {
        Sort::F32 if f32::from_bits(bits as u32).is_nan() => 0x7fc0_0000,
        Sort::F64 if f64::from_bits(bits).is_nan() => 0x7ff8_0000_0000_0000,
        _ => bits,
    }
}

impl Setting {
    pub(super) fn float(&self, bytes: &mut Bytes<'_>, depth: u32, sort: Option<Sort>) -> Float {
        let sort = sort.unwrap_or_else(|| bytes.choose(&[Sort::F64, Sort::F32]));
        let count = self.widths.len();
        if depth == 0 || bytes.below(4) == 0 {
            return match (bytes.below(4), sort) {
                (0, Sort::F32) => {
                    Float::Constant(sort, bytes.choose(&[0x3f80_0000, 0x8000_0000, 0x7fc0_0000]))
                }
                (0, _) => {
                    Float::Constant(sort, bytes.choose(&[0x3ff0_0000_0000_0000, 1 << 63, 0x7ff8 << 48]))
                }
                (_, Sort::F32) => Float::Symbol(count + 2),
                _ => Float::Symbol(count + usize::from(bytes.below(2))),
            };
        }
        let depth = depth - 1;
        let two = |bytes: &mut Bytes<'_>| {
            Box::new([self.float(bytes, depth, Some(sort)), self.float(bytes, depth, Some(sort))])
        };
        let width = if sort == Sort::F32 { 32 } else { 64 };
        match bytes.below(12) {
            0..=2 => {
                use FloatUnary::{Abs, Ceil, Floor, Nearest, Neg, Sqrt, Trunc};
                let op = bytes.choose(&[Abs, Neg, Neg, Sqrt, Ceil, Floor, Trunc, Nearest]);
                Float::Unary(op, Box::new(self.float(bytes, depth, Some(sort))))
            }
            3..=5 => {
                use FloatBinary::{Add, Div, Mul, Sub};
                Float::Binary(bytes.choose(&[Add, Sub, Mul, Div]), two(bytes))
            }
            6 => Float::Least(two(bytes)),
            7 => Float::Greatest(two(bytes)),
            8 => Float::Convert(sort, Box::new(self.float(bytes, depth, None))),
            9 => {
                let width = bytes.choose(&[8, 32, 64]);
                Float::Number(bytes.below(2) == 0, sort, Box::new(self.tree(bytes, width, depth)))
            }
            10 => Float::Bits(Box::new(self.tree(bytes, width, depth))),
            _ => Float::Ite(Box::new(self.test(bytes, depth)), two(bytes)),
        }
    }
}

impl Float {
    pub(super) fn sort(&self, setting: &Setting) -> Sort {
        match self {
            Float::Symbol(i) => setting.sorts()[*i],
            Float::Constant(sort, _) | Float::Convert(sort, _) | Float::Number(_, sort, _) => *sort,
            Float::Unary(_, part) => part.sort(setting),
            Float::Binary(_, parts) | Float::Least(parts) | Float::Greatest(parts) | Float::Ite(_, parts) => {
                parts[0].sort(setting)
            }
            Float::Bits(bits) if bits.width(setting) == 32 => Sort::F32,
            Float::Bits(_) => Sort::F64,
        }
    }

    pub(super) fn build(&self, terms: &mut Terms, symbols: &[Term]) -> Term {
        let two = |terms: &mut Terms, parts: &[Float; 2]| {
            let left = parts[0].build(terms, symbols);
            (left, parts[1].build(terms, symbols))
        };
        match self {
            Float::Symbol(i) => symbols[*i],
            Float::Constant(sort, bits) => terms.float_constant(*sort, *bits),
            Float::Unary(op, part) => {
                let part = part.build(terms, symbols);
                terms.float_unary(*op, part)
            }
            Float::Binary(op, parts) => {
                let (a, b) = two(terms, parts);
                terms.float_binary(*op, a, b)
            }
            Float::Least(parts) => {
                let (a, b) = two(terms, parts);
                terms.float_min(a, b)
            }
            Float::Greatest(parts) => {
                let (a, b) = two(terms, parts);
                terms.float_max(a, b)
            }
            Float::Convert(sort, part) => {
                let part = part.build(terms, symbols);
                terms.float_convert(*sort, part)
            }
            Float::Number(is_signed, sort, part) => {
                let part = part.build(terms, symbols);
                terms.float_from_bv(*is_signed, *sort, part)
            }
            Float::Bits(part) => {
                let part = part.build(terms, symbols);
                terms.float_from_bits(part)
            }
            Float::Ite(test, parts) => {
                let test = test.build(terms, symbols);
                let (a, b) = two(terms, parts);
                terms.ite(test, a, b)
            }
        }
    }

    /// The number; every binary32 number is a binary64 number.
    pub(super) fn number(&self, setting: &Setting, input: &[u64]) -> f64 {
        let bits = self.run(setting, input);
        if self.sort(setting) == Sort::F32 {
            f32::from_bits(bits as u32).into()
        } else {
            f64::from_bits(bits)
        }
    }

    pub(super) fn run(&self, setting: &Setting, input: &[u64]) -> u64 {
        let sort = self.sort(setting);
        let of = |part: &Float| part.run(setting, input);
        let bits = match self {
            Float::Symbol(i) => input[*i],
            Float::Constant(_, bits) => *bits,
            Float::Unary(op, part) if sort == Sort::F32 => {
                unary(*op, f32::from_bits(of(part) as u32)).to_bits().into()
            }
            Float::Unary(op, part) => {
                let value = f64::from_bits(of(part));
                match op {
                    FloatUnary::Abs => value.abs(),
                    FloatUnary::Neg => -value,
                    FloatUnary::Sqrt => value.sqrt(),
                    FloatUnary::Ceil => value.ceil(),
                    FloatUnary::Floor => value.floor(),
                    FloatUnary::Trunc => value.trunc(),
                    FloatUnary::Nearest => value.round_ties_even(),
                }
                .to_bits()
            }
            Float::Binary(op, parts) => {
                let (a, b) = (of(&parts[0]), of(&parts[1]));
                if sort == Sort::F32 {
                    let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
                    let result = match op {
                        FloatBinary::Add => a + b,
                        FloatBinary::Sub => a - b,
                        FloatBinary::Mul => a * b,
                        FloatBinary::Div => a / b,
                    };
                    result.to_bits().into()
                } else {
                    let (a, b) = (f64::from_bits(a), f64::from_bits(b));
                    let result = match op {
                        FloatBinary::Add => a + b,
                        FloatBinary::Sub => a - b,
                        FloatBinary::Mul => a * b,
                        FloatBinary::Div => a / b,
                    };
                    result.to_bits()
                }
            }
            Float::Least(parts) | Float::Greatest(parts) => {
                let (a, b) = (parts[0].number(setting, input), parts[1].number(setting, input));
                let least = matches!(self, Float::Least(_));
                let below = a < b || (a == b && a.is_sign_negative());
                match (a.is_nan() || b.is_nan(), below == least) {
                    (true, _) if sort == Sort::F32 => 0x7fc0_0000,
                    (true, _) => 0x7ff8_0000_0000_0000,
                    (false, first) => of(&parts[usize::from(!first)]),
                }
            }
            Float::Convert(to, part) => match (part.sort(setting), *to) {
                (Sort::F32, Sort::F64) => f64::from(f32::from_bits(of(part) as u32)).to_bits(),
                (Sort::F64, Sort::F32) => (f64::from_bits(of(part)) as f32).to_bits().into(),
                _ => of(part),
            },
            Float::Number(is_signed, to, part) => {
                let value = part.run(setting, input);
                let number = twinrun_term::signed(part.width(setting), value);
                match (*to, is_signed) {
                    (Sort::F32, true) => (number as f32).to_bits().into(),
                    (Sort::F32, false) => (value as f32).to_bits().into(),
                    (_, true) => (number as f64).to_bits(),
                    (_, false) => (value as f64).to_bits(),
                }
            }
            Float::Bits(part) => part.run(setting, input),
            Float::Ite(test, parts) => of(&parts[usize::from(!test.run(setting, input))]),
        };
        canonical(sort, bits)
    }
}

fn unary(op: FloatUnary, value: f32) -> f32 {
    match op {
        FloatUnary::Abs => value.abs(),
        FloatUnary::Neg => -value,
        FloatUnary::Sqrt => value.sqrt(),
        FloatUnary::Ceil => value.ceil(),
        FloatUnary::Floor => value.floor(),
        FloatUnary::Trunc => value.trunc(),
        FloatUnary::Nearest => value.round_ties_even(),
    }
}
