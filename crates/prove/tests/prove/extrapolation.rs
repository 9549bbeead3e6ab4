//! What follows for further inputs.

use crate::common::{config, report, subject};
use twinrun_prove::{Claimed, Config, Given, Misfit, Report, Statement, extrapolate};

fn follows(project: &str, name: &str, reports: &[Report], given: &[&str]) -> Result<Vec<Statement>, Misfit> {
    let given: Vec<Given> = given.iter().map(|text| text.parse().expect("it is understood")).collect();
    let subject = subject(project, name);
    extrapolate(reports, &given, &|_| Some(&subject), &config())
}

#[test]
fn med_is_correct_everywhere_when_it_is_for_one_order() {
    let plain = Config { no_safety: true, ..config() };
    let both =
        ["swap_last_two", "swap_first_two"].map(|relation| report("pairs/med", "med", relation, &plain));
    let said =
        follows("pairs/med", "med", &both, &["a <= c <= b -> c", "a=1, b=2, c=3 -> 2"]).expect("they fit");
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].all);
    assert_eq!(
        said[0].text,
        "correct where a <= c <= b: Med answers c, and therefore for all inputs of the declared ranges: the proved relations generate 6 permutations of (a, b, c) (provided that Med reads and changes nothing but a, b, c)"
    );
    assert_eq!(
        said[1].text,
        "correct where a=1, b=2, c=3: Med answers 2, and therefore for (a, b, c) = (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1) (provided that Med reads and changes nothing but a, b, c)"
    );
    let one = follows("pairs/med", "med", &both[..1], &["a <= c <= b -> c"]).expect("it fits");
    assert!(!one[0].all);
    assert!(one[0].text.contains("and therefore where"), "{}", one[0].text);
    // Nothing follows from a claim that is wrong or has no answer, and what is no argument is an error.
    let wrong = follows("pairs/med", "med", &both, &["a <= c <= b -> b", "a <= c <= b"]).expect("they fit");
    assert_eq!(
        wrong.iter().map(|it| it.claim).collect::<Vec<_>>(),
        [Some(Claimed::Refused), Some(Claimed::Asked)]
    );
    assert!(wrong.iter().all(|it| !it.text.contains("therefore")), "{wrong:?}");
    for text in ["a=1, b=2, c=3, d=4 -> 2", "a <= x -> 1", "a=1, b=2 -> 1"] {
        assert!(follows("pairs/med", "med", &both, &[text]).is_err(), "{text}");
    }
}

#[test]
fn area_is_correct_for_linear_combinations() {
    let all = ["raise", "add", "scale"].map(|relation| report("pairs/area_any", "area", relation, &config()));
    let said = follows("pairs/area_any", "area", &all, &[]).expect("nothing is claimed");
    assert_eq!(said.len(), 1);
    assert_eq!(
        said[0].text,
        "where Area is correct for f1, …, fn, it is correct, with the other arguments the same, for k1·f1 + … + kn·fn + c, for factors of the declared ranges"
    );
}
