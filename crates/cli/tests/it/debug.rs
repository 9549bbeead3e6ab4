//! `twinrun debug` and `twinrun explore` on small projects.

use crate::project::Project;

/// The faulty program of the paper: `cnt = 0;` is missing.
const MAXSUB: &str = "\
static int maxsub(const int *a, int n) {
    int ans = 0, cnt = 0;
    for (int i = 0; i < n; i++) {
        cnt += a[i];
        if (cnt < 0)
            ;
        if (cnt > ans)
            ans = cnt;
    }
    return ans;
}
RELATION(reverse) {
    int a[3], b[3];
    tw_i32s(\"a\", a, 3, -100, 100);
    TW_COPY(b, a, 3);
    TW_REVERSE(b, 3);
    int source = RUN(maxsub(a, 3));
    int follow_up = RUN(maxsub(b, 3));
    CHECK_EQ(source, follow_up);
}
RELATION(same) {
    int a[2];
    tw_i32s(\"a\", a, 2, -100, 100);
    CHECK_EQ(RUN(maxsub(a, 2)), RUN(maxsub(a, 2)));
}
";

#[test]
fn debug_names_the_condition_whose_body_is_missing() {
    let project = Project::c(MAXSUB);
    let ran = project.twinrun(&["debug", "it:reverse", "--format", "json", "-q"]);
    let report = &ran.expect(1, &[]).json()["subjects"][0];
    assert_eq!(report["outcome"], "found");
    let named = |rank: usize| report["critical"][rank]["branch"]["statement"]["line"].as_u64();
    assert!((0..3).any(|rank| named(rank) == Some(6)), "{report:#}");
    project.twinrun(&["debug", "it:reverse", "--method", "published"]).expect(1, &["look at it.c:"]);
    let sarif = project.twinrun(&["debug", "it:reverse", "--format", "sarif", "-q"]).expect(1, &[]).json();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "it.c");
}

/// The violated case of the paper, as `twinrun test` saves it.
const PAPER: &str = r#"{"version": 1, "subject": "it", "relation": "reverse", "verdict": "violated", "case": {"inputs": [
    {"name": "a", "domain": {"type": "ints", "kind": "i32", "shape": {"Array": 3}, "lo": -100, "hi": 100}, "value": {"ints": [4, -2, 1]}}
]}}"#;

#[test]
fn from_the_case_of_the_paper_both_methods_name_its_branch_first() {
    let project = Project::c(MAXSUB);
    std::fs::write(project.path().join("paper.json"), PAPER).unwrap();
    for method in ["ranked", "published"] {
        let arguments = ["debug", "it:reverse", "--case", "paper.json", "--method", method, "-q", "--format"];
        let run = |format: &str| project.twinrun(&[&arguments[..], &[format]].concat());
        let report = &run("json").expect(1, &[]).json()["subjects"][0];
        let first = &report["critical"][0]["branch"]["statement"];
        assert_eq!((&first["file"], &first["line"]), (&"it.c".into(), &6.into()), "{method}: {report:#}");
        let sarif = run("sarif").expect(1, &[]).json();
        let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "it.c");
        assert_eq!(place["region"]["startLine"], 6, "{method}: {sarif:#}");
    }
}

#[test]
fn debug_says_when_nothing_is_violated() {
    let project = Project::c(MAXSUB);
    project
        .twinrun(&["debug", "it:same", "--tries", "500"])
        .expect(0, &["no violated case is saved", "nothing to debug"]);
    project.twinrun(&["debug", "it:same", "--format", "junit"]).expect(2, &["`json` or `sarif`"]);
}

#[test]
fn explore_accounts_for_every_path() {
    let project = Project::c(MAXSUB);
    let ran = project.twinrun(&["explore", "it:same", "--format", "json", "-q"]);
    let relation = &ran.expect(0, &[]).json()["relations"][0];
    assert_eq!(relation["complete"], true, "{relation:#}");
    project.twinrun(&["explore", "it:reverse", "--paths", "3"]).expect(4, &["not all paths were run"]);
    // What is violated on the way is told, although not everything was seen.
    project
        .twinrun(&["explore", "it:reverse", "--paths", "6"])
        .expect(1, &["violated", "not all paths were run"]);
}

#[test]
fn score_tells_which_relation_kills_which_mutants() {
    let project = Project::c(MAXSUB);
    let ran = project.twinrun(&["score", "--cases", "200", "--every", "12", "--format", "json", "-q"]);
    let table = &ran.expect(0, &[]).json()["subjects"][0];
    let kills = |name: &str| {
        let relations = table["relations"].as_array().unwrap();
        let found = relations.iter().find(|it| it["relation"] == name).unwrap();
        found["kills"].as_u64().unwrap()
    };
    // The same input twice never differs.
    assert!(kills("same") == 0 && kills("reverse") > 0, "{table:#}");
    assert!(
        table["mutants"]
            .as_array()
            .unwrap()
            .iter()
            .all(|it| it["mutant"]["location"]["line"].as_u64() < Some(13))
    );
}

#[test]
fn score_changes_single_instructions_of_a_ready_module() {
    let project = Project::c(MAXSUB);
    project.twinrun(&["test", "it:same", "--cases", "5", "-q"]).expect(0, &[]);
    let built = wasm(&project.path().join(".twinrun")).expect("the module that was tested");
    std::fs::copy(built, project.path().join("ready.wasm")).unwrap();
    std::fs::write(project.path().join("twinrun.toml"), "[subject.ready]\nwasm = \"ready.wasm\"\n").unwrap();
    let ran = project.twinrun(&["score", "--cases", "50", "--every", "25", "--format", "json", "-q"]);
    let table = &ran.expect(0, &[]).json()["subjects"][0];
    let mutants = table["mutants"].as_array().unwrap();
    assert!(mutants.iter().any(|it| it["fate"] == "killed"), "{table:#}");
    assert!(mutants.iter().all(|it| it["mutant"]["function"] == "maxsub"), "{table:#}");
    assert!(mutants.iter().all(|it| it["mutant"]["location"]["file"] == "it.c"), "{table:#}");
}

/// Some module below a folder.
fn wasm(folder: &std::path::Path) -> Option<std::path::PathBuf> {
    let entries: Vec<_> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    let here = entries.iter().find(|path| path.extension().is_some_and(|it| it == "wasm")).cloned();
    here.or_else(|| entries.iter().filter(|path| path.is_dir()).find_map(|path| wasm(path)))
}
