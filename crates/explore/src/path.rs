//! A path: what held on it, what was drawn, how it ended.

use twinrun_base::{Case, Crash, Domain, Input, Op, Operator, Value, Verdict};
use twinrun_interp::Position;
use twinrun_term::{Model, Symbol, Term, Terms, signed};

/// Where a condition came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A branch of two outcomes.
    Branch {
        /// The outcome that was taken.
        outcome: u32,
    },
    /// A `br_table`.
    Switch {
        /// The outcome that was taken.
        outcome: u32,
    },
    /// A value that had to be fixed: a length, an address.
    Fixed,
    /// The condition of a trap, or of its absence.
    Guard,
    /// An assumption of the relation.
    Assume,
    /// A check of the relation.
    Check,
    /// What the declaration of an input says of it; never negated.
    Input,
}

impl Kind {
    /// Whether more than two outcomes are possible, so that the rest has to be asked for again.
    pub fn is_many(self) -> bool {
        matches!(self, Kind::Switch { .. } | Kind::Fixed)
    }
}

/// A condition on the inputs that held on a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The condition as it held.
    pub term: Term,
    /// Where it was decided.
    pub at: Position,
    /// Where it came from.
    pub kind: Kind,
    /// The run in which it was decided, counted from 0; none for code of the relation itself.
    pub run: Option<u32>,
    /// How many branches were decided before it, on inputs or not.
    pub decision: u32,
}

/// A branch of the site table that was decided, on inputs or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Decided {
    /// The branch of the site table.
    pub site: u32,
    /// Where.
    pub at: Position,
    /// The outcome.
    pub outcome: u32,
    /// The run.
    pub run: Option<u32>,
    /// How many branches were decided before it.
    pub decision: u32,
}

/// An input that was drawn, with the symbols of its elements.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// What values it may have.
    pub domain: Domain,
    /// The symbols of its elements in order; operations have four each.
    pub symbols: Vec<Symbol>,
    /// That it has so many elements, where that depends on inputs, and how many of its symbols it has in any case.
    pub extent: Option<(Term, usize)>,
}

/// A check that was reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// How it compares its sides; [`Operator::True`] where it has none.
    pub operator: Operator,
    /// The property, as a condition on the inputs.
    pub property: Term,
    /// Left and right side, where the check has sides.
    pub sides: Option<(Term, Term)>,
    /// The check as the source has it.
    pub text: String,
    /// Its line.
    pub line: u32,
    /// Whether it held for the inputs of this path.
    pub held: bool,
}

/// A named value that the relation told.
#[derive(Clone, PartialEq, Debug)]
pub struct Told {
    /// Its name.
    pub name: String,
    /// The run that it belongs to.
    pub run: u32,
    /// Whether it is an output; otherwise an input of the run.
    pub output: bool,
    /// The values, one for each element.
    pub values: Vec<Term>,
}

/// One path of a relation.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    /// The inputs that were run.
    pub model: Model,
    /// The inputs in the order in which they were drawn.
    pub drawn: Vec<Drawn>,
    /// The conditions on inputs, in order.
    pub conditions: Vec<Condition>,
    /// All branches of the site table, in order.
    pub decided: Vec<Decided>,
    /// The checks that were reached.
    pub checks: Vec<Checked>,
    /// Named inputs and outputs of the runs.
    pub told: Vec<Told>,
    /// How it ended.
    pub verdict: Verdict,
    /// Why it crashed.
    pub crash: Option<Crash>,
    /// How many runs were begun.
    pub runs: u32,
    /// Back-edges taken and functions entered.
    pub work: u64,
}

impl Path {
    /// The terms of all conditions.
    pub fn condition_terms(&self) -> Vec<Term> {
        self.conditions.iter().map(|condition| condition.term).collect()
    }

    /// For each input whose number of elements depends on inputs: the condition that it is this one, and the symbols that there may not be otherwise.
    pub fn extents(&self) -> Vec<(Term, Vec<Symbol>)> {
        let one = |drawn: &Drawn| {
            let (condition, always) = drawn.extent?;
            let rest = drawn.symbols.get(always..).filter(|rest| !rest.is_empty())?;
            Some((condition, rest.to_vec()))
        };
        self.drawn.iter().filter_map(one).collect()
    }

    /// The branch of the site table that a condition decided.
    pub fn site(&self, condition: &Condition) -> Option<&Decided> {
        if !matches!(condition.kind, Kind::Branch { .. } | Kind::Switch { .. }) {
            return None;
        }
        let found = self.decided.binary_search_by_key(&condition.decision, |decided| decided.decision);
        found.ok().map(|index| &self.decided[index])
    }

    /// The branches of one run as (site, outcome): what tells one path of a run from another.
    pub fn run_path(&self, run: u32) -> Vec<(u32, u32)> {
        let in_run = self.decided.iter().filter(|decided| decided.run == Some(run));
        in_run.map(|decided| (decided.site, decided.outcome)).collect()
    }

    /// The paths of all runs.
    pub fn run_paths(&self) -> Vec<Vec<(u32, u32)>> {
        (0..self.runs).map(|run| self.run_path(run)).collect()
    }

    /// The case that a model of the drawn inputs is.
    pub fn case(&self, terms: &Terms, model: &Model) -> Case {
        Case { inputs: self.drawn.iter().map(|drawn| input(terms, drawn, model)).collect() }
    }
}

fn input(terms: &Terms, drawn: &Drawn, model: &Model) -> Input {
    let bits = |symbol: Symbol| model.value(terms, symbol).as_bits().unwrap_or(0);
    let number = |symbol: Symbol| {
        let info = terms.symbol_info(symbol);
        let width = info.sort.width();
        if info.range.is_some_and(|(low, _)| low >= 0) {
            bits(symbol) as i64
        } else {
            signed(width, bits(symbol))
        }
    };
    let symbols = &drawn.symbols;
    let value = match &drawn.domain {
        Domain::Int { .. } => Value::Int(symbols.first().map_or(0, |&symbol| number(symbol))),
        Domain::Float { .. } => {
            Value::Float(symbols.first().map_or(0.0, |&symbol| f64::from_bits(bits(symbol))))
        }
        Domain::Ints { .. } | Domain::Permutation { .. } => {
            Value::Ints(symbols.iter().map(|&symbol| number(symbol)).collect())
        }
        Domain::Floats { .. } => {
            Value::Floats(symbols.iter().map(|&symbol| f64::from_bits(bits(symbol))).collect())
        }
        Domain::Text { .. } => Value::Bytes(symbols.iter().map(|&symbol| bits(symbol) as u8).collect()),
        Domain::Ops { .. } => Value::Ops(
            symbols
                .chunks(4)
                .map(|op| Op { op: number(op[0]) as i32, arguments: [1, 2, 3].map(|i| number(op[i]) as i32) })
                .collect(),
        ),
    };
    Input { name: drawn.name.clone(), domain: drawn.domain.clone(), value }
}
