//! How far correctness carries: the inputs that proved relations reach from those of a condition, as conditions again.
//!
//! A condition is a conjunction of linear comparisons over the coordinates of an input. Moves with constants (permutations, complements) are applied to it
//! until nothing new comes; of a translation by a number that a relation draws, the number is eliminated (Fourier and Motzkin), which is exact over the
//! integers because its factor is one.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// More conjunctions than this are not looked at, and fewer where numbers that relations draw are in them.
const MOST: usize = 5040;
const MOST_SHIFTED: usize = 400;
/// A conjunction of more comparisons is not taken further.
const MOST_ATOMS: usize = 64;

/// How the last run's input is made of the first one's: `y[i] = sign[i]·x[place[i]] + offset[i] + shift[i]·k`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Which coordinate of the first run each one comes from: every one exactly once.
    pub places: Vec<usize>,
    /// 1 or -1.
    pub signs: Vec<i64>,
    /// What is added.
    pub offsets: Vec<i64>,
    /// What the parameter is multiplied with.
    pub shifts: Vec<i64>,
    /// The number that the relation draws besides, and its range.
    pub parameter: Option<(String, i64, i64)>,
    /// What all is multiplied with: a number of at least 2, or the parameter; then nothing is added.
    pub factor: Option<Factor>,
}

/// What an input is multiplied with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Factor {
    /// A number.
    Constant(i64),
    /// The parameter.
    Parameter,
}

impl Move {
    /// A permutation and nothing else.
    pub fn permutation(places: Vec<usize>) -> Move {
        let n = places.len();
        Move {
            places,
            signs: vec![1; n],
            offsets: vec![0; n],
            shifts: vec![0; n],
            parameter: None,
            factor: None,
        }
    }

    /// Whether nothing but constants is in it, and each input of a range becomes one of it.
    pub(crate) fn is_closed(&self, ranges: &[Option<(i64, i64)>]) -> bool {
        self.factor.is_none()
            && self.parameter.is_none()
            && (0..self.places.len()).all(|i| match (ranges[self.places[i]], ranges[i]) {
                (Some((lo, hi)), Some((least, greatest))) => {
                    let ends = [lo, hi]
                        .map(|end| i128::from(end) * i128::from(self.signs[i]) + i128::from(self.offsets[i]));
                    let inside = |end: i128| (i128::from(least)..=i128::from(greatest)).contains(&end);
                    ends.into_iter().all(inside)
                }
                (None, None) => self.offsets[i] == 0,
                _ => false,
            })
    }

    /// What becomes of a concrete input.
    pub(crate) fn apply(&self, input: &[i64]) -> Option<Vec<i64>> {
        let one = |i: usize| input[self.places[i]].checked_mul(self.signs[i])?.checked_add(self.offsets[i]);
        (0..self.places.len()).map(one).collect()
    }
}

/// How an atom compares its sum with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Compares {
    /// At most zero.
    AtMost,
    /// Less than zero: of doubles.
    Less,
    Equal,
    Different,
}

/// A linear comparison: the sum of factors times coordinates, plus a constant, against zero.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Atom {
    pub(crate) factors: Vec<i64>,
    pub(crate) constant: i64,
    pub(crate) compares: Compares,
}

/// A conjunction.
pub(crate) type Class = BTreeSet<Atom>;

/// What moves make of a condition.
pub(crate) struct Reached {
    /// Alternatives.
    pub(crate) classes: Vec<Class>,
    /// Whether a class could not be taken further: the alternatives are right, and there may be more.
    pub(crate) cut: bool,
}

/// All that moves reach from a class. Moves with a factor are left to the caller.
pub(crate) fn reach(class: &Class, moves: &[&Move], ranges: &[Option<(i64, i64)>]) -> Reached {
    let mut classes = vec![class.clone()];
    let mut seen: BTreeSet<Class> = classes.iter().cloned().collect();
    let mut cut = false;
    let shifted = moves.iter().any(|step| step.parameter.is_some());
    let most = if shifted { MOST_SHIFTED } else { MOST };
    let mut next = 0;
    while next < classes.len() {
        for step in moves.iter().filter(|step| step.factor.is_none()) {
            let images = image(&classes[next], step, ranges);
            cut |= images.is_none();
            for image in images.into_iter().flatten() {
                if seen.len() >= most {
                    return Reached { classes, cut: true };
                }
                if seen.insert(image.clone()) {
                    classes.push(image);
                }
            }
        }
        next += 1;
    }
    Reached { classes, cut }
}

/// The classes of all inputs that one application of a move makes of a class; none when that cannot be said in this form.
fn image(class: &Class, step: &Move, ranges: &[Option<(i64, i64)>]) -> Option<Vec<Class>> {
    let n = step.places.len();
    // x[place[i]] = sign[i]·(y[i] − offset[i] − shift[i]·k).
    let mut atoms: Vec<(Vec<i64>, i64, i64, Compares)> = Vec::new();
    let mut put = |factors: &[i64], constant: i64, compares: Compares| -> Option<()> {
        let mut own = vec![0i64; n];
        let (mut shift, mut rest) = (0i64, constant);
        for i in 0..n {
            let factor = factors[step.places[i]].checked_mul(step.signs[i])?;
            own[i] = factor;
            rest = rest.checked_sub(factor.checked_mul(step.offsets[i])?)?;
            shift = shift.checked_sub(factor.checked_mul(step.shifts[i])?)?;
        }
        atoms.push((own, rest, shift, compares));
        Some(())
    };
    for atom in class {
        put(&atom.factors, atom.constant, atom.compares)?;
    }
    let Some((_, least, greatest)) = &step.parameter else {
        if !step.is_closed(ranges) {
            return Some(Vec::new());
        }
        let plain =
            atoms.into_iter().map(|(factors, constant, _, compares)| Atom { factors, constant, compares });
        return Some(normal(plain).into_iter().collect());
    };
    // Where the first input has to lie in the declared ranges, so that the proof speaks of it.
    for (place, range) in ranges.iter().enumerate() {
        let (lo, hi) = (*range)?;
        let mut factors = vec![0; n];
        factors[place] = 1;
        put(&factors, hi.checked_neg()?, Compares::AtMost)?;
        factors[place] = -1;
        put(&factors, lo, Compares::AtMost)?;
    }
    // least ≤ k ≤ greatest.
    atoms.push((vec![0; n], *least, -1, Compares::AtMost));
    atoms.push((vec![0; n], greatest.checked_neg()?, 1, Compares::AtMost));
    eliminate(atoms)
}

/// Takes k, whose factor is the third of each atom, out of a conjunction.
fn eliminate(atoms: Vec<(Vec<i64>, i64, i64, Compares)>) -> Option<Vec<Class>> {
    // A difference is one of two orders.
    if let Some(at) =
        atoms.iter().position(|(_, _, shift, compares)| *shift != 0 && *compares == Compares::Different)
    {
        let mut all = Vec::new();
        let (factors, constant, shift, _) = atoms[at].clone();
        for sign in [1i64, -1] {
            let mut one = atoms.clone();
            let turned: Option<Vec<i64>> = factors.iter().map(|factor| factor.checked_mul(sign)).collect();
            let constant = constant.checked_mul(sign)?.checked_add(1)?;
            one[at] = (turned?, constant, shift.checked_mul(sign)?, Compares::AtMost);
            all.extend(eliminate(one)?);
        }
        return Some(all);
    }
    let mut left: Vec<Atom> = Vec::new();
    let (mut upper, mut lower) = (Vec::new(), Vec::new());
    for (factors, constant, shift, compares) in atoms {
        let turned: Option<Vec<i64>> = factors.iter().map(|factor| factor.checked_neg()).collect();
        match (shift, compares) {
            (0, _) => left.push(Atom { factors, constant, compares }),
            (1, Compares::AtMost) => upper.push((factors, constant)),
            (-1, Compares::AtMost) => lower.push((factors, constant)),
            (1, Compares::Equal) => {
                lower.push((turned?, constant.checked_neg()?));
                upper.push((factors, constant));
            }
            (-1, Compares::Equal) => {
                upper.push((turned?, constant.checked_neg()?));
                lower.push((factors, constant));
            }
            // Another factor would need divisibility; an order without equality is one of doubles.
            _ => return None,
        }
    }
    for (one, a) in &upper {
        for (other, b) in &lower {
            let factors: Option<Vec<i64>> = one.iter().zip(other).map(|(x, y)| x.checked_add(*y)).collect();
            left.push(Atom { factors: factors?, constant: a.checked_add(*b)?, compares: Compares::AtMost });
        }
    }
    Some(normal(left.into_iter()).into_iter().collect())
}

/// A conjunction without what is always true; none where a part of it is never true.
fn normal(atoms: impl Iterator<Item = Atom>) -> Option<Class> {
    let mut class = Class::new();
    for mut atom in atoms {
        if atom.factors.iter().all(|factor| *factor == 0) {
            let holds = match atom.compares {
                Compares::AtMost => atom.constant <= 0,
                Compares::Less => atom.constant < 0,
                Compares::Equal => atom.constant == 0,
                Compares::Different => atom.constant != 0,
            };
            if !holds {
                return None;
            }
            continue;
        }
        let symmetric = matches!(atom.compares, Compares::Equal | Compares::Different);
        let first = atom.factors.iter().find(|factor| **factor != 0).copied().unwrap_or(0);
        if symmetric && first < 0 && atom.constant != i64::MIN {
            atom.factors.iter_mut().for_each(|factor| *factor = -*factor);
            atom.constant = -atom.constant;
        }
        class.insert(atom);
    }
    // Of bounds of the same sum the narrowest is enough.
    let all: Vec<Atom> = class.iter().cloned().collect();
    class.retain(|atom| {
        let narrower = |other: &&Atom| {
            other.factors == atom.factors && other.compares == atom.compares && other.constant > atom.constant
        };
        atom.compares != Compares::AtMost || !all.iter().any(|other| narrower(&other))
    });
    (class.len() <= MOST_ATOMS).then_some(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(factors: &[i64], constant: i64, compares: Compares) -> Atom {
        Atom { factors: factors.to_vec(), constant, compares }
    }

    /// Whether an input lies in one of the classes.
    fn lies(classes: &[Class], input: &[i64]) -> bool {
        classes.iter().any(|class| {
            class.iter().all(|atom| {
                let sum: i64 =
                    atom.factors.iter().zip(input).map(|(a, b)| a * b).sum::<i64>() + atom.constant;
                match atom.compares {
                    Compares::AtMost => sum <= 0,
                    Compares::Less => sum < 0,
                    Compares::Equal => sum == 0,
                    Compares::Different => sum != 0,
                }
            })
        })
    }

    /// What moves reach, by brute force over small inputs whose way there does not leave the ranges.
    fn check(class: &[Atom], moves: &[Move], ranges: [(i64, i64); 2]) {
        let class: Class = class.iter().cloned().collect();
        let given: Vec<Option<(i64, i64)>> = ranges.iter().copied().map(Some).collect();
        let moves: Vec<&Move> = moves.iter().collect();
        let reached = reach(&class, &moves, &given);
        assert!(!reached.cut);
        let all: Vec<Vec<i64>> = (ranges[0].0..=ranges[0].1)
            .flat_map(|a| (ranges[1].0..=ranges[1].1).map(move |b| vec![a, b]))
            .collect();
        let mut known: BTreeSet<Vec<i64>> =
            all.iter().filter(|input| lies(std::slice::from_ref(&class), input)).cloned().collect();
        loop {
            let mut fresh = BTreeSet::new();
            for input in &known {
                for step in &moves {
                    let (least, greatest) = step.parameter.as_ref().map_or((0, 0), |(_, lo, hi)| (*lo, *hi));
                    for k in least..=greatest {
                        let image: Vec<i64> = (0..2)
                            .map(|i| {
                                input[step.places[i]] * step.signs[i] + step.offsets[i] + step.shifts[i] * k
                            })
                            .collect();
                        let inside = image.iter().zip(&ranges).all(|(x, (lo, hi))| (lo..=hi).contains(&x));
                        if inside && !known.contains(&image) {
                            fresh.insert(image);
                        }
                    }
                }
            }
            if fresh.is_empty() {
                break;
            }
            known.extend(fresh);
        }
        for input in &all {
            assert_eq!(lies(&reached.classes, input), known.contains(input), "{input:?}");
        }
    }

    #[test]
    fn what_is_reached_is_what_running_the_moves_reaches() {
        let swap = Move::permutation(vec![1, 0]);
        let complement = Move { signs: vec![-1, -1], offsets: vec![1, 1], ..Move::permutation(vec![0, 1]) };
        let shift = |lo: i64, hi: i64| Move {
            shifts: vec![1, 1],
            parameter: Some(("k".to_owned(), lo, hi)),
            ..Move::permutation(vec![0, 1])
        };
        let ordered = atom(&[1, -1], 0, Compares::AtMost);
        let zero = atom(&[1, 0], 0, Compares::Equal);
        let ranges = [(-4, 5), (-4, 5)];
        check(std::slice::from_ref(&ordered), std::slice::from_ref(&swap), ranges);
        check(&[zero.clone(), ordered.clone()], &[swap.clone(), complement.clone()], ranges);
        check(&[zero.clone(), ordered.clone()], &[shift(-9, 9)], ranges);
        check(&[zero.clone(), ordered.clone()], &[shift(0, 2)], ranges);
        check(&[zero.clone(), ordered], &[shift(-3, 3), swap, complement], ranges);
        check(
            &[atom(&[1, 0], -1, Compares::Different), atom(&[0, 1], -2, Compares::Equal)],
            &[shift(-1, 1)],
            ranges,
        );
    }
}
