//! What users do: start a project, test, replay, show a report again.

use crate::project::{Project, example, root, twinrun};

#[test]
fn every_template_is_a_working_project() {
    for kind in ["c", "cpp", "command"] {
        let project = Project::new(&[]);
        project.twinrun(&["init", kind]).expect(0, &["twinrun.toml", "twinrun test"]);
        let ran = project.twinrun(&["test", "--cases", "200"]);
        assert!(ran.code == 0 || ran.code == 1, "{kind}: {ran:#?}");
    }
}

#[test]
fn init_overwrites_nothing() {
    let project = Project::new(&[("twinrun.toml", "# mine\n")]);
    project.twinrun(&["init", "c"]).expect(2, &["twinrun.toml"]);
}

#[test]
fn a_finding_is_replayed_first_next_time_and_natively() {
    let project = example("maxsub");
    let first = project.twinrun(&["test", "faulty:reverse", "--format", "json", "-q"]);
    let saved = first.json()["findings"][0]["saved"].as_str().unwrap().to_owned();
    project.twinrun(&["replay", &saved]).expect(1, &["violated"]);
    project.twinrun(&["replay", &saved, "--native"]).expect(1, &["violated: source == follow_up"]);
    // One case is enough now: the saved one.
    project.twinrun(&["test", "faulty:reverse", "--cases", "1"]).expect(1, &["violated", "replayed first"]);
    // The mended subject holds on the saved case.
    project.twinrun(&["replay", &saved, "--subject", "maxsub"]).expect(0, &[]);
}

#[test]
fn the_same_seed_finds_the_same_with_any_number_of_threads() {
    let run = |jobs: &str| {
        let project = example("sorting");
        let ran = project
            .twinrun(&["test", "--cases", "30000", "--seed", "7", "--jobs", jobs, "--format", "json", "-q"]);
        let mut report = ran.json();
        for relation in report["relations"].as_array_mut().unwrap() {
            relation["seconds"] = 0.into();
        }
        report
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn a_report_is_shown_in_every_format() {
    let project = example("median");
    project.twinrun(&["test", "faulty", "--format", "json", "--output", "report.json", "-q"]).expect(1, &[]);
    for (format, sign) in
        [("human", "violated"), ("sarif", "2.1.0"), ("junit", "<testsuite"), ("github", "::error")]
    {
        project.twinrun(&["report", "report.json", "--format", format]).expect(0, &[sign]);
    }
}

#[test]
fn completions_and_man_pages_are_made() {
    let project = Project::new(&[]);
    project.twinrun(&["completions", "bash"]).expect(0, &["twinrun"]);
    project.twinrun(&["man", "pages"]).expect(0, &["twinrun.1"]);
    assert!(project.path().join("pages/twinrun-test.1").exists());
}

#[test]
fn doctor_answers() {
    let ran = twinrun(&root(), &["doctor"]);
    ran.expect(0, &["C to WebAssembly"]);
}

#[test]
fn runs_that_depend_on_each_other_are_told() {
    let source = "static int count;\nstatic int f(int x) { return x + count++; }\n\
                  RELATION(same) { int x = tw_i32(\"x\", 0, 9); int a = RUN(f(x)); int b = RUN(f(x)); CHECK_EQ(a, b); }\n";
    Project::c(source).twinrun(&["test"]).expect(1, &["depend"]);
}
