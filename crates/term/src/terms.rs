//! The arena: hash-consing, symbols, and what is known of every term (sort, interval, free symbols).

use std::collections::BTreeSet;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::interval::Interval;
use crate::node::{Function, Node, Symbol, Term};
use crate::rules::Rule;
use crate::sort::{Rational, Sort, mask, signed, signed_max, signed_min};
use crate::symbols::{SymbolSet, SymbolSets};
use crate::theories::Theories;

/// What makes a symbol the one that it is. A name alone never does for an input: an array `a` has an element `a[0]`, and a number may be
/// called so too.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Identity {
    /// A symbol that a computation made for itself, under a name of its choice.
    Named,
    /// Something of an input.
    Input {
        /// Which of the inputs of the case it is, counted from 0 in the order in which they are drawn.
        draw: u32,
        /// Which of its elements; none for its length.
        element: Option<u32>,
    },
    /// What a place in memory holds at the head of a run's loop.
    Cell {
        /// The run.
        run: u32,
        /// The address.
        address: u64,
    },
    /// The integer that stands for a bit-vector symbol.
    Integer(Symbol),
}

/// What is known of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolInfo {
    /// What makes it the one that it is.
    pub identity: Identity,
    /// What people call it, such as `a[2]`. On one path no two inputs have the same label; inputs of different paths may.
    pub label: String,
    /// The label, with a suffix such as `#2` where another symbol has it already: unique in its arena.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The declared least and greatest number, part of every query about the symbol (bit-vectors and integers only).
    /// For a bit-vector, a negative bound means the signed reading, otherwise the unsigned one.
    pub range: Option<(i128, i128)>,
}

impl SymbolInfo {
    /// The numbers that the symbol of a bit-vector may have in the reading that it is spoken of: the signed one where its range has negative
    /// numbers or nothing is declared, but for bytes the unsigned one.
    pub fn numbers(&self) -> (i128, i128) {
        let width = self.sort.width();
        let signed = (i128::from(signed_min(width)), i128::from(signed_max(width)));
        let unsigned = (0, i128::from(mask(width)));
        match self.range {
            Some((low, high)) if low < 0 => (low.max(signed.0), high.min(signed.1)),
            Some((low, high)) => (low, high.min(unsigned.1)),
            None if width <= 8 => unsigned,
            None => signed,
        }
    }

    /// A value of the symbol as the number that is spoken of.
    pub fn number(&self, bits: u64) -> i128 {
        let width = self.sort.width();
        let signed_reading = match self.range {
            Some((low, _)) => low < 0,
            None => width > 8,
        };
        if signed_reading { signed(width, bits).into() } else { i128::from(bits & mask(width)) }
    }
}

/// What is known of an uninterpreted function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionInfo {
    /// Its name.
    pub name: String,
    /// The sorts of its arguments.
    pub arguments: Vec<Sort>,
    /// The sort of its result.
    pub result: Sort,
}

/// All that a symbol was declared with: the same again is the same symbol.
type Declared = (Identity, String, Sort, Option<(i128, i128)>);

#[derive(Clone, Copy, Debug)]
struct Meta {
    sort: Sort,
    symbols: SymbolSet,
    interval: Interval,
    theories: Theories,
}

/// An arena of hash-consed terms. Its constructors simplify as they build.
#[derive(Debug, Default)]
pub struct Terms {
    nodes: IndexSet<Node, FxBuildHasher>,
    meta: Vec<Meta>,
    symbols: Vec<SymbolInfo>,
    functions: Vec<FunctionInfo>,
    by_identity: FxHashMap<Declared, Symbol>,
    by_name: FxHashMap<String, Symbol>,
    sets: SymbolSets,
    /// Negations of junctions and choices that were made before.
    pub(crate) negations: FxHashMap<Term, Term>,
    /// The floats of bits that were asked for before.
    pub(crate) numbers_of_bits: FxHashMap<Term, Term>,
    /// Whether constructors build what they are told instead of simplifying.
    plain: bool,
    /// The rules that were used nevertheless.
    rules: BTreeSet<Rule>,
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Self {
        Terms::default()
    }

    /// An empty arena whose constructors do not simplify: operators of constants are computed, neutral elements left out, and the few rules of [`Rule`]
    /// are used; all else stands as it was built.
    pub fn plain() -> Self {
        Terms { plain: true, ..Terms::default() }
    }

    /// Whether constructors build what they are told instead of simplifying.
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// Does something as in an arena that simplifies: what is built meanwhile is not kept plain.
    pub fn simplifying<T>(&mut self, work: impl FnOnce(&mut Terms) -> T) -> T {
        let was = std::mem::replace(&mut self.plain, false);
        let done = work(self);
        self.plain = was;
        done
    }

    /// The rules that an arena which does not simplify has used.
    pub fn rules(&self) -> impl Iterator<Item = Rule> + '_ {
        self.rules.iter().copied()
    }

    pub(crate) fn use_rule(&mut self, rule: Rule) {
        self.rules.insert(rule);
    }

    /// How many terms the arena holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the arena holds nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operator and operands of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.meta[term.index()].sort
    }

    /// The width of a bit-vector term.
    pub fn width(&self, term: Term) -> u8 {
        self.sort(term).width()
    }

    /// What numbers a bit-vector term may have, whatever its symbols are.
    pub fn interval(&self, term: Term) -> Interval {
        self.meta[term.index()].interval
    }

    /// The free symbols of a term, ascending.
    pub fn free_symbols(&self, term: Term) -> &[Symbol] {
        self.sets.members(self.meta[term.index()].symbols)
    }

    /// The theories that a term needs.
    pub fn theories(&self, term: Term) -> Theories {
        self.meta[term.index()].theories
    }

    /// The interned set of a term's free symbols: equal sets have equal identities.
    pub fn symbol_set(&self, term: Term) -> SymbolSet {
        self.meta[term.index()].symbols
    }

    /// What is known of a symbol.
    pub fn symbol_info(&self, symbol: Symbol) -> &SymbolInfo {
        &self.symbols[symbol.0 as usize]
    }

    /// What is known of an uninterpreted function.
    pub fn function_info(&self, function: Function) -> &FunctionInfo {
        &self.functions[function.0 as usize]
    }

    /// All symbols, in the order of their creation.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.symbols.len() as u32).map(Symbol)
    }

    /// A symbol by its unique name.
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(name).copied()
    }

    /// The symbol that a computation made for itself under this name, as a term. Asking again for the same name, sort and range gives the
    /// same symbol; it is never one that stands for an input.
    pub fn symbol(&mut self, name: &str, sort: Sort, range: Option<(i128, i128)>) -> Term {
        self.declared(Identity::Named, name, sort, range)
    }

    /// The symbol with this identity, as a term. What is declared alike in everything is the same symbol. Two symbols whose labels are equal
    /// get different names, so that no query about one speaks of the other.
    pub fn declared(
        &mut self,
        identity: Identity,
        label: &str,
        sort: Sort,
        range: Option<(i128, i128)>,
    ) -> Term {
        let declared = (identity.clone(), label.to_owned(), sort, range);
        let symbol = match self.by_identity.get(&declared) {
            Some(&known) => known,
            None => {
                let symbol = Symbol(self.symbols.len() as u32);
                let mut name = label.to_owned();
                let mut suffix = 1;
                while self.by_name.contains_key(&name) {
                    suffix += 1;
                    name = format!("{label}#{suffix}");
                }
                self.by_name.insert(name.clone(), symbol);
                self.symbols.push(SymbolInfo { identity, label: label.to_owned(), name, sort, range });
                self.by_identity.insert(declared, symbol);
                symbol
            }
        };
        self.intern(Node::Symbol(symbol), sort)
    }

    /// A symbol that no other place uses; `stem` starts its name.
    pub fn fresh_symbol(&mut self, stem: &str, sort: Sort, range: Option<(i128, i128)>) -> Term {
        let mut number = self.symbols.len();
        while self.by_name.contains_key(&format!("{stem}!{number}")) {
            number += 1;
        }
        self.symbol(&format!("{stem}!{number}"), sort, range)
    }

    /// The term of a symbol.
    pub fn symbol_term(&mut self, symbol: Symbol) -> Term {
        let sort = self.symbol_info(symbol).sort;
        self.intern(Node::Symbol(symbol), sort)
    }

    /// The symbol that a term is, if it is one.
    pub fn as_symbol(&self, term: Term) -> Option<Symbol> {
        match self.node(term) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

    /// Declares an uninterpreted function; the same name and sorts give the same function.
    pub fn function(&mut self, name: &str, arguments: &[Sort], result: Sort) -> Function {
        let info = FunctionInfo { name: name.to_owned(), arguments: arguments.to_vec(), result };
        let position = self.functions.iter().position(|known| *known == info).unwrap_or_else(|| {
            self.functions.push(info);
            self.functions.len() - 1
        });
        Function(position as u32)
    }

    /// An application of an uninterpreted function.
    pub fn apply(&mut self, function: Function, arguments: &[Term]) -> Term {
        let result = self.function_info(function).result;
        self.intern(Node::Apply(function, arguments.into()), result)
    }

    /// A bit-vector constant; bits above the width are dropped.
    pub fn bv(&mut self, width: u8, value: u64) -> Term {
        self.intern(Node::Bv(width, value & mask(width)), Sort::Bv(width))
    }

    /// An integer constant.
    pub fn int(&mut self, value: i128) -> Term {
        self.intern(Node::Num(Sort::Int, Box::new(Rational::whole(value))), Sort::Int)
    }

    /// A real constant.
    pub fn real(&mut self, value: Rational) -> Term {
        self.intern(Node::Num(Sort::Real, Box::new(value)), Sort::Real)
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Node::Bool(value), Sort::Bool)
    }

    /// A binary32 constant; every NaN becomes the canonical one.
    pub fn f32(&mut self, value: f32) -> Term {
        let bits = if value.is_nan() { CANONICAL_NAN_32 } else { value.to_bits() };
        self.intern(Node::Float(Sort::F32, u64::from(bits)), Sort::F32)
    }

    /// A binary64 constant; every NaN becomes the canonical one.
    pub fn f64(&mut self, value: f64) -> Term {
        let bits = if value.is_nan() { CANONICAL_NAN_64 } else { value.to_bits() };
        self.intern(Node::Float(Sort::F64, bits), Sort::F64)
    }

    /// The value of a bit-vector constant.
    pub fn as_bv(&self, term: Term) -> Option<u64> {
        match self.node(term) {
            Node::Bv(_, value) => Some(*value),
            _ => None,
        }
    }

    /// The value of a truth constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of an integer or real constant.
    pub fn as_num(&self, term: Term) -> Option<Rational> {
        match self.node(term) {
            Node::Num(_, value) => Some(**value),
            _ => None,
        }
    }

    /// Whether a term is a constant of any sort.
    pub fn is_constant(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Bool(_) | Node::Bv(..) | Node::Num(..) | Node::Float(..))
    }

    /// All terms below the roots that `skip` does not stop at, children before parents, each once.
    pub fn post_order(&self, roots: &[Term], mut skip: impl FnMut(Term) -> bool) -> Vec<Term> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<Term> = roots.to_vec();
        let mut order = Vec::new();
        while let Some(term) = stack.pop() {
            if seen.contains(&term) || skip(term) {
                continue;
            }
            seen.insert(term);
            order.push(term);
            self.node(term).for_each_part(|part| stack.push(part));
        }
        // Parts have smaller identities than the terms that contain them.
        order.sort_unstable();
        order
    }

    /// Interns a node as it stands; the constructors have simplified before.
    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(position) = self.nodes.get_index_of(&node) {
            return Term::at(position);
        }
        let mut symbols = SymbolSet::EMPTY;
        let mut theories = self.own_theories(&node, sort);
        if let Node::Symbol(symbol) = node {
            symbols = self.sets.single(symbol);
        } else {
            node.for_each_part(|part| {
                let part = &self.meta[part.index()];
                symbols = self.sets.union(symbols, part.symbols);
                theories = theories.union(part.theories);
            });
        }
        let interval = match sort {
            Sort::Bv(width) => self.interval_of(&node, width),
            _ => Interval::full(64),
        };
        let term = Term::at(self.nodes.insert_full(node).0);
        self.meta.push(Meta { sort, symbols, interval, theories });
        term
    }

    /// The interval that a symbol's declared range gives.
    pub(crate) fn declared_interval(&self, symbol: Symbol, width: u8) -> Interval {
        match self.symbol_info(symbol).range {
            Some((low, high)) if low < 0 => Interval::from_signed(
                width,
                low.max(i128::from(signed_min(width))) as i64,
                high.min(i128::from(signed_max(width))) as i64,
            ),
            Some((low, high)) => {
                Interval::from_unsigned(width, low as u64, high.min(i128::from(mask(width))) as u64)
            }
            None => Interval::full(width),
        }
    }

    /// The signed value of a bit-vector constant.
    pub fn as_signed(&self, term: Term) -> Option<i64> {
        match self.node(term) {
            Node::Bv(width, value) => Some(signed(*width, *value)),
            _ => None,
        }
    }
}

pub(crate) const CANONICAL_NAN_32: u32 = 0x7fc0_0000;
pub(crate) const CANONICAL_NAN_64: u64 = 0x7ff8_0000_0000_0000;
