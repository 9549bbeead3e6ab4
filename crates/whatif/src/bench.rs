//! Groups under edits: the module with all edits, one of them switched on.

use twinrun_base::{Case, Inputs, Limits, Verdict};
use twinrun_jit::{Compiled, Config, Detail, Instance};
use twinrun_subject::Module;
use twinrun_testing::engine::Modules;
use twinrun_testing::executor::ExecuteError;
use twinrun_testing::replay::Replay;

/// How a group ended and what it answered: what its checks compared, and what whole programs printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How it ended. A group that ran or checked nothing is discarded.
    pub verdict: Verdict,
    /// What was compared, then hashes of what was named and printed.
    pub values: Vec<u64>,
    /// How many of these were compared.
    pub compared: usize,
    /// The work that it took.
    pub work: u64,
}

impl Answer {
    /// What checks compared.
    pub fn compared_values(&self) -> &[u64] {
        &self.values[..self.compared]
    }
}

/// A module, ready to run groups.
pub struct Bench {
    /// The module with the edits: the program where there is one.
    switched: Compiled,
    relations: Compiled,
    instance: Instance,
    replay: Replay,
}

impl Bench {
    /// Compiles the modules.
    ///
    /// # Errors
    /// When a module is not valid.
    pub fn new(modules: &Modules, limits: Limits) -> Result<Bench, ExecuteError> {
        let config = Config { limits, coverage: false, operands: true, ..Config::default() };
        let compile =
            |module: &Module| Compiled::new(&module.bytes, &module.sites, &config).map_err(ExecuteError::new);
        let mut relations = compile(&modules.relations)?;
        let mut switched = relations.clone();
        for (index, (name, program)) in modules.programs.iter().enumerate() {
            let program = compile(program)?;
            if index == 0 {
                switched = program.clone();
            }
            relations = relations.with_program(name, program);
        }
        let instance = relations.instance().map_err(ExecuteError::new)?;
        Ok(Bench { switched, relations, instance, replay: Replay::default() })
    }

    /// Switches on the edit with this index, and the one before off.
    pub fn switch(&self, edit: Option<usize>) {
        self.switched.activate(edit);
    }

    /// Runs a case of a relation.
    ///
    /// # Errors
    /// When the engine cannot answer.
    pub fn run(&mut self, relation: &str, case: &Case) -> Result<Answer, ExecuteError> {
        let mut replay = std::mem::take(&mut self.replay);
        replay.begin(case);
        let answer = self.draw(relation, &mut replay);
        self.replay = replay;
        answer
    }

    /// Runs a group with inputs as they come.
    ///
    /// # Errors
    /// When the engine cannot answer.
    pub fn draw(&mut self, relation: &str, inputs: &mut dyn Inputs) -> Result<Answer, ExecuteError> {
        let relation = self.relations.relation(relation).map_err(ExecuteError::new)?;
        let verdict = self.instance.run_group(relation, inputs, Detail::Full).map_err(ExecuteError::new)?;
        let observation = self.instance.observation();
        let mut values = observation.operands.clone();
        let compared = values.len();
        for outputs in observation.runs().iter().map(|run| &run.run.outputs).filter(|it| !it.is_empty()) {
            values.push(number_of(format!("{outputs:?}").as_bytes()));
        }
        for program in observation.runs().iter().filter_map(|run| run.run.program.as_ref()) {
            values.push(u64::from(program.exit as u32));
            values.push(number_of(&program.stdout));
        }
        let vacuous = verdict == Verdict::Holds && (observation.runs().is_empty() || observation.checks == 0);
        let verdict = if vacuous { Verdict::Discarded } else { verdict };
        Ok(Answer { verdict, values, compared, work: observation.work })
    }
}

fn number_of(bytes: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hasher::write(&mut hasher, bytes);
    std::hash::Hasher::finish(&hasher)
}
