//! Values and models: what a solver answers, and what evaluation works with.

use std::collections::BTreeMap;

use crate::node::{Function, Symbol};
use crate::sort::{Rational, Sort, mask};
use crate::terms::Terms;

/// A value of any sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// The bits of a bit-vector.
    Bv(u64),
    /// An integer or a real.
    Num(Rational),
    /// The bits of a binary32 or binary64 number.
    Float(u64),
    /// An array: a default byte and those that differ.
    Array(Box<ArrayValue>),
}

/// The contents of an array.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct ArrayValue {
    /// The byte at every other address.
    pub default: u8,
    /// Bytes by address.
    pub bytes: BTreeMap<u32, u8>,
}

impl ArrayValue {
    /// The byte at an address.
    pub fn get(&self, address: u32) -> u8 {
        self.bytes.get(&address).copied().unwrap_or(self.default)
    }
}

impl Value {
    /// The value that stands for "anything" of a sort.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(_) => Value::Bv(0),
            Sort::Int | Sort::Real => Value::Num(Rational::ZERO),
            Sort::F32 | Sort::F64 => Value::Float(0),
            Sort::Array => Value::Array(Box::default()),
        }
    }

    /// The truth value.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The bits of a bit-vector or float.
    pub fn as_bits(&self) -> Option<u64> {
        match self {
            Value::Bv(value) | Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// The number of an integer or real.
    pub fn as_num(&self) -> Option<Rational> {
        match self {
            Value::Num(value) => Some(*value),
            _ => None,
        }
    }
}

/// An assignment of symbols and functions. What it leaves open has the symbol's least absolute value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    symbols: BTreeMap<Symbol, Value>,
    functions: BTreeMap<Function, BTreeMap<Vec<Value>, Value>>,
}

impl Model {
    /// A model that assigns nothing.
    pub fn new() -> Self {
        Model::default()
    }

    /// Assigns a symbol.
    pub fn set(&mut self, symbol: Symbol, value: Value) {
        self.symbols.insert(symbol, value);
    }

    /// Assigns one entry of a function's table.
    pub fn set_function(&mut self, function: Function, arguments: Vec<Value>, value: Value) {
        self.functions.entry(function).or_default().insert(arguments, value);
    }

    /// The assigned value of a symbol.
    pub fn get(&self, symbol: Symbol) -> Option<&Value> {
        self.symbols.get(&symbol)
    }

    /// The value of a symbol, assigned or by default.
    pub fn value(&self, terms: &Terms, symbol: Symbol) -> Value {
        self.get(symbol).cloned().unwrap_or_else(|| default_value(terms, symbol))
    }

    /// The value of a function at arguments, assigned or zero.
    pub fn apply(&self, terms: &Terms, function: Function, arguments: &[Value]) -> Value {
        let known = self.functions.get(&function).and_then(|table| table.get(arguments)).cloned();
        known.unwrap_or_else(|| Value::zero(terms.function_info(function).result))
    }

    /// All assigned symbols with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &Value)> {
        self.symbols.iter().map(|(symbol, value)| (*symbol, value))
    }

    /// Drops the assignments of symbols that `keep` refuses.
    pub fn retain(&mut self, mut keep: impl FnMut(Symbol) -> bool) {
        self.symbols.retain(|symbol, _| keep(*symbol));
    }

    /// Takes over every assignment of `other`.
    pub fn extend(&mut self, other: &Model) {
        self.symbols.extend(other.symbols.iter().map(|(symbol, value)| (*symbol, value.clone())));
        for (function, table) in &other.functions {
            let entries = table.iter().map(|(arguments, value)| (arguments.clone(), value.clone()));
            self.functions.entry(*function).or_default().extend(entries);
        }
    }
}

/// The number nearest to zero that the symbol's range allows.
fn default_value(terms: &Terms, symbol: Symbol) -> Value {
    let info = terms.symbol_info(symbol);
    let nearest = info.range.map_or(0, |(low, high)| 0i128.clamp(low, high));
    match info.sort {
        Sort::Bv(width) => Value::Bv(nearest as u64 & mask(width)),
        Sort::Int => Value::Num(Rational::whole(nearest)),
        other => Value::zero(other),
    }
}
