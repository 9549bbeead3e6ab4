//! The smart constructors, one module for each kind of term.

mod array;
mod bits;
mod bools;
mod bv;
mod float;
mod linear;
mod num;
mod order;
