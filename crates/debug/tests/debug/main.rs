//! Debugging compiled C programs, with real solvers.

use std::path::{Path, PathBuf};

use twinrun_base::work::SECOND;
use twinrun_base::{Case, Domain, Input, IntKind, Limits, Shape, Value, Verdict};
use twinrun_debug::{Config, How, Method, Outcome, Report, Subject, Violated, debug};
use twinrun_solve::Program;
use twinrun_subject::build::{self, Environment, Language, Recipe, Unit, Variant, build};
use twinrun_subject::{Module, Roots};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// Compiles sources of a folder.
fn subject(folder: &Path, sources: &[&str], flags: &[&str]) -> Subject {
    let folder = folder.canonicalize().expect("the folder is there");
    let unit = |name: &&str| Unit {
        source: folder.join(name),
        text: None,
        language: Language::C,
        flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
        folder: folder.clone(),
    };
    let recipe = Recipe {
        units: sources.iter().map(unit).collect(),
        link: Vec::new(),
        shape: build::Shape::Relations,
        cache: root().join("target/debug-tests"),
    };
    let built = build(&recipe, Variant::Plain, &Environment::of_process(&root()), None).expect("it builds");
    let bytes = std::fs::read(built.path).expect("the module");
    let module = Module::load(bytes, &Roots::new(&folder)).expect("it loads");
    let limits = Limits { work: 100_000, ..Limits::default() };
    Subject::new("subject", &module, &[], limits).expect("it decodes")
}

fn config(method: Method) -> Config {
    Config {
        method,
        solver: Program::find(&root()).expect("a solver"),
        work: 60 * SECOND,
        query: 10 * SECOND,
        paths: 1000,
        changes: 100_000,
        seed: 1,
    }
}

/// The faulty program of the paper: `cnt = 0;` is missing.
const MAXSUB: &str = "\
#include <twinrun.h>
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
RELATION(never) {
    int a[2];
    tw_i32s(\"a\", a, 2, 1, 100);
    int source = RUN(maxsub(a, 2));
    int follow_up = RUN(maxsub(a, 1));
    CHECK_LE(source, follow_up);
}
";

fn written(text: &str) -> (tempfile::TempDir, Subject) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("subject.c"), text).expect("it can be written");
    let subject = subject(folder.path(), &["subject.c"], &[]);
    (folder, subject)
}

fn ints(name: &str, values: &[i64], lo: i64, hi: i64) -> Input {
    let shape = Shape::Array(values.len() as u32);
    let domain = Domain::Ints { kind: IntKind::I32, shape, lo, hi };
    Input { name: name.to_owned(), domain, value: Value::Ints(values.to_vec()) }
}

fn maxsub(method: Method) -> Report {
    let (_folder, subject) = written(MAXSUB);
    let case = Case { inputs: vec![ints("a", &[4, -2, 1], -100, 100)] };
    debug(&subject, &[Violated { relation: "reverse".to_owned(), case }], &config(method)).expect("it runs")
}

fn line(report: &Report) -> u32 {
    report.critical[0].branch.statement.as_ref().map_or(0, |location| location.line)
}

#[test]
fn the_published_search_names_the_condition_of_maxsub() {
    let report = maxsub(Method::Published);
    assert_eq!(report.outcome, Outcome::Found);
    assert_eq!(line(&report), 6, "{report:#?}");
    let pair = &report.pairs[0];
    assert_eq!((pair.branch.run, pair.branch.iteration), (2, 2));
    assert_eq!((pair.failing.verdict, pair.passing.verdict), (Verdict::Violated, Verdict::Holds));
    assert_eq!(pair.how, How::Negated);
}

#[test]
fn the_ranking_names_the_condition_of_maxsub() {
    let report = maxsub(Method::Ranked);
    assert_eq!(line(&report), 6, "{:#?}", report.critical);
    let text = serde_json::to_string(&report).expect("it is plain data");
    assert_eq!(serde_json::from_str::<Report>(&text).expect("and back"), report);
}

#[test]
fn where_every_path_fails_the_report_says_what_they_share() {
    let (_folder, subject) = written(MAXSUB);
    let case = Case { inputs: vec![ints("a", &[5, 6], 1, 100)] };
    let violated = [Violated { relation: "never".to_owned(), case }];
    let report = debug(&subject, &violated, &config(Method::Published)).expect("it runs");
    assert_eq!(report.outcome, Outcome::NoPassingNeighbour);
    assert!(report.critical.is_empty() && !report.common.is_empty(), "{report:#?}");
}

#[test]
fn where_no_neighbour_passes_the_ranking_names_a_branch_all_the_same() {
    let (_folder, subject) = written(MAXSUB);
    let case = Case { inputs: vec![ints("a", &[5, 6], 1, 100)] };
    let violated = [Violated { relation: "never".to_owned(), case }];
    let report = debug(&subject, &violated, &config(Method::Ranked)).expect("it runs");
    assert_eq!(report.outcome, Outcome::NoPassingNeighbour);
    assert!(report.pairs.is_empty() && report.critical[0].pair.is_none(), "{report:#?}");
    assert_eq!(report.ground().map(|(relation, _)| relation), Some("never"));
}

#[test]
fn a_fault_that_ends_every_run_early_is_named_though_repaired_runs_are_longer() {
    let (_folder, subject) = written(
        "#include <twinrun.h>\n\
         static int sum(const int *a, int n) {\n\
             if (n > 0)\n\
                 return a[0];\n\
             int sum = 0;\n\
             for (int round = 0; round < 50; round++)\n\
                 for (int i = 0; i < n; i++)\n\
                     sum += a[i];\n\
             return sum;\n\
         }\n\
         RELATION(reverse) {\n\
             int a[3];\n\
             tw_i32s(\"a\", a, 3, -100, 100);\n\
             int source = RUN(sum(a, 3));\n\
             TW_REVERSE(a, 3);\n\
             CHECK_EQ(source, RUN(sum(a, 3)));\n\
         }\n",
    );
    let violated = [[4, -2, 1], [0, 0, 7], [5, 5, -5]].map(|values| Violated {
        relation: "reverse".to_owned(),
        case: Case { inputs: vec![ints("a", &values, -100, 100)] },
    });
    let report = debug(&subject, &violated, &config(Method::Ranked)).expect("it runs");
    let repaired = |it: &twinrun_debug::Repaired| {
        it.kind == "always" && it.worth.fixed == 1.0 && it.worth.general == 1.0 && it.worth.distinct == 1.0
    };
    assert!(report.repairs.iter().any(repaired), "{report:#?}");
    let first = report.critical[0].branch.statement.as_ref().map(|at| at.line);
    assert_eq!(first, Some(3), "{report:#?}");
}

/// What is known without time or without a solver is told, and nothing more.
fn without(change: impl Fn(&mut Config)) -> Report {
    let (_folder, subject) = written(MAXSUB);
    let case = Case { inputs: vec![ints("a", &[4, -2, 1], -100, 100)] };
    let mut config = config(Method::Published);
    change(&mut config);
    debug(&subject, &[Violated { relation: "reverse".to_owned(), case }], &config).expect("it runs")
}

#[test]
fn a_search_without_time_claims_nothing() {
    for report in [without(|config| config.work = 0), without(|config| config.paths = 0)] {
        assert_eq!(report.outcome, Outcome::NotFound);
        assert!(report.critical.is_empty() && !report.common.is_empty() && !report.search.exhausted);
    }
}

#[test]
fn a_solver_that_dies_is_no_proof_that_no_neighbour_passes() {
    let report = without(|config| config.solver.path = "/bin/false".into());
    assert_eq!(report.outcome, Outcome::NotFound, "{report:#?}");
    assert!(report.search.unknown > 0 && !report.search.exhausted);
}

#[test]
fn recursion_without_end_is_a_crash_and_refused() {
    let (_folder, subject) = written(
        "#include <twinrun.h>\nstatic int f(int x) { return f(x + 1) + 1; }\n\
         RELATION(endless) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(RUN(f(x)), RUN(f(x + 1))); }\n",
    );
    let violated = [Violated { relation: "endless".to_owned(), case: Case::default() }];
    let error = debug(&subject, &violated, &config(Method::Published)).unwrap_err();
    assert!(error.to_string().contains("not violated"), "{error}");
}

#[test]
fn a_case_that_holds_is_refused() {
    let (_folder, subject) = written(MAXSUB);
    let case = Case { inputs: vec![ints("a", &[1, 2, 3], -100, 100)] };
    let violated = [Violated { relation: "reverse".to_owned(), case }];
    let error = debug(&subject, &violated, &config(Method::Published)).unwrap_err();
    assert!(error.to_string().contains("not violated"), "{error}");
}

#[test]
fn a_repeated_constant_is_named_in_the_http_reader() {
    let subject = subject(&root().join("subjects/http"), &["http.c", "relations.c"], &["-DFAULTY"]);
    let choice = |name: &str, count: i64, value: i64| Input {
        name: name.to_owned(),
        domain: Domain::Int { kind: IntKind::Choice, lo: 0, hi: count - 1 },
        value: Value::Int(value),
    };
    let text = |name: &str, min: u32, alphabet: &[u8], value: &[u8]| Input {
        name: name.to_owned(),
        domain: Domain::Text { min, max: 3, alphabet: alphabet.to_vec() },
        value: Value::Bytes(value.to_vec()),
    };
    let case = Case {
        inputs: vec![
            choice("method", 4, 0),
            choice("version", 3, 1),
            text("target", 1, b"/a?*", b"/a"),
            text("before", 0, b" \t", b""),
            text("after_method", 0, b" \t", b"\t"),
            text("after_target", 0, b" \t", b""),
            text("after_version", 0, b" \t", b""),
        ],
    };
    let violated = [Violated { relation: "white_space".to_owned(), case }];
    for method in [Method::Published, Method::Ranked] {
        let report = debug(&subject, &violated, &config(method)).expect("it runs");
        let named = report.critical[0].branch.statement.clone().expect("a place");
        assert_eq!((named.file.as_str(), named.line), ("http.c", 6), "{method:?}: {:#?}", report.critical);
    }
}
