//! Fresh groups of a relation that contain a combination of values: to see whether the combination suffices for a failure.

use super::concrete::concretise;
use super::matcher::Group;
use super::relation::{Abstract, Test};
use crate::error::Error;
use crate::feasible::Feasibility;
use crate::model::Model;
use crate::propagate::Propagator;
use crate::random::Random;
use crate::space::{Invalid, Space};

/// Up to `count` groups, each with its tests in the order of the runs; run `run` has all the values of `fixed` (parameter
/// and value), everything else is drawn anew for each group.
///
/// # Errors
/// As generation.
pub fn fresh_groups(
    model: &Model,
    relation: usize,
    run: usize,
    fixed: &[(usize, usize)],
    count: usize,
    seed: u64,
) -> Result<Vec<Vec<Test>>, Error> {
    let space = Space::new(model, Invalid::Never)?;
    let relations = Abstract::new(model, &space)?;
    let mut random = Random::new(seed);
    let mut propagator = Propagator::new(&space);
    let mut feasibility = Feasibility::new(&space);
    let mut cells = vec![None; model.parameters.len()];
    fixed.iter().for_each(|&(parameter, value)| cells[parameter] = Some(value));
    let values: Vec<u32> = space.ids_of(&cells).into_iter().flatten().collect();
    let mut found = Vec::new();
    for _ in 0..count * TRIES {
        if found.len() == count {
            break;
        }
        let row = propagator.random_row_with(&values, &mut random).or_else(|| feasibility.row(&values));
        let Some(row) = row else { break };
        let backwards = run == 1 && relations.relations[relation].0 == 2;
        let partners = relations.partners(relation, &row, backwards, &mut random);
        if partners.is_empty() {
            continue;
        }
        let chosen = &partners[random.below(partners.len())];
        let mut rows: Vec<Vec<usize>> = chosen.iter().map(|row| space.to_model(row)).collect();
        rows.insert(if backwards { 1 } else { 0 }, space.to_model(&row));
        let group = Group { relation, tests: (0..rows.len()).collect() };
        let stage = concretise(model, &rows, &[group], &mut random);
        if stage.solved == 1 {
            found.push(stage.tests);
        }
    }
    Ok(found)
}

/// Rows tried for each group wanted.
const TRIES: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::matches;
    use crate::readers::read_toml;

    #[test]
    fn fresh_groups_have_the_values_and_satisfy_the_rule() {
        let model = read_toml(
            "[[parameters]]\nname = \"a\"\nvalues = [{ name = \"few\", range = \"[0,4]\" }, { name = \"many\", range = \"[5,9]\" }]\n\
             [[parameters]]\nname = \"b\"\nrange = [0, 5]\n\
             [[relations]]\nname = \"more\"\ninput = \"follow.a = source.a + 1\"\n",
        )
        .unwrap();
        for run in 0..2 {
            let groups = fresh_groups(&model, 0, run, &[(1, 3)], 5, 9).unwrap();
            assert_eq!(groups.len(), 5);
            for tests in groups {
                assert_eq!(tests[run].row[1], 3);
                assert!(matches(&model, &tests).iter().any(|group| group.tests == [0, 1]));
            }
        }
    }
}
