//! Concolic paths: the interpreter with terms beside its values, and the solver that turns conditions into inputs.
//!
//! An [`Engine`] runs a relation on inputs and gives its [`Path`]: the conditions on the inputs, the branches, the checks.
//! An [`Explorer`] runs path after path until all are covered or a limit is reached.

mod arguments;
mod domain;
mod engine;
mod explorer;
mod flip;
mod host;
mod labels;
mod local;
mod loops;
mod merged;
mod pairs;
mod parts;
mod path;

pub use arguments::{Argument, Called};
pub use domain::{Byte, Concolic, Reduction, Shadow, Value, Windows};
pub use engine::{Engine, Error};
pub use explorer::{Config, Coverage, Explorer, Strategy};
pub use flip::{Flip, flip};
pub use host::Source;
pub use labels::labels;
pub use loops::{Arrival, Cell, Cells, Looped, Place, Refused, Slot, Watching};
pub use merged::Merging;
pub use pairs::{Outcomes, Pairs, RunPath};
pub use parts::Part;
pub use path::{Checked, Condition, Decided, Drawn, Kind, Path, Told};
