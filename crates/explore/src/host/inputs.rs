//! Inputs: every element is a symbol with its declared range.

use twinrun_base::{Domain, IntKind, OpSpec, Shape, Value as BaseValue};
use twinrun_interp::{Domain as _, Host, Trap, Type};
use twinrun_term::{FloatOrder, Identity, Sort, Symbol, Term, Value as TermValue, mask};

use super::{Primitives, Source};
use crate::domain::{Byte, Concolic, Value};
use crate::path::{Drawn, Kind};

/// The element of a base value as bits.
fn element(value: &BaseValue, index: usize) -> Option<u64> {
    match value {
        BaseValue::Int(number) => (index == 0).then_some(*number as u64),
        BaseValue::Float(number) => (index == 0).then_some(number.to_bits()),
        BaseValue::Ints(numbers) => numbers.get(index).map(|number| *number as u64),
        BaseValue::Floats(numbers) => numbers.get(index).map(|number| number.to_bits()),
        BaseValue::Bytes(bytes) => bytes.get(index).map(|byte| u64::from(*byte)),
        BaseValue::Ops(ops) => {
            let op = ops.get(index / 4)?;
            Some(if index.is_multiple_of(4) { op.op as u64 } else { op.arguments[index % 4 - 1] as u64 })
        }
    }
}

fn length(value: &BaseValue) -> Option<u64> {
    match value {
        BaseValue::Bytes(bytes) => Some(bytes.len() as u64),
        BaseValue::Ops(ops) => Some(ops.len() as u64),
        _ => None,
    }
}

impl Primitives {
    /// A name that no other input of this case has; what tells symbols apart is the position of the draw.
    fn unique(&mut self, name: String) -> String {
        let count = self.names.entry(name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { name } else { format!("{name}#{count}") }
    }

    /// The value of a symbol: from the source if it knows it, else the preferred one.
    fn choose(
        &mut self,
        host: &Host<'_, Concolic>,
        symbol: Symbol,
        of: Option<usize>,
        prefer: Option<u64>,
    ) -> u64 {
        let terms = &host.domain.terms;
        let info = terms.symbol_info(symbol);
        let fallback = || match prefer {
            Some(bits) => bits,
            None => twinrun_term::Model::new().value(terms, symbol).as_bits().unwrap_or(0),
        };
        let bits = match &self.source {
            Source::Model(model) => model.get(symbol).and_then(TermValue::as_bits).unwrap_or_else(fallback),
            Source::Case(case) => {
                let input = case.inputs.get(self.drawn.len());
                let found = input.and_then(|input| match of {
                    Some(index) => element(&input.value, index),
                    None => length(&input.value),
                });
                found.unwrap_or_else(fallback)
            }
        };
        let (bits, value) = match info.sort {
            Sort::Bv(width) => (bits & mask(width), TermValue::Bv(bits & mask(width))),
            _ => (bits, TermValue::Float(bits)),
        };
        self.model.set(symbol, value);
        bits
    }

    /// A fresh element: its symbol, its term and its concrete bits. `of` is its index, or none for a length.
    fn draw(
        &mut self,
        host: &mut Host<'_, Concolic>,
        name: &str,
        sort: Sort,
        range: Option<(i128, i128)>,
        of: Option<usize>,
        prefer: Option<u64>,
    ) -> (Symbol, Term, u64) {
        // An element of the array `a` and a number that is called `a[0]`.
        let mut label = name.to_owned();
        let mut number = 1;
        while !self.labels.insert(label.clone()) {
            number += 1;
            label = format!("{name}#{number}");
        }
        let identity =
            Identity::Input { draw: self.drawn.len() as u32, element: of.map(|index| index as u32) };
        let term = host.domain.terms.declared(identity, &label, sort, range);
        let symbol = host.domain.terms.as_symbol(term).expect("a symbol's term is a symbol");
        let bits = self.choose(host, symbol, of, prefer);
        (symbol, term, bits)
    }

    /// A length that the path goes on with as one number.
    fn draw_length(
        &mut self,
        host: &mut Host<'_, Concolic>,
        name: &str,
        min: u32,
        max: u32,
    ) -> Result<(u32, Option<Term>), Trap> {
        if min == max {
            return Ok((min, None));
        }
        let range = Some((i128::from(min), i128::from(max)));
        let (_, term, bits) = self.draw(host, &format!("len({name})"), Sort::Bv(32), range, None, None);
        let bits = bits.clamp(u64::from(min), u64::from(max));
        let at = Self::position(host);
        let value = host.domain.value(Type::I32, bits, term);
        let length = host.domain.concretise(at, value)? as u32;
        let constant = host.domain.terms.bv(32, length.into());
        Ok((length, Some(host.domain.terms.eq(term, constant))))
    }

    /// That the arguments that tell the number of elements are what they are, where they depend on inputs, and the least number of elements.
    fn extent(&self, host: &mut Host<'_, Concolic>, arguments: &[usize]) -> Option<(Term, usize)> {
        let mut conditions = Vec::new();
        let mut least = 1;
        for &index in arguments {
            let value = host.argument(index);
            let terms = &mut host.domain.terms;
            match value.term {
                Some(term) => {
                    let constant = terms.bv(32, value.bits);
                    conditions.push(terms.eq(term, constant));
                    least *= usize::try_from(terms.interval(term).umin).unwrap_or(0);
                }
                // A plain array has no rows.
                None => least *= usize::try_from(value.bits as u32 as i32).unwrap_or(1),
            }
        }
        (!conditions.is_empty()).then(|| (host.domain.terms.and(&conditions), least))
    }

    pub(super) fn int(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let name = self.name(host, 0)?;
        let unique = self.unique(name.clone());
        let kind = self.kind(host, 2)?;
        let (lo, hi) = (self.fixed(host, 3)? as i64, self.fixed(host, 4)? as i64);
        self.bounded(kind, lo, hi)?;
        let (symbol, term, bits) = self.draw_int(host, &unique, kind, lo, hi, 0);
        let wide = host.domain.terms.symbol_info(symbol).sort.width() == 64;
        let term = if wide { term } else { self.widened(host, kind, term, 64) };
        let bits = host_bits(kind, bits, 64);
        let value = host.domain.value(Type::I64, bits, term);
        host.results.push(value);
        let domain = Domain::Int { kind, lo, hi };
        self.drawn.push(Drawn { name, domain, symbols: vec![symbol], extent: None });
        Ok(())
    }

    fn widened(&self, host: &mut Host<'_, Concolic>, kind: IntKind, term: Term, width: u8) -> Term {
        match kind {
            IntKind::U32 | IntKind::U8 => host.domain.terms.zero_extend(width, term),
            _ => host.domain.terms.sign_extend(width, term),
        }
    }

    fn kind(&mut self, host: &mut Host<'_, Concolic>, index: usize) -> Result<IntKind, Trap> {
        let code = self.fixed(host, index)? as u32;
        IntKind::from_code(code)
            .ok_or_else(|| self.fail(format!("the kind {code} of an integer input is unknown")))
    }

    /// The bounds of a kind: a number beyond them would be another one in the subject.
    fn bounded(&mut self, kind: IntKind, lo: i64, hi: i64) -> Result<(), Trap> {
        let (least, greatest) = match kind {
            IntKind::I64 => (i64::MIN, i64::MAX),
            IntKind::U32 => (0, u32::MAX.into()),
            IntKind::U8 => (0, u8::MAX.into()),
            IntKind::I16 => (i16::MIN.into(), i16::MAX.into()),
            _ => (i32::MIN.into(), i32::MAX.into()),
        };
        if least <= lo && hi <= greatest {
            return Ok(());
        }
        Err(self.fail(format!("an input is drawn from {lo} to {hi}, which its kind does not have")))
    }

    fn draw_int(
        &mut self,
        host: &mut Host<'_, Concolic>,
        name: &str,
        kind: IntKind,
        lo: i64,
        hi: i64,
        index: usize,
    ) -> (Symbol, Term, u64) {
        let width = kind.bytes() as u8 * 8;
        let (low, high) = match kind {
            IntKind::U32 => (i128::from(lo as u32), i128::from(hi as u32)),
            _ => (i128::from(lo), i128::from(hi)),
        };
        self.draw(host, name, Sort::Bv(width), Some((low, high.max(low))), Some(index), None)
    }

    pub(super) fn ints(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let name = self.name(host, 0)?;
        let unique = self.unique(name.clone());
        let kind = self.kind(host, 2)?;
        let out = self.fixed(host, 3)? as u32;
        let shape = self.shape(host, 4)?;
        let (lo, hi) = (self.fixed(host, 6)? as i64, self.fixed(host, 7)? as i64);
        self.bounded(kind, lo, hi)?;
        let size = kind.bytes();
        self.room(host, shape.count() * size)?;
        let mut symbols = Vec::new();
        for index in 0..shape.count() {
            let label = label(&unique, shape, index);
            let (symbol, term, bits) = self.draw_int(host, &label, kind, lo, hi, index);
            symbols.push(symbol);
            put(host, out + (index * size) as u32, &bits.to_le_bytes()[..size], term)?;
        }
        let extent = self.extent(host, &[4, 5]);
        self.drawn.push(Drawn { name, domain: Domain::Ints { kind, shape, lo, hi }, symbols, extent });
        Ok(())
    }

    fn shape(&mut self, host: &mut Host<'_, Concolic>, index: usize) -> Result<Shape, Trap> {
        let (rows, columns) = (self.fixed(host, index)? as i32, self.fixed(host, index + 1)? as u32);
        Ok(if rows < 0 { Shape::Array(columns) } else { Shape::Matrix(rows as u32, columns) })
    }

    /// More bytes than memory has are refused before anything is made of them.
    fn room(&self, host: &Host<'_, Concolic>, bytes: usize) -> Result<(), Trap> {
        if bytes as u64 <= host.memory()?.len() { Ok(()) } else { Err(Trap::MemoryOutOfBounds) }
    }

    fn draw_float(
        &mut self,
        host: &mut Host<'_, Concolic>,
        name: &str,
        (lo, hi): (f64, f64),
        index: usize,
    ) -> (Symbol, Term, u64) {
        let near = 0f64.clamp(lo.min(hi), hi.max(lo));
        let (symbol, term, bits) = self.draw(host, name, Sort::F64, None, Some(index), Some(near.to_bits()));
        let (low, high) = (host.domain.terms.f64(lo), host.domain.terms.f64(hi));
        let above = host.domain.terms.float_order(FloatOrder::Le, low, term);
        let below = host.domain.terms.float_order(FloatOrder::Le, term, high);
        self.state(host, above, true, Kind::Input);
        self.state(host, below, true, Kind::Input);
        if lo <= hi {
            host.domain.ordered.insert(term);
        }
        (symbol, term, bits)
    }

    pub(super) fn float(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let name = self.name(host, 0)?;
        let unique = self.unique(name.clone());
        let (lo, hi) = (f64::from_bits(self.fixed(host, 2)?), f64::from_bits(self.fixed(host, 3)?));
        let (symbol, term, bits) = self.draw_float(host, &unique, (lo, hi), 0);
        let value = host.domain.value(Type::F64, bits, term);
        host.results.push(value);
        let domain = Domain::Float { lo, hi };
        self.drawn.push(Drawn { name, domain, symbols: vec![symbol], extent: None });
        Ok(())
    }

    pub(super) fn floats(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let name = self.name(host, 0)?;
        let unique = self.unique(name.clone());
        let out = self.fixed(host, 2)? as u32;
        let shape = self.shape(host, 3)?;
        let (lo, hi) = (f64::from_bits(self.fixed(host, 5)?), f64::from_bits(self.fixed(host, 6)?));
        self.room(host, shape.count() * 8)?;
        let mut symbols = Vec::new();
        for index in 0..shape.count() {
            let (symbol, term, bits) = self.draw_float(host, &label(&unique, shape, index), (lo, hi), index);
            symbols.push(symbol);
            put(host, out + index as u32 * 8, &bits.to_le_bytes(), term)?;
        }
        let extent = self.extent(host, &[3, 4]);
        self.drawn.push(Drawn { name, domain: Domain::Floats { shape, lo, hi }, symbols, extent });
        Ok(())
    }

    pub(super) fn text(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let name = self.name(host, 0)?;
        let unique = self.unique(name.clone());
        let out = self.fixed(host, 2)? as u32;
        let (min, max) = (self.fixed(host, 3)? as u32, self.fixed(host, 4)? as u32);
        let (at, count) = (self.fixed(host, 5)? as u32, self.fixed(host, 6)? as u32);
        let mut alphabet = host.read(at, count)?;
        alphabet.sort_unstable();
        alphabet.dedup();
        self.room(host, max as usize)?;
        let (length, fixed) = self.draw_length(host, &unique, min, max.max(min))?;
        let mut symbols = Vec::new();
        for index in 0..length {
            let label = format!("{unique}[{index}]");
            let ends = alphabet.first().zip(alphabet.last()).map(|(a, b)| (i128::from(*a), i128::from(*b)));
            let range = ends.unwrap_or((0, 255));
            let (symbol, term, bits) =
                self.draw(host, &label, Sort::Bv(8), Some(range), Some(index as usize), None);
            if !alphabet.is_empty() && range.1 - range.0 + 1 != alphabet.len() as i128 {
                let mut letters = Vec::new();
                for &letter in &alphabet {
                    let letter = host.domain.terms.bv(8, u64::from(letter));
                    letters.push(host.domain.terms.eq(term, letter));
                }
                let allowed = host.domain.terms.or(&letters);
                self.state(host, allowed, true, Kind::Input);
            }
            symbols.push(symbol);
            put(host, out + index, &[bits as u8], term)?;
        }
        host.results.push(Value::i32(length as i32));
        let extent = fixed.map(|condition| (condition, min as usize));
        self.drawn.push(Drawn { name, domain: Domain::Text { min, max, alphabet }, symbols, extent });
        Ok(())
    }

    pub(super) fn permutation(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let name = self.name(host, 0)?;
        let unique = self.unique(name.clone());
        let (out, n) = (self.fixed(host, 2)? as u32, self.fixed(host, 3)? as u32);
        self.room(host, n as usize * 4)?;
        let mut symbols = Vec::new();
        let mut elements: Vec<Term> = Vec::new();
        for index in 0..n {
            let range = Some((0, i128::from(n) - 1));
            let label = format!("{unique}[{index}]");
            let (symbol, term, bits) =
                self.draw(host, &label, Sort::Bv(32), range, Some(index as usize), Some(index.into()));
            for &earlier in &elements {
                let different = host.domain.terms.ne(earlier, term);
                self.state(host, different, true, Kind::Input);
            }
            elements.push(term);
            symbols.push(symbol);
            put(host, out + index * 4, &(bits as u32).to_le_bytes(), term)?;
        }
        if self.split_permutations {
            // All elements are drawn before the first is fixed, so that other values of it leave room for the rest.
            let at = Self::position(host);
            for (index, &term) in elements.iter().enumerate() {
                let symbol = symbols[index];
                let bits = self.model.value(&host.domain.terms, symbol).as_bits().unwrap_or(0);
                let value = host.domain.value(Type::I32, bits, term);
                let place = host.domain.concretise(at, value)? as u32;
                host.write(out + index as u32 * 4, &place.to_le_bytes())?;
            }
        }
        let extent = self.extent(host, &[3]);
        self.drawn.push(Drawn { name, domain: Domain::Permutation { n }, symbols, extent });
        Ok(())
    }

    pub(super) fn ops(&mut self, host: &mut Host<'_, Concolic>) -> Result<(), Trap> {
        let name = self.name(host, 0)?;
        let unique = self.unique(name.clone());
        let (out, max) = (self.fixed(host, 2)? as u32, self.fixed(host, 3)? as u32);
        let specs = self.name(host, 4)?;
        let specs = OpSpec::parse(&specs).map_err(|message| self.fail(message))?;
        self.room(host, max as usize * 16)?;
        let (count, fixed) = self.draw_length(host, &unique, 0, max)?;
        let mut symbols = Vec::new();
        for index in 0..count {
            let range = Some((0, specs.len() as i128 - 1));
            let label = format!("{unique}[{index}]");
            let element = index as usize * 4;
            let (symbol, term, bits) = self.draw(host, &label, Sort::Bv(32), range, Some(element), None);
            let at = Self::position(host);
            let value = host.domain.value(Type::I32, bits, term);
            let op = host.domain.concretise(at, value)? as u32;
            symbols.push(symbol);
            host.write(out + index * 16, &op.to_le_bytes())?;
            let arguments = specs.get(op as usize).map_or(&[][..], |spec| &spec.arguments);
            for position in 0..3 {
                let (lo, hi) = arguments.get(position).copied().unwrap_or((0, 0));
                let range = Some((i128::from(lo), i128::from(hi)));
                let label = format!("{unique}[{index}].{position}");
                let element = element + 1 + position;
                let (symbol, term, bits) = self.draw(host, &label, Sort::Bv(32), range, Some(element), None);
                symbols.push(symbol);
                let place = out + index * 16 + 4 + position as u32 * 4;
                put(host, place, &(bits as u32).to_le_bytes(), term)?;
            }
        }
        host.results.push(Value::i32(count as i32));
        let extent = fixed.map(|condition| (condition, 0));
        self.drawn.push(Drawn { name, domain: Domain::Ops { max, specs }, symbols, extent });
        Ok(())
    }
}

/// The name of an element of an array or matrix.
pub(crate) fn label(name: &str, shape: Shape, index: usize) -> String {
    match shape {
        Shape::Array(_) => format!("{name}[{index}]"),
        Shape::Matrix(_, columns) => {
            let columns = columns.max(1) as usize;
            format!("{name}[{}][{}]", index / columns, index % columns)
        }
    }
}

/// The bits of a narrow number, widened as its kind says.
fn host_bits(kind: IntKind, bits: u64, width: u32) -> u64 {
    let narrow = kind.bytes() as u32 * 8;
    match kind {
        IntKind::U32 | IntKind::U8 => bits,
        _ if narrow < width => twinrun_term::signed(narrow as u8, bits) as u64,
        _ => bits,
    }
}

/// Writes bytes with the term that they are.
pub(super) fn put(host: &mut Host<'_, Concolic>, at: u32, bytes: &[u8], term: Term) -> Result<(), Trap> {
    host.write(at, bytes)?;
    let constant = host.domain.terms.is_constant(term);
    let memory = host.state.memory_mut(host.instance).ok_or(Trap::MemoryOutOfBounds)?;
    for index in 0..bytes.len() {
        let byte = Byte { term: (!constant).then_some(term), index: index as u8, ..Byte::default() };
        memory.shadow.set(u64::from(at) + index as u64, byte);
    }
    Ok(())
}
