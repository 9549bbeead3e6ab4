//! The usual transformations, in place unless they give a new value.

use std::ops::{AddAssign, MulAssign};

/// Adds a constant to every element.
pub fn add<T: AddAssign + Copy>(values: &mut [T], constant: T) {
    values.iter_mut().for_each(|value| *value += constant);
}

/// Increments one element.
pub fn increment<T: AddAssign + From<u8>>(values: &mut [T], index: usize) {
    values[index] += T::from(1);
}

/// Multiplies every element.
pub fn multiply<T: MulAssign + Copy>(values: &mut [T], factor: T) {
    values.iter_mut().for_each(|value| *value *= factor);
}

/// The elements in another order: element i is `values[permutation[i]]`.
pub fn permute<T: Clone>(values: &[T], permutation: &[usize]) -> Vec<T> {
    permutation.iter().map(|index| values[*index].clone()).collect()
}

/// The elements in reverse order.
pub fn reverse<T: Clone>(values: &[T]) -> Vec<T> {
    values.iter().rev().cloned().collect()
}

/// Two elements change places.
pub fn swap<T>(values: &mut [T], i: usize, j: usize) {
    values.swap(i, j);
}

/// With one more element.
pub fn include<T: Clone>(values: &[T], index: usize, value: T) -> Vec<T> {
    let mut out = values.to_vec();
    out.insert(index, value);
    out
}

/// Without one element.
pub fn exclude<T: Clone>(values: &[T], index: usize) -> Vec<T> {
    let mut out = values.to_vec();
    out.remove(index);
    out
}

/// Rows become columns.
pub fn transpose<T: Clone>(matrix: &[Vec<T>]) -> Vec<Vec<T>> {
    let columns = matrix.first().map_or(0, Vec::len);
    (0..columns).map(|column| matrix.iter().map(|row| row[column].clone()).collect()).collect()
}

/// With one more row at the end.
pub fn add_row<T: Clone>(matrix: &[Vec<T>], value: T) -> Vec<Vec<T>> {
    let columns = matrix.first().map_or(0, Vec::len);
    matrix.iter().cloned().chain([vec![value; columns]]).collect()
}

/// With one more column at the end.
pub fn add_column<T: Clone>(matrix: &[Vec<T>], value: T) -> Vec<Vec<T>> {
    matrix.iter().map(|row| row.iter().cloned().chain([value.clone()]).collect()).collect()
}
