//! A growing record of what a relation drew, reused from case to case so that the hot path allocates nothing.

use twinrun_base::{Case, Domain, Input, Value};

/// The inputs drawn so far in the present case.
#[derive(Debug, Default)]
pub struct Record {
    slots: Vec<Input>,
    used: usize,
}

impl Record {
    /// Forgets the case, keeps the memory.
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// How many inputs were drawn.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether nothing was drawn.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The case drawn so far.
    pub fn case(&self) -> Case {
        Case { inputs: self.slots[..self.used].to_vec() }
    }

    /// Records one input. `same` says whether the slot's old domain is this one; `domain` makes it anew where not; `value`
    /// writes the value into the slot.
    #[inline]
    pub fn push(
        &mut self,
        name: &str,
        same: impl FnOnce(&Domain) -> bool,
        domain: impl FnOnce() -> Domain,
        value: impl FnOnce(&mut Value),
    ) {
        if self.used == self.slots.len() {
            self.slots.push(Input { name: name.to_owned(), domain: domain(), value: Value::Int(0) });
        } else {
            let slot = &mut self.slots[self.used];
            if slot.name != name {
                name.clone_into(&mut slot.name);
            }
            if !same(&slot.domain) {
                slot.domain = domain();
            }
        }
        value(&mut self.slots[self.used].value);
        self.used += 1;
    }
}

/// Writes integers into a value, reusing its memory.
#[inline]
pub(crate) fn put_ints(value: &mut Value, numbers: &[i64]) {
    match value {
        Value::Ints(old) => {
            old.clear();
            old.extend_from_slice(numbers);
        }
        other => *other = Value::Ints(numbers.to_vec()),
    }
}
