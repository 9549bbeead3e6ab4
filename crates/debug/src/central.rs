//! From where the suspected branches are nearest: the place to name first.
//!
//! Relations are weak oracles: often several places could hold the fault, and nothing tells them apart. Whoever follows a report
//! starts at the branch that is named first and looks around it; so the branch is named from which the way to the fault is
//! shortest on average, where being there at once counts for itself.

/// What one branch statement on the way costs against starting at the wrong one.
const STEP: f64 = 0.2;

/// Where the fault may be, and how likely.
pub(crate) struct Suspect {
    /// Its places on the trace.
    pub(crate) places: Vec<usize>,
    /// How likely it is.
    pub(crate) likely: f64,
}

/// Of some places of a trace that with the least expected way to the fault, among equals the first. `statements` are the
/// statements of the trace's branches, numbered from 0.
pub(crate) fn central(statements: &[usize], suspects: &[Suspect], places: &[usize]) -> Option<usize> {
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); statements.len()];
    for (number, suspect) in suspects.iter().enumerate() {
        for &place in &suspect.places {
            if let Some(here) = at.get_mut(place) {
                here.push(number);
            }
        }
    }
    let kinds = statements.iter().max().map_or(0, |most| most + 1);
    let mut best: Option<(f64, usize)> = None;
    let mut ways = vec![u32::MAX; suspects.len()];
    let mut seen = vec![usize::MAX; kinds];
    for (turn, &place) in places.iter().filter(|place| **place < statements.len()).enumerate() {
        ways.fill(u32::MAX);
        at[place].iter().for_each(|&suspect| ways[suspect] = 0);
        walk(place + 1..statements.len(), statements, &at, &mut ways, &mut seen, 2 * turn);
        walk((0..place).rev(), statements, &at, &mut ways, &mut seen, 2 * turn + 1);
        let cost = |(way, suspect): (&u32, &Suspect)| match *way {
            0 | u32::MAX => 0.0,
            way => suspect.likely * (1.0 + STEP * f64::from(way)),
        };
        let cost: f64 = ways.iter().zip(suspects).map(cost).sum();
        if best.is_none_or(|(least, _)| cost + 1e-9 < least) {
            best = Some((cost, place));
        }
    }
    best.map(|(_, place)| place)
}

/// Counts the different statements on the way to each suspect.
fn walk(
    along: impl Iterator<Item = usize>,
    statements: &[usize],
    at: &[Vec<usize>],
    ways: &mut [u32],
    seen: &mut [usize],
    turn: usize,
) {
    let mut different = 0u32;
    for place in along {
        if seen[statements[place]] != turn {
            seen[statements[place]] = turn;
            different += 1;
        }
        at[place].iter().for_each(|&suspect| ways[suspect] = ways[suspect].min(different));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(statements: &[usize], suspects: &[(&[usize], f64)], first: &[usize], expected: usize) {
        let suspects: Vec<Suspect> = suspects
            .iter()
            .map(|(places, likely)| Suspect { places: places.to_vec(), likely: *likely })
            .collect();
        assert_eq!(central(statements, &suspects, first), Some(expected));
    }

    #[test]
    fn a_clear_suspect_is_named_itself() {
        check(&[0, 1, 2, 3, 4], &[(&[0], 0.1), (&[1], 0.1), (&[4], 0.8)], &[0, 1, 4], 4);
    }

    #[test]
    fn among_equal_suspects_the_one_in_the_middle_is_named() {
        check(&[0, 1, 2, 3, 4], &[(&[0], 0.34), (&[2], 0.33), (&[4], 0.33)], &[0, 2, 4], 2);
    }

    #[test]
    fn only_the_places_of_a_suspect_count_not_all_of_its_statement() {
        check(&[0, 1, 0, 1], &[(&[3], 1.0)], &[1, 3], 3);
    }

    #[test]
    fn the_first_place_wins_among_equals() {
        check(&[0, 1, 0, 1], &[(&[0, 2], 0.5), (&[1, 3], 0.5)], &[3, 0], 3);
    }
}
