//! Bad input: each with a message that says what to do.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::Duration;

use crate::project::{Project, command, example, interrupt, without_times};

const HOLDS: &str = "RELATION(same) { int x = tw_i32(\"x\", 0, 9); int a = RUN(x + 1); int b = RUN(x + 1); CHECK_EQ(a, b); }\n";

#[test]
fn no_toolchain() {
    let project = Project::c(HOLDS);
    let empty = tempfile::tempdir().unwrap();
    let output = command(project.path(), &["test"])
        .env("PATH", empty.path())
        .env_remove("WASI_SDK_PATH")
        .env("TWINRUN_DEPS", empty.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("no toolchain for C and C++ was found")
            && said.contains("clang-19")
            && said.contains("ziglang"),
        "{said}"
    );
}

#[test]
fn compile_error() {
    Project::c("RELATION(broken) { int x = tw_i32(\"x\", 0, 9) }\n")
        .twinrun(&["test"])
        .expect(2, &["it.c:2", "expected ';'"]);
}

#[test]
fn malformed_project_file() {
    let project = Project::new(&[("twinrun.toml", "[subject.it]\nsuorces = [\"it.c\"]\n")]);
    project.twinrun(&["test"]).expect(2, &["twinrun.toml", "suorces", "sources"]);
    let project = Project::new(&[("twinrun.toml", "[subject.it\n")]);
    project.twinrun(&["test"]).expect(2, &["twinrun.toml"]);
}

#[test]
fn no_project() {
    let folder = tempfile::tempdir().unwrap();
    crate::project::twinrun(folder.path(), &["test"]).expect(2, &["twinrun.toml", "twinrun init"]);
}

#[test]
fn unknown_subject_and_relation() {
    let project = Project::c(HOLDS);
    project.twinrun(&["test", "ti"]).expect(2, &["ti", "it"]);
    project.twinrun(&["test", "it:sme"]).expect(2, &["sme", "same"]);
}

#[test]
fn empty_relation() {
    Project::c("RELATION(nothing) { }\n")
        .twinrun(&["test", "--cases", "100"])
        .expect(4, &["nothing", "no run"]);
}

#[test]
fn no_relation() {
    Project::c("int f(void) { return 1; }\n")
        .twinrun(&["test"])
        .expect(2, &["has no relation", "RELATION(name)"]);
}

#[test]
fn assumptions_never_met() {
    let project = Project::c(
        "RELATION(never) { int x = tw_i32(\"x\", 0, 9); ASSUME(x > 10); CHECK_EQ(RUN(x), RUN(x)); }\n",
    );
    project.twinrun(&["test", "--cases", "500"]).expect(4, &["no case passes the assumptions"]);
}

#[test]
fn trap() {
    let source = "static int f(int x) {\n  if (x > 5) __builtin_trap();\n  return x; }\nRELATION(r) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(RUN(f(x)), x); }\n";
    Project::c(source).twinrun(&["test"]).expect(1, &["crashed", "it.c:3", "x = 6"]);
}

#[test]
fn heap_overrun() {
    let source = "#include <stdlib.h>\nstatic int f(int n) {\n  char *p = malloc(4);\n  p[n] = 1;\n  int r = p[n]; free(p); return r; }\n\
                  RELATION(r) { int n = tw_i32(\"n\", 0, 6); CHECK_EQ(RUN(f(n)), RUN(f(n))); }\n";
    Project::c(source).twinrun(&["test"]).expect(1, &["heap overrun", "it.c:5", "n = 4"]);
}

#[test]
fn use_after_free() {
    let source = "#include <stdlib.h>\nstatic int f(int n) {\n  int *p = malloc(8); p[0] = n; free(p);\n  return p[0]; }\n\
                  RELATION(r) { int n = tw_i32(\"n\", 0, 6); CHECK_EQ(RUN(f(n)), RUN(f(n))); }\n";
    Project::c(source).twinrun(&["test"]).expect(1, &["use after free", "it.c:5"]);
}

#[test]
fn signed_overflow() {
    let source = "static int f(int x) {\n  return x * 2; }\nRELATION(r) { int x = tw_i32(\"x\", -2147483647, 2147483647); int a = RUN(f(x)); CHECK_EQ(a, RUN(f(x))); }\n";
    Project::c(source).twinrun(&["test"]).expect(1, &["overflow", "it.c:3"]);
}

#[test]
fn endless_loop() {
    let source = "static int f(int x) { volatile int y = x; while (y == x) { } return y; }\nRELATION(r) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(RUN(f(x)), x); }\n";
    Project::c(source).twinrun(&["test"]).expect(4, &["timeout"]);
}

#[test]
fn memory_bomb() {
    let source = "#include <stdlib.h>\n#include <string.h>\nstatic int f(int x) { for (;;) { char *p = malloc(1 << 20); if (!p) abort(); memset(p, x, 1 << 20); } return 0; }\n\
                  RELATION(r) { int x = tw_i32(\"x\", 0, 9); CHECK_EQ(RUN(f(x)), x); }\n";
    let ran = Project::c(source).twinrun(&["test", "--cases", "5"]);
    assert!(ran.code == 1 || ran.code == 4, "{ran:#?}");
}

#[test]
fn endless_output() {
    let main =
        "#include <stdio.h>\nint main(void) { for (;;) puts(\"again and again and again and again\"); }\n";
    let relation = "#include <twinrun.h>\nRELATION(r) { char a[9], b[9]; tw_i32(\"x\", 0, 9); int s = tw_run_program(0, 0, \"\", 0, a, 9); int f = tw_run_program(0, 0, \"\", 0, b, 9); CHECK_EQ(s, f); }\n";
    let toml = "[limits]\noutput = 65536\n[subject.it]\nsources = [\"it.c\"]\n[subject.it.program]\nsources = [\"main.c\"]\n";
    let project = Project::new(&[("twinrun.toml", toml), ("it.c", relation), ("main.c", main)]);
    project.twinrun(&["test", "--cases", "5"]).expect(1, &["output"]);
}

#[test]
fn invalid_utf8_is_shown_inert() {
    let source = "RELATION(r) { char t[9]; int n = tw_text_between(\"t\", t, 1, 8, \"\\xff\\x1b\"); OUTPUT_BYTES(\"t\", t, n); CHECK_EQ(RUN(n), 0); }\n";
    let ran = Project::c(source).twinrun(&["test"]);
    ran.expect(1, &["\\xff"]);
    assert!(!ran.out.contains('\x1b'), "{ran:#?}");
}

#[test]
fn a_thrown_exception() {
    let source = "#include <twinrun.h>\n#include <vector>\nstatic int f(int n) { std::vector<int> v(3); return v.at(n); }\n\
                  RELATION(r) { int n = tw_i32(\"n\", 0, 9); CHECK_EQ(RUN(f(n)), 0); }\n";
    let project =
        Project::new(&[("twinrun.toml", "[subject.it]\nsources = [\"it.cc\"]\n"), ("it.cc", source)]);
    project.twinrun(&["test"]).expect(1, &["crashed", "uncaught exception std::out_of_range"]);
}

#[test]
fn an_exception_that_is_caught() {
    let source = "#include <twinrun.h>\n#include <stdexcept>\nstatic int f(int n) { if (n > 3) throw std::range_error(\"far\"); return n; }\n\
                  static int g(int n) { try { return f(n); } catch (const std::exception &) { return -n; } }\n\
                  RELATION(r) { int n = tw_i32(\"n\", 0, 9); int a = RUN(g(n)); CHECK(a == n || a == -n); CHECK_EQ(a, RUN(g(n))); }\n";
    let files = [("twinrun.toml", "[subject.it]\nsources = [\"it.cc\"]\n"), ("it.cc", source)];
    Project::new(&files).twinrun(&["test"]).expect(0, &["holds"]);
    Project::new(&files).twinrun(&["prove"]).expect(0, &["proved"]);
}

#[test]
fn a_jump_out_of_a_run() {
    let source = "#include <setjmp.h>\nstatic jmp_buf b;\nstatic int f(int n) { if (setjmp(b)) return 1; if (n > 3) longjmp(b, 1); return 0; }\n\
                  static int leave(void) { longjmp(b, 2); }\n\
                  RELATION(r) { int n = tw_i32(\"n\", 0, 9); CHECK_EQ(RUN(f(n)), RUN(f(n))); volatile int was = 0; if (setjmp(b)) was = 1; else RUN(leave());\n\
                  CHECK_EQ(was, 1); CHECK_EQ(RUN(f(n)), n > 3); }\n";
    Project::c(source).twinrun(&["test"]).expect(0, &["holds"]);
}

#[test]
fn a_jump_into_a_call_that_has_ended() {
    let source = "#include <setjmp.h>\nstatic jmp_buf b;\nstatic int f(int n) { return setjmp(b) + n; }\nstatic int g(int n) { f(n); if (n > 3) longjmp(b, 1); return n; }\n\
                  RELATION(r) { int n = tw_i32(\"n\", 0, 9); CHECK_EQ(RUN(g(n)), n); }\n";
    Project::c(source).twinrun(&["test"]).expect(1, &["longjmp leads to a call that has ended"]);
}

#[test]
fn what_would_start_a_process_is_refused_by_name() {
    let source = "#include <stdlib.h>\n#include <unistd.h>\nstatic int f(int n) { return n > 3 ? (int)fork() : system(0); }\n\
                  RELATION(r) { int n = tw_i32(\"n\", 0, 9); CHECK_EQ(RUN(f(n)), 0); }\n";
    Project::c(source).twinrun(&["test"]).expect(1, &["`fork` was called"]);
}

#[test]
fn a_module_that_is_corrupt() {
    let project = Project::new(&[
        ("twinrun.toml", "[subject.it]\nwasm = \"it.wasm\"\n"),
        ("it.wasm", "\0asm\x01\0\0\0garbage"),
    ]);
    project.twinrun(&["test"]).expect(3, &["it.wasm"]);
}

#[test]
fn a_saved_case_of_another_relation() {
    let source = format!("{HOLDS}RELATION(wrong) {{ int y = tw_i32(\"y\", 0, 9); CHECK_LT(RUN(y), 5); }}\n");
    let project = Project::c(&source);
    let ran = project.twinrun(&["test", "it:wrong", "--format", "json", "-q"]);
    let saved = ran.json()["findings"][0]["saved"].as_str().unwrap().to_owned();
    project.twinrun(&["replay", &saved]).expect(1, &["y = 5"]);
    let text = std::fs::read_to_string(project.path().join(&saved)).unwrap().replace("\"wrong\"", "\"same\"");
    std::fs::write(project.path().join("other.json"), text).unwrap();
    project.twinrun(&["replay", "other.json"]).expect(2, &["draws x", "the case has y"]);
    std::fs::write(project.path().join("torn.json"), "{\"version\": 1,").unwrap();
    project.twinrun(&["replay", "torn.json"]).expect(2, &["torn.json is not a saved case"]);
}

#[test]
fn a_folder_that_cannot_be_written_while_saving() {
    let source = "RELATION(wrong) { int y = tw_i32(\"y\", 0, 9); CHECK_LT(RUN(y), 5); }\n";
    let project = Project::c(source);
    std::fs::create_dir_all(project.path().join(".twinrun")).unwrap();
    // A file where the folder of saved cases should be: saving fails as on a full disk, the finding is told all the same.
    std::fs::write(project.path().join(".twinrun/cases"), "").unwrap();
    project.twinrun(&["test"]).expect(1, &["y = 5", "cannot save the case"]);
}

#[test]
fn a_full_disk_while_writing_the_report() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    Project::c(HOLDS).twinrun(&["test", "--cases", "10", "--output", "/dev/full"]).expect(3, &["/dev/full"]);
}

#[test]
fn an_interrupted_test_reports_what_was_found_and_goes_on_when_called_again() {
    let project = example("maxsub");
    // An interrupt may come before anything is found; the next call goes on from there.
    for moment in [100, 1_000, 5_000, 20_000, 60_000] {
        let report = interrupted(&project, Duration::from_millis(moment));
        if !report["findings"].as_array().unwrap().is_empty() {
            return;
        }
    }
    panic!("nothing was found");
}

/// The report of a test that was interrupted a `moment` after its search began.
fn interrupted(project: &Project, moment: Duration) -> serde_json::Value {
    let journal = project.path().join(".twinrun/test.journal");
    let mut child = command(project.path(), &["test", "faulty:reverse", "--time", "10m", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first word comes when interrupts are heard; the journal appears when the search has begun.
    let mut said = BufReader::new(child.stderr.take().unwrap());
    said.read_line(&mut String::new()).unwrap();
    while !journal.exists() {
        assert!(child.try_wait().unwrap().is_none(), "the test ended before it was interrupted");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(moment);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = !report["findings"].as_array().unwrap().is_empty();
    assert_eq!(report["interrupted"], true, "{report:#}");
    assert_eq!(output.status.code() == Some(1), found, "{report:#}");
    report
}

#[test]
fn a_test_that_goes_on_reports_what_an_undisturbed_one_does() {
    let words = ["test", "faulty:reverse", "--cases", "400000", "--format", "json"];
    let whole = without_times(example("maxsub").twinrun(&words).expect(1, &[]).json());
    let project = example("maxsub");
    // Wherever the interrupts meet it, even after its end.
    for moment in [0, 50, 400] {
        let mut child =
            command(project.path(), &words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        said.read_line(&mut String::new()).unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        interrupt(&child);
        child.wait().unwrap();
    }
    assert_eq!(without_times(project.twinrun(&words).expect(1, &[]).json()), whole);
}

#[test]
fn an_unstable_command() {
    let toml = "[subject.it]\ncommand = [\"sh\", \"it.sh\"]\nexit = [0]\n[subject.it.files]\n\"it.sh\" = \"echo $$\"\n[subject.it.parameters]\nx = { range = [0, 9] }\n\
                [subject.it.relation.same]\ncheck = [{ that = \"same_exit\" }]\n";
    Project::new(&[("twinrun.toml", toml)]).twinrun(&["test", "--cases", "20"]).expect(4, &["not stable"]);
}

#[test]
fn a_command_that_does_not_exist() {
    let toml = "[subject.it]\ncommand = [\"no-such-program\"]\n[subject.it.parameters]\nx = { range = [0, 9] }\n[subject.it.relation.same]\ncheck = [{ that = \"same_exit\" }]\n";
    Project::new(&[("twinrun.toml", toml)])
        .twinrun(&["test", "--cases", "20"])
        .expect(3, &["no-such-program", "cannot be started"]);
}

#[test]
fn a_command_that_never_ends() {
    let toml = "[subject.it]\ncommand = [\"sleep\", \"1000\"]\ntimeout = 0.1\n[subject.it.parameters]\nx = { range = [0, 9] }\n[subject.it.relation.same]\ncheck = [{ that = \"same_exit\" }]\n";
    Project::new(&[("twinrun.toml", toml)]).twinrun(&["test", "--cases", "3"]).expect(4, &["timeout"]);
}

#[test]
fn what_prove_does_not_understand() {
    let project = Project::c(HOLDS);
    project.twinrun(&["prove", "it:same", "--correct", "x +"]).expect(2, &["x +", "a <= b <= c"]);
    project.twinrun(&["prove", "it:same", "--format", "sarif"]).expect(2, &["human text, JSON or HTML"]);
    project.twinrun(&["prove", "it:sme"]).expect(2, &["sme", "same"]);
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().to_string_lossy().into_owned();
    project.twinrun(&["check", &folder]).expect(2, &["holds no certificate", "--certificate"]);
}

/// A module whose relation runs this.
fn module(body: &str) -> Project {
    let text = format!(
        r#"(module
            (import "twinrun" "int" (func $int (param i32 i32 i32 i64 i64) (result i64)))
            (import "twinrun" "run_begin" (func $begin))
            (import "twinrun" "run_end" (func $end))
            (import "twinrun" "check_int" (func $check (param i32 i32 i64 i64 i32 i32 i32)))
            (memory (export "memory") 1) (data (i32.const 16) "x")
            (func (export "relation:r") (local $x i64)
                (local.set $x (call $int (i32.const 16) (i32.const 1) (i32.const 0) (i64.const 0) (i64.const 9)))
                (call $begin) {body} (call $end)
                (call $begin) (call $end)
                (call $check (i32.const 0) (i32.const 0) (local.get $x) (local.get $x) (i32.const 16) (i32.const 1) (i32.const 1))))"#
    );
    let project = Project::new(&[("twinrun.toml", "[subject.it]\nwasm = \"it.wasm\"\n")]);
    std::fs::write(project.path().join("it.wasm"), wat::parse_str(text).unwrap()).unwrap();
    project
}

/// Work is counted, instructions on ranges by their length: what never ends reaches its limit without any clock.
#[test]
fn what_never_ends_reaches_its_limit_of_work() {
    for body in ["(loop (br 0))", "(loop (memory.fill (i32.const 0) (i32.const 7) (i32.const 65536)) (br 0))"]
    {
        module(body).twinrun(&["test", "--cases", "4"]).expect(4, &["timeout"]);
    }
}

/// In every phase of every command. How soon is measured by `./x experiment determinism`; here it ends at all, and says why.
#[test]
fn what_never_ends_is_cut_by_the_time() {
    for body in ["(loop (br 0))", "(loop (memory.fill (i32.const 0) (i32.const 7) (i32.const 65536)) (br 0))"]
    {
        let project = module(body);
        for command in ["test", "debug", "prove", "hunt", "locate"] {
            let ran = project.twinrun(&[command, "--time", "1s", "-q"]);
            assert_eq!(ran.code, 4, "{command} {body}: {ran:#?}");
        }
    }
}
