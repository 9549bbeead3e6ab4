//! Every example: the correct version holds on many cases, the seeded fault is found.

use crate::project::{Project, example};

/// Cases for each relation in the gate; `./x experiment examples` runs 100,000.
const CASES: &str = "10000";

/// The example holds on `cases` cases for each relation, and its faulty version is found.
fn check(name: &str, cases: &str) -> Project {
    let project = example(name);
    let holds = project.twinrun(&["test", name, "--cases", cases, "--format", "json", "--quiet"]);
    holds.expect(0, &[]);
    let report = holds.json();
    let relations = report["relations"].as_array().unwrap();
    assert!(relations.len() >= 2, "{name} has {} relations", relations.len());
    for relation in relations {
        let counts = &relation["counts"];
        assert!(counts["holds"].as_u64().unwrap() >= cases.parse::<u64>().unwrap(), "{name}: {relation}");
    }
    project.twinrun(&["test", "faulty", "--cases", cases, "--quiet"]).expect(1, &[]);
    project
}

#[test]
fn maxsub() {
    check("maxsub", CASES);
}

#[test]
fn median() {
    check("median", CASES);
}

#[test]
fn triangle() {
    check("triangle", CASES);
}

#[test]
fn sides() {
    check("sides", CASES);
}

#[test]
fn largest() {
    check("largest", CASES);
}

#[test]
fn sorting() {
    check("sorting", CASES);
}

#[test]
fn regex() {
    check("regex", CASES);
}

#[test]
fn paths() {
    check("paths", CASES);
}

#[test]
fn trapezoid() {
    check("trapezoid", CASES);
}

#[test]
fn advisor_is_a_whole_program() {
    check("advisor", CASES);
}

#[test]
fn bookings_is_cpp_with_containers() {
    check("bookings", CASES);
}

#[test]
fn polygon_is_a_rust_crate() {
    check("polygon", CASES);
}

#[test]
fn grep() {
    check("grep", "200");
}

#[test]
fn sort() {
    check("sort", "200");
}

#[test]
fn awk() {
    check("awk", "200");
}

#[test]
fn the_fault_of_maxsub_shrinks_to_three_small_elements() {
    let project = example("maxsub");
    let ran = project.twinrun(&["test", "faulty:reverse", "--format", "json", "--quiet"]);
    ran.expect(1, &[]);
    let report = ran.json();
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "one fault, one finding: {report:#}");
    let inputs = findings[0]["case"].as_array().unwrap();
    let elements =
        inputs.iter().find(|input| input["name"] == "a").unwrap()["value"]["ints"].as_array().unwrap();
    assert!(elements.len() <= 3, "{elements:?}");
    assert!(elements.iter().all(|element| element.as_i64().unwrap().abs() <= 3), "{elements:?}");
}
