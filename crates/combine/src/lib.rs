//! Input models, covering arrays, and the metamorphic groups in them.

mod algebra;
mod bound;
mod check;
mod cnf;
mod compare;
mod cover;
mod error;
pub mod expression;
mod failing;
mod feasible;
mod generate;
mod greedy;
pub mod groups;
mod model;
mod optimise;
pub mod present;
mod propagate;
mod random;
pub mod readers;
mod rule;
mod space;
mod tuples;
mod value;
pub mod writers;

pub use check::{Verification, verify};
pub use compare::{Differences, differences};
pub use error::{Error, Place};
pub use failing::failing_combinations;
pub use feasible::explain;
pub use generate::{Array, Config, generate, random_rows, wall_clock};
pub use model::{Constraint, Mixed, Model, Parameter, Value};
pub use random::Random;
pub use value::{Concrete, Scalar};
