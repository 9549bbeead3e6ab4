//! `twinrun hunt` and `twinrun serve` on small projects.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::project::{Project, command, example, interrupt};

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

fn fingerprints(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["fingerprint"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_hunt_tells_everything_about_a_finding_and_leaves_out_what_is_known() {
    let project = Project::c(MAXSUB);
    let words = ["hunt", "--format", "json", "--output", "report.json", "--page", "report.html"];
    project.twinrun(&words).expect(1, &["found: it/reverse", "look at it.c:", "proved: it/same"]);
    let report: Value =
        serde_json::from_str(&fs::read_to_string(project.path().join("report.json")).unwrap()).unwrap();
    let finding = &report["findings"][0];
    assert_eq!(finding["relation"], "reverse");
    // A condition that does not cover the minimal case is left out, and that is said.
    let condition = finding["fails_when"].as_str().is_some_and(|it| it.contains("a["));
    let said = finding.to_string().contains("one of other cases");
    assert!(condition && !said, "{finding:#}");
    assert_eq!(finding["critical"]["location"]["file"], "it.c", "{finding:#}");
    let suspects = finding["suspects"].as_array().unwrap();
    let near = |suspect: &Value| (5..=9).contains(&suspect["location"]["line"].as_u64().unwrap());
    assert!(suspects.iter().take(3).any(near), "{suspects:#?}");
    assert!(
        suspects[0]["reason"].as_str().unwrap().contains(" failing cases, breaks 0 of "),
        "{suspects:#?}"
    );
    let sum: f64 = suspects.iter().map(|it| it["score"].as_f64().unwrap()).sum();
    assert!(sum > 0.5 && sum < 1.0 + 1e-9, "probabilities: {suspects:#?}");
    // What was taken away is offered, and proved where that is quick.
    let repairs = finding["repairs"].as_array().unwrap();
    let diff = repairs[0]["diff"].as_str().unwrap();
    assert!(diff.contains("-            ;\n+            cnt = 0;"), "{repairs:#?}");
    assert!(repairs[0].to_string().contains("reverse: proved"), "{repairs:#?}");
    let proofs = report["hunt"]["proofs"].as_array().unwrap();
    let same = proofs.iter().find(|proof| proof["relation"] == "same").unwrap();
    assert_eq!(same["proved"]["report"]["verdict"]["is"], "proved");
    // Boundary values come first, and one of the pairs that fail is named.
    let combined = report["hunt"]["combined"].as_array().unwrap();
    let reverse = combined.iter().find(|it| it["relation"] == "reverse").unwrap();
    assert!(reverse["failing"].as_u64().unwrap() > 0 && reverse["suffices"][0].is_string(), "{reverse:#}");
    let noticed = &report["hunt"]["noticed"][0]["said"]["report"];
    assert!(noticed["noticed"].as_u64().unwrap() > 5, "{noticed:#}");
    // The page shows the traces, the region and the test.
    let page = fs::read_to_string(project.path().join("report.html")).unwrap();
    for sign in [
        "data-trace=",
        "The failing region",
        "A test in C",
        "id=\"proofs\"",
        "marked critical",
        "Failing combinations",
        "id=\"unnoticed\"",
    ] {
        assert!(page.contains(sign), "the page has no {sign}");
    }
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing is fetched");
    // The ready-made test compiles and fails.
    let test = report["hunt"]["regions"][0]["tests"][0][1].as_str().unwrap();
    let (name, build) = test.split_once("save as ").unwrap().1.split_once(" beside").unwrap();
    let build = build.lines().find(|line| line.contains("cc ")).unwrap().trim_start_matches([' ', '*']);
    fs::write(project.path().join(name), test).unwrap();
    let status = Command::new("sh")
        .args(["-c", build])
        .current_dir(project.path())
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1), "{test}");
    // Known findings are left out.
    project
        .twinrun(&["hunt", "--baseline", "report.json", "--no-proofs"])
        .expect(0, &["in the baseline", "nothing new"]);
    project
        .twinrun(&["test", "--baseline", "report.json", "--no-saved"])
        .expect(0, &["in the baseline", "nothing new"]);
    project.twinrun(&["hunt", "--baseline", "it.c"]).expect(2, &["is no baseline", "--format json"]);
}

#[test]
fn the_runs_are_thread_flows_in_sarif() {
    let project = Project::c(MAXSUB);
    let log = project.twinrun(&["hunt", "it:reverse", "--format", "sarif", "-q"]).expect(1, &[]).json();
    let flows = log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"].as_array().unwrap().clone();
    assert_eq!(flows.len(), 2);
    for flow in &flows {
        let steps = flow["locations"].as_array().unwrap();
        assert!(steps.len() > 3, "{flow:#}");
        assert!(
            steps.iter().any(|step| step["importance"] == "important"),
            "the runs part somewhere: {flow:#}"
        );
    }
}

#[test]
fn a_second_hunt_in_the_same_folder_is_refused() {
    let project = Project::c(MAXSUB);
    fs::create_dir_all(project.path().join(".twinrun")).unwrap();
    let lock = fs::File::create(project.path().join(".twinrun/hunt.journal.lock")).unwrap();
    lock.lock().unwrap();
    project.twinrun(&["hunt"]).expect(2, &["already hunts", "twinrun serve"]);
}

#[test]
fn a_killed_hunt_goes_on_and_ends_with_the_same_findings() {
    let words = ["hunt", "it:reverse", "--format", "json", "-q"];
    let whole = fingerprints(&Project::c(MAXSUB).twinrun(&words).expect(1, &[]).json());
    let project = Project::c(MAXSUB);
    let mut first =
        command(project.path(), &words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let state = project.path().join(".twinrun/hunt.json");
    let patience = Instant::now() + Duration::from_secs(120);
    // Wherever the kill meets it, even after its end, the findings are the same.
    while Instant::now() < patience
        && !fs::read_to_string(&state).is_ok_and(|text| text.contains("\"fingerprint\""))
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(fingerprints(&project.twinrun(&words).expect(1, &[]).json()), whole);
}

#[test]
fn an_interrupted_hunt_reports_the_finding_that_was_there() {
    let project = Project::c(MAXSUB);
    let child = command(project.path(), &["hunt", "--time", "10m", "--format", "json", "-q"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let state = project.path().join(".twinrun/hunt.json");
    let patience = Instant::now() + Duration::from_secs(120);
    while !fs::read_to_string(&state).is_ok_and(|text| text.contains("\"fingerprint\"")) {
        assert!(Instant::now() < patience, "nothing was found");
        std::thread::sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fingerprints(&serde_json::from_slice(&output.stdout).unwrap()).len(), 1);
}

#[test]
fn a_command_is_hunted_as_far_as_possible_and_the_report_says_where_it_ends() {
    let project = example("sort");
    let ran = project.twinrun(&["hunt", "faulty", "--cases", "10"]);
    ran.expect(
        1,
        &["this command tells nothing", "the critical branch needs a subject", "proofs need a subject"],
    );
}

#[test]
fn serve_shows_the_hunt_and_nothing_else() {
    let project = Project::c(MAXSUB);
    let mut server =
        command(project.path(), &["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask("/").contains("No hunt has been here yet"));
    let before = ask("/version");
    project.twinrun(&["hunt", "it:same", "-q"]).expect(0, &[]);
    assert!(ask("/").contains("Twinrun hunt"));
    assert_ne!(ask("/version"), before);
    for path in ["/it.c", "/../it.c", "/.twinrun/hunt.json", "//etc/passwd"] {
        assert!(ask(path).starts_with("HTTP/1.1 404"), "{path}");
    }
    server.kill().unwrap();
    server.wait().unwrap();
}
