//! What can be symbolic: indices, text, switches, floats, divisions, whole programs.

use std::collections::BTreeSet;
use std::sync::Arc;

use twinrun_base::{Limits, Value, Verdict};
use twinrun_explore::{Config, Coverage, Engine, Explorer, Kind, Path, Source, Strategy};
use twinrun_subject::build::Shape;
use twinrun_term::Model;

use crate::common::{explorer, load, solver};

/// Explores the relation `r` of a C text to the end.
fn paths(text: &str, config: Config) -> (Vec<Path>, Coverage, Explorer) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("r.c"), format!("#include <twinrun.h>\n{text}")).expect("a file");
    let (_, module) = load(folder.path(), &["r.c"], &[], Shape::Relations);
    let mut explorer = explorer(&module, "r", config);
    let mut paths = Vec::new();
    while let Some(path) = explorer.next_path().expect("it runs") {
        paths.push(path);
    }
    let coverage = explorer.coverage();
    (paths, coverage, explorer)
}

fn verdicts(paths: &[Path]) -> Vec<(Verdict, usize)> {
    let kinds: BTreeSet<Verdict> = paths.iter().map(|path| path.verdict).collect();
    kinds.into_iter().map(|kind| (kind, paths.iter().filter(|path| path.verdict == kind).count())).collect()
}

#[test]
fn an_index_that_depends_on_inputs_reads_all_places_at_once() {
    let (paths, coverage, _) = paths(
        "static const int table[8] = {5, 3, 9, 1, 7, 7, 2, 8};
         static int look(int i) { return table[i]; }
         RELATION(r) { int i = tw_i32(\"i\", 0, 7); CHECK_LE(RUN(look(i)), 8); }",
        Config::default(),
    );
    assert!(coverage.is_complete() && coverage.fixed == 0, "{coverage:?}");
    assert_eq!(verdicts(&paths), [(Verdict::Holds, 1), (Verdict::Violated, 1)]);
}

#[test]
fn a_write_at_such_an_index_is_seen_by_later_reads() {
    let (paths, coverage, explorer) = paths(
        "static int count(int i, int j) { int c[4] = {0, 0, 0, 0}; c[i]++; c[j]++; return c[2]; }
         RELATION(r) { int i = tw_i32(\"i\", 0, 3), j = tw_i32(\"j\", 0, 3); CHECK_NE(RUN(count(i, j)), 2); }",
        Config::default(),
    );
    assert!(coverage.is_complete() && coverage.fixed == 0, "{coverage:?}");
    let violated = paths.iter().find(|path| path.verdict == Verdict::Violated).expect("i = j = 2");
    let case = violated.case(&explorer.engine.domain.terms, &violated.model);
    assert_eq!((case.get("i"), case.get("j")), (Some(&Value::Int(2)), Some(&Value::Int(2))));
}

#[test]
fn text_of_every_length_is_explored() {
    let (paths, coverage, explorer) = paths(
        "static int blanks(const char *t) { int n = 0; while (*t) { if (*t == ' ' || *t == '\\t') n++; t++; } return n; }
         RELATION(r) { char t[4]; tw_text(\"t\", t, 2, \"ab \\t\"); CHECK(RUN(blanks(t)) < 2); }",
        Config::default(),
    );
    assert!(coverage.is_complete(), "{coverage:?}");
    // One path for the empty text, three for one character, nine for two.
    assert_eq!(paths.len(), 13);
    for path in &paths {
        let case = path.case(&explorer.engine.domain.terms, &path.model);
        let Some(Value::Bytes(text)) = case.get("t") else { panic!("{case}") };
        assert!(text.iter().all(|byte| b"ab \t".contains(byte)), "{case}");
        let blanks = text.iter().filter(|byte| b" \t".contains(byte)).count();
        assert_eq!(path.verdict == Verdict::Violated, blanks == 2, "{case}");
    }
}

#[test]
fn a_switch_has_a_path_for_every_target() {
    let (paths, coverage, _) = paths(
        "static int f(int x) { switch (x) { case 0: return 4; case 1: return 2; case 2: return 8; case 3: return 1; default: return 0; } }
         RELATION(r) { int x = tw_i32(\"x\", -100, 100); CHECK_NE(RUN(f(x)), 8); }",
        Config { strategy: Strategy::Uncovered, ..Config::default() },
    );
    assert!(coverage.is_complete(), "{coverage:?}");
    assert_eq!(verdicts(&paths), [(Verdict::Holds, 4), (Verdict::Violated, 1)]);
}

#[test]
fn a_division_by_an_input_has_a_path_that_crashes() {
    let (paths, _, _) = paths(
        "static int f(int x, int y) { return x / y; }
         RELATION(r) { int x = tw_i32(\"x\", 0, 9), y = tw_i32(\"y\", -1, 1); CHECK_LE(RUN(f(x, y)), 9); }",
        Config { strategy: Strategy::BreadthFirst, ..Config::default() },
    );
    assert!(paths.iter().any(|path| path.verdict == Verdict::Crashed));
    assert!(paths.iter().all(|path| path.verdict != Verdict::Violated));
}

#[test]
fn floats_are_explored_bit_precisely() {
    let (paths, coverage, _) = paths(
        "static int f(double x) { if (x + 1.0 == x) return 1; return 0; }
         RELATION(r) { double x = tw_f64(\"x\", 0, 1e300); CHECK_EQ(RUN(f(x)), 0); }",
        Config::default(),
    );
    assert!(coverage.is_complete(), "{coverage:?}");
    assert_eq!(verdicts(&paths), [(Verdict::Holds, 1), (Verdict::Violated, 1)]);
}

#[test]
fn assumptions_discard_and_lengths_are_all_tried() {
    let (paths, coverage, explorer) = paths(
        "static int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
         RELATION(r) { int a[4]; int n = tw_len(\"n\", 1, 4); tw_i32s(\"a\", a, n, 0, 5); ASSUME(a[0] != 0); CHECK_LE(RUN(sum(a, n)), 19); }",
        Config::default(),
    );
    assert!(coverage.is_complete(), "{coverage:?}");
    let lengths: BTreeSet<String> = paths
        .iter()
        .filter(|path| path.verdict == Verdict::Holds)
        .map(|path| path.case(&explorer.engine.domain.terms, &path.model).get("n").expect("n").to_string())
        .collect();
    assert_eq!(lengths.into_iter().collect::<Vec<_>>(), ["1", "2", "3", "4"]);
    assert_eq!(paths.iter().filter(|path| path.verdict == Verdict::Violated).count(), 1);
    assert!(coverage.discarded > 0);
}

#[test]
fn a_work_limit_and_a_path_limit_are_told() {
    let (paths, coverage, _) = paths(
        "static int f(unsigned x) { int n = 0; while (x) { if (x & 1) n++; x >>= 1; } return n; }
         RELATION(r) { unsigned x = tw_u32(\"x\", 0, 4000000000u); CHECK_LE(RUN(f(x)), 32); }",
        Config { max_paths: Some(20), ..Config::default() },
    );
    assert_eq!(paths.len(), 20);
    assert!(!coverage.is_complete() && coverage.open > 0, "{coverage:?}");
}

#[test]
fn a_program_sees_its_arguments_and_input_with_terms() {
    let folder = tempfile::tempdir().expect("a folder");
    let relation = r#"#include <twinrun.h>
        RELATION(r) {
            char c[2], t[3], out[16];
            tw_text_between("c", c, 1, 1, "abc");
            tw_text_between("t", t, 2, 2, "abc");
            tw_arg arguments[1] = {{c, 1}};
            tw_run_program(arguments, 1, t, 2, out, sizeof out);
            CHECK(out[0] != '2');
        }"#;
    let program = r#"#include <stdio.h>
        int main(int argc, char **argv) {
            int n = 0, c;
            while ((c = getchar()) != EOF) if (c == argv[1][0]) n++;
            putchar('0' + n);
            return argc - 2;
        }"#;
    std::fs::write(folder.path().join("r.c"), relation).expect("a file");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let (_, relations) = load(folder.path(), &["r.c"], &[], Shape::Relations);
    let (_, program) = load(folder.path(), &["p.c"], &[], Shape::Program);
    let programs = vec![(String::new(), Arc::clone(&program))];
    let engine = Engine::new(&relations, "r", programs, Limits::default()).expect("it links");
    let mut explorer = Explorer::new(engine, solver(), Config::default(), Source::Model(Model::new()));
    let mut violated = 0;
    let mut count = 0;
    while let Some(path) = explorer.next_path().expect("it runs") {
        count += 1;
        assert!(
            path.conditions
                .iter()
                .any(|condition| matches!(condition.kind, Kind::Branch { .. }) && condition.run == Some(0))
        );
        let case = path.case(&explorer.engine.domain.terms, &path.model);
        let (Some(Value::Bytes(c)), Some(Value::Bytes(t))) = (case.get("c"), case.get("t")) else {
            panic!("{case}")
        };
        let both = t.iter().all(|byte| *byte == c[0]);
        assert_eq!(path.verdict == Verdict::Violated, both, "{case}");
        violated += u32::from(both);
    }
    assert!(explorer.coverage().is_complete(), "{:?}", explorer.coverage());
    assert_eq!((count, violated), (4, 1));
}
