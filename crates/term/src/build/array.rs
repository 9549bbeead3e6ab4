//! Arrays of bytes.

use crate::node::{Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;

impl Terms {
    /// An array that holds one byte everywhere.
    pub fn const_array(&mut self, byte: Term) -> Term {
        self.intern(Node::ConstArray(byte), Sort::Array)
    }

    /// `array` with `byte` at `address`.
    pub fn store(&mut self, array: Term, address: Term, byte: Term) -> Term {
        match *self.node(array) {
            _ if self.is_plain() => self.intern(Node::Store(array, address, byte), Sort::Array),
            Node::Store(inner, known, _) if known == address => self.store(inner, address, byte),
            _ => self.intern(Node::Store(array, address, byte), Sort::Array),
        }
    }

    /// The byte of `array` at `address`; stores at addresses that surely differ are passed over.
    pub fn select(&mut self, array: Term, address: Term) -> Term {
        if self.is_plain() {
            return self.intern(Node::Select(array, address), Sort::Bv(8));
        }
        let mut below = array;
        loop {
            match *self.node(below) {
                Node::Store(inner, known, byte) => {
                    let same = self.eq(known, address);
                    match self.as_bool(same) {
                        Some(true) => return byte,
                        Some(false) => below = inner,
                        None => break,
                    }
                }
                Node::ConstArray(byte) => return byte,
                _ => break,
            }
        }
        self.intern(Node::Select(below, address), Sort::Bv(8))
    }
}
