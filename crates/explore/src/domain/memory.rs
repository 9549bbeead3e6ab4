//! Memory with terms beside its bytes: whole numbers are kept whole, so that what is stored is loaded as it was.

use twinrun_interp::memory::{PAGE, Pages};
use twinrun_interp::{LoadOp, Memory, Merge as _, Position, StoreOp, Trap, Type, concrete};
use twinrun_term::{Sort, Term};

use super::{Concolic, Mask, Value};

/// What stands beside a byte of memory: byte `index` of a term, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Byte {
    /// The term that was stored, unless the byte does not depend on inputs.
    pub term: Option<Term>,
    /// Which byte of it, the lowest first.
    pub index: u8,
    /// The bits that nobody has written, of the number that was stored.
    pub undefined: Mask,
}

impl Byte {
    /// Whether nobody has written it.
    pub(crate) fn is_unwritten(self) -> bool {
        self == UNWRITTEN
    }

    /// Whether there is nothing to tell: the byte is the same for all inputs, and somebody has written it.
    fn is_plain(self) -> bool {
        self.term.is_none() && self.undefined.is_none()
    }
}

/// Nobody has written it.
const UNWRITTEN: Byte = Byte { term: None, index: 0, undefined: Mask::ALL };

/// Terms and masks beside a memory.
#[derive(Clone, Debug)]
pub struct Shadow(Pages<Byte>);

impl Default for Shadow {
    fn default() -> Self {
        Shadow(Pages::new(Byte::default()))
    }
}

impl Shadow {
    /// What stands beside one byte.
    pub fn get(&self, at: u64) -> Byte {
        if at < self.0.len() { self.0.get(at) } else { Byte::default() }
    }

    /// Sets what stands beside one byte.
    pub fn set(&mut self, at: u64, byte: Byte) {
        if byte.is_plain() && self.get(at).is_plain() {
            return;
        }
        self.0.grow(at + 1);
        self.0.set(at, byte);
    }

    /// Whether there is something to tell of a range.
    fn any(&self, at: u64, len: u64) -> bool {
        let end = (at + len).min(self.0.len());
        (at..end).any(|at| !self.0.get(at).is_plain())
    }

    /// The bytes of a range that may be undefined.
    pub(super) fn masked(&self, at: u64, len: u64) -> Vec<u64> {
        let end = (at + len).min(self.0.len());
        (at..end).filter(|at| !self.0.get(*at).undefined.is_none()).collect()
    }

    /// Nobody has written a range yet.
    pub(super) fn forget(&mut self, at: u64, len: u64) {
        self.0.grow(at + len);
        self.0.fill(at, len, UNWRITTEN);
    }

    /// Forgets the terms of a range.
    pub fn clear(&mut self, at: u64, len: u64) {
        let end = (at + len).min(self.0.len());
        (at..end).for_each(|at| self.set(at, Byte::default()));
    }

    /// What stands beside a range.
    pub fn read(&self, at: u64, len: u64) -> Vec<Byte> {
        (at..at + len).map(|at| self.get(at)).collect()
    }

    /// Copies a range; the ranges may overlap.
    pub fn copy(&mut self, to: u64, from: u64, len: u64) {
        if !self.any(from, len) {
            self.clear(to, len);
            return;
        }
        for (offset, byte) in self.read(from, len).into_iter().enumerate() {
            self.set(to + offset as u64, byte);
        }
    }

    #[inline(always)]
    fn word<const N: usize>(&self, at: u64) -> Option<[Byte; N]> {
        let bytes = self.0.read::<N>(at)?;
        bytes.iter().any(|byte| !byte.is_plain()).then_some(bytes)
    }

    fn store<const N: usize>(&mut self, at: u64, term: Option<Term>, undefined: Mask) {
        let is_plain = term.is_none() && undefined.is_none();
        let bytes: [Byte; N] = match is_plain {
            false => std::array::from_fn(|index| Byte { term, index: index as u8, undefined }),
            true if self.word::<N>(at).is_none() && at + N as u64 <= self.0.len() => return,
            true => [Byte::default(); N],
        };
        if is_plain && at >= self.0.len() {
            return;
        }
        self.0.grow(at + N as u64);
        self.0.write(at, bytes);
    }
}

impl Concolic {
    /// Reads a number at a concrete place.
    pub(super) fn load_at(&mut self, memory: &Memory<Shadow>, op: LoadOp, at: u64) -> Result<Value, Trap> {
        let bits = concrete::load(memory, op, at)?;
        let ty = op.ty();
        let (mut bytes, mut found) = ([Byte::default(); 8], false);
        macro_rules! read {
            ($size:literal) => {
                if let Some(word) = memory.shadow.word::<$size>(at) {
                    bytes[..$size].copy_from_slice(&word);
                    found = true;
                } else if at + $size > memory.shadow.0.len() && at < memory.shadow.0.len() {
                    // At the end of the pages that have terms.
                    (0..$size).for_each(|i| bytes[i as usize] = memory.shadow.get(at + i as u64));
                    found = bytes.iter().any(|byte| !byte.is_plain());
                }
            };
        }
        match op.bytes() {
            1 => read!(1),
            2 => read!(2),
            4 => read!(4),
            _ => read!(8),
        }
        if !found {
            return Ok(Value::of(ty, bits, None));
        }
        let size = op.bytes() as usize;
        let undefined = if bytes[..size].iter().all(|byte| byte.undefined.is_none()) {
            Mask::NONE
        } else {
            self.joined_mask(&bytes[..size], ty, op.signed())
        };
        if bytes[..size].iter().all(|byte| byte.term.is_none()) {
            return Ok(Value { undefined, ..Value::of(ty, bits, None) });
        }
        if let Some(whole) = self.whole(&bytes[..size])
            && self.sort_of(ty) == self.terms.sort(whole)
        {
            return Ok(Value { undefined, ..self.value(ty, bits, whole) });
        }
        let raw = memory.read(at, size as u64)?;
        let number = self.joined(&bytes[..size], &raw);
        let term = match ty {
            Type::F32 | Type::F64 => self.float_of_bits(number),
            _ => {
                let width = if ty == Type::I32 { 32 } else { 64 };
                let wide = if op.signed() {
                    self.terms.sign_extend(width, number)
                } else {
                    self.terms.zero_extend(width, number)
                };
                self.on_path(wide)
            }
        };
        Ok(Value { undefined, ..self.value(ty, bits, term) })
    }

    fn sort_of(&self, ty: Type) -> Sort {
        match ty {
            Type::I32 => Sort::Bv(32),
            Type::F32 => Sort::F32,
            Type::F64 => Sort::F64,
            _ => Sort::Bv(64),
        }
    }

    /// The term whose bytes, all of them and in order, these are.
    fn whole(&self, bytes: &[Byte]) -> Option<Term> {
        let term = bytes[0].term?;
        let size = match self.terms.sort(term) {
            Sort::Bv(width) => usize::from(width / 8),
            Sort::F32 => 4,
            _ => 8,
        };
        let in_order =
            |(index, byte): (usize, &Byte)| byte.term == Some(term) && usize::from(byte.index) == index;
        (size == bytes.len() && bytes.iter().enumerate().all(in_order)).then_some(term)
    }

    /// Bytes as one number; those without a term have their concrete value.
    pub(crate) fn joined(&mut self, bytes: &[Byte], raw: &[u8]) -> Term {
        if let Some(whole) = self.whole(bytes) {
            return self.bits_of(whole);
        }
        let mut number = self.byte_term(bytes[0], raw[0]);
        for (byte, raw) in bytes.iter().zip(raw).skip(1) {
            let high = self.byte_term(*byte, *raw);
            number = self.terms.concat(high, number);
        }
        number
    }

    /// One byte as a bit-vector of 8 bits.
    pub(crate) fn byte_term(&mut self, byte: Byte, raw: u8) -> Term {
        match byte.term {
            None => self.terms.bv(8, u64::from(raw)),
            Some(term) => {
                let bits = self.bits_of(term);
                let low = byte.index * 8;
                self.terms.extract(low + 7, low, bits)
            }
        }
    }

    fn bits_of(&mut self, term: Term) -> Term {
        if self.terms.sort(term).is_float() { self.terms.float_to_bits(term) } else { term }
    }

    /// Writes a number at a concrete place.
    pub(super) fn store_at(
        &mut self,
        memory: &mut Memory<Shadow>,
        op: StoreOp,
        at: u64,
        value: Value,
    ) -> Result<(), Trap> {
        concrete::store(memory, op, at, value.bits)?;
        match op.bytes() {
            1 => memory.shadow.store::<1>(at, value.term, value.undefined),
            2 => memory.shadow.store::<2>(at, value.term, value.undefined),
            4 => memory.shadow.store::<4>(at, value.term, value.undefined),
            _ => memory.shadow.store::<8>(at, value.term, value.undefined),
        }
        Ok(())
    }

    pub(super) fn load_value(
        &mut self,
        at: Position,
        memory: &Memory<Shadow>,
        op: LoadOp,
        address: Value,
        offset: u32,
    ) -> Result<Value, Trap> {
        let place = address.bits + u64::from(offset);
        if address.term.is_none() {
            return self.load_at(memory, op, place);
        }
        let limit = memory.len().saturating_sub(u64::from(op.bytes()));
        let Some((term, places)) = self.places(address, offset, limit, self.windows.reads) else {
            self.fix(at, address)?;
            return self.load_at(memory, op, place);
        };
        // Astray, the concrete address may be none of the places.
        let current = if places.contains(&place) { place } else { places.first().copied().unwrap_or(place) };
        let current = self.load_at(memory, op, current)?;
        let mut merged: Option<Value> = None;
        for &candidate in &places {
            let value = self.load_at(memory, op, candidate)?;
            merged = Some(match merged {
                None => value,
                Some(rest) => {
                    let constant = self.terms.bv(32, candidate);
                    let here = self.terms.eq(term, constant);
                    let flag = self.terms.bool_to_bv(here, 32);
                    let taken = Value::of(Type::I32, u64::from(candidate == place), Some(flag));
                    self.merge(taken, value, rest)
                }
            });
        }
        Ok(Value { bits: current.bits, ..merged.unwrap_or(current) })
    }

    pub(super) fn store_value(
        &mut self,
        at: Position,
        memory: &mut Memory<Shadow>,
        op: StoreOp,
        address: Value,
        offset: u32,
        value: Value,
    ) -> Result<(), Trap> {
        let place = address.bits + u64::from(offset);
        if address.term.is_none() {
            return self.store_at(memory, op, place, value);
        }
        let limit = memory.len().saturating_sub(u64::from(op.bytes()));
        let Some((term, places)) = self.places(address, offset, limit, self.windows.writes) else {
            self.fix(at, address)?;
            return self.store_at(memory, op, place, value);
        };
        let load = matching_load(op);
        for candidate in places {
            let constant = self.terms.bv(32, candidate);
            let here = self.terms.eq(term, constant);
            let flag = self.terms.bool_to_bv(here, 32);
            let taken = Value::of(Type::I32, u64::from(candidate == place), Some(flag));
            let old = self.load_at(memory, load, candidate)?;
            let new = self.merge(taken, value, old);
            self.store_at(memory, op, candidate, new)?;
        }
        Ok(())
    }

    /// Refuses the places of an access that user code must not touch.
    pub(super) fn touch_heap(
        &mut self,
        at: Position,
        memory: &Memory<Shadow>,
        address: Value,
        offset: u32,
        width: u32,
    ) -> Result<(), Trap> {
        let Some(heap) = &memory.heap else { return Ok(()) };
        let check = |place: u64| heap.check(place, u64::from(width));
        let place = (address.bits & 0xffff_ffff) + u64::from(offset);
        if address.term.is_none() {
            return check(place);
        }
        let limit = memory.len().saturating_sub(u64::from(width));
        let Some((term, places)) = self.places(address, offset, limit, self.windows.reads) else {
            self.fix(at, address)?;
            return check(place);
        };
        let mut apart = Vec::new();
        for &candidate in places.iter().filter(|place| check(**place).is_err()) {
            let constant = self.terms.bv(32, candidate);
            apart.push(self.terms.ne(term, constant));
        }
        if apart.is_empty() {
            return Ok(());
        }
        let safe = self.terms.and(&apart);
        match (self.decided(safe), check(place)) {
            (Some(true), _) => Ok(()),
            (Some(false), failed) => Err(failed.err().unwrap_or(Trap::UseAfterFree)),
            (None, checked) => {
                self.guard(at, safe, checked.is_ok() || self.astray);
                if self.astray { Ok(()) } else { checked }
            }
        }
    }

    /// Joins two memories: where they differ, numbers are merged as they were stored, not byte by byte.
    pub(super) fn merge_memories(
        &mut self,
        condition: Value,
        a: &Memory<Shadow>,
        b: &Memory<Shadow>,
    ) -> Result<Memory<Shadow>, Trap> {
        if a.len() != b.len() {
            return Err(Trap::Domain);
        }
        let (chosen, other) = if condition.bits as u32 != 0 { (a, b) } else { (b, a) };
        let mut merged = chosen.clone();
        if condition.term.is_none() {
            return Ok(merged);
        }
        if let (Some(heap), Some(other)) = (&mut merged.heap, &other.heap) {
            heap.join(other);
        }
        let mut pages: Vec<usize> = a.bytes().changed_pages(b.bytes()).collect();
        pages.extend(a.shadow.0.changed_pages(&b.shadow.0));
        pages.extend(a.shadow.0.len() as usize / PAGE..b.shadow.0.len() as usize / PAGE);
        pages.extend(b.shadow.0.len() as usize / PAGE..a.shadow.0.len() as usize / PAGE);
        pages.sort_unstable();
        pages.dedup();
        for page in pages {
            let (mut at, end) = ((page * PAGE) as u64, ((page + 1) * PAGE) as u64);
            while at < end {
                let (left, right) = (chosen.shadow.get(at), other.shadow.get(at));
                // What nobody has written on either side is the same, whatever lies there.
                let same =
                    left == right && (left == UNWRITTEN || chosen.bytes().get(at) == other.bytes().get(at));
                if same {
                    at += 1;
                    continue;
                }
                let (first, op) = self.cell(a, b, at);
                let (left, right) = (self.load_at(a, op.0, first)?, self.load_at(b, op.0, first)?);
                let value = self.merge(condition, left, right);
                self.store_at(&mut merged, op.1, first, value)?;
                at = first + u64::from(op.1.bytes());
            }
        }
        Ok(merged)
    }

    /// The place and kind of number around a byte: the largest that either memory stores there, else an aligned word.
    fn cell(&self, a: &Memory<Shadow>, b: &Memory<Shadow>, at: u64) -> (u64, (LoadOp, StoreOp)) {
        let mut best: Option<(u64, (LoadOp, StoreOp))> = None;
        for memory in [a, b] {
            let byte = memory.shadow.get(at);
            let Some(term) = byte.term else { continue };
            let first = at - u64::from(byte.index);
            let stored = |size: u64| {
                (0..size).all(|i| {
                    let byte = memory.shadow.get(first + i);
                    byte.term == Some(term) && u64::from(byte.index) == i
                })
            };
            let kind = match self.terms.sort(term) {
                Sort::F64 if stored(8) => (LoadOp::F64Load, StoreOp::F64Store),
                Sort::F32 if stored(4) => (LoadOp::F32Load, StoreOp::F32Store),
                Sort::Bv(64) if stored(8) => (LoadOp::I64Load, StoreOp::I64Store),
                Sort::Bv(32 | 64) if stored(4) => (LoadOp::I32Load, StoreOp::I32Store),
                _ if byte.index < 2 && stored(2) => (LoadOp::I32Load16U, StoreOp::I32Store16),
                _ => (LoadOp::I32Load8U, StoreOp::I32Store8),
            };
            let first = if kind.1.bytes() == 1 { at } else { first };
            if best.is_none_or(|(_, known)| known.1.bytes() < kind.1.bytes()) {
                best = Some((first, kind));
            }
        }
        best.unwrap_or((at & !3, (LoadOp::I32Load, StoreOp::I32Store)))
    }
}

/// The load that reads back what a store writes.
fn matching_load(op: StoreOp) -> LoadOp {
    match op {
        StoreOp::I32Store => LoadOp::I32Load,
        StoreOp::I64Store => LoadOp::I64Load,
        StoreOp::F32Store => LoadOp::F32Load,
        StoreOp::F64Store => LoadOp::F64Load,
        StoreOp::I32Store8 => LoadOp::I32Load8U,
        StoreOp::I32Store16 => LoadOp::I32Load16U,
        StoreOp::I64Store8 => LoadOp::I64Load8U,
        StoreOp::I64Store16 => LoadOp::I64Load16U,
        StoreOp::I64Store32 => LoadOp::I64Load32U,
    }
}
