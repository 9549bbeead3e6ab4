//! An exploration cut into parts that are explored apart, each by an engine of its own.

use std::rc::Rc;

use twinrun_base::Case;

use crate::engine::{Engine, Error};
use crate::explorer::{Config, Explorer, Item, Parent, Strategy};
use crate::host::Source;
use crate::path::Path;

/// All paths that begin like one path.
#[derive(Clone, Debug)]
pub struct Part {
    /// Inputs of that path.
    pub case: Case,
    /// How many of its conditions all of them share.
    from: usize,
}

impl Explorer {
    /// The exploration of a part; the engine must be of the same relation.
    pub fn of_part(engine: Engine, solver: twinrun_solve::Solver, config: Config, part: &Part) -> Self {
        let mut explorer = Explorer::new(engine, solver, config, Source::Case(part.case.clone()));
        explorer.first_from = part.from;
        explorer
    }

    /// Explores until at least so many branches are open, and gives all that is left as parts. Paths on the way go to `each`.
    ///
    /// # Errors
    /// When the relation cannot be run.
    pub fn parts(&mut self, least: usize, each: &mut dyn FnMut(&Explorer, Path)) -> Result<Vec<Part>, Error> {
        let strategy = std::mem::replace(&mut self.config.strategy, Strategy::BreadthFirst);
        while self.queue.len() < least {
            let Some(path) = self.next_path()? else { break };
            each(self, path);
        }
        self.config.strategy = strategy;
        let mut parts = Vec::new();
        while !self.stopped() {
            let Some(item) = self.queue.pop_front() else { break };
            let Some(model) = self.inputs(&item) else { continue };
            let path = self.engine.run(Source::Model(model))?;
            if !item.is_followed_by(&path) {
                self.coverage.diverged += 1;
                continue;
            }
            parts
                .push(Part { case: path.case(&self.engine.domain.terms, &path.model), from: item.index + 1 });
            let mut excluded = item.excluded;
            excluded.push(item.parent.conditions[item.index].term);
            let negated = self.engine.domain.terms.not(excluded[0]);
            if excluded.len() > 1 || path.conditions[item.index].term != negated {
                // Further outcomes of the same condition are parts of their own.
                let parent = Rc::new(Parent { conditions: path.conditions, model: path.model });
                self.queue.push_back(Item { parent, excluded, ..item });
            }
        }
        Ok(parts)
    }
}
