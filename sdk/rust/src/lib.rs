//! Write a metamorphic relation once, in Rust.
//!
//! ```ignore
//! use twinrun_sdk::{check_eq, input, relation, run};
//!
//! relation!(reverse, {
//!     let n = input::len("n", 1, 6);
//!     let a = input::i32s("a", n, -1000, 1000);
//!     let b: Vec<i32> = a.iter().rev().copied().collect(); // the transformation
//!     let source = run(|| maxsub(&a));
//!     let follow_up = run(|| maxsub(&b));
//!     check_eq!(source, follow_up); // the property
//! });
//! ```
//!
//! Compiled for `wasm32-wasip1` as a `cdylib`, the primitives are imports of the module `twinrun`. Compiled natively, every
//! relation is also a test, `NAME::replay`, which replays the case that `TWINRUN_CASE` names. Without a case it would pass and say nothing, so
//! `cargo test` shows it as ignored.

#[cfg(all(feature = "allocator", target_family = "wasm"))]
mod allocator;
mod checks;
#[cfg(target_family = "wasm")]
mod host;
pub mod input;
#[cfg(not(target_family = "wasm"))]
#[path = "native.rs"]
mod host;
mod program;
mod show;
pub mod transform;

pub use checks::{Compare, Operator};
pub use program::{Output, Program};
pub use show::{Show, given, output};

#[doc(hidden)]
pub mod private {
    //! For the macros.
    pub use crate::checks::{check, check_near, compare};
    #[cfg(not(target_family = "wasm"))]
    pub use crate::host::replay;
}

/// Defines a relation: its name, and a block that draws inputs, runs the subject and checks a property.
#[macro_export]
macro_rules! relation {
    ($name:ident, $body:block) => {
        #[cfg_attr(target_family = "wasm", unsafe(export_name = concat!("relation:", stringify!($name))))]
        #[allow(dead_code)]
        pub extern "C" fn $name() $body

        #[cfg(all(test, not(target_family = "wasm")))]
        mod $name {
            #[test]
            #[ignore = "replays the case that TWINRUN_CASE names"]
            fn replay() {
                $crate::private::replay(stringify!($name), super::$name);
            }
        }
    };
}

/// Marks one run of the subject; it has the value of the closure.
#[inline(never)]
pub fn run<T>(subject: impl FnOnce() -> T) -> T {
    host::run_begin();
    let value = subject();
    host::run_end();
    value
}

/// Discards the case unless the condition holds.
#[inline(never)]
pub fn assume(condition: bool) {
    host::assume(condition);
}
