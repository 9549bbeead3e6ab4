//! The independent checker: takes any array, ours or another tool's, and tells which rows break which
//! constraint and which feasible tuples no row covers. It shares neither tables nor compiled rules with
//! generation: rows are judged by the constraints as written, tuples are counted in plain arrays.

use crate::error::Error;
use crate::expression::{Rows, possible};
use crate::feasible::Feasibility;
use crate::model::Model;
use crate::space::{Invalid, Space};

/// What the checker found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// Rows that break a constraint: the row's index and the constraint's.
    pub broken: Vec<(usize, usize)>,
    /// Rows with two invalid values.
    pub mixed_invalid: Vec<usize>,
    /// Feasible tuples that no row covers, up to as many as were asked for: parameter and value pairs.
    pub missing: Vec<Vec<(usize, usize)>>,
    /// How many of these are listed at most.
    pub listed: usize,
    /// How many feasible tuples no row covers.
    pub missing_count: usize,
    /// How many tuples the rows cover.
    pub covered: usize,
    /// How many tuples cannot occur.
    pub infeasible: usize,
}

impl Verification {
    /// So many missing tuples are listed when nobody asks for another number.
    pub const SHOWN: usize = 20;

    /// Whether every row is valid and nothing is missing.
    pub fn complete(&self) -> bool {
        self.broken.is_empty() && self.mixed_invalid.is_empty() && self.missing_count == 0
    }
}

/// Checks an array at a strength, and at the mixed strengths of the model.
///
/// # Errors
/// When the model contradicts itself or the strength makes no sense.
pub fn verify(model: &Model, rows: &[Vec<usize>], strength: usize) -> Result<Verification, Error> {
    verify_listing(model, rows, strength, Verification::SHOWN)
}

/// The same, with up to so many missing combinations listed.
///
/// # Errors
/// As [`verify`].
pub fn verify_listing(
    model: &Model,
    rows: &[Vec<usize>],
    strength: usize,
    listed: usize,
) -> Result<Verification, Error> {
    model.check_strength(strength, model.parameters.len())?;
    let mut result = Verification { listed, ..Verification::default() };
    let invalid_cells =
        |row: &[usize]| row.iter().zip(&model.parameters).filter(|(v, p)| p.values[**v].invalid).count();
    for (at, row) in rows.iter().enumerate() {
        let cells = Rows { parameters: &model.parameters, rows: &[row] };
        for (index, constraint) in model.constraints.iter().enumerate() {
            if !possible(&constraint.expression, true, &cells) {
                result.broken.push((at, index));
            }
        }
        if invalid_cells(row) > 1 {
            result.mixed_invalid.push(at);
        }
    }
    // Tuples of valid values count only in rows without an invalid one: an invalid input may mask them.
    let clean: Vec<&[usize]> = rows.iter().map(Vec::as_slice).filter(|row| invalid_cells(row) == 0).collect();
    let space = Space::new(model, Invalid::Never)?;
    let everything: Vec<usize> = (0..model.parameters.len()).collect();
    let mut groups = vec![(everything, strength)];
    groups.extend(model.mixed.iter().map(|mixed| (mixed.parameters.clone(), mixed.strength)));
    let mut feasibility = Feasibility::new(&space);
    for (parameters, strength) in &groups {
        check_group(model, &space, &mut feasibility, &clean, parameters, *strength, None, &mut result);
    }
    let invalid = |&(parameter, value): &(usize, usize)| model.parameters[parameter].values[value].invalid;
    if model.parameters.iter().any(|parameter| parameter.values.iter().any(|value| value.invalid)) {
        // What has an invalid value, or can only occur beside one, is covered by any row.
        let every: Vec<&[usize]> = rows.iter().map(Vec::as_slice).collect();
        let with = Space::new(model, Invalid::AtMostOne)?;
        let mut possible = Feasibility::new(&with);
        let mut place = vec![0; space.order.len()];
        space.order.iter().enumerate().for_each(|(at, &parameter)| place[parameter] = at);
        for (parameters, strength) in &groups {
            let judged = &mut |tuple: &[(usize, usize)]| {
                let ids: Vec<u32> = tuple.iter().map(|&(p, v)| space.first[place[p]] + v as u32).collect();
                tuple.iter().any(invalid) || feasibility.row(&ids).is_none()
            };
            check_group(
                model,
                &with,
                &mut possible,
                &every,
                parameters,
                *strength,
                Some(judged),
                &mut result,
            );
        }
    }
    Ok(result)
}

/// Which combinations of parameter and value pairs a check is about; all of them without it.
type Judged<'a> = Option<&'a mut dyn FnMut(&[(usize, usize)]) -> bool>;

#[expect(clippy::too_many_arguments, reason = "one call site each for valid and invalid values")]
fn check_group(
    model: &Model,
    space: &Space,
    feasibility: &mut Feasibility<'_>,
    rows: &[&[usize]],
    parameters: &[usize],
    strength: usize,
    mut judged: Judged<'_>,
    result: &mut Verification,
) {
    // Column by column: with a thousand parameters, the cells of a few columns lie close together, those of rows do not.
    let column = |parameter: usize| rows.iter().map(|row| row[parameter] as u32).collect();
    let columns: Vec<Vec<u32>> = (0..model.parameters.len()).map(column).collect();
    let mut indexes: Vec<usize> = vec![0; rows.len()];
    let mut place = vec![0; space.order.len()];
    space.order.iter().enumerate().for_each(|(at, &parameter)| place[parameter] = at);
    let size = |parameter: usize| model.parameters[parameter].values.len();
    let mut seen: Vec<bool> = Vec::new();
    for_each_choice(parameters, strength, &mut |chosen| {
        let product: usize = chosen.iter().map(|&parameter| size(parameter)).product();
        seen.clear();
        seen.resize(product, false);
        indexes.fill(0);
        for &parameter in chosen {
            let size = size(parameter);
            indexes
                .iter_mut()
                .zip(&columns[parameter])
                .for_each(|(index, &value)| *index = *index * size + value as usize);
        }
        indexes.iter().for_each(|&index| seen[index] = true);
        for (index, covered) in seen.iter().enumerate() {
            if *covered && judged.is_none() {
                result.covered += 1;
                continue;
            }
            let mut rest = index;
            let mut tuple: Vec<(usize, usize)> = Vec::with_capacity(strength);
            for &parameter in chosen.iter().rev() {
                tuple.push((parameter, rest % size(parameter)));
                rest /= size(parameter);
            }
            tuple.reverse();
            if judged.as_mut().is_some_and(|judged| !judged(&tuple)) {
                continue;
            }
            if *covered {
                result.covered += 1;
                continue;
            }
            let ids: Vec<u32> = tuple
                .iter()
                .map(|&(parameter, value)| space.first[place[parameter]] + value as u32)
                .collect();
            if feasibility.row(&ids).is_none() {
                result.infeasible += 1;
                continue;
            }
            result.missing_count += 1;
            if result.missing.len() < result.listed {
                result.missing.push(tuple);
            }
        }
    });
}

/// Visits all ways to choose `size` of the items.
pub(crate) fn for_each_choice(items: &[usize], size: usize, visit: &mut impl FnMut(&[usize])) {
    let mut at: Vec<usize> = (0..size).collect();
    if size > items.len() {
        return;
    }
    let mut chosen: Vec<usize> = items[..size].to_vec();
    loop {
        visit(&chosen);
        let Some(moved) = (0..size).rev().find(|&i| at[i] + size - i < items.len()) else { return };
        at[moved] += 1;
        for i in moved + 1..size {
            at[i] = at[i - 1] + 1;
        }
        for i in moved..size {
            chosen[i] = items[at[i]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::read_pict;

    #[test]
    fn missing_tuples_and_broken_rows_are_found() {
        let model = read_pict("A: 0, 1\nB: 0, 1\nC: 0, 1\n[A] <> 1 OR [B] <> 1;\n").unwrap();
        let rows = vec![vec![0, 0, 0], vec![0, 1, 1], vec![1, 0, 1], vec![1, 1, 0]];
        let result = verify(&model, &rows, 2).unwrap();
        assert_eq!(result.broken, [(3, 0)]);
        assert_eq!(result.missing_count, 0);
        let result = verify(&model, &rows[..3], 2).unwrap();
        assert_eq!(result.infeasible, 1);
        assert_eq!(result.missing, [vec![(0, 1), (2, 0)], vec![(1, 1), (2, 0)]]);
    }

    #[test]
    fn choices_are_all_and_once() {
        let mut all = Vec::new();
        for_each_choice(&[1, 2, 3, 4], 2, &mut |chosen| all.push(chosen.to_vec()));
        assert_eq!(all.len(), 6);
        assert_eq!(all[5], [3, 4]);
    }
}
