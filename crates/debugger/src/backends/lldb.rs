//! LLDB through its debug adapter `lldb-dap`, for C programs compiled without optimisation. One process a session.

use std::collections::BTreeMap;
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

/// LLDB.
#[derive(Debug)]
pub struct Lldb {
    adapter: PathBuf,
    compiler: PathBuf,
    folder: PathBuf,
    name: String,
    limits: Limits,
    /// Executables by the hash of their source.
    built: BTreeMap<String, PathBuf>,
    session: Option<DapSession>,
}

impl Lldb {
    /// An adapter, a compiler, and a folder for what is compiled.
    ///
    /// # Errors
    /// When the adapter does not start.
    pub fn new(adapter: &Path, compiler: &Path, folder: &Path, limits: Limits) -> Result<Self> {
        let start = |source| Error::Start { program: adapter.to_owned(), source };
        Command::new(adapter).arg("--help").output().map_err(start)?;
        let name = adapter.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        // The adapter does not tell its version; the debugger beside it does.
        let beside = adapter.with_file_name(name.replace("lldb-dap", "lldb"));
        let text =
            Command::new(beside).arg("--version").output().map(|output| output.stdout).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let version =
            text.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
        let name = version.map_or(name, |version| format!("lldb-dap {version}"));
        Ok(Lldb {
            adapter: adapter.to_owned(),
            compiler: compiler.to_owned(),
            folder: folder.to_owned(),
            name,
            limits,
            built: BTreeMap::new(),
            session: None,
        })
    }

    fn build(&mut self, program: &Program) -> Result<PathBuf> {
        let key = blake3::hash(program.source.as_bytes()).to_hex()[..16].to_string();
        if let Some(built) = self.built.get(&key) {
            return Ok(built.clone());
        }
        let folder = self.folder.join(&key);
        std::fs::create_dir_all(&folder).map_err(Error::io("make a folder"))?;
        let source = folder.join("program.c");
        std::fs::write(&source, &program.source).map_err(Error::io("write the program"))?;
        let start = |source| Error::Start { program: self.compiler.clone(), source };
        let output = Command::new(&self.compiler)
            .args(["-g", "-O0", "-w", "-o", "program", "program.c", "-lm"])
            .current_dir(&folder)
            .output()
            .map_err(start)?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            let line = words.lines().find(|line| line.contains("error")).unwrap_or("the compiler failed");
            return Err(Error::Program(line.to_owned()));
        }
        self.built.insert(key, source.clone());
        Ok(source)
    }

    fn session(&mut self) -> Result<&mut DapSession> {
        self.session.as_mut().ok_or(Error::Closed)
    }
}

impl Backend for Lldb {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { columns: false, conditions: true, coverage: false, always: "1 == 1", never: "1 == 0", specials: true }
    }

    fn open(&mut self, program: &Program) -> Result<()> {
        self.session = None;
        let source = self.build(program)?;
        let adapter = Adapter::start(Command::new(&self.adapter), self.limits.answer)?;
        // Only the program itself is debugged: nothing of the C library has to be indexed for it.
        let settings = [
            "settings set target.preload-symbols false",
            "settings set symbols.enable-external-lookup false",
        ];
        let launch = json!({
            "program": source.with_extension(""), "cwd": source.parent(), "stopOnEntry": false, "initCommands": settings,
        });
        self.session = Some(DapSession::launch(adapter, "lldb-dap", &launch, &source, &self.limits)?);
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
