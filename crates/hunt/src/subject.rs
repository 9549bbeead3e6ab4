//! A subject as the hunt sees it: opened, with the relations that are asked about.

use twinrun_base::Hash;
use twinrun_testing::command::CommandSubject;
use twinrun_testing::engine::WasmSubject;
use twinrun_testing::executor::ExecuteError;
use twinrun_testing::target::Target;

use crate::repairs::Sources;

/// What can be done with a subject depends on what it is.
#[derive(Clone, Copy)]
pub enum Opened<'a> {
    /// WebAssembly: everything.
    Wasm(&'a WasmSubject),
    /// A command: testing, and locating where it tells its coverage.
    Command {
        /// The command.
        plain: &'a CommandSubject,
        /// The same, collecting coverage; none where the project does not say how.
        covered: Option<&'a CommandSubject>,
    },
}

/// What a ready-made test is written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// C or C++; the command that builds and runs the test `{test}.c`.
    C {
        /// The command.
        build: String,
    },
    /// A crate.
    Rust,
    /// Nothing can be replayed natively.
    Other,
}

/// A subject to hunt in.
#[derive(Clone)]
pub struct Subject<'a> {
    /// Its name in the project.
    pub name: String,
    /// The subject.
    pub opened: Opened<'a>,
    /// The relations to hunt with.
    pub relations: Vec<String>,
    /// What tests of it are written in.
    pub language: Language,
    /// Where its sources are; none where nothing can be edited.
    pub sources: Option<Sources<'a>>,
}

impl<'a> Subject<'a> {
    /// One of its relations.
    ///
    /// # Errors
    /// When there is no such relation.
    pub(crate) fn target(&self, relation: &str) -> Result<Box<dyn Target + 'a>, ExecuteError> {
        Ok(match self.opened {
            Opened::Wasm(subject) => Box::new(subject.target(relation)?),
            Opened::Command { plain, .. } => Box::new(plain.target(relation)?),
        })
    }

    /// What the answers on all its relations depend on.
    pub(crate) fn identity(&self) -> Result<Hash, ExecuteError> {
        let parts = self.relations.iter().map(|relation| Ok(self.target(relation)?.identity().to_string()));
        Ok(Hash::of(parts.collect::<Result<Vec<_>, ExecuteError>>()?))
    }

    /// The WebAssembly subject, if it is one.
    pub(crate) fn wasm(&self) -> Option<&'a WasmSubject> {
        match self.opened {
            Opened::Wasm(subject) => Some(subject),
            Opened::Command { .. } => None,
        }
    }
}
