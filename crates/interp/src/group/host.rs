//! The imports of a subject, answered the same way as by the other engine: the table of their names and types, and who answers each.

use twinrun_base::{CrashKind, FailedCheck, Inputs, Location, Run, Value, abi};
use twinrun_world::{FUNCTIONS, World};

use crate::domain::Domain;
use crate::group::{checks, foreign, heap, inputs, outputs, programs, runs, wasi};
use crate::imports::{Answer, Host, Imports};
use crate::module::FunctionType;
use crate::ops::Type;
use crate::trap::Trap;

/// The imports of the module `twinrun`: name, parameters, results; `i` is i32, `l` is i64, `d` is f64.
const IMPORTS: [(&str, &str, &str); 34] = [
    ("int", "iiill", "l"),
    ("float", "iidd", "d"),
    ("ints", "iiiiiill", ""),
    ("floats", "iiiiidd", ""),
    ("text", "iiiiiii", "i"),
    ("permutation", "iiii", ""),
    ("ops", "iiiiii", "i"),
    ("run_begin", "", ""),
    ("run_end", "", ""),
    ("assume", "i", ""),
    ("check", "iiii", ""),
    ("check_int", "iilliii", ""),
    ("check_float", "idddiii", ""),
    ("check_bytes", "iiiiiii", ""),
    ("given_int", "iil", ""),
    ("given_float", "iid", ""),
    ("given_ints", "iiiii", ""),
    ("given_floats", "iiii", ""),
    ("given_bytes", "iiii", ""),
    ("output_int", "iil", ""),
    ("output_float", "iid", ""),
    ("output_ints", "iiiii", ""),
    ("output_floats", "iiii", ""),
    ("output_bytes", "iiii", ""),
    ("program_file", "iiii", ""),
    ("program", "iiiiii", "i"),
    ("program_output", "iiii", "i"),
    ("program_written", "iiii", "i"),
    ("heap_alloc", "ii", ""),
    ("heap_free", "ii", ""),
    ("heap_error", "iii", ""),
    ("uncaught", "ii", ""),
    ("unsupported", "ii", ""),
    ("open_runs", "", "i"),
];

/// Numbers of host functions: imports of `twinrun` from 0, functions of the world from here.
const WORLD: u32 = 1000;
/// Functions from elsewhere from here, in the order in which they were asked for.
const FOREIGN: u32 = 10_000;

/// Why a host function ended the group.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// An assumption failed.
    Discard,
    /// A check failed, on this line.
    Check(Box<FailedCheck>, u32),
    /// A safety check failed or a limit was reached.
    Crash(CrashKind, String, Option<Location>),
    /// Something that is not the subject's fault.
    Failure(String),
}

/// One run, as it was given and gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunRecord {
    /// Which program it was; `None`: a run of the relation's own module.
    pub program: Option<usize>,
    /// What it was given and gave.
    pub run: Run,
}

/// What the host knows while a group runs; a fork clones it.
#[derive(Clone, Debug)]
pub struct Records {
    /// The runs that were started.
    pub runs: Vec<RunRecord>,
    /// What the next run is given.
    pub given: Vec<(String, Value)>,
    /// How many `run_begin` are open.
    pub open: u32,
    /// Why the group ended.
    pub end: Option<End>,
    /// The worlds of the relation and of the programs that run now, the innermost last.
    pub worlds: Vec<World>,
    /// Files for the next program run.
    pub program_files: Vec<(Vec<u8>, Vec<u8>)>,
    /// The world that the last program run left.
    pub program_world: Option<World>,
    /// The first instance of the program that runs now.
    pub(super) program_instance: Option<u32>,
}

impl Records {
    /// Nothing has happened yet in this world.
    pub fn new(world: World) -> Records {
        Records {
            runs: Vec::new(),
            given: Vec::new(),
            open: 0,
            end: None,
            worlds: vec![world],
            program_files: Vec::new(),
            program_world: None,
            program_instance: None,
        }
    }

    /// Ends the group.
    pub fn stop(&mut self, end: End) -> Trap {
        self.end = Some(end);
        Trap::Host
    }
}

/// Answers the imports of a relation and of the programs that it runs.
pub struct GroupHost<'a> {
    /// Where inputs come from; nobody while a subject is initialised.
    pub inputs: Option<&'a mut dyn Inputs>,
    /// The programs that the relation may run, by name.
    pub programs: &'a [(String, std::sync::Arc<crate::module::Module>)],
    /// What happened so far.
    pub records: Records,
    /// Names of imports from elsewhere.
    pub foreign: Vec<String>,
}

impl<'a> GroupHost<'a> {
    /// A host at the start of a group.
    pub fn new(
        inputs: Option<&'a mut dyn Inputs>,
        programs: &'a [(String, std::sync::Arc<crate::module::Module>)],
        foreign: &[String],
        world: World,
    ) -> GroupHost<'a> {
        GroupHost { inputs, programs, records: Records::new(world), foreign: foreign.to_vec() }
    }
}

/// The name of a host function, for those who answer some imports themselves: an import of the module `twinrun`.
pub fn import_name(function: u32) -> Option<&'static str> {
    IMPORTS.get(function as usize).map(|(name, ..)| *name)
}

impl<D: Domain> Imports<D> for GroupHost<'_> {
    fn resolve(&mut self, module: &str, name: &str, ty: &FunctionType) -> Option<u32> {
        match module {
            abi::MODULE => {
                let found = IMPORTS.iter().position(|(import, ..)| *import == name)?;
                let (_, params, results) = IMPORTS[found];
                (letters(&ty.params) == params && letters(&ty.results) == results).then_some(found as u32)
            }
            twinrun_world::MODULE => {
                let found = FUNCTIONS.iter().position(|function| function.name == name)?;
                let fits = ty.params.len() == FUNCTIONS[found].parameters.len()
                    && ty.results.len() == usize::from(FUNCTIONS[found].returns());
                fits.then_some(WORLD + found as u32)
            }
            _ if foreign::is_known(name) => {
                let known = self.foreign.iter().position(|known| known == name);
                let index = known.unwrap_or_else(|| {
                    self.foreign.push(name.to_owned());
                    self.foreign.len() - 1
                });
                Some(FOREIGN + index as u32)
            }
            _ => None,
        }
    }

    fn call(&mut self, function: u32, step: u32, host: &mut Host<'_, D>) -> Result<Answer<D::Value>, Trap> {
        if function >= FOREIGN {
            let name = self.foreign.get((function - FOREIGN) as usize).cloned().unwrap_or_default();
            let end = foreign::end(&name, host);
            return Err(self.records.stop(end));
        }
        if function >= WORLD {
            return wasi::call(&mut self.records, &FUNCTIONS[(function - WORLD) as usize], host);
        }
        let name = IMPORTS[function as usize].0;
        if !name.starts_with("heap_") && step == 0 {
            (0..host.params).try_for_each(|index| host.uses(index))?;
        }
        match name {
            "int" | "float" | "ints" | "floats" | "text" | "permutation" | "ops" => {
                inputs::call(self, name, host)?;
            }
            "run_begin" | "run_end" | "assume" => runs::call(&mut self.records, name, host)?,
            "check" | "check_int" | "check_float" | "check_bytes" => {
                checks::call(&mut self.records, name, host)?;
            }
            "program" => return programs::run(self, step, host),
            "program_file" | "program_output" | "program_written" => {
                programs::call(&mut self.records, name, host)?;
            }
            "uncaught" | "unsupported" => {
                let kind = if name == "uncaught" { CrashKind::Exception } else { CrashKind::Unsupported };
                let text = host.text(0)?;
                return Err(self.records.stop(End::Crash(kind, text, None)));
            }
            "open_runs" => host.answer(Type::I32, u64::from(self.records.open)),
            "heap_alloc" | "heap_free" | "heap_error" => heap::call(&mut self.records, name, host)?,
            _ => outputs::call(&mut self.records, name, host)?,
        }
        Ok(Answer::Return)
    }
}

fn letters(types: &[Type]) -> String {
    let letter = |ty: &Type| match ty {
        Type::I32 => 'i',
        Type::I64 => 'l',
        Type::F64 => 'd',
        _ => '?',
    };
    types.iter().map(letter).collect()
}

/// The arguments of a host function by their meaning.
pub(super) trait Arguments {
    fn word(&self, index: usize) -> u32;
    fn long(&self, index: usize) -> i64;
    fn double(&self, index: usize) -> f64;
    /// A (pointer, length) pair as text: the longest part that is UTF-8.
    fn text(&mut self, index: usize) -> Result<String, Trap>;
    /// A (pointer, length) pair.
    fn bytes(&mut self, index: usize) -> Result<Vec<u8>, Trap>;
    fn answer(&mut self, ty: Type, bits: u64);
}

impl<D: Domain> Arguments for Host<'_, D> {
    fn word(&self, index: usize) -> u32 {
        self.peek(index) as u32
    }

    fn long(&self, index: usize) -> i64 {
        self.peek(index) as i64
    }

    fn double(&self, index: usize) -> f64 {
        f64::from_bits(self.peek(index))
    }

    fn text(&mut self, index: usize) -> Result<String, Trap> {
        let bytes = self.bytes(index)?;
        Ok(match std::str::from_utf8(&bytes) {
            Ok(text) => text.to_owned(),
            Err(error) => String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned(),
        })
    }

    fn bytes(&mut self, index: usize) -> Result<Vec<u8>, Trap> {
        let (at, len) = (self.word(index), self.word(index + 1));
        self.read(at, len)
    }

    fn answer(&mut self, ty: Type, bits: u64) {
        let value = self.domain.constant(ty, bits);
        self.results.push(value);
    }
}
