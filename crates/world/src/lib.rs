//! The deterministic world of a subject: WASI preview 1 without a host behind it.
//!
//! Arguments, environment, stdin and files come from a [`Setup`]; the clock stands still, random numbers come from a seed,
//! output is captured and limited. Nothing of the host can be reached: sockets are refused, what is absent answers with an
//! error number.
//!
//! Both engines use it in the same way. They look up each import of `wasi_snapshot_preview1` in [`FUNCTIONS`] and call
//! [`World::call`] with the raw arguments and access to the subject's memory. The world moves the concrete bytes itself and
//! reports *copy effects* ([`World::effects`]): which bytes of which [`Stream`] went to which address, and which bytes of
//! memory went to which stream. An engine that keeps terms beside values moves the terms by the same effects; one that does
//! not ignores them.
//!
//! ```
//! use twinrun_world::{FUNCTIONS, Outcome, Setup, World};
//!
//! let mut world = World::new(Setup { stdin: b"hello".to_vec(), ..Setup::default() });
//! let mut memory = vec![0u8; 64];
//! memory[0..8].copy_from_slice(&[16, 0, 0, 0, 32, 0, 0, 0]); // an iovec: 32 bytes at address 16
//! let fd_read = FUNCTIONS.iter().find(|function| function.name == "fd_read").unwrap();
//! assert_eq!(world.call(fd_read, &[0, 0, 1, 8], &mut memory[..]), Outcome::Errno(0));
//! assert_eq!(&memory[16..21], b"hello");
//! ```

mod descriptors;
mod errno;
mod files;
mod functions;
mod memory;
mod paths;
mod process;
mod world;

pub use functions::{FUNCTIONS, Function, MODULE, Parameter, find};
pub use memory::Memory;
pub use world::{Effect, Outcome, Setup, Stream, World};
