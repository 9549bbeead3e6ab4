//! What nobody has written: which bits of a value are undefined, and on which inputs.
//!
//! A mask says which bits may be undefined and, where merged paths differ, under which condition they are. Operators carry masks on as the shadow interpreter does
//! ([`twinrun_interp::shadow`]), less exactly where an operand depends on inputs. A use of a value (a branch, an address, a check, an output) must find it defined:
//! otherwise the path crashes there, and the other way round its absence is a condition of the path, like that of a division by zero.

use rustc_hash::FxHashMap;
use twinrun_interp::shadow::{Word, bits};
use twinrun_interp::{BinaryOp, Memory, Position, Trap, Type, UnaryOp};
use twinrun_term::Term;

use super::{Concolic, Shadow, Value};

/// A set of undefined bits by number: [`Mask::NONE`], [`Mask::ALL`], or one that a domain has made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mask(u32);

impl Mask {
    /// Everything is defined.
    pub const NONE: Mask = Mask(0);
    /// Nobody has written any of it.
    pub const ALL: Mask = Mask(1);

    /// Whether everything is defined.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// What a mask stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Undefined {
    bits: u64,
    /// On which inputs; always, if there is nothing.
    when: Option<Term>,
    /// Whether the inputs at hand are among them.
    now: bool,
}

/// All masks of a domain.
#[derive(Default)]
pub(super) struct Masks {
    made: Vec<Undefined>,
    numbers: FxHashMap<Undefined, u32>,
}

impl Masks {
    fn get(&self, mask: Mask) -> Undefined {
        match mask.0 {
            0 => Undefined { bits: 0, when: None, now: false },
            1 => Undefined { bits: u64::MAX, when: None, now: true },
            number => self.made[number as usize - 2],
        }
    }

    fn number(&mut self, undefined: Undefined) -> Mask {
        if undefined.bits == 0 {
            return Mask::NONE;
        }
        if undefined.bits == u64::MAX && undefined.when.is_none() {
            return Mask::ALL;
        }
        let made = &mut self.made;
        let number = *self.numbers.entry(undefined).or_insert_with(|| {
            made.push(undefined);
            made.len() as u32 + 1
        });
        Mask(number)
    }
}

impl Concolic {
    /// A mask of these bits, undefined whenever one of the two is.
    fn mask_of(&mut self, bits: u64, a: Mask, b: Mask) -> Mask {
        let (x, y) = (self.masks.get(a), self.masks.get(b));
        let when = match (x.bits, y.bits) {
            (0, _) => y.when,
            (_, 0) => x.when,
            _ => match (x.when, y.when) {
                (Some(left), Some(right)) => Some(self.terms.or2(left, right)),
                _ => None,
            },
        };
        self.masks.number(Undefined { bits, when, now: x.now || y.now })
    }

    /// The mask of a result of two operands.
    pub(super) fn binary_mask(&mut self, op: BinaryOp, a: Value, b: Value) -> Mask {
        if a.undefined.is_none() && b.undefined.is_none() {
            return Mask::NONE;
        }
        let word = |value: Value, masks: &Masks| Word {
            bits: value.bits,
            undefined: masks.get(value.undefined).bits & ones(value.ty),
        };
        let (x, y) = (word(a, &self.masks), word(b, &self.masks));
        let bits = if a.term.is_none() && b.term.is_none() && !self.varies(a) && !self.varies(b) {
            bits::binary(op, x, y)
        } else {
            let known =
                |value: Value| (value.term.is_none() && value.undefined.is_none()).then_some(value.bits);
            cautious(op, x.undefined, y.undefined, known(a), known(b))
        };
        self.mask_of(bits, a.undefined, b.undefined)
    }

    /// Whether the defined part of a value may differ where its mask does.
    fn varies(&self, value: Value) -> bool {
        self.masks.get(value.undefined).when.is_some()
    }

    /// The mask of a result of one operand.
    pub(super) fn unary_mask(&mut self, op: UnaryOp, a: Value) -> Mask {
        if a.undefined.is_none() {
            return Mask::NONE;
        }
        let undefined = self.masks.get(a.undefined).bits & ones(a.ty);
        let is_test = matches!(op, UnaryOp::I32Eqz | UnaryOp::I64Eqz);
        let bits = if is_test && (a.term.is_some() || self.varies(a)) {
            u64::from(undefined != 0)
        } else {
            bits::unary(op, Word { bits: a.bits, undefined })
        };
        self.mask_of(bits, a.undefined, Mask::NONE)
    }

    /// The mask of `if condition then a else b`; the condition has a term.
    pub(super) fn merged_mask(&mut self, condition: Value, holds: Term, a: Mask, b: Mask) -> Mask {
        if a == b {
            return a;
        }
        let (x, y) = (self.masks.get(a), self.masks.get(b));
        let side = |domain: &mut Concolic, side: Undefined| match side.when {
            _ if side.bits == 0 => domain.terms.bool(false),
            Some(when) => when,
            None => domain.terms.bool(true),
        };
        let (left, right) = (side(self, x), side(self, y));
        let when = self.terms.ite(holds, left, right);
        let now = if condition.bits as u32 != 0 { x.now } else { y.now };
        match self.terms.as_bool(when) {
            Some(false) => Mask::NONE,
            Some(true) => self.masks.number(Undefined { bits: x.bits | y.bits, when: None, now: true }),
            None => self.masks.number(Undefined { bits: x.bits | y.bits, when: Some(when), now }),
        }
    }

    /// The mask of what a condition that may itself be undefined has chosen.
    pub(super) fn chosen_mask(&mut self, condition: Value, chosen: Mask) -> Mask {
        if condition.undefined.is_none() {
            chosen
        } else {
            self.mask_of(u64::MAX, condition.undefined, chosen)
        }
    }

    /// The mask of bytes that stand one after the other, each by its mask and its number in it.
    pub(super) fn joined_mask(&mut self, bytes: &[super::Byte], ty: Type, signed: bool) -> Mask {
        let mut joined = Undefined { bits: 0, when: None, now: false };
        let mut always = false;
        for (place, byte) in bytes.iter().enumerate() {
            let part = self.masks.get(byte.undefined);
            let bits = part.bits >> (byte.index * 8) & 0xff;
            if bits == 0 {
                continue;
            }
            joined.bits |= bits << (place * 8);
            joined.now |= part.now;
            match part.when {
                None => always = true,
                Some(when) => {
                    let other = joined.when.unwrap_or(when);
                    joined.when = Some(self.terms.or2(other, when));
                }
            }
        }
        if always {
            joined.when = None;
        }
        if signed {
            let unused = 64 - 8 * bytes.len() as u32;
            joined.bits = (joined.bits.cast_signed() << unused >> unused).cast_unsigned() & ones(ty);
        }
        self.masks.number(joined)
    }

    /// A use of a value: the path crashes where it is undefined.
    pub(crate) fn used(&mut self, at: Position, value: Value) -> Result<(), Trap> {
        if value.undefined.is_none() {
            return Ok(());
        }
        let undefined = self.masks.get(value.undefined);
        if undefined.bits & ones(value.ty) == 0 {
            return Ok(());
        }
        self.must_be_defined(at, undefined)
    }

    /// A use of a condition: one that is not zero anyway is defined.
    pub(super) fn tested(&mut self, at: Position, condition: Value) -> Result<(), Trap> {
        let undefined = self.masks.get(condition.undefined);
        let steady = condition.term.is_none() && undefined.when.is_none();
        let word =
            Word { bits: condition.bits & ones(Type::I32), undefined: undefined.bits & ones(Type::I32) };
        if steady && !word.may_be_zero_or_not() { Ok(()) } else { self.used(at, condition) }
    }

    /// A use of bytes of memory.
    pub(crate) fn used_bytes(
        &mut self,
        at: Position,
        memory: &Memory<Shadow>,
        from: u64,
        len: u64,
    ) -> Result<(), Trap> {
        for place in memory.shadow.masked(from, len) {
            let byte = memory.shadow.get(place);
            let undefined = self.masks.get(byte.undefined);
            if undefined.bits >> (byte.index * 8) & 0xff != 0 {
                self.must_be_defined(at, undefined)?;
            }
        }
        Ok(())
    }

    fn must_be_defined(&mut self, at: Position, undefined: Undefined) -> Result<(), Trap> {
        let Some(when) = undefined.when else { return Err(Trap::Uninitialised) };
        match self.decided(when) {
            Some(true) => return Err(Trap::Uninitialised),
            Some(false) => return Ok(()),
            None => {}
        }
        let is_safe = !undefined.now || self.astray;
        let safe = self.terms.not(when);
        self.guard(at, safe, is_safe);
        if is_safe { Ok(()) } else { Err(Trap::Uninitialised) }
    }
}

/// The bits of a type.
fn ones(ty: Type) -> u64 {
    if matches!(ty, Type::I32 | Type::F32) { 0xffff_ffff } else { u64::MAX }
}

/// The undefined bits of a result whatever the operands are that are not known.
fn cautious(op: BinaryOp, a: u64, b: u64, known_a: Option<u64>, known_b: Option<u64>) -> u64 {
    use BinaryOp as B;
    let both = a | b;
    let all = |wide: bool| if wide { u64::MAX } else { 0xffff_ffff };
    match op {
        B::I32And | B::I64And => match (known_a, known_b) {
            (_, Some(mask)) => a & mask,
            (Some(mask), _) => b & mask,
            _ => both,
        },
        B::I32Or | B::I64Or => match (known_a, known_b) {
            (_, Some(mask)) => a & !mask,
            (Some(mask), _) => b & !mask,
            _ => both,
        },
        B::I32Xor | B::I64Xor => both,
        B::I32Add | B::I32Sub | B::I32Mul => (both | both.wrapping_neg()) & all(false),
        B::I64Add | B::I64Sub | B::I64Mul => both | both.wrapping_neg(),
        B::I32Shl | B::I32ShrS | B::I32ShrU | B::I32Rotl | B::I32Rotr => match known_b {
            Some(distance) => {
                bits::binary(op, Word { bits: 0, undefined: a }, Word { bits: distance, undefined: 0 })
            }
            None => all(false),
        },
        B::I64Shl | B::I64ShrS | B::I64ShrU | B::I64Rotl | B::I64Rotr => match known_b {
            Some(distance) => {
                bits::binary(op, Word { bits: 0, undefined: a }, Word { bits: distance, undefined: 0 })
            }
            None => all(true),
        },
        B::F32Copysign => a & 0x7fff_ffff | b & 1 << 31,
        B::F64Copysign => a & u64::MAX >> 1 | b & 1 << 63,
        _ => {
            let result = op.types().1;
            let compares = op.types().0 != result || op.compares_integers();
            if compares || matches!(op, B::F32Eq | B::F32Ne | B::F32Lt | B::F32Gt | B::F32Le | B::F32Ge) {
                1
            } else {
                ones(result)
            }
        }
    }
}
