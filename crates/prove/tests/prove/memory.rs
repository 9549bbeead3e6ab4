//! Memory that nobody has written, or that was freed: nothing that depends on it is proved, and what does not keeps its proof.

use twinrun_base::CrashKind;

use twinrun_prove::{Config, Report, Safety, Verdict, prove};

use crate::common::{config, source};

fn of(code: &str) -> Report {
    let head = "#include <stdlib.h>\n#include <string.h>\n#include <twinrun.h>\n";
    let relation =
        "RELATION(it) { int n = tw_i32(\"n\", 0, 7); CHECK_EQ(RUN(subject(n)), RUN(subject(n))); }\n";
    let subject = source(&format!("{head}{code}\n{relation}"));
    prove(&subject, "it", &Config { failures: 2, ..config() }, &mut |_| ()).expect("it can be run")
}

#[track_caller]
fn check_misuse(kind: CrashKind, code: &str) {
    let report = of(code);
    assert!(!matches!(report.verdict, Verdict::Proved(_)), "{code}");
    assert!(report.disagreement.is_none(), "{code}: {:?}", report.disagreement);
    let Safety::Broken { crashes, .. } = &report.safety else { panic!("{code}: {:?}", report.safety) };
    assert!(crashes.iter().any(|it| it.crash.kind == kind && it.confirmed), "{code}: {crashes:#?}");
}

#[test]
fn a_value_that_is_set_on_some_paths_only_is_not_proved() {
    check_misuse(
        CrashKind::Uninitialised,
        "static int subject(int n) { int sign; if (n > 3) sign = 1; return sign > 0 ? 2 : 3; }",
    );
    check_misuse(
        CrashKind::Uninitialised,
        "static int subject(int n) { int sign; if (n > 3) sign = 1; return sign; }",
    );
}

#[test]
fn an_index_that_nobody_has_set_is_not_proved() {
    check_misuse(
        CrashKind::Uninitialised,
        "static int t[4]; static int subject(int n) { int i; if (n > 3) i = n; return t[i & 3]; }",
    );
}

#[test]
fn a_heap_block_that_nobody_has_written_is_not_proved() {
    check_misuse(
        CrashKind::Uninitialised,
        "static int subject(int n) { int *a = malloc(8); a[0] = n; int r = a[n == 5] > 2; free(a); return r; }",
    );
}

#[test]
fn use_after_free_is_not_proved() {
    check_misuse(
        CrashKind::UseAfterFree,
        "static int subject(int n) { int *a = malloc(4), r; *a = n; if (n == 5) free(a); r = *a; return r; }",
    );
    check_misuse(
        CrashKind::UseAfterFree,
        "static int subject(int n) { char *a = malloc(4); strcpy(a, \"a\"); free(a); return strlen(a) > 9u; }",
    );
}

#[track_caller]
fn check_clean(code: &str) {
    let report = of(code);
    assert!(matches!(report.verdict, Verdict::Proved(_)), "{code}");
    assert!(matches!(report.safety, Safety::Proved { .. }), "{code}: {:?}", report.safety);
}

#[test]
fn a_value_that_is_set_before_every_use_keeps_its_proof() {
    check_clean(
        "static int subject(int n) { int v, known = 0; if (n > 3) { v = n; known = 1; } if (known) return v; return 1; }",
    );
    check_clean(
        "static void set(int *x, int n) { *x = n; } static int subject(int n) { int x; set(&x, n); return x > 3; }",
    );
    check_clean(
        "static int subject(int n) { int a[8]; for (int i = 0; i < 8; i++) a[i] = i * i; return a[n] > 9; }",
    );
}

#[test]
fn bit_fields_padding_and_unions_keep_their_proof() {
    check_clean(
        "struct f { unsigned a : 3, b : 7; int c : 5; };
         static int subject(int n) { struct f f; f.b = n; f.c = -n; return f.b > 2 ? f.c : f.b; }",
    );
    check_clean(
        "struct p { char tag; int value; };
         static int subject(int n) { struct p p, q; p.tag = 1; p.value = n; q = p; return q.value + q.tag > 4; }",
    );
    check_clean(
        "union u { int whole; char parts[4]; };
         static int subject(int n) { union u u, v; u.parts[0] = n; v = u; return v.parts[0] > 3; }",
    );
}

#[test]
fn a_block_that_is_freed_after_its_last_use_keeps_its_proof() {
    check_clean(
        "static int subject(int n) { int *a = calloc(2, 4); a[0] = n; int r = a[0] + a[1] > 3; free(a); return r; }",
    );
}
