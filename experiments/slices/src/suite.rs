//! The groups of a program: drawn once on the correct version, so that every fault is judged on the same cases.

use std::rc::Rc;

use twinrun_base::{Case, Hash, ProgramRun, Rng, Verdict};
use twinrun_jit::{Compiled, Config, Detail};
use twinrun_testing::engine::Modules;
use twinrun_testing::executor::ExecuteError;
use twinrun_testing::generate::Generator;
use twinrun_testing::replay::Replay;

use crate::runner::{Runner, compile};

/// Relation, case, and for each run what it was given and what it answered.
pub(crate) type SuiteGroup = (usize, Case, Vec<(Hash, Hash)>);

/// The cases of a program, with what the correct version answers.
pub(crate) struct Suite {
    /// The modules of the correct version.
    pub(crate) modules: Modules,
    /// The correct version itself, to ask it about inputs that no run of it had.
    pub(crate) correct: Compiled,
    /// The relations.
    pub(crate) relations: Vec<String>,
    /// Relation, case and what the correct runs were given and answered.
    pub(crate) groups: Vec<SuiteGroup>,
    /// The work of the hardest group.
    pub(crate) work: u64,
    /// Groups of the correct version that are violated: there should be none.
    pub(crate) violated: usize,
}

/// What a run was given and what it answered.
pub(crate) fn asked_and_answered(run: &ProgramRun) -> (Hash, Hash) {
    let mut asked: Vec<&[u8]> = run.arguments.iter().map(Vec::as_slice).collect();
    asked.push(&run.stdin);
    (Hash::of(asked), Hash::of([&run.exit.to_le_bytes()[..], &run.stdout]))
}

impl Suite {
    /// Draws `groups` groups of each relation.
    pub(crate) fn new(modules: Modules, groups: usize, seed: u64) -> Result<Suite, ExecuteError> {
        let relations: Vec<String> =
            modules.relations.relations.iter().map(|relation| relation.name.clone()).collect();
        let compiled = compile(&modules, None, &Config::default())?;
        let correct = compiled.programs()[0].1.clone();
        let mut suite = Suite { modules, correct, relations, groups: Vec::new(), work: 0, violated: 0 };
        let mut runner = Runner::new(&compiled)?;
        for relation in 0..suite.relations.len() {
            runner.relation(&suite.relations[relation])?;
            let mut generator = Generator::new(Rng::fork(seed, relation as u64), &[]);
            let mut corpus: Vec<Rc<Case>> = Vec::new();
            let mut seen = twinrun_jit::Bits::default();
            let mut drawn = 0;
            for _ in 0..groups * 20 {
                if drawn == groups {
                    break;
                }
                generator.begin(&corpus);
                let verdict = runner.group(&mut generator, Detail::Full)?;
                suite.violated +=
                    usize::from(matches!(verdict, Verdict::Violated | Verdict::Crashed | Verdict::Timeout));
                if verdict != Verdict::Holds {
                    continue;
                }
                drawn += 1;
                let observation = runner.instance.observation();
                suite.work = suite.work.max(observation.work);
                let mut novel = false;
                let mut answers = Vec::new();
                for run in observation.runs() {
                    novel |= seen.union_with(&run.covered);
                    answers.extend(run.run.program.as_ref().map(asked_and_answered));
                }
                let case = generator.case();
                if novel {
                    corpus.push(Rc::new(case.clone()));
                }
                suite.groups.push((relation, case, answers));
            }
        }
        Ok(suite)
    }

    /// What the correct version answers to the question of a run.
    pub(crate) fn answer(&self, run: &ProgramRun) -> Result<Hash, ExecuteError> {
        let (_, run) = self.correct.run_program(&run.arguments, &run.stdin).map_err(ExecuteError::new)?;
        Ok(asked_and_answered(&run).1)
    }

    /// Replays a group's case.
    pub(crate) fn replay(&self, group: usize, replay: &mut Replay) {
        replay.begin(&self.groups[group].1);
    }
}
