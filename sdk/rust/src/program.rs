//! Whole programs: the subject's `main`, in a fresh instance for every run.

use crate::host;

/// A run of the subject's program to be.
#[derive(Clone, Debug, Default)]
pub struct Program {
    arguments: Vec<Vec<u8>>,
    stdin: Vec<u8>,
    files: Vec<(String, Vec<u8>)>,
}

/// What a program run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its exit code.
    pub exit: i32,
    /// What it wrote.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

impl Program {
    /// The program without arguments.
    pub fn new() -> Program {
        Program::default()
    }

    /// One more argument.
    pub fn arg(mut self, argument: impl AsRef<[u8]>) -> Program {
        self.arguments.push(argument.as_ref().to_vec());
        self
    }

    /// What it reads.
    pub fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Program {
        self.stdin = bytes.as_ref().to_vec();
        self
    }

    /// A file that it finds.
    pub fn file(mut self, path: &str, bytes: impl AsRef<[u8]>) -> Program {
        self.files.push((path.to_owned(), bytes.as_ref().to_vec()));
        self
    }

    /// Runs it.
    pub fn run(&self) -> Output {
        for (path, bytes) in &self.files {
            host::program_file(path, bytes);
        }
        let exit = host::program("", &self.arguments, &self.stdin);
        Output { exit, stdout: host::program_output(1), stderr: host::program_output(2) }
    }

    /// A file that the last run wrote.
    pub fn written(path: &str) -> Option<Vec<u8>> {
        host::program_written(path)
    }
}
