//! Equalities that samples satisfy: the null space of monomials, by elimination modulo a prime.

use twinrun_term::Rational;

/// A polynomial as factors of monomials, each a list of variables with repetition.
pub(super) type Polynomial = Vec<(Vec<usize>, Rational)>;

/// The monomials of these variables up to a degree, the constant last and higher degrees first.
fn monomials(variables: usize, degree: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    let mut last: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..degree {
        let mut next = Vec::new();
        for monomial in &last {
            for variable in monomial.last().copied().unwrap_or(0)..variables {
                let mut longer: Vec<usize> = monomial.clone();
                longer.push(variable);
                next.push(longer);
            }
        }
        all.extend(next.iter().cloned());
        last = next;
    }
    all.reverse();
    all
}

/// A prime with room for products in 128 bits.
const PRIME: u64 = (1 << 61) - 1;
/// Coefficients are fractions up to these sizes; others are accidents of the samples.
const MOST_NUMERATOR: u64 = 1 << 20;
const MOST_DENOMINATOR: u64 = 64;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn inverse(a: u64) -> u64 {
    // Fermat.
    let (mut result, mut base, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

fn residue(value: Rational) -> u64 {
    let numerator = value.numerator().rem_euclid(i128::from(PRIME)) as u64;
    let denominator = value.denominator().rem_euclid(i128::from(PRIME)) as u64;
    times(numerator, inverse(denominator))
}

/// The small fraction that a residue stands for.
fn fraction(residue: u64) -> Option<Rational> {
    for denominator in 1..=MOST_DENOMINATOR {
        let numerator = times(residue, denominator);
        if numerator <= MOST_NUMERATOR {
            return Rational::new(numerator.into(), denominator.into());
        }
        if PRIME - numerator <= MOST_NUMERATOR {
            return Rational::new(-i128::from(PRIME - numerator), denominator.into());
        }
    }
    None
}

/// Polynomials with small coefficients that vanish on all samples: a basis of the null space, found modulo a prime, so that numbers do not grow. Nothing
/// when there are too few samples.
pub(super) fn vanishing(
    samples: &[Vec<Rational>],
    variables: usize,
    degree: usize,
) -> Option<Vec<Polynomial>> {
    let columns = monomials(variables, degree);
    if samples.len() < columns.len() + 4 {
        return None;
    }
    let mut rows: Vec<Vec<u64>> = Vec::new();
    for sample in samples {
        let residues: Vec<u64> = sample.iter().map(|&value| residue(value)).collect();
        let value = |monomial: &Vec<usize>| monomial.iter().fold(1, |value, &it| times(value, residues[it]));
        rows.push(columns.iter().map(value).collect());
    }
    // Pivots from the right: the first columns, of the highest degree and the latest variables, are told by the others.
    let mut pivots: Vec<usize> = Vec::new();
    let mut done = 0;
    for column in (0..columns.len()).rev() {
        let Some(found) = (done..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        rows.swap(done, found);
        let scale = inverse(rows[done][column]);
        for value in &mut rows[done] {
            *value = times(*value, scale);
        }
        let pivot = rows[done].clone();
        for (position, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if position == done || factor == 0 {
                continue;
            }
            for (value, step) in row.iter_mut().zip(&pivot) {
                *value = (*value + PRIME - times(*step, factor)) % PRIME;
            }
        }
        pivots.push(column);
        done += 1;
    }
    let mut found = Vec::new();
    for free in (0..columns.len()).filter(|column| !pivots.contains(column)) {
        let mut polynomial = vec![(columns[free].clone(), Rational::ONE)];
        let others = pivots.iter().enumerate().filter(|(row, _)| rows[*row][free] != 0);
        let parts: Option<Vec<_>> = others
            .map(|(row, &pivot)| Some((columns[pivot].clone(), fraction((PRIME - rows[row][free]) % PRIME)?)))
            .collect();
        let Some(parts) = parts else { continue };
        polynomial.extend(parts);
        found.push(polynomial);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_found_from_samples() {
        let whole = |value: i64| Rational::whole(value.into());
        let pairs = (0..49).map(|n: i64| (n % 7, n / 7));
        let samples: Vec<Vec<Rational>> =
            pairs.map(|(a, b)| vec![whole(a * a), whole(b), whole(a * a * b)]).collect();
        let found = vanishing(&samples, 3, 2).expect("enough samples");
        let product = found.iter().any(|polynomial| {
            let both = |left: i64| {
                polynomial.contains(&(vec![2], whole(left)))
                    && polynomial.contains(&(vec![0, 1], whole(-left)))
            };
            polynomial.len() == 2 && (both(1) || both(-1))
        });
        assert!(product, "{found:?}");
    }
}
