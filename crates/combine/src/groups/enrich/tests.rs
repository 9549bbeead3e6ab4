//! Facts about enriched arrays.

use super::*;
use crate::check::verify;
use crate::groups::{concretise, matches, plan};
use crate::readers::read_toml;

const MODEL: &str = r#"
constraints = ["same <= negative + zero + positive", "zero <= same"]
[[parameters]]
name = "same"
values = [0, { name = "some", range = "[2,9]" }, { name = "many", range = "[10,19]" }]
[[parameters]]
name = "negative"
values = [0, { name = "some", range = "[1,19]" }, { name = "many", range = "[20,39]" }]
[[parameters]]
name = "positive"
values = [0, { name = "some", range = "[1,19]" }, { name = "many", range = "[20,39]" }]
[[parameters]]
name = "zero"
values = [0, { name = "some", range = "[1,4]" }, { name = "many", range = "[5,9]" }]
[[parameters]]
name = "order"
values = [0, 1, 2]
[[parameters]]
name = "data"
values = [{ name = "any", range = "[0,1000000]" }]
[[relations]]
name = "shuffle"
input = "follow.order != source.order"
[[relations]]
name = "negate"
input = "follow.negative = source.positive and follow.positive = source.negative and follow.negative != source.negative"
[[relations]]
name = "three orders"
runs = ["a", "b", "c"]
input = "a.order < b.order and b.order < c.order"
"#;

#[test]
fn enriched_arrays_cover_everything_and_have_more_groups() {
    let model = read_toml(MODEL).unwrap();
    for strength in 2..=3 {
        let config = Config { strength: Some(strength), ..Config::default() };
        let plain = generate(&model, &config).unwrap();
        let (array, planned) =
            enrich(&model, &config, Richness { attempts: 300, ..Richness::default() }).unwrap();
        assert!(verify(&model, &array.rows, strength).unwrap().complete());
        let size = plain.rows.len() as f64;
        assert!(
            array.rows.len() as f64 <= size + Richness::default().extra_rows * size.sqrt() + 3.5,
            "{} after {size}",
            array.rows.len()
        );
        let groups = |rows: &[Vec<usize>], planned: &[Group]| {
            let stage = concretise(&model, rows, planned, &mut Random::new(1));
            matches(&model, &stage.tests).len()
        };
        let without = groups(&plain.rows, &plan(&model, &plain.rows).unwrap());
        let with = groups(&array.rows, &planned);
        assert!(
            with >= without && (strength == 2 || with > without),
            "strength {strength}: {with} after {without}"
        );
    }
}
