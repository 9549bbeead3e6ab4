//! Arrays that need no search over rows: orthogonal arrays over finite fields (Bush 1952; for two columns at a time these are
//! affine planes), their product with themselves for more columns (Stevens and Mendelsohn 1999), arrays of one value fewer by
//! fusion (Colbourn 2008), arrays developed from a starter vector (Meagher and Stevens 2005) with their products, circulant
//! ones for uniform models of few columns, and the smallest binary arrays of strength 2 (Katona 1973; Kleitman and Spencer 1973). Where a model is uniform, or nearly so, and
//! has no constraints, they are what local search starts from, and often what it cannot improve.

mod circulants;
mod starters;

use circulants::circulant;
use starters::Starters;

/// An array with one column for each size, every value below it: `None` when no construction fits. Columns of smaller sizes
/// take what is left after folding larger values into theirs.
pub(crate) fn array(sizes: &[usize], strength: usize) -> Option<Vec<Vec<usize>>> {
    let largest = *sizes.iter().max()?;
    if largest < 2 || strength < 2 || strength > sizes.len() {
        return None;
    }
    if largest == 2 && strength == 2 {
        return Some(binary(sizes.len()));
    }
    let mut rows = match strength {
        2 => {
            let rows = pairwise(largest, sizes.len())?;
            // Where not all columns need all pairs, local search finds as much in less time.
            let uniform = sizes.iter().all(|size| *size == largest);
            uniform.then(|| circulant(largest, sizes.len(), rows.len())).flatten().unwrap_or(rows)
        }
        _ => {
            let order = (largest..=LARGEST).find(|&order| prime_power(order).is_some())?;
            bush(order, sizes.len(), strength)?
        }
    };
    for row in &mut rows {
        row.truncate(sizes.len());
        row.iter_mut().zip(sizes).for_each(|(value, size)| *value %= size);
    }
    rows.sort();
    rows.dedup();
    Some(rows)
}

/// Fields up to this order, and arrays up to so many cells.
const LARGEST: usize = 64;
const CELLS: usize = 1 << 24;

/// The prime and the exponent of a prime power.
fn prime_power(order: usize) -> Option<(usize, usize)> {
    let prime = (2..=order).find(|divisor| order.is_multiple_of(*divisor))?;
    let mut power = prime;
    let mut exponent = 1;
    while power < order {
        power *= prime;
        exponent += 1;
    }
    (power == order).then_some((prime, exponent))
}

/// A finite field by its tables; 0 and 1 are its own.
struct Field {
    order: usize,
    sum: Vec<usize>,
    product: Vec<usize>,
}

impl Field {
    fn new(order: usize) -> Option<Field> {
        let (prime, exponent) = prime_power(order)?;
        let digits = |mut number: usize| {
            (0..exponent)
                .map(|_| {
                    let digit = number % prime;
                    number /= prime;
                    digit
                })
                .collect::<Vec<usize>>()
        };
        let number = |digits: &[usize]| digits.iter().rev().fold(0, |number, digit| number * prime + digit);
        // An irreducible polynomial: the first for which x runs through all other elements, so that it is primitive too.
        let times_x = |element: &[usize], low: &[usize]| {
            let top = element[exponent - 1];
            (0..exponent)
                .map(|at| {
                    let shifted = if at == 0 { 0 } else { element[at - 1] };
                    (shifted + prime * prime - top * low[at] % prime) % prime
                })
                .collect::<Vec<usize>>()
        };
        let powers = |low: &[usize]| {
            let mut all = vec![digits(1)];
            while all.len() < order - 1 {
                let next = times_x(&all[all.len() - 1], low);
                if next == all[0] || next.iter().all(|digit| *digit == 0) {
                    return None;
                }
                all.push(next);
            }
            (times_x(&all[order - 2], low) == all[0]).then_some(all)
        };
        let powers: Vec<usize> = if exponent == 1 {
            let run = |root: usize| {
                let all: Vec<usize> =
                    std::iter::successors(Some(1), |own| Some(own * root % prime)).take(prime - 1).collect();
                let unique: std::collections::BTreeSet<&usize> = all.iter().collect();
                (unique.len() == prime - 1).then_some(all)
            };
            (1..prime).find_map(run)?
        } else {
            let found = (0..order).find_map(|low| powers(&digits(low)))?;
            found.iter().map(|element| number(element)).collect()
        };
        let mut logarithm = vec![0; order];
        powers.iter().enumerate().for_each(|(at, &element)| logarithm[element] = at);
        let sum = (0..order * order).map(|both| {
            let (a, b) = (digits(both / order), digits(both % order));
            number(&a.iter().zip(&b).map(|(a, b)| (a + b) % prime).collect::<Vec<_>>())
        });
        let product = (0..order * order).map(|both| match (both / order, both % order) {
            (0, _) | (_, 0) => 0,
            (a, b) => powers[(logarithm[a] + logarithm[b]) % (order - 1)],
        });
        Some(Field { order, sum: sum.collect(), product: product.collect() })
    }

    fn add(&self, a: usize, b: usize) -> usize {
        self.sum[a * self.order + b]
    }

    fn multiply(&self, a: usize, b: usize) -> usize {
        self.product[a * self.order + b]
    }
}

/// An orthogonal array: one row for each polynomial of degree below the strength, one column for its value at each element
/// and one for its leading coefficient; at strength 3 over a field of characteristic 2, one for the next coefficient too.
fn bush(order: usize, columns: usize, strength: usize) -> Option<Vec<Vec<usize>>> {
    let extra = if strength == 3 && order.is_multiple_of(2) { 2 } else { 1 };
    let rows = u32::try_from(strength).ok().and_then(|strength| order.checked_pow(strength))?;
    if columns > order + extra || rows.checked_mul(columns).is_none_or(|cells| cells > CELLS) {
        return None;
    }
    let field = Field::new(order)?;
    let polynomial = |mut index: usize| {
        let coefficients: Vec<usize> = (0..strength)
            .map(|_| {
                let coefficient = index % order;
                index /= order;
                coefficient
            })
            .collect();
        let value = |at: usize| {
            coefficients
                .iter()
                .rev()
                .fold(0, |value, &coefficient| field.add(field.multiply(value, at), coefficient))
        };
        let mut row = vec![coefficients[strength - 1]];
        row.extend((0..order).map(value));
        row.extend((extra == 2).then_some(coefficients[1]));
        // The two further columns come first of those kept.
        row.rotate_right(extra - 1);
        row
    };
    Some((0..rows).map(polynomial).collect())
}

/// How an array of strength 2 is made.
#[derive(Debug, Clone)]
enum Plan {
    /// The plane over the field of this order, multiplied by itself as often as the columns ask for, then fused.
    Plane(usize),
    /// Developed from a starter vector of this length.
    Starter(usize),
    /// Another array, of so many columns, multiplied by one from a starter vector of this length.
    Product(Box<Plan>, usize, usize),
}

/// Strength 2: the smallest of what can be made for so many columns of so many values.
fn pairwise(values: usize, columns: usize) -> Option<Vec<Vec<usize>>> {
    let mut starters = Starters::new(values);
    let (_, plan) = smallest(values, columns, &mut starters, FACTORS)?;
    build(&plan, values, columns, &mut starters)
}

/// Products of starters within one array, and how much longer than the number of values a vector may be.
const FACTORS: usize = 2;
const LONGER: usize = 16;
/// Values from which on no starter vector is sought: short ones hardly exist.
const NO_STARTERS: usize = 20;

/// The plan with the fewest rows, and how many these are.
fn smallest(values: usize, columns: usize, starters: &mut Starters, factors: usize) -> Option<(usize, Plan)> {
    let mut best: Option<(usize, Plan)> = None;
    let mut keep = |rows: usize, plan: Plan| {
        if best.as_ref().is_none_or(|(own, _)| rows < *own) {
            best = Some((rows, plan));
        }
        best.as_ref().map_or(usize::MAX, |(own, _)| *own)
    };
    let mut fewest = usize::MAX;
    for order in (values..=LARGEST.min(2 * values)).filter(|&order| prime_power(order).is_some()) {
        if let Some(rows) = plane_rows(order, columns) {
            fewest = keep(rows - 2 * (order - values), Plan::Plane(order));
        }
    }
    if !(3..NO_STARTERS).contains(&values) {
        return best;
    }
    for length in (values + 1).max(columns)..=(values + LONGER).max(columns) {
        let rows = length * (values - 1) + 1;
        if rows >= fewest || length > values + LONGER {
            break;
        }
        if starters.of(length).is_some() {
            fewest = keep(rows, Plan::Starter(length));
        }
    }
    if factors > 0 {
        for length in values + 1..=values + LONGER {
            let (copies, more) = (length - 1, (length - 1) * (values - 1));
            let left = columns.div_ceil(copies);
            if left < 2 || more + values * values >= fewest {
                continue;
            }
            if let Some((rows, plan)) = smallest(values, left, starters, factors - 1)
                && rows + more < fewest
                && starters.of(length).is_some()
            {
                fewest = keep(rows + more, Plan::Product(Box::new(plan), left, length));
            }
        }
    }
    best
}

fn build(plan: &Plan, values: usize, columns: usize, starters: &mut Starters) -> Option<Vec<Vec<usize>>> {
    match plan {
        Plan::Plane(order) => {
            let mut rows = planes(*order, columns)?;
            rows.iter_mut().for_each(|row| row.truncate(columns));
            (values..*order).rev().for_each(|values| fuse(&mut rows, values));
            Some(rows)
        }
        Plan::Starter(length) => Some(starters.develop(*length)),
        Plan::Product(left, width, length) => {
            let mut rows = build(left, values, *width, starters)?;
            rows.iter_mut().for_each(|row| row.truncate(*width));
            starters.multiply(&rows, *length)
        }
    }
}

/// Takes the last value out of an array of strength 2, and two rows with it: one row is made to consist of that value; where
/// others have it, they take what a second row has, so that this one is not needed either.
fn fuse(rows: &mut Vec<Vec<usize>>, values: usize) {
    let Some(first) = rows.pop() else { return };
    for row in rows.iter_mut() {
        // The value of the first row and the last one change places.
        for (value, &own) in row.iter_mut().zip(&first) {
            *value = if *value == own {
                values
            } else if *value == values {
                own
            } else {
                *value
            };
        }
    }
    let Some(second) = rows.pop() else { return };
    for row in rows.iter_mut() {
        for (value, &other) in row.iter_mut().zip(&second) {
            if *value == values {
                *value = if other == values { 0 } else { other };
            }
        }
    }
}

/// Rows of a plane that is multiplied by itself until it has so many columns; nothing when that is too large.
fn plane_rows(order: usize, columns: usize) -> Option<usize> {
    let (mut rows, mut width) = (order * order, order + 1);
    while width < columns {
        rows += order * (order - 1);
        width = width * order + 1;
        if rows.checked_mul(width).is_none_or(|cells| cells > CELLS) {
            return None;
        }
    }
    Some(rows)
}

/// An orthogonal array, multiplied by itself as often as the columns ask for.
fn planes(order: usize, columns: usize) -> Option<Vec<Vec<usize>>> {
    plane_rows(order, columns)?;
    let plane = bush(order, order + 1, 2)?;
    // The rows whose first column is 0 are constant in the others: the polynomials of degree 0.
    let others: Vec<&Vec<usize>> = plane.iter().filter(|row| row[0] != 0).collect();
    let mut rows = plane.clone();
    while rows[0].len() < columns {
        let width = rows[0].len();
        // Each column once for each element: those of different columns meet in the old rows, those of the same column are
        // equal there and different in the plane's other rows. One further column is 0 in the old rows.
        let old = rows.iter().map(|row| {
            let copies = (0..order).flat_map(|_| row.iter().copied());
            std::iter::once(0).chain(copies).collect::<Vec<usize>>()
        });
        let new = others.iter().map(|row| {
            let copies = (0..order).flat_map(|at| std::iter::repeat_n(row[1 + at], width));
            std::iter::once(row[0]).chain(copies).collect()
        });
        rows = old.chain(new).collect();
    }
    Some(rows)
}

/// The smallest binary array of strength 2: all columns have the same number of ones, at least one of them in common.
fn binary(columns: usize) -> Vec<Vec<usize>> {
    let choose = |n: usize, k: usize| {
        (0..k).try_fold(1usize, |all, at| all.checked_mul(n - at).map(|all| all / (at + 1)))
    };
    let fits = |rows: &usize| choose(rows - 1, rows / 2 - 1).is_none_or(|most| most >= columns);
    let rows = (4..).find(fits).unwrap_or(4);
    let mut table = vec![vec![0; columns]; rows];
    let others: Vec<usize> = (1..rows).collect();
    let mut column = 0;
    crate::check::for_each_choice(&others, rows / 2 - 1, &mut |ones| {
        if column < columns {
            table[0][column] = 1;
            ones.iter().for_each(|&row| table[row][column] = 1);
        }
        column += 1;
    });
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that cover everything at a strength, counted independently.
    fn check(sizes: &[usize], strength: usize, rows: usize) {
        let array = array(sizes, strength).unwrap_or_else(|| panic!("{sizes:?} at {strength}"));
        assert_eq!(array.len(), rows, "{sizes:?}");
        covers(&array, sizes, strength);
    }

    fn covers(array: &[Vec<usize>], sizes: &[usize], strength: usize) {
        assert!(array.iter().all(|row| row.iter().zip(sizes).all(|(value, size)| value < size)));
        let columns: Vec<usize> = (0..sizes.len()).collect();
        crate::check::for_each_choice(&columns, strength, &mut |chosen| {
            let seen: std::collections::BTreeSet<Vec<usize>> =
                array.iter().map(|row| chosen.iter().map(|&own| row[own]).collect()).collect();
            assert_eq!(
                seen.len(),
                chosen.iter().map(|&own| sizes[own]).product::<usize>(),
                "{sizes:?}: {chosen:?}"
            );
        });
    }

    #[test]
    fn fields_of_prime_powers_give_orthogonal_arrays() {
        for order in [3, 4, 5, 7, 8, 9, 16, 25, 27] {
            check(&vec![order; (order + 1).min(10)], 2, order * order);
        }
        check(&[4; 6], 3, 64);
        check(&[5; 6], 3, 125);
        check(&[3; 4], 4, 81);
        assert!(array(&[4; 7], 3).is_none());
    }

    #[test]
    fn products_have_as_many_columns_as_wanted() {
        check(&[3; 13], 2, 15);
        check(&[4; 21], 2, 28);
        check(&[5; 31], 2, 45);
        check(&[3; 40], 2, 21);
    }

    #[test]
    fn binary_arrays_are_the_smallest() {
        for (columns, rows) in [(3, 4), (4, 5), (10, 6), (15, 7), (35, 8), (56, 9), (126, 10)] {
            check(&vec![2; columns], 2, rows);
        }
    }

    #[test]
    fn smaller_sizes_take_part() {
        check(&[2, 3, 4, 4, 4], 2, 16);
    }

    #[test]
    fn fusion_saves_two_rows_for_each_value_taken_out() {
        for (values, order) in [(6, 7), (10, 11), (12, 13), (14, 16), (15, 16)] {
            let mut rows = planes(order, order + 1).unwrap();
            (values..order).rev().for_each(|values| fuse(&mut rows, values));
            assert_eq!(rows.len(), order * order - 2 * (order - values));
            covers(&rows, &vec![values; order + 1], 2);
        }
    }

    #[test]
    fn circulant_arrays_are_smaller_than_starters_of_some_sizes() {
        for (values, columns, rows) in [(4, 7, 21), (5, 13, 40)] {
            let array = circulant(values, columns, rows + 1).unwrap();
            assert!(array.len() <= rows, "{values}^{columns}: {}", array.len());
            covers(&array, &vec![values; columns], 2);
        }
    }

    #[test]
    fn starter_vectors_give_arrays_smaller_than_planes() {
        for (values, columns, rows) in
            [(3, 5, 11), (4, 6, 19), (5, 7, 29), (6, 9, 46), (7, 10, 61), (3, 20, 19), (6, 72, 86)]
        {
            let array = array(&vec![values; columns], 2).unwrap();
            covers(&array, &vec![values; columns], 2);
            assert!(array.len() <= rows, "{values}^{columns}: {}", array.len());
        }
    }
}
