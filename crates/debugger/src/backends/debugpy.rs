//! debugpy, the debug adapter of Python. One process a session.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::backend::{Backend, Capabilities, Limits, Place, Placed, Stop};
use crate::dap::Adapter;
use crate::dap_session::{DapSession, ending_of};
use crate::error::{Error, Result};
use crate::position::Position;
use crate::program::Program;
use crate::trace::{Control, Ending};

/// debugpy.
#[derive(Debug)]
pub struct Debugpy {
    python: PathBuf,
    /// Where the package `debugpy` is installed.
    packages: PathBuf,
    folder: PathBuf,
    name: String,
    limits: Limits,
    /// Hashes of programs that were seen to parse.
    parses: BTreeSet<String>,
    session: Option<DapSession>,
}

impl Debugpy {
    /// A Python interpreter, the folder in which the package `debugpy` is installed, and a folder for programs.
    ///
    /// # Errors
    /// When Python does not start or has no debugpy.
    pub fn new(python: &Path, packages: &Path, folder: &Path, limits: Limits) -> Result<Self> {
        let start = |source| Error::Start { program: python.to_owned(), source };
        let output = Command::new(python)
            .args(["-c", "import debugpy, sys; print(debugpy.__version__); print(sys.executable)"])
            .env("PYTHONPATH", packages)
            .output()
            .map_err(start)?;
        if !output.status.success() {
            let why = "the package debugpy is not installed".to_owned();
            return Err(Error::NoConnection { program: python.to_owned(), why });
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let mut lines = said.lines();
        let name = format!("debugpy {}", lines.next().unwrap_or_default());
        // What is on the PATH may be a script that looks for the interpreter at every start.
        let python = lines.next().filter(|line| !line.is_empty()).map_or(python.to_owned(), PathBuf::from);
        Ok(Debugpy {
            python,
            packages: packages.to_owned(),
            folder: folder.to_owned(),
            name,
            limits,
            parses: BTreeSet::new(),
            session: None,
        })
    }

    /// Whether the program parses; asked once for each text.
    fn check(&mut self, program: &Program, source: &Path) -> Result<()> {
        let hash = blake3::hash(program.source.as_bytes()).to_hex().to_string();
        if self.parses.contains(&hash) {
            return Ok(());
        }
        let check = Command::new(&self.python)
            .args(["-S", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())"])
            .arg(source)
            .output()
            .map_err(|source| Error::Start { program: self.python.clone(), source })?;
        if !check.status.success() {
            let words = String::from_utf8_lossy(&check.stderr);
            return Err(Error::Program(words.lines().last().unwrap_or("a syntax error").to_owned()));
        }
        self.parses.insert(hash);
        Ok(())
    }

    fn session(&mut self) -> Result<&mut DapSession> {
        self.session.as_mut().ok_or(Error::Closed)
    }
}

impl Backend for Debugpy {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { columns: false, conditions: true, coverage: false, always: "True", never: "False", specials: true }
    }

    fn open(&mut self, program: &Program) -> Result<()> {
        self.session = None;
        std::fs::create_dir_all(&self.folder).map_err(Error::io("make a folder"))?;
        let source = self.folder.join("program.py");
        std::fs::write(&source, &program.source).map_err(Error::io("write the program"))?;
        self.check(program, &source)?;
        let mut command = Command::new(&self.python);
        command.args(["-m", "debugpy.adapter"]).env("PYTHONPATH", &self.packages);
        let adapter = Adapter::start(command, self.limits.answer)?;
        let launch = json!({
            "name": "program", "type": "python", "request": "launch", "program": source, "python": [self.python],
            "cwd": self.folder, "console": "internalConsole", "redirectOutput": true, "justMyCode": true,
            "env": { "PYTHONHASHSEED": "0", "PYTHONPATH": self.packages },
        });
        self.session = Some(DapSession::launch(adapter, "debugpy", &launch, &source, &self.limits)?);
        Ok(())
    }

    fn set_breakpoint(&mut self, at: Position, condition: Option<&str>) -> Result<Placed> {
        self.session()?.set_breakpoint(at, condition)
    }

    fn remove_breakpoint(&mut self, id: &str) -> Result<()> {
        self.session()?.remove_breakpoint(id)
    }

    fn resume(&mut self, control: Control) -> Result<Stop> {
        self.session()?.resume(control).or_else(|error| {
            self.session = None;
            ending_of(error).map(Stop::Ended)
        })
    }

    fn finish(&mut self) -> Result<(Vec<String>, Ending)> {
        let end = self.session()?.finish().or_else(|error| Ok((Vec::new(), ending_of(error)?)));
        self.session = None;
        end
    }

    fn places(&mut self, program: &Program) -> Result<Option<Vec<Place>>> {
        self.open(program)?;
        let places = self.session()?.places(&program.source);
        self.session = None;
        places.map(Some)
    }

    fn unreached(&mut self, _: &Program) -> Result<Vec<Range<usize>>> {
        Ok(Vec::new())
    }

    fn discard(&mut self) {
        self.session = None;
    }
}
