//! Counted work: the clock of every budget.
//!
//! Engines, solvers and searches charge what they do, in units that depend on the subject and the seed alone. A [`Budget`] is a mark
//! on this clock, as a deadline is a mark on the other one: shares of it are the same on every machine, at any load.
//!
//! The clock belongs to a thread. A job runs on one thread, so what it has spent is its own; a budget cannot be sent to another
//! thread, where the clock stands elsewhere.

use std::cell::Cell;
use std::marker::PhantomData;

use crate::cut;

/// Work that takes about a second on an ordinary machine; only a measure for defaults.
pub const SECOND: u64 = 10_000_000;

/// What things cost. The prices follow measured times (a unit is about 0.1 µs), so that a budget means about the same whatever it is spent on.
pub mod price {
    /// A group on the compiling engine, whatever it does.
    pub const GROUP: u64 = 10;
    /// So many units of engine work there cost one.
    pub const COMPILED: u64 = 16;
    /// A unit of engine work on the interpreter, with plain values.
    pub const INTERPRETED: u64 = 2;
    /// The same with terms.
    pub const CONCOLIC: u64 = 20;
    /// A run on the interpreter, whatever it does.
    pub const RUN: u64 = 50;
    /// A term that was made.
    pub const TERM: u64 = 5;
    /// A question to a solver, whatever it takes.
    pub const QUERY: u64 = 3_000;
    /// A unit of a solver's own resource counter.
    pub const RESOURCE: u64 = 2;
    /// A byte of a module that is compiled.
    pub const BYTE: u64 = 5;
}

thread_local! {
    static SPENT: Cell<u64> = const { Cell::new(0) };
}

/// Charges work that was done on this thread.
pub fn charge(units: u64) {
    SPENT.set(SPENT.get().saturating_add(units));
}

/// All work that was done on this thread so far.
pub fn spent() -> u64 {
    SPENT.get()
}

/// How much work may be done: a mark on the clock of this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget {
    until: u64,
    // Elsewhere the clock stands at another number.
    _here: PhantomData<*const ()>,
}

impl Budget {
    /// So much from now on.
    pub fn of(units: u64) -> Budget {
        Budget { until: spent().saturating_add(units), _here: PhantomData }
    }

    /// What is left.
    pub fn left(self) -> u64 {
        self.until.saturating_sub(spent())
    }

    /// Whether nothing may be done any more: all is spent, or a cut came.
    pub fn is_over(self) -> bool {
        self.left() == 0 || cut::is_requested()
    }

    /// This share of what is left.
    #[must_use]
    pub fn share(self, share: f64) -> Budget {
        Budget::of((self.left() as f64 * share) as u64)
    }

    /// What is left, divided by so many.
    #[must_use]
    pub fn part(self, parts: u64) -> Budget {
        Budget::of(self.left() / parts.max(1))
    }

    /// So much, but no more than is left.
    #[must_use]
    pub fn at_most(self, units: u64) -> Budget {
        self.min(Budget::of(units))
    }

    /// What is left, but so much at least.
    #[must_use]
    pub fn at_least(self, units: u64) -> Budget {
        self.max(Budget::of(units))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_by_what_is_charged() {
        let whole = Budget::of(100);
        let half = whole.share(0.5);
        charge(50);
        assert!(half.is_over());
        assert_eq!(whole.left(), 50);
        assert_eq!(whole.part(5).left(), 10);
        assert_eq!((whole.at_most(7).left(), whole.at_least(70).left()), (7, 70));
        charge(u64::MAX);
        assert!(whole.is_over());
    }

    #[test]
    fn a_cut_ends_every_budget() {
        let cut = cut::Cut::default();
        let budget = Budget::of(1);
        cut.signal();
        assert!(cut::within(Some(cut), || budget.is_over()));
        assert!(!budget.is_over());
    }
}
