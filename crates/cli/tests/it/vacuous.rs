//! Nothing compared, nothing run and nothing checked is never success.

use crate::project::Project;

fn command(shell: &str) -> Project {
    let toml = format!(
        "[subject.it]\ncommand = [\"sh\", \"-c\", \"{shell}\", \"it\", \"{{x}}\"]\n[subject.it.parameters]\nx = {{ range = [0, 9] }}\n\
         [subject.it.relation.same]\ncheck = [{{ that = \"same_output\" }}]\n"
    );
    Project::new(&[("twinrun.toml", &toml)])
}

#[test]
fn a_relation_that_checks_nothing_does_not_hold() {
    let source = "static int f(int x) { return x; }\nRELATION(r) { int x = tw_i32(\"x\", 0, 9); (void)RUN(f(x)); (void)RUN(f(x)); }\n";
    let project = Project::c(source);
    project.twinrun(&["test"]).expect(4, &["checks nothing"]);
    project.twinrun(&["test", "--cases", "3"]).expect(4, &["checks nothing"]);
    project.twinrun(&["hunt", "--cases", "100"]).expect(4, &["checks nothing"]);
}

#[test]
fn a_relation_that_runs_nothing_does_not_hold() {
    let project = Project::c("RELATION(r) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(x, x); }\n");
    project.twinrun(&["test"]).expect(4, &["makes no run"]);
    project.twinrun(&["test", "--cases", "3"]).expect(4, &["makes no run"]);
}

#[test]
fn groups_that_check_nothing_do_not_count() {
    let source = "static int f(int x) { return x; }\n\
                  RELATION(r) { int x = tw_i32(\"x\", 0, 9); int a = RUN(f(x)), b = RUN(f(x)); if (x == 3) CHECK_EQ(a, b); }\n";
    Project::c(source).twinrun(&["test", "--cases", "100"]).expect(0, &["discarded"]);
}

#[test]
fn no_cases_are_refused() {
    let source = "static int f(int x) { return x; }\nRELATION(r) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(RUN(f(x)), RUN(f(x))); }\n";
    let project = Project::c(source);
    for command in ["test", "hunt", "score"] {
        project.twinrun(&[command, "--cases", "0"]).expect(2, &["--cases"]);
    }
    let toml = "[project]\ncases = 0\n[subject.it]\nsources = [\"it.c\"]\n";
    Project::new(&[("twinrun.toml", toml), ("it.c", source)])
        .twinrun(&["test"])
        .expect(2, &["twinrun.toml:2", "nonzero"]);
}

#[test]
fn a_program_that_does_not_start_does_not_hold() {
    command("no-such-program $1")
        .twinrun(&["test", "--cases", "5"])
        .expect(4, &["exit code 127", "no-such-program"]);
    command("echo refused >&2; exit 2")
        .twinrun(&["test", "--cases", "200"])
        .expect(4, &["exit code 2 (refused)"]);
}

#[test]
fn a_program_that_fails_now_and_then_is_judged() {
    command("[ $1 -gt 4 ] && echo $1").twinrun(&["test", "--cases", "40"]).expect(0, &["holds"]);
}
