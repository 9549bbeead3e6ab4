//!
//! Everything here is a function from data to text; reading the environment and printing is left to the command line.

pub mod formats;
pub mod html;
mod inert;
pub mod progress;
pub mod rules;
mod runs;
mod snippet;
mod sources;
mod style;

pub use formats::{FORMATS, Format, Options, format};
pub use inert::{inert, inert_bytes, shorten};
pub use progress::Progress;
pub use sources::Sources;
pub use style::{Ink, Paint};
