//! What cannot be explored is told, never claimed: inputs too wide, solvers that die or say nothing, code that does not end, too many
//! paths. No test here waits for a clock.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use twinrun_base::{Budget, CrashKind, Limits, Verdict};
use twinrun_explore::{Config, Coverage, Engine, Explorer, Path, Source};
use twinrun_solve::{Program, Solver};
use twinrun_subject::build::Shape;
use twinrun_term::Model;

use crate::common::{load, root};

/// Explores the relation `r` of a C text; `change` spoils something.
fn explored(
    text: &str,
    config: Config,
    limits: Limits,
    change: impl FnOnce(&mut Program, &mut twinrun_solve::Config),
) -> (Vec<Path>, Coverage, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("r.c"), format!("#include <twinrun.h>\n{text}")).expect("a file");
    let (_, module) = load(folder.path(), &["r.c"], &[], Shape::Relations);
    let engine = Engine::new(&module, "r", Vec::new(), limits).expect("it links");
    let mut program = Program::find(&root()).expect("a solver");
    let mut solver_config = twinrun_solve::Config::default();
    change(&mut program, &mut solver_config);
    let solver = Solver::new(program, solver_config);
    let mut explorer = Explorer::new(engine, solver, config, Source::Model(Model::new()));
    let mut paths = Vec::new();
    while let Some(path) = explorer.next_path().expect("it runs") {
        paths.push(path);
    }
    (paths, explorer.coverage(), explorer.reasons().iter().cloned().collect())
}

const SIGN: &str = "static int sign(int x) { if (x < 0) return -1; return x > 0; }
    RELATION(r) { int x = tw_i32(\"x\", -9, 9); CHECK_EQ(RUN(sign(x)), -RUN(sign(-x))); }";

#[test]
fn a_solver_that_dies_leaves_branches_undecided() {
    let (paths, coverage, reasons) =
        explored(SIGN, Config::default(), Limits::default(), |program, _| program.path = "/bin/false".into());
    assert_eq!(paths.len(), 1);
    assert!(coverage.unknown > 0 && !coverage.is_complete(), "{coverage:?}");
    assert!(reasons.iter().any(|reason| reason.contains("the solver died")), "{reasons:?}");
}

#[test]
fn a_solver_that_says_nothing_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let silent = folder.path().join("silent");
    std::fs::write(&silent, "#!/bin/sh\nexec sleep 1000\n").expect("a file");
    std::fs::set_permissions(&silent, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let (paths, coverage, reasons) =
        explored(SIGN, Config::default(), Limits::default(), |program, config| {
            program.path = silent.clone();
            config.query_limit = 1000;
            config.watchdog = Duration::from_millis(20);
        });
    assert_eq!(paths.len(), 1);
    assert!(coverage.unknown > 0 && !coverage.is_complete(), "{coverage:?}");
    assert!(reasons.iter().any(|reason| reason.contains("watchdog")), "{reasons:?}");
}

#[test]
fn recursion_without_end_is_a_crash_on_every_path() {
    let (paths, _, _) = explored(
        "static int f(int x) { return f(x + 1) + 1; }
         RELATION(r) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(RUN(f(x)), RUN(f(x))); }",
        Config::default(),
        Limits { depth: 500, ..Limits::default() },
        |_, _| {},
    );
    assert!(paths.iter().all(|path| path.verdict == Verdict::Crashed));
    let crash = paths[0].crash.as_ref().expect("a crash");
    assert!(matches!(crash.kind, CrashKind::StackOverflow), "{crash:?}");
}

#[test]
fn a_loop_without_end_is_no_complete_exploration() {
    let (paths, coverage, _) = explored(
        "static int f(int x) { volatile int y = x; while (y == x) ; return y; }
         RELATION(r) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(RUN(f(x)), 0); }",
        Config::default(),
        Limits { work: 2000, ..Limits::default() },
        |_, _| {},
    );
    assert_eq!((paths.len(), paths[0].verdict), (1, Verdict::Timeout));
    assert!(coverage.unfinished == 1 && !coverage.is_complete(), "{coverage:?}");
}

#[test]
fn an_endless_loop_over_inputs_ends_with_the_budget() {
    let budget = Some(Budget::of(100_000));
    let (paths, coverage, _) = explored(
        "static int f(int x) { unsigned n = x; while (n != 0xffffffffu) n = n * 3 + 1; return n; }
         RELATION(r) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(RUN(f(x)), 0); }",
        Config { budget, ..Config::default() },
        Limits::default(),
        |_, _| {},
    );
    assert_eq!((paths.len(), paths[0].verdict), (1, Verdict::Timeout));
    assert!(coverage.unfinished == 1 && coverage.open > 0 && !coverage.is_complete(), "{coverage:?}");
}

#[test]
fn an_input_too_wide_is_explored_as_far_as_the_limit_goes() {
    let (paths, coverage, _) = explored(
        "enum { N = 4000 };
         static int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) if (a[i] > 0) s += a[i]; return s; }
         RELATION(r) { static int a[N]; tw_i32s(\"a\", a, N, -9, 9); CHECK_LE(0, RUN(sum(a, N))); }",
        Config { max_paths: Some(4), ..Config::default() },
        Limits::default(),
        |_, _| {},
    );
    assert_eq!(paths.len(), 4);
    assert!(coverage.open > 3000 && !coverage.is_complete(), "{coverage:?}");
}

#[test]
fn a_small_budget_claims_nothing_of_an_explosion_of_paths() {
    let budget = Some(Budget::of(20_000));
    let (paths, coverage, _) = explored(
        "static int f(unsigned x) { int n = 0; for (int i = 0; i < 32; i++) if (x >> i & 1) n++; return n; }
         RELATION(r) { unsigned x = tw_u32(\"x\", 0, 4000000000u); CHECK_LE(RUN(f(x)), 32); }",
        Config { budget, ..Config::default() },
        Limits::default(),
        |_, _| {},
    );
    assert!((1..20).contains(&paths.len()), "{}", paths.len());
    assert!(coverage.open > 0 && !coverage.is_complete(), "{coverage:?}");
}
