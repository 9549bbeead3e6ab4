//! The one sample report that every format has a snapshot of: each verdict, hostile text, awkward values.

use twinrun_base::case::{Case, Domain, Input, IntKind, Op, OpSpec, Shape};
use twinrun_base::finding::Suspect;
use twinrun_base::report::{Counts, RelationSummary};
use twinrun_base::*;

use crate::formats::Options;
use crate::sources::Sources;

pub(crate) const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J<b>&\"'%,:\n\u{202e}end";

pub(crate) fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.insert("maxsub.c", MAXSUB);
    sources.insert("relations.c", RELATIONS);
    sources
}

pub(crate) fn options(sources: &Sources) -> Options<'_> {
    Options { width: 100, color: false, verbose: false, sources }
}

pub(crate) fn report() -> Report {
    Report {
        command: "test".into(),
        version: "0.1.0".into(),
        seed: 42,
        relations: vec![
            relation("maxsub", "reverse", Counts { holds: 99_869, violated: 131, ..Counts::default() }, &[]),
            relation(
                "maxsub",
                "permute",
                Counts { holds: 88_000, discarded: 12_000, ..Counts::default() },
                &[],
            ),
            relation(
                "maxsub",
                "never",
                Counts { discarded: 100_000, ..Counts::default() },
                &["no case passes the assumptions: 100,000 of 100,000 were discarded"],
            ),
            relation(
                "stack",
                "push_pop",
                Counts { holds: 10, crashed: 3, timeout: 1, ..Counts::default() },
                &[],
            ),
            relation("grep", HOSTILE, Counts { holds: 999, violated: 1, ..Counts::default() }, &[HOSTILE]),
        ],
        findings: vec![violated(), crashed(), timeout(), hostile()],
        notices: vec!["the project executes scripts of its own".into()],
        cut: None,
    }
}

const MAXSUB: &str = "\
int maxsub(const int *a, int n) {
    int best = 0, cnt = 0;
    for (int i = 0; i < n; i++) {
        cnt += a[i];
        if (cnt > best)
            best = cnt;
        /* cnt = 0 is missing */
    }
    return best;
}
";

const RELATIONS: &str = "\
RELATION(reverse) {
\tint source = RUN(maxsub(a, n));
\tint follow_up = RUN(maxsub(b, n));
\tCHECK_EQ(source, follow_up);
}
";

fn at(file: &str, line: u32, column: u32) -> Location {
    Location { file: file.into(), line, column }
}

fn relation(subject: &str, relation: &str, counts: Counts, notices: &[&str]) -> RelationSummary {
    RelationSummary {
        subject: subject.into(),
        relation: relation.into(),
        counts,
        covered: (subject != "grep").then_some((23, 25)),
        seconds: 1.25,
        notices: notices.iter().map(ToString::to_string).collect(),
        stopped: false,
    }
}

fn finding(subject: &str, relation: &str, group: Group) -> Finding {
    Finding {
        fingerprint: Hash::of([subject, relation]),
        subject: subject.into(),
        relation: relation.into(),
        verdict: group.verdict,
        found: group.case.clone(),
        group,
        seen: 131,
        shrinks: 17,
        dependent_runs: false,
        checked_build: false,
        saved: Some(format!(".twinrun/cases/{subject}.json")),
        suspects: vec![],
        critical: None,
        fails_when: None,
        repairs: vec![],
        unsaid: vec![],
        relation_location: None,
    }
}

fn violated() -> Finding {
    let ints = |name: &str, value: &[i64]| (name.to_string(), Value::Ints(value.to_vec()));
    let int = |name: &str, value| vec![(name.to_string(), Value::Int(value))];
    let input = |name: &str, domain, value| Input { name: name.into(), domain, value };
    let case = Case {
        inputs: vec![
            input("n", Domain::Int { kind: IntKind::Length, lo: 1, hi: 6 }, Value::Int(2)),
            input(
                "a",
                Domain::Ints { kind: IntKind::I32, shape: Shape::Array(2), lo: -1000, hi: 1000 },
                Value::Ints(vec![-1, 1]),
            ),
        ],
    };
    let group = Group {
        case,
        verdict: Verdict::Violated,
        runs: vec![
            Run { given: vec![ints("a", &[-1, 1])], outputs: int("result", 0), program: None },
            Run { given: vec![ints("a", &[1, -1])], outputs: int("result", 1), program: None },
        ],
        check: Some(FailedCheck {
            operator: Operator::Eq,
            text: "source == follow_up".into(),
            left: Value::Int(0),
            right: Value::Int(1),
            tolerance: None,
            location: Some(at("relations.c", 4, 0)),
        }),
        crash: None,
        work: 12,
    };
    let suspect = |line, column, score, reason: &str| Suspect {
        location: at("maxsub.c", line, column),
        score,
        reason: reason.into(),
    };
    Finding {
        suspects: vec![
            suspect(5, 17, 0.875, "in 14 of 16 violated groups and 2 others"),
            suspect(4, 13, 0.5, "in all groups"),
        ],
        critical: Some(suspect(5, 13, 1.0, "here the violating and the passing runs diverge")),
        fails_when: Some("a[0] < 0 && 0 < a[1]".into()),
        repairs: vec![Repair {
            location: Location { file: "src/maxsub.c".into(), line: 8, column: 9 },
            change: "insert `cnt = 0;`".into(),
            diff: "--- a/src/maxsub.c\n+++ b/src/maxsub.c\n@@ -8,2 +8,3 @@\n         if (cnt < 0) {\n+            cnt = 0;\n         }\n".into(),
            support: vec!["fixes 12 of 12 failing cases, breaks 0 of 16 passing ones".into()],
        }],
        unsaid: vec!["proving: the bound of 2 turns was reached".into()],
        relation_location: Some(at("relations.c", 1, 1)),
        ..finding("maxsub", "reverse", group)
    }
}

fn crashed() -> Finding {
    let specs = vec![
        OpSpec { name: "push".into(), arguments: vec![(0, 99)] },
        OpSpec { name: "pop".into(), arguments: vec![] },
    ];
    let ops = vec![Op { op: 0, arguments: [7, 0, 0] }, Op { op: 1, arguments: [0; 3] }];
    let case = Case {
        inputs: vec![
            Input { name: "ops".into(), domain: Domain::Ops { max: 8, specs }, value: Value::Ops(ops) },
            Input {
                name: "scale".into(),
                domain: Domain::Float { lo: 0.0, hi: 1.0 },
                value: Value::Float(0.1),
            },
        ],
    };
    let frame = |function: &str, location| Frame { function: function.into(), location };
    let group = Group {
        case,
        verdict: Verdict::Crashed,
        runs: vec![
            Run { outputs: vec![("size".into(), Value::Float(f64::NAN))], ..Run::default() },
            Run::default(),
        ],
        check: None,
        crash: Some(Crash {
            kind: CrashKind::HeapOverrun,
            message: "4 bytes beyond a block of 16 bytes".into(),
            stack: vec![
                frame("push", Some(at("maxsub.c", 6, 13))),
                frame("relation:push_pop", Some(at("gone.c", 30, 5))),
                frame("unknown", None),
            ],
        }),
        work: 99,
    };
    Finding { checked_build: true, dependent_runs: true, ..finding("stack", "push_pop", group) }
}

fn timeout() -> Finding {
    let group = Group {
        case: Case::default(),
        verdict: Verdict::Timeout,
        runs: vec![Run::default()],
        check: None,
        crash: None,
        work: 10_000_000,
    };
    Finding { saved: None, ..finding("stack", "push_pop", group) }
}

fn hostile() -> Finding {
    let program = |arguments: &[&[u8]], stdout: &[u8]| Run {
        program: Some(ProgramRun {
            arguments: arguments.iter().map(|argument| argument.to_vec()).collect(),
            stdin: b"one\ntwo\xff\n".to_vec(),
            exit: 0,
            stdout: stdout.to_vec(),
            stderr: HOSTILE.as_bytes().to_vec(),
        }),
        ..Run::default()
    };
    let long = "long ".repeat(500);
    let group = Group {
        case: Case {
            inputs: vec![Input {
                name: HOSTILE.into(),
                domain: Domain::Text { min: 0, max: 9999, alphabet: vec![] },
                value: Value::Bytes([HOSTILE.as_bytes(), b"\xff", long.as_bytes()].concat()),
            }],
        },
        verdict: Verdict::Violated,
        runs: vec![
            program(&[b"-E", b"a|b"], b"one\ntwo\n"),
            program(&[b"-E", b"(a|b)"], b"one\n\x1b[31mtwo\n"),
        ],
        check: Some(FailedCheck {
            operator: Operator::Near,
            text: HOSTILE.into(),
            left: Value::Float(f64::INFINITY),
            right: Value::Float(1.5),
            tolerance: Some(1e-9),
            location: Some(at(HOSTILE, 3, 1)),
        }),
        crash: None,
        work: 0,
    };
    finding("grep", HOSTILE, group)
}
