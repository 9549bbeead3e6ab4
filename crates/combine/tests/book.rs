//! The example of the book is run: its output is what the page shows.

use std::path::Path;

use twinrun_combine::groups::{Richness, concretise, enrich, matches, plan};
use twinrun_combine::readers::read_toml;
use twinrun_combine::{Config, Random, present, verify};

/// The contents of the page's blocks of one kind.
fn blocks(page: &str, kind: &str) -> Vec<String> {
    let open = format!("```{kind}\n");
    page.split(&open)
        .skip(1)
        .filter_map(|rest| rest.split("\n```").next())
        .map(|block| format!("{block}\n"))
        .collect()
}

#[test]
fn the_page_shows_what_the_example_gives() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/combine.md");
    let page = std::fs::read_to_string(path).expect("the page exists");
    let model = read_toml(&blocks(&page, "toml")[0]).expect("the example is a model");
    let config = Config::default();
    let (array, planned) = enrich(&model, &config, Richness::default()).expect("the example has rows");
    assert!(verify(&model, &array.rows, 2).expect("the strength fits").complete());
    let groups = plan(&model, &array.rows).expect("the rules are small");
    let stage = concretise(&model, &array.rows, &planned, &mut Random::new(config.seed));
    let found = matches(&model, &stage.tests);
    let abstractly = present::report(&model, &array, None, &groups);
    let concretely = present::report(&model, &array, Some(&stage), &found);
    let shown = blocks(&page, "console");
    let expected = [
        format!("$ twinrun combine closest_pair.toml\n{abstractly}"),
        format!("$ twinrun combine closest_pair.toml --concrete\n{concretely}"),
    ];
    assert_eq!(shown[..2], expected, "the page should show\n{}", expected.concat());
}
