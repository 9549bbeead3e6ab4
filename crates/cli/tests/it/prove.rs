//! What `twinrun prove` says, and what it never says.

use crate::project::Project;

#[test]
fn a_relation_that_says_nothing_is_inconclusive() {
    let unchecked = Project::c("RELATION(it) { int x = tw_i32(\"x\", 0, 9); RUN(x + 1); }\n");
    unchecked.twinrun(&["prove"]).expect(4, &["unknown: nothing is checked"]);
    let never_run = Project::c("RELATION(it) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(x, x); }\n");
    never_run.twinrun(&["prove", "--no-safety"]).expect(4, &["unknown: nothing is run"]);
}

#[test]
fn a_crash_is_a_failure_with_its_case() {
    let source = "static int f(int x) { return 100 / (x - 77); }\n\
                  RELATION(it) { int x = tw_i32(\"x\", 0, 100000); CHECK_EQ(RUN(f(x)), RUN(f(x))); }\n";
    Project::c(source)
        .twinrun(&["prove", "--no-safety"])
        .expect(1, &["CRASHES for some inputs", "crashed for x = 77", "it.c:2"]);
}

#[test]
fn what_testing_finds_is_violated_whatever_the_time() {
    let source = "static double f(double x, double y) { return x * y / (1 + x * x * y * y); }\n\
                  RELATION(it) { double x = tw_f64(\"x\", -9, 9), y = tw_f64(\"y\", -9, 9); \
                  CHECK_NEAR(RUN(f(x, y)), RUN(f(y, y)), 1e-6); }\n";
    let ran =
        Project::c(source).twinrun(&["prove", "--time", "20s", "--no-safety", "--format", "json", "-q"]);
    assert_eq!(ran.code, 1, "{ran:#?}");
    let report = &ran.json()[0];
    assert_eq!(report["verdict"]["is"], "violated");
    assert_eq!(report["witness"]["confirmed"], true);
    assert!(report["pairs"]["failing"].as_u64().is_none_or(|failing| failing > 0), "{report:#}");
    assert!(report["disagreement"].is_null());
}

#[test]
fn what_measures_the_prover_alone_is_hidden_but_there() {
    let project = Project::c("RELATION(it) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(RUN(x), RUN(x)); }\n");
    let help = project.twinrun(&["prove", "--help"]);
    assert!(!help.out.contains("no-pretest"), "{}", help.out);
    let bare = ["prove", "--no-pretest", "--no-enumeration", "--no-safety"];
    let ran = project.twinrun(&bare);
    ran.expect(0, &["proved for all inputs of the declared ranges"]);
    assert!(!ran.out.contains("in the other engine"), "{}", ran.out);
    project
        .twinrun(&["prove", "--no-safety"])
        .expect(0, &["10000 groups drawn", "all pairs of boundary values"]);
}
