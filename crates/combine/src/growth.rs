//! How coverage grows with every row: what a suite gives that is cut short.

use crate::check::for_each_choice;
use crate::model::Model;

/// Cells that are looked at before growth is not worth its time.
const MOST: usize = 200_000_000;

/// How many combinations the first rows cover, for each number of rows; nothing when that would take too long. As in the
/// checker, a combination of valid values counts only in a row without an invalid one.
pub fn growth(model: &Model, rows: &[Vec<usize>], strength: usize) -> Option<Vec<usize>> {
    let mut groups: Vec<(Vec<usize>, usize)> = vec![((0..model.parameters.len()).collect(), strength)];
    groups.extend(model.mixed.iter().map(|mixed| (mixed.parameters.clone(), mixed.strength)));
    let cells = groups.iter().try_fold(0usize, |sum, (parameters, strength)| {
        choices(parameters.len(), *strength)?.checked_mul(rows.len() * strength)?.checked_add(sum)
    });
    if cells.is_none_or(|cells| cells > MOST) {
        return None;
    }
    let invalid = |parameter: usize, value: usize| model.parameters[parameter].values[value].invalid;
    let masked: Vec<bool> =
        rows.iter().map(|row| row.iter().enumerate().any(|(at, &value)| invalid(at, value))).collect();
    let mut new = vec![0; rows.len()];
    let mut seen: Vec<bool> = Vec::new();
    for (parameters, strength) in &groups {
        for_each_choice(parameters, *strength, &mut |chosen| {
            let size = |parameter: usize| model.parameters[parameter].values.len();
            seen.clear();
            seen.resize(chosen.iter().map(|&parameter| size(parameter)).product(), false);
            for (at, row) in rows.iter().enumerate() {
                if masked[at] && !chosen.iter().any(|&parameter| invalid(parameter, row[parameter])) {
                    continue;
                }
                let index =
                    chosen.iter().fold(0, |index, &parameter| index * size(parameter) + row[parameter]);
                new[at] += usize::from(!std::mem::replace(&mut seen[index], true));
            }
        });
    }
    let mut covered = 0;
    Some(
        new.into_iter()
            .map(|new: usize| {
                covered += new;
                covered
            })
            .collect(),
    )
}

/// How many ways there are to choose some of several.
fn choices(of: usize, some: usize) -> Option<usize> {
    (0..some).try_fold(1usize, |all, at| Some(all.checked_mul(of.checked_sub(at)?)? / (at + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::read_pict;

    #[test]
    fn the_last_row_covers_what_the_checker_counts() {
        let model = read_pict("A: 1, 2\nB: x, y, ~z\nC: 1, 2\n").unwrap();
        let rows = vec![vec![0, 0, 0], vec![1, 1, 1], vec![0, 1, 0], vec![1, 2, 1], vec![0, 0, 0]];
        let growth = growth(&model, &rows, 2).unwrap();
        assert_eq!(growth, [3, 6, 8, 10, 10]);
        assert_eq!(growth[4], crate::verify(&model, &rows, 2).unwrap().covered);
    }
}
