//! WebAssembly subjects: groups run on the jit engine.

use std::sync::{Arc, OnceLock};

use twinrun_base::{Case, CrashKind, Group, Hash, Inputs, Limits, Location, Run, Verdict};
use twinrun_interp::group::Observation;
pub use twinrun_jit::with_stack;
use twinrun_jit::{Compiled, Config, Detail, Instance, RelationId};
use twinrun_subject::Module;

use crate::dictionary::dictionary;
use crate::executor::{Ending, ExecuteError, Executor, Explained};
use crate::recorder::Recorder;
use crate::replay::Replay;
use crate::shadow::{ShadowEngine, ShadowRunner, is_misuse};
use crate::target::{Build, Target};

/// A built subject: the module with the relations and, for whole programs, the module that they run.
#[derive(Clone, Debug)]
pub struct Modules {
    /// The module that exports the relations.
    pub relations: Arc<Module>,
    /// The program, by the name under which relations run it.
    pub programs: Vec<(String, Arc<Module>)>,
}

/// A WebAssembly subject, compiled once and shared by all threads.
pub struct WasmSubject {
    name: String,
    plain: Engine,
    checked: Option<Engine>,
    /// The plain build in the shadow interpreter, where there is a checked build: of C and C++.
    shadowed: OnceLock<Result<ShadowEngine, String>>,
    identity: Hash,
    toolchain: String,
    dictionary: Vec<i64>,
}

impl WasmSubject {
    /// Compiles a subject; `toolchain` tells what built it.
    ///
    /// # Errors
    /// When a module is not valid or imports what nobody provides.
    pub fn new(
        name: &str,
        plain: Modules,
        checked: Option<Modules>,
        limits: Limits,
        toolchain: &str,
    ) -> Result<WasmSubject, ExecuteError> {
        let hashes = |modules: &Modules| {
            let programs = modules.programs.iter().map(|(name, module)| format!("{name} {}", module.hash));
            programs.chain([modules.relations.hash.to_string()]).collect::<Vec<_>>().join(" ")
        };
        let identity = Hash::of([
            name,
            &hashes(&plain),
            &checked.as_ref().map(&hashes).unwrap_or_default(),
            &format!("{limits:?}"),
            toolchain,
        ]);
        let mut dictionary = dictionary(&plain.relations);
        plain.programs.iter().for_each(|(_, program)| dictionary.extend(self::dictionary(program)));
        dictionary.sort_unstable();
        dictionary.dedup();
        let checked_config = Config { limits, heap_checks: true, ..Config::default() };
        Ok(WasmSubject {
            name: name.to_owned(),
            plain: Engine::new(plain, Config { limits, ..Config::default() })?,
            checked: checked.map(|modules| Engine::new(modules, checked_config)).transpose()?,
            shadowed: OnceLock::new(),
            identity,
            toolchain: toolchain.to_owned(),
            dictionary,
        })
    }

    /// One of its relations, ready to run.
    ///
    /// # Errors
    /// When there is no such relation.
    pub fn target(&self, relation: &str) -> Result<WasmTarget<'_>, ExecuteError> {
        let known = self.plain.modules.relations.relation(relation).map_err(ExecuteError::new)?;
        Ok(WasmTarget { subject: self, relation: relation.to_owned(), location: known.location.clone() })
    }

    /// The names of its relations.
    pub fn relations(&self) -> impl Iterator<Item = &str> {
        self.plain.modules.relations.relations.iter().map(|relation| relation.name.as_str())
    }

    /// A subject that was built and loaded.
    ///
    /// # Errors
    /// When a module is not valid or imports what nobody provides.
    pub fn of_built(
        name: &str,
        built: twinrun_subject::Modules,
        limits: Limits,
        toolchain: &str,
    ) -> Result<WasmSubject, ExecuteError> {
        let program = |module| vec![(String::new(), Arc::new(module))];
        let plain = Modules {
            relations: Arc::new(built.module),
            programs: built.program.map(program).unwrap_or_default(),
        };
        let checked = built.checked.map(|module| Modules {
            relations: Arc::new(module),
            // A program without a checked build of its own runs as it is.
            programs: built.checked_program.map(program).unwrap_or_else(|| plain.programs.clone()),
        });
        WasmSubject::new(name, plain, checked, limits, toolchain)
    }

    /// The modules of the checked build.
    pub fn checked_modules(&self) -> Option<&Modules> {
        self.checked.as_ref().map(|engine| &engine.modules)
    }

    /// The modules of the plain build.
    pub fn modules(&self) -> &Modules {
        &self.plain.modules
    }

    /// The plain build in the shadow interpreter, made when first needed.
    fn shadowed(&self) -> Result<&ShadowEngine, ExecuteError> {
        let made = self.shadowed.get_or_init(|| {
            ShadowEngine::new(&self.plain.modules, self.limits()).map_err(|error| error.to_string())
        });
        made.as_ref().map_err(ExecuteError::new)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What built it.
    pub fn toolchain(&self) -> &str {
        &self.toolchain
    }

    /// The limits of a group.
    pub fn limits(&self) -> Limits {
        self.plain.config.limits
    }
}

/// The modules of one build, compiled.
struct Engine {
    modules: Modules,
    config: Config,
    compiled: Compiled,
    /// The same with static data restored before every run; compiled when first needed.
    isolated: OnceLock<Result<Compiled, String>>,
}

impl Engine {
    fn new(modules: Modules, config: Config) -> Result<Engine, ExecuteError> {
        let compiled = compile(&modules, &config)?;
        Ok(Engine { modules, config, compiled, isolated: OnceLock::new() })
    }

    fn isolated(&self) -> Result<&Compiled, ExecuteError> {
        let isolated = self.isolated.get_or_init(|| {
            let config = Config { isolate: true, ..self.config.clone() };
            compile(&self.modules, &config).map_err(|error| error.to_string())
        });
        isolated.as_ref().map_err(ExecuteError::new)
    }

    /// The word at which the blocks of each module begin: the relations' own first, then the programs'.
    fn words(&self) -> Vec<usize> {
        let programs = self.modules.programs.iter().map(|(_, module)| module);
        let mut begin = 0;
        let mut words = Vec::new();
        for module in std::iter::once(&self.modules.relations).chain(programs) {
            words.push(begin);
            begin += module.sites.blocks.len().div_ceil(64);
        }
        words.push(begin);
        words
    }
}

fn compile(modules: &Modules, config: &Config) -> Result<Compiled, ExecuteError> {
    let one = |module: &Arc<Module>| {
        let located = Arc::clone(module);
        let compiled = Compiled::new(&module.bytes, &module.sites, config).map_err(ExecuteError::new)?;
        Ok::<_, ExecuteError>(compiled.with_locator(Arc::new(move |offset| located.frames_at(offset))))
    };
    let mut compiled = one(&modules.relations)?;
    for (name, program) in &modules.programs {
        compiled = compiled.with_program(name, one(program)?);
    }
    Ok(compiled)
}

/// One relation of a WebAssembly subject.
pub struct WasmTarget<'a> {
    subject: &'a WasmSubject,
    relation: String,
    location: Option<Location>,
}

impl Target for WasmTarget<'_> {
    fn subject(&self) -> &str {
        &self.subject.name
    }

    fn relation(&self) -> &str {
        &self.relation
    }

    fn identity(&self) -> Hash {
        Hash::of([self.subject.identity.to_string().as_str(), &self.relation])
    }

    fn location(&self) -> Option<Location> {
        self.location.clone()
    }

    fn blocks(&self) -> Option<usize> {
        let modules = &self.subject.plain.modules;
        let programs = modules.programs.iter().map(|(_, module)| module);
        let all = std::iter::once(&modules.relations).chain(programs).map(|module| countable(module)).sum();
        Some(all).filter(|blocks| *blocks > 0)
    }

    fn executor(&self, build: Build) -> Result<Option<Box<dyn Executor + '_>>, ExecuteError> {
        let engine = match build {
            Build::Plain | Build::Watched => Some(&self.subject.plain),
            Build::Checked => self.subject.checked.as_ref(),
        };
        let Some(engine) = engine else { return Ok(None) };
        let relation = engine.compiled.relation(&self.relation).map_err(ExecuteError::new)?;
        let shadow = match build {
            Build::Plain => None,
            // Other languages than C and C++ have no checked build and need no watching.
            Build::Watched | Build::Checked if self.subject.checked.is_none() => None,
            Build::Watched | Build::Checked => Some(self.subject.shadowed()?.runner(&self.relation)?),
        };
        Ok(Some(Box::new(WasmExecutor {
            engine,
            shadow,
            relation,
            instance: engine.compiled.instance().map_err(ExecuteError::new)?,
            dictionary: &self.subject.dictionary,
            words: engine.words(),
            touched: Vec::new(),
            done: Done::default(),
        })))
    }
}

/// Blocks of the subject proper: those of the relations themselves say nothing about it.
fn countable(module: &Module) -> usize {
    let relations: Vec<u32> = module.relations.iter().map(|relation| relation.function).collect();
    let of_relation = |function: u32| {
        module.sites.functions.get(function as usize).is_some_and(|it| relations.contains(&it.index))
    };
    module.sites.blocks.iter().filter(|block| !of_relation(block.function)).count()
}

struct WasmExecutor<'a> {
    engine: &'a Engine,
    shadow: Option<ShadowRunner<'a>>,
    relation: RelationId,
    instance: Instance,
    dictionary: &'a [i64],
    words: Vec<usize>,
    touched: Vec<u64>,
    /// What the groups so far that ended by themselves did.
    done: Done,
}

/// Whether some group that ended by itself made a run, and whether some one checked something.
#[derive(Clone, Copy, Default)]
struct Done {
    groups: bool,
    runs: bool,
    checks: bool,
}

impl WasmExecutor<'_> {
    /// The blocks that the runs of the last group touched, in one numbering over all modules.
    fn collect(&mut self) {
        self.touched.clear();
        self.touched.resize(self.words.last().copied().unwrap_or_default(), 0);
        for run in self.instance.observation().runs() {
            let begin = self.words[run.program.map_or(0, |program| program + 1)];
            for (mine, theirs) in self.touched[begin..].iter_mut().zip(run.covered.words()) {
                *mine |= theirs;
            }
        }
    }

    /// A group that ended by itself, but ran or checked nothing, says nothing: it is discarded.
    fn judge(&mut self, verdict: Verdict) -> Verdict {
        let observation = self.instance.observation();
        let (runs, checks) = (!observation.runs().is_empty(), observation.checks > 0);
        match verdict {
            Verdict::Holds => {
                self.done.groups = true;
                self.done.runs |= runs;
                self.done.checks |= checks;
                if runs && checks { Verdict::Holds } else { Verdict::Discarded }
            }
            // An assumption failed before anything could be run.
            Verdict::Discarded => verdict,
            Verdict::Violated | Verdict::Crashed | Verdict::Timeout => {
                self.done = Done { groups: true, runs: true, checks: true };
                verdict
            }
        }
    }

    /// How a group ends in the shadow interpreter, where it ends differently: by a misuse of memory, or not at all within its work.
    fn watch(&mut self, ending: Ending, case: &Case) -> Result<Option<Ending>, ExecuteError> {
        let (Some(shadow), Verdict::Holds | Verdict::Violated) = (&mut self.shadow, ending.verdict) else {
            return Ok(None);
        };
        let mut replay = Replay::default();
        replay.begin(case);
        let observation = shadow.run(&mut replay)?;
        Ok(match observation.verdict {
            Verdict::Crashed if is_misuse(&observation) => {
                let place = observation.crash.as_ref().map_or(0, crash_place);
                Some(Ending { verdict: Verdict::Crashed, place })
            }
            Verdict::Timeout => Some(Ending { verdict: Verdict::Timeout, place: 0 }),
            _ => None,
        })
    }

    /// One group on the jit engine.
    fn run_fast(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
        let verdict =
            self.instance.run_group(self.relation, inputs, Detail::Verdict).map_err(ExecuteError::new)?;
        self.collect();
        let verdict = self.judge(verdict);
        Ok(self.ending(verdict))
    }

    fn ending(&self, verdict: Verdict) -> Ending {
        let observation = self.instance.observation();
        let place = match verdict {
            Verdict::Violated => {
                observation.check.as_ref().and_then(|it| it.location.as_ref()).map_or(0, |it| it.line)
            }
            Verdict::Crashed => observation.crash.as_ref().map_or(0, crash_place),
            _ => 0,
        };
        Ending { verdict, place }
    }
}

impl Executor for WasmExecutor<'_> {
    fn run(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
        let Some(shadow) = &mut self.shadow else { return self.run_fast(inputs) };
        let due = shadow.is_due();
        let mut recorder = Recorder::new(inputs);
        let ending = self.run_fast(&mut recorder)?;
        // A violation is always looked at: what seems wrong may come from memory that nobody has written.
        if !due && ending.verdict == Verdict::Holds {
            return Ok(ending);
        }
        Ok(self
            .watch(ending, &recorder.case())?
            .filter(|ending| ending.verdict == Verdict::Crashed)
            .unwrap_or(ending))
    }

    fn run_watched(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
        let mut recorder = Recorder::new(inputs);
        let ending = self.run_fast(&mut recorder)?;
        Ok(self.watch(ending, &recorder.case())?.unwrap_or(ending))
    }

    fn touched(&self) -> &[u64] {
        &self.touched
    }

    fn work(&self) -> u64 {
        self.instance.observation().work
    }

    fn slices(&self) -> Vec<Vec<u64>> {
        let slice = |run: &twinrun_jit::RunRecord| {
            let begin = self.words[run.program.map_or(0, |program| program + 1)];
            let mut slice = vec![0; self.words.last().copied().unwrap_or_default()];
            for (mine, theirs) in slice[begin..].iter_mut().zip(run.covered.words()) {
                *mine |= theirs;
            }
            slice
        };
        self.instance.observation().runs().iter().map(slice).collect()
    }

    fn explain(&mut self, case: &Case) -> Result<Explained, ExecuteError> {
        let mut replay = Replay::default();
        replay.begin(case);
        let verdict =
            self.instance.run_group(self.relation, &mut replay, Detail::Full).map_err(ExecuteError::new)?;
        let verdict = self.judge(verdict);
        let ending = self.ending(verdict);
        let observation = self.instance.observation();
        let words = &self.words;
        let coverage = observation
            .runs()
            .iter()
            .map(|run| {
                let begin = words[run.program.map_or(0, |program| program + 1)] as u32 * 64;
                run.covered.iter().map(|block| begin + block as u32).collect()
            })
            .collect();
        let runs: Vec<Run> = observation.runs().iter().map(|run| run.run.clone()).collect();
        let mut group = Group {
            case: replay.drawn(),
            verdict,
            runs,
            check: observation.check.clone(),
            crash: observation.crash.clone(),
            work: observation.work,
        };
        let dependent_runs = observation.statics_changed && group.runs.len() > 1 && {
            let mut isolated = self.engine.isolated()?.instance().map_err(ExecuteError::new)?;
            replay.begin(case);
            let verdict =
                isolated.run_group(self.relation, &mut replay, Detail::Verdict).map_err(ExecuteError::new)?;
            verdict != ending.verdict
        };
        if let (Some(shadow), Verdict::Holds | Verdict::Violated) = (&self.shadow, verdict) {
            replay.begin(case);
            let misuse = shadow.observe(&mut replay)?;
            if is_misuse(&misuse) {
                let runs = misuse.runs.into_iter().map(|record| record.run).collect();
                let Observation { verdict, crash, work, .. } = misuse;
                group = Group { verdict, crash, work, check: None, runs, ..group };
            }
        }
        Ok(Explained { group, coverage, dependent_runs })
    }

    fn vacuous(&self) -> Option<String> {
        let missing = match self.done {
            Done { groups: false, .. } | Done { runs: true, checks: true, .. } => return None,
            Done { runs: false, .. } => {
                "the relation makes no run of the subject, so that nothing is tested: write `RUN(call)` around each call of it"
            }
            Done { checks: false, .. } => {
                "the relation checks nothing, so that nothing is tested: write `CHECK` with a property between its runs"
            }
        };
        Some(missing.to_owned())
    }

    fn dictionary(&self) -> &[i64] {
        self.dictionary
    }
}

/// Tells crashes apart by line and kind.
fn crash_place(crash: &twinrun_base::Crash) -> u32 {
    let line = crash.location().map_or(0, |location| location.line);
    line * 32 + kind_number(&crash.kind)
}

/// A small number for each kind of crash.
fn kind_number(kind: &CrashKind) -> u32 {
    match kind {
        CrashKind::Unreachable => 1,
        CrashKind::OutOfBounds => 2,
        CrashKind::Division => 3,
        CrashKind::Conversion => 4,
        CrashKind::IndirectCall => 5,
        CrashKind::StackOverflow => 6,
        CrashKind::SignedOverflow => 7,
        CrashKind::IndexOutOfBounds => 8,
        CrashKind::NullPointer => 9,
        CrashKind::Shift => 10,
        CrashKind::PointerOverflow => 11,
        CrashKind::HeapOverrun => 12,
        CrashKind::UseAfterFree => 13,
        CrashKind::BadFree => 14,
        CrashKind::MemoryLimit => 15,
        CrashKind::OutputLimit => 16,
        CrashKind::Unsupported => 17,
        CrashKind::Signal => 18,
        CrashKind::Other(_) => 19,
        CrashKind::Uninitialised => 20,
        CrashKind::Exception => 21,
    }
}
