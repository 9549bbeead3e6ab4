//! Metamorphic groups in sets of tests: relations between rows, the matcher that finds all groups among any
//! concrete tests, methods that make arrays rich in them, and the step from classes to concrete values.

mod concrete;
mod enrich;
mod fresh;
mod learn;
mod matcher;
mod methods;
mod relation;
mod sampling;

pub use concrete::{ConcreteStage, concretise};
pub use enrich::{Richness, enrich};
pub use fresh::fresh_groups;
pub use learn::{Sample, learn};
pub use matcher::{Group, distinct, matches};
pub use methods::{Made, Method, make};
pub use relation::{Relation, Test};
pub use sampling::{Sampling, follow_ups, plan, sample};
