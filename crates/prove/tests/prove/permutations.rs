//! Relations over permutations: each permutation is looked at, nothing is concluded from a few.

use crate::common::{bare, config, of_source, report};
use twinrun_prove::{By, Config, Report, Verdict};

/// The program of all relations here: it adds up, or takes one element; it may count its runs or have a mode.
const PROGRAM: &str = "
static int runs, mode;
static int pick(const int *a, int n, int i) { return a[i < n ? i : 0]; }
static int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
static int counted(const int *a, int n) { return sum(a, n) + (runs++ ? 1 : 0); }
static int moded(const int *a, int n) { return mode ? a[0] : sum(a, n); }
";

fn relation(n: u32, body: &str) -> Report {
    of_source(&source(n, body), &bare())
}

fn source(n: u32, body: &str) -> String {
    format!(
        "{PROGRAM}RELATION(it) {{ int a[{n}], b[{n}], p[{n}]; tw_i32s(\"a\", a, {n}, -9, 9); \
         tw_permutation(\"p\", p, {n}); TW_PERMUTE(b, a, p, {n}); {body} }}\n"
    )
}

#[track_caller]
fn is_violated(n: u32, body: &str) {
    let found = relation(n, body);
    assert_eq!(found.verdict, Verdict::Violated, "{body}");
    let witness = found.witness.expect("a case that shows it");
    assert!(witness.confirmed, "{body}");
    assert!(found.pairs.is_some_and(|pairs| pairs.failing > 0), "{body}");
    assert_eq!(found.disagreement, None, "{body}");
}

#[test]
fn another_argument_beside_the_array_is_seen() {
    is_violated(3, "CHECK_EQ(RUN(pick(a, 3, 1)), RUN(pick(b, 3, 0)));");
}

#[test]
fn a_check_of_the_permutation_itself_is_seen() {
    is_violated(
        3,
        "int s = RUN(sum(a, 3)), t = RUN(sum(b, 3)); CHECK_EQ(s, t); CHECK(p[0] != 2 || p[1] != 1);",
    );
}

#[test]
fn a_branch_on_the_permutation_is_seen() {
    is_violated(3, "if (p[0] == 2 && p[1] == 1) b[0]++; CHECK_EQ(RUN(sum(a, 3)), RUN(sum(b, 3)));");
}

#[test]
fn state_that_a_run_leaves_behind_is_seen() {
    is_violated(3, "CHECK_EQ(RUN(counted(a, 3)), RUN(counted(b, 3)));");
}

#[test]
fn a_global_that_changes_between_the_runs_is_seen() {
    is_violated(2, "int s = RUN(moded(a, 2)); mode = 1; int t = RUN(moded(b, 2)); CHECK_EQ(s, t);");
}

#[test]
fn a_check_that_is_no_equality_is_no_reason_to_look_at_fewer() {
    is_violated(3, "CHECK_LE(RUN(pick(a, 3, 0)), RUN(pick(b, 3, 0)));");
    is_violated(
        3,
        "const char *text = \"==\"; CHECK(RUN(pick(a, 3, 0)) <= RUN(pick(b, 3, 0)) && text[0] == '=');",
    );
}

#[test]
fn seven_elements_are_not_sampled() {
    // One permutation of 5,040 fails.
    let rare = "p[0] == 6 && p[1] == 5 && p[2] == 4 && p[3] == 3 && p[4] == 2 && p[5] == 1";
    let body = format!("CHECK_EQ(RUN(sum(a, 7)), RUN(sum(b, 7)) + ({rare}));");
    let short = 3 * twinrun_base::work::SECOND;
    let found = of_source(&source(7, &body), &Config { work: short, ..bare() });
    assert!(!found.verdict.is_proved(), "{:?}", found.verdict);
    let found = of_source(&source(7, &body), &Config { no_pretest: false, work: short, ..bare() });
    assert_eq!(found.verdict, Verdict::Violated);
}

#[test]
fn what_holds_for_all_permutations_is_proved() {
    let found = relation(3, "CHECK_EQ(RUN(sum(a, 3)), RUN(sum(b, 3)));");
    let Verdict::Proved(proof) = &found.verdict else { panic!("{:?}", found.verdict) };
    assert_eq!(proof.by(), By::Permutations);
    assert_eq!(proof.paths(), 6);
    let med = report("pairs/med", "med", "permute", &Config { no_safety: true, ..config() });
    assert!(med.verdict.is_proved(), "{:?}", med.verdict);
    let faulty = report("pairs/med", "faulty", "permute", &bare());
    assert_eq!(faulty.verdict, Verdict::Violated);
}

#[test]
fn two_permutations_are_looked_at_together() {
    let source = format!(
        "{PROGRAM}RELATION(it) {{ int a[3], b[3], p[3], q[3]; tw_i32s(\"a\", a, 3, -9, 9); tw_permutation(\"p\", p, 3); \
         tw_permutation(\"q\", q, 3); for (int i = 0; i < 3; i++) b[i] = a[p[q[i]]]; \
         CHECK_EQ(RUN(sum(a, 3)), RUN(sum(b, 3)) + (p[0] == 2 && q[0] == 1)); }}\n"
    );
    assert_eq!(of_source(&source, &bare()).verdict, Verdict::Violated);
}
