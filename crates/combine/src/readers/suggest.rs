//! What a misspelt name may have meant.

use crate::model::Model;
use crate::value::Scalar;

/// ` (did you mean ...?)` with the nearest of some names, or nothing when none is near.
pub(crate) fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> String {
    let folded = word.to_lowercase();
    let letters = word.chars().count();
    // Something of the word has to be left: `1` is no misspelt `2`.
    let allowed = (1 + letters / 4).min(letters.saturating_sub(1));
    let best = names
        .map(|name| (distance(&folded, &name.to_lowercase()), name))
        .min_by_key(|(distance, _)| *distance);
    match best {
        Some((distance, name)) if distance <= allowed => format!(" (did you mean `{name}`?)"),
        _ => String::new(),
    }
}

/// Letters to insert, delete, replace, or exchange with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(table[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    table[a.len()][b.len()]
}

/// Warns of texts that constraints compare a parameter with and that are none of its values: such a comparison never holds.
pub(super) fn warn_of_values(model: &mut Model) {
    let mut warnings = Vec::new();
    for constraint in &model.constraints {
        for (parameter, label) in constraint.expression.compared_texts() {
            let text = Scalar::Text(label.to_owned());
            let within = model.parameters[parameter].values.iter().any(|value| value.set.contains(&text));
            if !within && model.value(parameter, label).is_none() {
                let why = model.no_value(parameter, label);
                warnings
                    .push(format!("{}: {why}, so `{}` never meets it", constraint.place, constraint.text));
            }
        }
    }
    model.warnings.extend(warnings);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let names = || ["NTFS", "FAT32"].into_iter();
        assert_eq!(nearest("ntsf", names()), " (did you mean `NTFS`?)");
        assert_eq!(nearest("Fat16", names()), " (did you mean `FAT32`?)");
        assert_eq!(nearest("ext4", names()), "");
        assert_eq!(nearest("1", ["2", "3"].into_iter()), "");
    }
}
