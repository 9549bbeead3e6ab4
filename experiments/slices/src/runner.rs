//! One instance of a program with its relations, as an executor.

use std::sync::Arc;

use twinrun_base::{Case, Inputs, Verdict};
use twinrun_jit::{Compiled, Config, Detail, Instance, RelationId};
use twinrun_subject::Module;
use twinrun_testing::engine::Modules;
use twinrun_testing::executor::{Ending, ExecuteError, Executor, Explained};

/// Compiles a program with its relations; the relations may be compiled already.
pub(crate) fn compile(
    modules: &Modules,
    relations: Option<&Compiled>,
    config: &Config,
) -> Result<Compiled, ExecuteError> {
    let one =
        |module: &Arc<Module>| Compiled::new(&module.bytes, &module.sites, config).map_err(ExecuteError::new);
    let mut compiled = match relations {
        Some(relations) => relations.clone(),
        None => one(&modules.relations)?,
    };
    for (name, program) in &modules.programs {
        compiled = compiled.with_program(name, one(program)?);
    }
    Ok(compiled)
}

/// Runs groups of one relation after another.
pub(crate) struct Runner {
    pub(crate) instance: Instance,
    relation: RelationId,
    /// The word at which the program's blocks begin, and the number of words.
    words: (usize, usize),
    touched: Vec<u64>,
}

impl Runner {
    pub(crate) fn new(compiled: &Compiled) -> Result<Runner, ExecuteError> {
        let begin = compiled.sites().blocks.len().div_ceil(64);
        let program = compiled.programs().first().map_or(0, |it| it.1.sites().blocks.len().div_ceil(64));
        let instance = compiled.instance().map_err(ExecuteError::new)?;
        Ok(Runner { instance, relation: RelationId(0), words: (begin, begin + program), touched: Vec::new() })
    }

    /// Chooses the relation.
    pub(crate) fn relation(&mut self, name: &str) -> Result<(), ExecuteError> {
        self.relation = self.instance.compiled().relation(name).map_err(ExecuteError::new)?;
        Ok(())
    }

    /// Runs a group.
    pub(crate) fn group(&mut self, inputs: &mut dyn Inputs, detail: Detail) -> Result<Verdict, ExecuteError> {
        self.instance.run_group(self.relation, inputs, detail).map_err(ExecuteError::new)
    }
}

impl Executor for Runner {
    fn run(&mut self, inputs: &mut dyn Inputs) -> Result<Ending, ExecuteError> {
        let verdict = self.group(inputs, Detail::Verdict)?;
        let check = self.instance.observation().check.as_ref();
        let place = check.and_then(|it| it.location.as_ref()).map_or(0, |it| it.line);
        Ok(Ending { verdict, place })
    }

    fn touched(&self) -> &[u64] {
        &self.touched
    }

    fn slices(&self) -> Vec<Vec<u64>> {
        let (begin, all) = self.words;
        let slice = |run: &twinrun_jit::RunRecord| {
            let mut slice = vec![0; all];
            let words = slice[if run.program.is_some() { begin } else { 0 }..].iter_mut();
            words.zip(run.covered.words()).for_each(|(mine, theirs)| *mine = *theirs);
            slice
        };
        self.instance.observation().runs().iter().map(slice).collect()
    }

    fn explain(&mut self, _: &Case) -> Result<Explained, ExecuteError> {
        Err(ExecuteError::new("the study explains nothing"))
    }
}
