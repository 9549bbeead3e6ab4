//! The state of a world, its effects, and the one entry through which engines call it.

use std::collections::BTreeMap;

use twinrun_base::{Limits, Rng};

use crate::descriptors::Descriptor;
use crate::errno::{Answer, Stop};
use crate::files::{Files, normal};
use crate::functions::Function;
use crate::memory::{Access, Memory};

/// What a world starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The arguments; the first one is the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// The environment.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// What can be read from stdin.
    pub stdin: Vec<u8>,
    /// Files by path.
    pub files: BTreeMap<Vec<u8>, Vec<u8>>,
    /// The seed of `random_get`.
    pub seed: u64,
    /// How many bytes may be written to stdout, stderr and files together.
    pub output: u64,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            arguments: vec![b"subject".to_vec()],
            environment: Vec::new(),
            stdin: Vec::new(),
            files: BTreeMap::new(),
            seed: 0,
            output: Limits::default().output,
        }
    }
}

/// A sequence of bytes outside the subject's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stream {
    /// An argument, by index (without its final zero).
    Argument(u32),
    /// An entry of the environment, by index, as `NAME=value`.
    Environment(u32),
    /// Standard input.
    Stdin,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file, by its number in this world ([`World::file_number`]).
    File(u32),
}

/// Bytes that a call has moved. The concrete bytes are already in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `stream[from .. from + length]` went to memory at `address`.
    ToMemory {
        /// Where they came from.
        stream: Stream,
        /// The first byte of the stream.
        from: u64,
        /// Where they went.
        address: u32,
        /// How many.
        length: u32,
    },
    /// Memory at `address` went to `stream[to .. to + length]`.
    FromMemory {
        /// Where they came from.
        address: u32,
        /// Where they went.
        stream: Stream,
        /// The first byte of the stream.
        to: u64,
        /// How many.
        length: u32,
    },
    /// A file was cut or extended with zeros to this length.
    Resize {
        /// The file.
        stream: Stream,
        /// Its new length.
        length: u64,
    },
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With this error number (0: success), which is the function's result.
    Errno(u16),
    /// The subject ends with this exit code.
    Exit(i32),
    /// The subject ends because it wrote more than the limit.
    OutputLimit,
}

/// A world: everything outside the subject's memory.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) setup: Setup,
    pub(crate) files: Files,
    pub(crate) descriptors: Vec<Option<Descriptor>>,
    pub(crate) stdin_read: u64,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) written: u64,
    pub(crate) rng: Rng,
    pub(crate) effects: Vec<Effect>,
    touched: bool,
}

impl World {
    /// A world at its start.
    pub fn new(setup: Setup) -> World {
        World {
            files: Files::new(&setup.files),
            descriptors: Descriptor::initial(),
            stdin_read: 0,
            stdout: Vec::new(),
            stderr: Vec::new(),
            written: 0,
            rng: Rng::new(setup.seed),
            effects: Vec::new(),
            touched: false,
            setup,
        }
    }

    /// Brings the world back to its start; costs nothing when nothing was called since.
    pub fn reset(&mut self) {
        if self.touched {
            self.files = Files::new(&self.setup.files);
            self.descriptors = Descriptor::initial();
            self.stdin_read = 0;
            self.stdout.clear();
            self.stderr.clear();
            self.written = 0;
            self.rng = Rng::new(self.setup.seed);
            self.effects.clear();
            self.touched = false;
        }
    }

    /// Calls a function with its raw arguments (an `i32` in the low half).
    pub fn call(
        &mut self,
        function: &Function,
        arguments: &[u64],
        memory: &mut (impl Memory + ?Sized),
    ) -> Outcome {
        self.touched = true;
        self.effects.clear();
        let mut memory = Borrowed(memory);
        match (function.meaning)(self, arguments, &mut Access(&mut memory)) {
            Ok(()) => Outcome::Errno(0),
            Err(Stop::Errno(number)) => Outcome::Errno(number),
            Err(Stop::Exit(code)) => Outcome::Exit(code),
            Err(Stop::OutputLimit) => Outcome::OutputLimit,
        }
    }

    /// What the last call moved, in order.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// The arguments; the first one is the program's name.
    pub fn arguments(&self) -> &[Vec<u8>] {
        &self.setup.arguments
    }

    /// What was written to stdout.
    pub fn stdout(&self) -> &[u8] {
        &self.stdout
    }

    /// What was written to stderr.
    pub fn stderr(&self) -> &[u8] {
        &self.stderr
    }

    /// Moves out what was written to stdout and stderr.
    pub fn take_output(&mut self) -> (Vec<u8>, Vec<u8>) {
        (std::mem::take(&mut self.stdout), std::mem::take(&mut self.stderr))
    }

    /// The content of a file as it is now.
    pub fn file(&self, path: &[u8]) -> Option<&[u8]> {
        self.file_number(path).map(|number| &self.files.content(number)[..])
    }

    /// The number of a file in [`Stream::File`].
    pub fn file_number(&self, path: &[u8]) -> Option<u32> {
        self.files.find(&normal(b"", path).ok()?)
    }

    /// All files as they are now, by path.
    pub fn files(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.files.iter()
    }

    /// Counts bytes of output against the limit.
    pub(crate) fn spend(&mut self, bytes: u64) -> Answer {
        self.written = self.written.saturating_add(bytes);
        if self.written > self.setup.output { Err(Stop::OutputLimit) } else { Ok(()) }
    }
}

/// Makes a possibly unsized memory into a trait object.
struct Borrowed<'a, M: ?Sized>(&'a mut M);

impl<M: Memory + ?Sized> Memory for Borrowed<'_, M> {
    fn read(&self, address: u32, out: &mut [u8]) -> bool {
        self.0.read(address, out)
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.0.write(address, bytes)
    }
}
