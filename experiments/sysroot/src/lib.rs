//! Small programs that throw, jump, start threads and raise signals: what they print natively and in both engines.

pub mod cost;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use twinrun_base::{Crash, Inputs, IntKind, Limits, Op, OpSpec, Shape, Verdict};
use twinrun_interp::group::{Prepared, run_group};
use twinrun_interp::observers::branches::{Branches, Event};
use twinrun_interp::{Concrete, LoadOptions};
use twinrun_jit::{Compiled, Config, Detail};
use twinrun_subject::build::{Environment, Language, Recipe, Shape as Form, Unit, Variant, build};
use twinrun_subject::{Module, Roots};

/// The kinds of programs: folders below `subjects/sysroot`.
pub const KINDS: [&str; 3] = ["exceptions", "setjmp", "library"];

/// What a program printed and how it ended; a crash has its sentence in place of the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Standard output.
    pub text: String,
    /// The exit code, or how it ended badly.
    pub end: String,
}

/// What one program gave.
#[derive(Debug)]
pub struct Outcome {
    /// On this machine.
    pub native: Answer,
    /// Compiled to WebAssembly, in the fast engine.
    pub jit: Answer,
    /// In the interpreter.
    pub interp: Answer,
    /// In what else the engines differ: the verdict, the work, the branches of user code.
    pub differs: Option<String>,
}

impl Outcome {
    /// Whether all three gave the same, and the engines took the same way.
    pub fn is_same(&self) -> bool {
        self.native == self.jit && self.jit == self.interp && self.differs.is_none()
    }
}

/// The programs of a kind, by name.
///
/// # Errors
/// When the folder cannot be read.
pub fn programs(kind: &str) -> std::io::Result<BTreeMap<String, PathBuf>> {
    let folder = twinrun_results::workspace_root().join("subjects/sysroot").join(kind);
    let mut programs = BTreeMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        programs.insert(name, path);
    }
    Ok(programs)
}

/// Runs a program natively and in both engines; what is built goes to `cache`.
///
/// # Errors
/// When it does not compile, or an engine cannot answer.
pub fn compare(source: &Path, variant: Variant, cache: &Path) -> Result<Outcome, Box<dyn Error>> {
    let native = make(source, Variant::Native { sanitize: false }, &[], cache)?;
    let ran = Command::new(native).output()?;
    let native = Answer {
        text: String::from_utf8_lossy(&ran.stdout).into_owned(),
        end: ran.status.code().map_or("signal".to_owned(), |code| code.to_string()),
    };
    let bytes = std::fs::read(make(source, variant, &[], cache)?)?;
    let folder = source.parent().unwrap_or(Path::new("."));
    let module = Module::load(bytes, &Roots::new(folder))?;
    let mut pair = Pair::new(&module, variant == Variant::Checked)?;
    let (jit, interp, differs) = pair.run()?;
    Ok(Outcome { native, jit, interp, differs })
}

/// Builds a program with further flags.
///
/// # Errors
/// When it does not compile.
pub fn make(
    source: &Path,
    variant: Variant,
    flags: &[&str],
    cache: &Path,
) -> Result<PathBuf, Box<dyn Error>> {
    let folder = source.parent().unwrap_or(Path::new(".")).to_owned();
    let mut flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    flags.push("-w".to_owned());
    let unit = Unit {
        text: None,
        source: source.to_owned(),
        language: Language::of(source).unwrap_or(Language::C),
        flags,
        folder: folder.clone(),
    };
    let link = match variant {
        Variant::Native { .. } => vec!["-lpthread".to_owned()],
        _ => Vec::new(),
    };
    let recipe = Recipe { units: vec![unit], link, shape: Form::Program, cache: cache.to_owned() };
    let environment = Environment::of_process(&twinrun_results::workspace_root());
    Ok(build(&recipe, variant, &environment, None)?.path)
}

/// A relation that runs a program, and the program, in both engines.
struct Pair {
    jit: Compiled,
    interp: Prepared<Concrete>,
}

/// Runs the program without arguments.
const RUNNER: &str = r#"(module
    (import "twinrun" "program" (func $program (param i32 i32 i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1)
    (func (export "relation:run")
        (drop (call $program (i32.const 8) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)))))"#;

impl Pair {
    fn new(module: &Module, checked: bool) -> Result<Pair, Box<dyn Error>> {
        let runner = wat::parse_str(RUNNER)?;
        let empty = Module::load(runner.clone(), &Roots::new("/"))?.sites;
        let limits = Limits { work: 100_000_000, ..Limits::default() };
        let config = Config { limits, trace: true, heap_checks: checked, ..Config::default() };
        let program = Compiled::new(&module.bytes, &module.sites, &config)?;
        let jit = Compiled::new(&runner, &empty, &config)?.with_program("", program);
        let load = |bytes: &[u8], sites: &twinrun_base::Sites| {
            let options = LoadOptions {
                sites: Some(Arc::new(sites.clone())),
                heap_checks: checked,
                ..LoadOptions::default()
            };
            twinrun_interp::Module::new(bytes, options).map(Arc::new)
        };
        let interp = Prepared::new(&load(&runner, &empty)?, limits, &mut Concrete)?;
        let interp = interp.with_program("", load(&module.bytes, &module.sites)?);
        Ok(Pair { jit, interp })
    }

    fn run(&mut self) -> Result<(Answer, Answer, Option<String>), Box<dyn Error>> {
        let mut instance = self.jit.instance()?;
        let verdict = instance.run_group(self.jit.relation("run")?, &mut Nothing, Detail::Full)?;
        let theirs = instance.observation();
        let mut branches = Branches::of_user_code();
        let ours = run_group(&self.interp, self.interp.relation("run")?, &mut Nothing, &mut branches)?;
        let answer = |run: Option<&twinrun_base::Run>, verdict: Verdict, crash: Option<&Crash>| {
            let run = run.and_then(|run| run.program.as_ref());
            let text = run.map(|run| String::from_utf8_lossy(&run.stdout).into_owned()).unwrap_or_default();
            let code = run.map_or(-1, |run| run.exit);
            let end = match (verdict, crash) {
                (Verdict::Holds, _) => code.to_string(),
                (_, Some(crash)) => format!("{:?}: {}", crash.kind, crash.message),
                (verdict, None) => verdict.to_string(),
            };
            Answer { text, end }
        };
        let jit = answer(theirs.runs().first().map(|it| &it.run), verdict, theirs.crash.as_ref());
        let interp = answer(ours.runs.first().map(|it| &it.run), ours.verdict, ours.crash.as_ref());
        let edges = self.jit.programs()[0].1.edges();
        let expected: Vec<(u32, u32)> = theirs
            .runs()
            .first()
            .map(|run| run.trace.iter().map(|edge| edges.decode(*edge)).collect())
            .unwrap_or_default();
        let taken: Vec<(u32, u32)> = branches
            .runs
            .first()
            .map(|run| &branches.trace[run.clone()])
            .unwrap_or_default()
            .iter()
            .filter_map(|event| match *event {
                Event::User { branch, outcome } => Some((branch, outcome)),
                Event::Other { .. } => None,
            })
            .collect();
        let mut differs = None;
        if ours.work != theirs.work {
            differs = Some(format!("work {} and {}", theirs.work, ours.work));
        } else if expected != taken {
            let at = expected.iter().zip(&taken).position(|(jit, interp)| jit != interp);
            differs = Some(format!("{} and {} branches, apart at {at:?}", expected.len(), taken.len()));
        }
        Ok((jit, interp, differs))
    }
}

/// A program draws nothing.
struct Nothing;

impl Inputs for Nothing {
    fn int(&mut self, _: &str, _: IntKind, lo: i64, _: i64) -> i64 {
        lo
    }
    fn float(&mut self, _: &str, lo: f64, _: f64) -> f64 {
        lo
    }
    fn ints(&mut self, _: &str, _: IntKind, _: Shape, _: i64, _: i64, _: &mut Vec<i64>) {}
    fn floats(&mut self, _: &str, _: Shape, _: f64, _: f64, _: &mut Vec<f64>) {}
    fn text(&mut self, _: &str, _: u32, _: u32, _: &[u8], _: &mut Vec<u8>) {}
    fn permutation(&mut self, _: &str, _: u32, _: &mut Vec<i64>) {}
    fn ops(&mut self, _: &str, _: u32, _: &[OpSpec], _: &mut Vec<Op>) {}
}
