//! Facts about how PICT's text is read.

use super::*;
use crate::error::Place;
use crate::generate::{Config, generate};

fn fails(text: &str, message: &str) {
    assert_eq!(read_pict(text).unwrap_err().to_string(), message);
}

/// The labels of all rows of a model's array.
fn rows(text: &str, options: &PictOptions) -> Vec<Vec<String>> {
    let model = read_pict_with(text, options).unwrap();
    let array = generate(&model, &Config::default()).unwrap();
    array.rows.iter().map(|row| model.labels(row).into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn a_whole_model_is_read() {
    let model = read_pict(
        "# disks\nSize: 10, 100 (5), ~-1\nFS: NTFS, FAT|fat32\nWhen set: <fs>, none\n{Size, fs} @ 2\n{FS, when set}\n\nIF [FS] = \"FAT\"\n  # only small ones\n  THEN [size] <= 10; [Size] > 0 ;\n",
    )
    .unwrap();
    assert_eq!(model.parameters.len(), 3);
    assert!(model.parameters[0].values[2].invalid);
    assert_eq!(model.parameters[0].values[1].weight, 5);
    assert_eq!(model.parameters[1].values[1].aliases, ["fat32"]);
    assert_eq!(model.parameters[2].values[1].label, "FAT");
    assert_eq!(model.mixed[0], Mixed { parameters: vec![0, 1], strength: 2 });
    assert_eq!(model.mixed[1], Mixed { parameters: vec![1, 2], strength: 2 });
    assert_eq!(model.constraints.len(), 2);
    assert_eq!(model.constraints[1].place, Place { line: 10, column: 22 });
}

#[test]
fn case_is_ignored_unless_it_is_asked_for() {
    let text = "A: one, two\nB: x, y\nIF [A] = \"TWO\" THEN [b] = \"X\";\n";
    let folded = rows(text, &PictOptions::default());
    assert!(!folded.contains(&vec!["two".to_owned(), "y".to_owned()]), "{folded:?}");
    let exact = PictOptions { case_sensitive: true, ..PictOptions::default() };
    assert_eq!(rows(&text.replace("[b]", "[B]"), &exact).len(), 4, "no value is called TWO");
}

#[test]
fn negative_values_can_be_asked_for() {
    let text =
        "A: 1, ~-1\nB: 1, 2, ~0\nC: 1, 2\nIF IsNegative(A) THEN [C] = 1;\nIF IsPositive() THEN [C] = 2;\n";
    for row in rows(text, &PictOptions::default()) {
        let negative = row[0] == "-1" || row[1] == "0";
        assert_eq!(row[2] == "2", !negative || row[2] == "2" && row[0] != "-1", "{row:?}");
    }
}

#[test]
fn the_older_form_and_other_separators_are_read() {
    let model = read_pict("A, 1, 2\nB, x\n").unwrap();
    assert_eq!((model.parameters[0].name.as_str(), model.parameters[0].values.len()), ("A", 2));
    assert_eq!(model.strength, Some(2));
    let options = PictOptions::parse("/d:; /a:/ /n:! /o:1").unwrap();
    let model = read_pict_with("A: 1,5; 2/two; !3\n", &options).unwrap();
    let labels: Vec<&str> = model.parameters[0].values.iter().map(|value| value.label.as_str()).collect();
    assert_eq!(labels, ["1,5", "2", "3"]);
    assert!(model.parameters[0].values[2].invalid);
    assert!(PictOptions::parse("/q:1").is_err());
}

#[test]
fn misspelt_names_warn_and_suggest() {
    let model = read_pict("FS: NTFS, FAT\nSize: 1, 2\nIF [FS] = \"NFTS\" THEN [Size] = 1;\nIF [Sise] = 1 THEN [FS] = \"FAT\";\n[FS] <> \"FAT\" OR [Size] < 5;\n").unwrap();
    assert_eq!(
        model.warnings,
        [
            "line 3, column 4: `FS` has no value `NFTS` (did you mean `NTFS`?)",
            "line 4, column 1: there is no parameter `Sise` (did you mean `Size`?); the constraint `IF [Sise] = 1 THEN [FS] = \"FAT\"` is left out",
            "line 5, column 18: every value of `Size` satisfies [Size] < 5",
        ]
    );
    assert_eq!(model.constraints.len(), 2);
    let model = read_pict("A: one | uno, two\nB: 1, 2\nIF [A] = \"uno\" THEN [B] = 1;\n").unwrap();
    assert!(model.warnings[0].contains("it is another name of `one`"), "{:?}", model.warnings);
}

#[test]
fn what_pict_refuses_is_refused_with_its_place() {
    fails("A: 1, 2\n[A] = 1 AND\n[C = 2;\n", "line 3, column 8: expected `]`");
    fails("A: 1\nIF [A] = 1 THEN [A] = 2\n", "line 2, column 24: this constraint is not ended by `;`");
    fails("A: 1, 2\n[A] = \"x\";\n", "line 2, column 1: `A` is numeric and is compared with the text \"x\"");
    fails("A: a, 2\n[A] = 2;\n", "line 2, column 1: `A` is not numeric: write 2 in quotes");
    fails(
        "A: 1, 2\nB: x, y\n[A] = [B];\n",
        "line 3, column 1: `A` and `B` are compared, but only one of them is numeric",
    );
    fails("A: 1, 2\n[A] = [a];\n", "line 2, column 1: `A` is compared with itself");
    fails("A: 1, 2\na: 1, 2\n", "two parameters are called `a`");
    assert!(read_pict("A: 1, 2\nNOT ([A] = 1);\n").unwrap_err().to_string().contains("has no values"));
    let order = PictOptions { order: Some(2), ..PictOptions::default() };
    assert!(
        read_pict_with("A: 1, 2\nB: 1, 2\n{A, B}\n", &order)
            .unwrap_err()
            .to_string()
            .contains("strength 2 is above")
    );
}
