//! "Did you mean": the known name nearest to what was written.

/// The known name that is near enough to `name` to be meant.
#[must_use]
pub fn suggest(name: &str, known: &[impl AsRef<str>]) -> Option<String> {
    let distance = |other: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &other.to_lowercase());
    let nearest = known.iter().map(|it| (distance(it.as_ref()), it.as_ref())).min()?;
    (nearest.0 <= 1 + name.len().max(3) / 4).then(|| nearest.1.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_another_word_is_not() {
        let known = ["sources", "include", "flags"];
        assert_eq!(suggest("source", &known).as_deref(), Some("sources"));
        assert_eq!(suggest("falgs", &known).as_deref(), Some("flags"));
        assert_eq!(suggest("toolchain", &known), None);
    }
}
