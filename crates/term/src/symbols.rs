//! Interned sets of symbols, so that every term knows its free symbols at no cost.

use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::node::Symbol;

/// An interned set of symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SymbolSet(u32);

impl SymbolSet {
    /// The empty set.
    pub const EMPTY: SymbolSet = SymbolSet(0);
}

#[derive(Debug)]
pub(crate) struct SymbolSets {
    sets: IndexSet<Rc<[Symbol]>, FxBuildHasher>,
    unions: FxHashMap<(SymbolSet, SymbolSet), SymbolSet>,
}

impl Default for SymbolSets {
    fn default() -> Self {
        let mut sets = IndexSet::default();
        sets.insert(Rc::from([]));
        SymbolSets { sets, unions: FxHashMap::default() }
    }
}

impl SymbolSets {
    pub(crate) fn members(&self, set: SymbolSet) -> &[Symbol] {
        &self.sets[set.0 as usize]
    }

    pub(crate) fn single(&mut self, symbol: Symbol) -> SymbolSet {
        self.intern(Rc::from([symbol]))
    }

    pub(crate) fn union(&mut self, left: SymbolSet, right: SymbolSet) -> SymbolSet {
        if left == right || right == SymbolSet::EMPTY {
            return left;
        }
        if left == SymbolSet::EMPTY {
            return right;
        }
        let key = if left.0 < right.0 { (left, right) } else { (right, left) };
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut all: Vec<Symbol> = self.members(left).iter().chain(self.members(right)).copied().collect();
        all.sort_unstable();
        all.dedup();
        let union = self.intern(all.into());
        self.unions.insert(key, union);
        union
    }

    fn intern(&mut self, members: Rc<[Symbol]>) -> SymbolSet {
        SymbolSet(self.sets.insert_full(members).0 as u32)
    }
}
