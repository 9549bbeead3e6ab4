//! The symbols that terms are made of, and their values.

use twinrun_term::{Identity, Sort, Term, Terms, mask, signed_max, signed_min};

use super::bytes::Bytes;

/// More inputs than these are sampled.
const MOST_BITS: u32 = 8;
const SAMPLES: usize = 24;
/// Names that are alike, or could be read as something else.
const NAMES: [&str; 11] = ["x", "a[0]", "x", "len(t)", "my input", "5", "mod", "x#2", "true", "nan", ""];

pub(super) struct Setting {
    /// The widths of the symbols that are bit-vectors; two floats of 64 bits and one of 32 follow them.
    pub(super) widths: Vec<u8>,
    ranges: Vec<Option<(i128, i128)>>,
    /// What people call them: as on a path, no two alike.
    names: Vec<String>,
}

impl Setting {
    pub(super) fn draw(bytes: &mut Bytes<'_>) -> Setting {
        let count = 1 + bytes.below(3);
        let mut setting = Setting { widths: Vec::new(), ranges: Vec::new(), names: Vec::new() };
        for _ in 0..count {
            let width = bytes.choose(&[1, 3, 5, 8, 16, 32, 64]);
            let (least, greatest) = (i128::from(signed_min(width)), i128::from(signed_max(width)));
            let most = i128::from(mask(width));
            let word = i128::from(bytes.word()) & most;
            setting.ranges.push(match bytes.below(6) {
                0 => Some((least, greatest)),
                1 => Some((0, most)),
                2 => Some((-(word & greatest) - 1, word & greatest)).filter(|(low, _)| *low >= least),
                3 => Some((word, most)),
                4 => Some((least, -1)),
                _ => None,
            });
            setting.widths.push(width);
        }
        for _ in 0..count + 3 {
            let name = bytes.choose(&NAMES);
            let others = (2..).map(|number| format!("{name}#{number}"));
            let free = |label: &String| !setting.names.contains(label);
            let label = std::iter::once(name.to_owned()).chain(others).find(free);
            setting.names.extend(label);
        }
        setting
    }

    pub(super) fn sorts(&self) -> Vec<Sort> {
        let floats = [Sort::F64, Sort::F64, Sort::F32];
        self.widths.iter().map(|width| Sort::Bv(*width)).chain(floats).collect()
    }

    pub(super) fn symbols(&self, terms: &mut Terms) -> Vec<Term> {
        let ranges = self.ranges.iter().copied().chain([None; 3]);
        let one = |(place, (sort, range)): (usize, (Sort, Option<(i128, i128)>))| {
            let identity = Identity::Input { draw: place as u32, element: Some(0) };
            terms.declared(identity, &self.names[place], sort, range)
        };
        self.sorts().into_iter().zip(ranges).enumerate().map(one).collect()
    }

    /// All values of the bit-vectors if they are few, otherwise boundary values and arbitrary ones, with floats that are special or not.
    pub(super) fn inputs(&self, bytes: &mut Bytes<'_>) -> Vec<Vec<u64>> {
        let total: u32 = self.widths.iter().map(|width| u32::from(*width)).sum();
        let count = if total <= MOST_BITS { 1 << total } else { SAMPLES };
        let mut inputs = Vec::new();
        for number in 0..count {
            let mut left = number as u64;
            let mut input = Vec::new();
            for (&width, &range) in self.widths.iter().zip(&self.ranges) {
                let bits = if total <= MOST_BITS { left } else { boundary(bytes, width) };
                left = left.checked_shr(width.into()).unwrap_or(0);
                input.push(within(bits & mask(width), width, range));
            }
            for sort in [Sort::F64, Sort::F64, Sort::F32] {
                input.push(float(bytes, sort));
            }
            inputs.push(input);
        }
        inputs
    }
}

fn boundary(bytes: &mut Bytes<'_>, width: u8) -> u64 {
    let half = 1u64 << (width - 1);
    match bytes.below(12) {
        0 => 0,
        1 => 1,
        2 => half,
        3 => half - 1,
        4 => half.wrapping_add(1),
        5 => u64::MAX,
        6 => u64::MAX - 1,
        7 => 1 << bytes.below(64),
        8 => (1 << bytes.below(64)) - 1,
        9 => u64::from(bytes.below(255)),
        _ => bytes.word(),
    }
}

/// The number of the declared range that is nearest in the reading that it is declared in.
fn within(bits: u64, width: u8, range: Option<(i128, i128)>) -> u64 {
    match range {
        None => bits,
        Some((low, high)) if low < 0 => {
            (i128::from(twinrun_term::signed(width, bits)).clamp(low, high)) as u64 & mask(width)
        }
        Some((low, high)) => i128::from(bits).clamp(low, high) as u64,
    }
}

/// A float; of the NaNs only the canonical one, since a term of a float's sort knows no other.
fn float(bytes: &mut Bytes<'_>, sort: Sort) -> u64 {
    let special =
        [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.5, -2.5, 1e300, 5e-324, 0.1];
    let chosen = match bytes.below(20) {
        place @ 0..12 => special[usize::from(place)],
        12 => 2f64.powi(i32::from(bytes.below(70))),
        13 => -2f64.powi(i32::from(bytes.below(70))),
        14 => f64::from(bytes.below(255)) - 100.0,
        _ => f64::from_bits(bytes.word()),
    };
    let chosen = if chosen.is_nan() { f64::NAN } else { chosen };
    let bits = if sort == Sort::F32 { u64::from((chosen as f32).to_bits()) } else { chosen.to_bits() };
    super::floats::canonical(sort, bits)
}
