//! Memory that nobody has written, and memory that was freed: uses are found and named, moves are not.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use twinrun_base::{CrashKind, Report};
use twinrun_campaign::Config;
use twinrun_subject::build::Environment;
use twinrun_subject::{Project, SubjectKind, open};
use twinrun_testing::engine::{WasmSubject, with_stack};
use twinrun_testing::session::{Plan, test};
use twinrun_testing::target::Target;

/// What is wrong: its name, the kind, words of the message, and the code with a function `subject`.
const MISUSES: &[(&str, CrashKind, &str, &str)] = &[
    (
        "branch",
        CrashKind::Uninitialised,
        "`sign` of `subject`, declared at it.c:5",
        "static int subject(int n) { int sign; if (n > 3) sign = 1; return sign > 0 ? 2 : 3; }",
    ),
    (
        "check",
        CrashKind::Uninitialised,
        "`sign` of `subject`, declared at it.c:5",
        "static int subject(int n) { int sign; if (n > 3) sign = 1; return sign; }",
    ),
    (
        "address",
        CrashKind::Uninitialised,
        "`place` of `subject`",
        "static int table[4] = {1, 1, 1, 1};
         static int subject(int n) { int place; if (n > 3) place = n; return table[place & 3]; }",
    ),
    (
        "array",
        CrashKind::Uninitialised,
        "`a` of `subject`",
        "static int subject(int n) { int a[4]; for (int i = 0; i < n; i++) a[i & 3] = i; return a[3] > 1; }",
    ),
    (
        "heap",
        CrashKind::Uninitialised,
        "bytes 12 to 15 of a heap block of 16 bytes, allocated at it.c:5",
        "static int subject(int n) { int *a = malloc(16), sum = 0;
         for (int i = 0; i < 3; i++) a[i] = n;
         for (int i = 0; i < 4; i++) sum += a[i];
         free(a); return sum > 2; }",
    ),
    (
        "copied",
        CrashKind::Uninitialised,
        "`from` of `subject`",
        "struct s { int a, b; };
         static int subject(int n) { struct s from, to; from.a = n; to = from; return to.b > 2; }",
    ),
    (
        "printed",
        CrashKind::Uninitialised,
        "`x` of `subject`",
        "static int subject(int n) { int x; if (n > 3) x = n; printf(\"%d\\n\", x); fflush(stdout); return 0; }",
    ),
    (
        "returned",
        CrashKind::Uninitialised,
        "which has returned",
        "static int *inner(int n) { int x = n; int *p = &x; return p; }
         static int subject(int n) { return *inner(n) == n; }",
    ),
    (
        "freed",
        CrashKind::UseAfterFree,
        "use after free",
        "static int subject(int n) { int *a = malloc(4), r; *a = n; free(a); r = *a == n; return r; }",
    ),
    (
        "freed_text",
        CrashKind::UseAfterFree,
        "use after free",
        "static int subject(int n) { char *a = malloc(4); a[0] = 'a'; a[1] = 0; free(a); return strlen(a) > 9u; }",
    ),
];

#[test]
fn a_use_of_what_nobody_has_written_is_found_and_named() {
    for (name, kind, words, code) in MISUSES {
        let source = format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <twinrun.h>\n{code}\n
             RELATION(it) {{ int n = tw_i32(\"n\", 0, 7); CHECK_EQ(RUN(subject(n)), RUN(subject(n))); }}\n"
        );
        let report = report("it.c", &source, 300);
        let found = report.findings.iter().filter_map(|finding| finding.group.crash.as_ref());
        let fits = |crash: &twinrun_base::Crash| crash.kind == *kind && crash.message.contains(words);
        assert!(found.clone().any(fits), "{name}: {:#?}", found.collect::<Vec<_>>());
    }
}

#[test]
fn moving_it_in_c_is_no_use() {
    holds("clean.c", include_str!("clean.c"));
}

#[test]
fn moving_it_in_cxx_is_no_use() {
    holds("clean.cpp", include_str!("clean.cpp"));
}

#[track_caller]
fn holds(name: &str, source: &str) {
    let report = report(name, source, 300);
    let crashes: Vec<_> = report.findings.iter().map(|finding| (&finding.relation, &finding.group)).collect();
    assert!(crashes.is_empty(), "{crashes:#?}");
    assert!(report.relations.iter().all(|relation| relation.counts.holds >= 300), "{:#?}", report.relations);
}

/// Tests all relations of one source.
fn report(name: &str, source: &str, cases: u64) -> Report {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("twinrun.toml"), format!("[subject.it]\nsources = [\"{name}\"]\n"))
        .unwrap();
    std::fs::write(folder.path().join(name), source).unwrap();
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let project = Project::find(folder.path()).unwrap();
    let opened = open(&project, "it", &Environment::of_process(&root)).unwrap();
    let SubjectKind::Module(modules) = opened.kind else { panic!("a module") };
    let subject = Arc::new(WasmSubject::of_built("it", modules, opened.limits, "test").unwrap());
    let plan = Plan {
        seed: 1,
        cases,
        written: None,
        rounds: 1,
        campaign: Config::default(),
        saved: None,
        journal: None,
        corpus: Vec::new(),
        first: Vec::new(),
        checked: true,
    };
    with_stack(|| {
        let names: Vec<String> = subject.relations().map(str::to_owned).collect();
        let targets: Vec<_> = names.iter().map(|name| subject.target(name).unwrap()).collect();
        let targets: Vec<&dyn Target> = targets.iter().map(|target| target as &dyn Target).collect();
        test(&targets, &plan, &|_| ()).unwrap()
    })
}
