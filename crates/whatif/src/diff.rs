//! Unified diffs of a text in which one range was changed.

use std::fmt::Write as _;

/// Lines that are shown around a change.
const CONTEXT: usize = 3;

/// The change from one text to another; both must differ in one stretch of lines only.
pub fn unified(file: &str, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest =
        old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - rest, new.len() - rest);
    let begin = same.saturating_sub(CONTEXT);
    let (old_last, new_last) = ((old_end + CONTEXT).min(old.len()), (new_end + CONTEXT).min(new.len()));
    let mut text = format!("--- a/{file}\n+++ b/{file}\n");
    let _ = writeln!(text, "@@ -{},{} +{},{} @@", begin + 1, old_last - begin, begin + 1, new_last - begin);
    let mut put = |mark: char, lines: &[&str]| {
        for line in lines {
            let _ = writeln!(text, "{mark}{line}");
        }
    };
    put(' ', &old[begin..same]);
    put('-', &old[same..old_end]);
    put('+', &new[same..new_end]);
    put(' ', &old[old_end..old_last]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inserted_line_is_shown_with_its_surroundings() {
        let before = "a\nb\nc\nd\ne\nf\n";
        let after = "a\nb\nc\nd\nnew\ne\nf\n";
        assert_eq!(
            unified("it.c", before, after),
            "--- a/it.c\n+++ b/it.c\n@@ -2,5 +2,6 @@\n b\n c\n d\n+new\n e\n f\n"
        );
    }

    #[test]
    fn a_changed_line_is_shown_both_ways() {
        assert_eq!(unified("it.c", "x\n", "y\n"), "--- a/it.c\n+++ b/it.c\n@@ -1,1 +1,1 @@\n-x\n+y\n");
    }
}
