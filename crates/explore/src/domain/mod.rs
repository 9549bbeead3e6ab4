//! The concolic domain: a concrete value and, where it depends on inputs, its term side by side.

mod memory;
mod operators;
mod undefined;
mod value;
mod window;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use twinrun_base::work::{self, price};
use twinrun_base::{Budget, cut};
use twinrun_interp::{
    BinaryOp, Decision, Domain, LoadOp, Memory, Merge, Origin, Position, StoreOp, Trap, Type, UnaryOp,
};
use twinrun_term::{Term, Terms};

pub use memory::{Byte, Shadow};
pub(crate) use undefined::Mask;
pub use value::Value;

use crate::path::{Condition, Kind};

/// Choices of the domain.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// Reads at an address that depends on inputs look at up to so many places; beyond, the address is fixed.
    pub reads: usize,
    /// The same for writes.
    pub writes: usize,
}

impl Default for Windows {
    fn default() -> Self {
        Windows { reads: 64, writes: 32 }
    }
}

/// What a path knew at some place.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    pub(crate) path: usize,
    known: FxHashSet<Term>,
    bounds: FxHashMap<Term, window::Bounds>,
    decisions: u32,
    pub(crate) astray: bool,
}

/// Something that was concluded about a path without a condition of its own: from bounds, or by the solver. A certificate states each as an obligation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reduction {
    /// The conditions so far.
    pub path: Vec<Term>,
    /// What follows from them.
    pub claim: Term,
    /// Which kind of conclusion it is.
    pub what: &'static str,
}

/// The domain with what all values of an exploration share, and the path that is being run.
#[derive(Default)]
pub struct Concolic {
    /// All terms.
    pub terms: Terms,
    /// Choices.
    pub windows: Windows,
    /// The conditions of the path so far.
    pub path: Vec<Condition>,
    /// The run that is open, counted from 0.
    pub run: Option<u32>,
    /// How often a value had to be fixed because nothing else would do.
    pub fixed: u64,
    /// How many branches were decided so far, on inputs or not: the position in an observer's list of branches.
    pub decisions: u32,
    /// Where a sum, difference or product of integers that depends on inputs wrapped around as a signed number, inside runs of this path.
    pub wraps: Vec<Position>,
    /// How many stores there were so far.
    stores: u32,
    /// Whether branches on inputs suspend, so that their sides can be merged.
    pub(crate) merging: bool,
    /// Whether terms are made simpler by what the path tells: where each path is looked at by itself. What one side of a merge knows is not known behind it,
    /// and what is said of any turn of a loop, or of any answer of a run, must not rest on one path.
    pub(crate) knows_path: bool,
    /// How many merges are open.
    pub(crate) depth: u32,
    /// Whether the concrete values follow the path: not on the side of a merge that the inputs do not take.
    pub(crate) astray: bool,
    /// What everything is paid from; a path that has not ended when it is spent ends as one that exceeds its work.
    pub budget: Option<Budget>,
    known: FxHashSet<Term>,
    bounds: FxHashMap<Term, window::Bounds>,
    masks: undefined::Masks,
    /// Floats that lie between declared bounds, so that they are no NaN.
    pub(crate) ordered: FxHashSet<Term>,
    /// What was concluded, where terms are not simplified: each once.
    reductions: IndexSet<Reduction, FxBuildHasher>,
}

/// A conclusion from the bounds that conditions and declarations set to terms.
const BOUNDS: &str = "bounds decide it";

/// How often the budget is looked at: once in so many stores.
const LOOK: u32 = 1 << 12;

impl Concolic {
    /// Forgets the path; terms stay.
    pub fn begin(&mut self) {
        self.path.clear();
        self.known.clear();
        self.bounds.clear();
        self.ordered.clear();
        self.knows_path = false;
        self.run = None;
        self.decisions = 0;
        self.depth = 0;
        self.astray = false;
        self.wraps.clear();
        self.stores = 0;
    }

    /// What conditions told is not used any more; they stay.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
        self.bounds.clear();
    }

    /// What the path knows, to come back to.
    pub(crate) fn save(&self) -> Knowledge {
        Knowledge {
            path: self.path.len(),
            known: self.known.clone(),
            bounds: self.bounds.clone(),
            decisions: self.decisions,
            astray: self.astray,
        }
    }

    /// Goes back to an earlier place of the same path.
    pub(crate) fn restore(&mut self, knowledge: &Knowledge) {
        self.path.truncate(knowledge.path);
        self.known.clone_from(&knowledge.known);
        self.bounds.clone_from(&knowledge.bounds);
        self.decisions = knowledge.decisions;
        self.astray = knowledge.astray;
    }

    /// What was concluded on all paths so far, where terms are not simplified.
    pub fn reductions(&self) -> impl Iterator<Item = &Reduction> {
        self.reductions.iter()
    }

    /// Notes a conclusion, where terms are not simplified: where they are, conclusions are as much part of building terms as of following paths.
    pub(crate) fn conclude(&mut self, claim: Term, what: &'static str) {
        if self.terms.is_plain() && self.terms.as_bool(claim) != Some(true) {
            let path = self.path.iter().map(|condition| condition.term).collect();
            self.reductions.insert(Reduction { path, claim, what });
        }
    }

    /// Whether the path already tells if a condition holds.
    pub(crate) fn decided(&mut self, condition: Term) -> Option<bool> {
        if let Some(value) = self.terms.as_bool(condition) {
            return Some(value);
        }
        let negated = self.terms.not(condition);
        for (claim, answer) in [(condition, true), (negated, false)] {
            if self.known.contains(&claim) {
                return Some(answer);
            }
            if self.follows(claim) {
                self.conclude(claim, BOUNDS);
                return Some(answer);
            }
        }
        None
    }

    /// Records that a condition holds on this path. What is already known, or always so, is not recorded again.
    pub fn assume(&mut self, at: Position, condition: Term, kind: Kind) {
        if self.terms.as_bool(condition).is_some() {
            return;
        }
        if self.follows(condition) {
            self.conclude(condition, BOUNDS);
            return;
        }
        if !self.known.insert(condition) {
            return;
        }
        self.learn(condition);
        self.path.push(Condition { term: condition, at, kind, run: self.run, decision: self.decisions });
    }

    /// The term of a value, made for concrete ones too. For a float it denotes the number, which says nothing of a NaN's sign and payload: see
    /// [`Concolic::bits`].
    pub fn term(&mut self, value: Value) -> Term {
        match value.term {
            Some(term) if value.is_float() && !self.terms.sort(term).is_float() => {
                self.terms.float_from_bits(term)
            }
            Some(term) => term,
            None => self.constant_term(value),
        }
    }

    /// The bits of a value as a bit-vector.
    pub fn bits(&mut self, value: Value) -> Term {
        match value.term {
            Some(term) if self.terms.sort(term).is_float() => self.terms.float_to_bits(term),
            Some(term) => term,
            None => {
                let width = if matches!(value.ty, Type::I32 | Type::F32) { 32 } else { 64 };
                self.terms.bv(width, value.bits)
            }
        }
    }

    /// A float by the term of its bits, kept as a number where that is all that the bits tell.
    pub(crate) fn float_of_bits(&self, bits: Term) -> Term {
        match *self.terms.node(bits) {
            twinrun_term::Node::FloatToBits(number) => number,
            _ => bits,
        }
    }

    /// Whether a float's term alone tells its bits: not where the value may be a NaN that arithmetic did not make.
    fn is_number(&self, value: Value) -> bool {
        match value.term {
            Some(term) => self.terms.sort(term).is_float(),
            None => self.terms.canonical(float_sort(value.ty), value.bits) == value.bits,
        }
    }

    /// Whether a float is surely no NaN on this path.
    fn never_nan(&mut self, value: Value) -> bool {
        let Some(term) = value.term.filter(|term| self.terms.sort(*term).is_float()) else { return false };
        let number = |term: Term| self.ordered.contains(&term);
        let never = self.terms.never_nan(term, &number);
        if never {
            let nan = self.terms.is_nan(term);
            let claim = self.terms.not(nan);
            self.conclude(claim, "a number between bounds is no NaN");
        }
        never
    }

    fn constant_term(&mut self, value: Value) -> Term {
        match value.ty {
            Type::I32 => self.terms.bv(32, value.bits),
            Type::F32 | Type::F64 => self.terms.float_constant(float_sort(value.ty), value.bits),
            _ => self.terms.bv(64, value.bits),
        }
    }

    /// A value with a term; constant terms are dropped.
    pub fn value(&self, ty: Type, bits: u64, term: Term) -> Value {
        if self.astray
            && let Some(constant) = self.terms.as_bv(term).or_else(|| self.terms.as_float(term))
        {
            return Value::of(ty, constant, None);
        }
        Value::of(ty, bits, (!self.terms.is_constant(term)).then_some(term))
    }

    /// Fixes a value to what it is now.
    fn fix(&mut self, at: Position, value: Value) -> Result<u64, Trap> {
        if let Some(term) = value.term {
            // Inside a merge there is no one value to go on with.
            if self.depth > 0 {
                return Err(Trap::Domain);
            }
            let constant = match self.terms.sort(term) {
                twinrun_term::Sort::Bv(width) => self.terms.bv(width, value.bits),
                _ => self.constant_term(value),
            };
            let equal = self.terms.eq(term, constant);
            self.fixed += 1;
            self.assume(at, equal, Kind::Fixed);
        }
        Ok(value.bits)
    }
}

fn float_sort(ty: Type) -> twinrun_term::Sort {
    if ty == Type::F32 { twinrun_term::Sort::F32 } else { twinrun_term::Sort::F64 }
}

impl Domain for Concolic {
    type Value = Value;
    type Shadow = Shadow;
    const PAUSES: bool = true;
    const PRICE: u64 = price::CONCOLIC;

    fn constant(&mut self, ty: Type, bits: u64) -> Value {
        Value::of(ty, bits, None)
    }

    fn concretise(&mut self, at: Position, value: Value) -> Result<u64, Trap> {
        self.used(at, value)?;
        self.fix(at, value)
    }

    fn peek(&self, value: Value) -> u64 {
        value.bits
    }

    fn unary(&mut self, at: Position, op: UnaryOp, a: Value) -> Result<Value, Trap> {
        let value = self.unary_value(at, op, a)?;
        Ok(if a.undefined.is_none() { value } else { Value { undefined: self.unary_mask(op, a), ..value } })
    }

    fn binary(&mut self, at: Position, op: BinaryOp, a: Value, b: Value) -> Result<Value, Trap> {
        // Whether a division traps is decided by its divisor.
        if !b.undefined.is_none() && op.may_trap() {
            self.used(at, b)?;
        }
        let value = self.binary_value(at, op, a, b)?;
        if a.undefined.is_none() && b.undefined.is_none() {
            return Ok(value);
        }
        Ok(Value { undefined: self.binary_mask(op, a, b), ..value })
    }

    fn branch(&mut self, at: Position, condition: Value) -> Decision {
        let outcome = u32::from(condition.bits as u32 != 0);
        if !condition.undefined.is_none()
            && let Err(trap) = self.tested(at, condition)
        {
            return Decision::Fail(trap);
        }
        if let Some(term) = condition.term {
            let holds = self.terms.bv_to_bool(term);
            if self.merging {
                let Some(decided) = self.decided(holds) else { return Decision::Suspend };
                self.decisions += 1;
                return Decision::Take(u32::from(decided));
            }
            let taken = if outcome == 1 { holds } else { self.terms.not(holds) };
            self.assume(at, taken, Kind::Branch { outcome });
        }
        self.decisions += 1;
        Decision::Take(outcome)
    }

    fn switch(&mut self, at: Position, index: Value, outcomes: u32) -> Decision {
        let outcome = (index.bits as u32).min(outcomes - 1);
        if let Err(trap) = self.used(at, index) {
            return Decision::Fail(trap);
        }
        if let Some(term) = index.term {
            if self.merging {
                return Decision::Suspend;
            }
            let constant = self.terms.bv(32, u64::from(outcome));
            let taken = if outcome == outcomes - 1 {
                self.terms.ule(constant, term)
            } else {
                self.terms.eq(term, constant)
            };
            self.assume(at, taken, Kind::Switch { outcome });
        }
        self.decisions += 1;
        Decision::Take(outcome)
    }

    fn select(&mut self, _at: Position, condition: Value, a: Value, b: Value) -> Value {
        let value = self.merge(condition, a, b);
        if condition.undefined.is_none() {
            return value;
        }
        Value { undefined: self.chosen_mask(condition, value.undefined), ..value }
    }

    fn load(
        &mut self,
        at: Position,
        memory: &Memory<Shadow>,
        op: LoadOp,
        address: Value,
        offset: u32,
    ) -> Result<Value, Trap> {
        self.used(at, address)?;
        self.load_value(at, memory, op, address, offset)
    }

    fn store(
        &mut self,
        at: Position,
        memory: &mut Memory<Shadow>,
        op: StoreOp,
        address: Value,
        offset: u32,
        value: Value,
    ) -> Result<(), Trap> {
        self.stores += 1;
        if self.stores.is_multiple_of(LOOK) {
            work::charge(u64::from(LOOK) * price::TERM);
            if cut::is_requested() {
                return Err(Trap::Cut);
            }
            if self.budget.is_some_and(Budget::is_over) {
                return Err(Trap::Work);
            }
        }
        self.used(at, address)?;
        self.store_value(at, memory, op, address, offset, value)
    }

    fn copy(&mut self, memory: &mut Memory<Shadow>, to: u64, from: u64, len: u64) -> Result<(), Trap> {
        if to.max(from).checked_add(len).is_none_or(|end| end > memory.len()) {
            return Err(Trap::MemoryOutOfBounds);
        }
        let bytes = memory.read(from, len)?;
        memory.write(to, &bytes)?;
        memory.shadow.copy(to, from, len);
        Ok(())
    }

    fn fill(&mut self, memory: &mut Memory<Shadow>, to: u64, value: Value, len: u64) -> Result<(), Trap> {
        memory.fill(to, len, value.bits as u8)?;
        let byte = Byte { term: value.term, index: 0, undefined: value.undefined };
        (to..to + len).for_each(|at| memory.shadow.set(at, byte));
        Ok(())
    }

    fn touch(
        &mut self,
        at: Position,
        memory: &Memory<Shadow>,
        address: Value,
        offset: u32,
        width: u32,
    ) -> Result<(), Trap> {
        self.used(at, address)?;
        self.touch_heap(at, memory, address, offset, width)
    }

    fn forget(&mut self, memory: &mut Memory<Shadow>, at: u64, len: u64, _origin: Origin) {
        memory.shadow.forget(at, len);
    }

    fn uses(&mut self, at: Position, value: Value) -> Result<(), Trap> {
        self.used(at, value)
    }

    fn uses_bytes(&mut self, at: Position, memory: &Memory<Shadow>, from: u64, len: u64) -> Result<(), Trap> {
        self.used_bytes(at, memory, from, len)
    }

    fn write(&mut self, memory: &mut Memory<Shadow>, to: u64, bytes: &[u8]) -> Result<(), Trap> {
        memory.write(to, bytes)?;
        memory.shadow.clear(to, bytes.len() as u64);
        Ok(())
    }
}

impl Merge for Concolic {
    fn merge(&mut self, condition: Value, a: Value, b: Value) -> Value {
        let chosen = if condition.bits as u32 != 0 { a } else { b };
        let Some(term) = condition.term else { return chosen };
        if a == b {
            return a;
        }
        let holds = self.terms.bv_to_bool(term);
        let (left, right) = if a.is_float() && self.is_number(a) && self.is_number(b) {
            (self.term(a), self.term(b))
        } else {
            (self.bits(a), self.bits(b))
        };
        let merged = self.terms.ite(holds, left, right);
        let value = self.value(a.ty, chosen.bits, merged);
        Value { undefined: self.merged_mask(condition, holds, a.undefined, b.undefined), ..value }
    }

    fn merge_memory(
        &mut self,
        condition: Value,
        a: &Memory<Shadow>,
        b: &Memory<Shadow>,
    ) -> Result<Memory<Shadow>, Trap> {
        self.merge_memories(condition, a, b)
    }
}
