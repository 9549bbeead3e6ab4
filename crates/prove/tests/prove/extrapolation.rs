//! What follows for further inputs.

use crate::common::{config, report, root};
use twinrun_prove::{Config, Given, Report, Statement, extrapolate};
use twinrun_solve::Program;

fn follows(reports: &[Report], given: &[&str]) -> Vec<Statement> {
    let given: Vec<Given> = given.iter().map(|text| text.parse().expect("it is understood")).collect();
    extrapolate(reports, &given, &Program::find(&root()).expect("a solver"))
}

#[test]
fn med_is_correct_everywhere_when_it_is_for_one_order() {
    let plain = Config { no_safety: true, ..config() };
    let both =
        ["swap_last_two", "swap_first_two"].map(|relation| report("pairs/med", "med", relation, &plain));
    let said = follows(&both, &["a <= c <= b", "a=1, b=2, c=3"]);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].all);
    assert_eq!(
        said[0].text,
        "correct where a <= c <= b, and therefore for all inputs of the declared ranges: the proved relations generate 6 permutations of (a, b, c) (provided that Med reads and changes nothing but a, b, c)"
    );
    assert_eq!(
        said[1].text,
        "correct for (a, b, c) = (1, 2, 3), and therefore for (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1) (provided that Med reads and changes nothing but a, b, c)"
    );
    let one = follows(&both[..1], &["a <= c <= b"]);
    assert!(!one[0].all);
    assert!(one[0].text.contains("and therefore where"), "{}", one[0].text);
}

#[test]
fn area_is_correct_for_linear_combinations() {
    let all = ["raise", "add", "scale"].map(|relation| report("pairs/area_any", "area", relation, &config()));
    let said = follows(&all, &[]);
    assert_eq!(said.len(), 1);
    assert_eq!(
        said[0].text,
        "where Area is correct for f1, …, fn, it is correct, with the other arguments the same, for k1·f1 + … + kn·fn + c, for factors of the declared ranges"
    );
}
