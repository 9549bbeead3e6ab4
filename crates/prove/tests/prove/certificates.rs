//! Certificates: derived from the module alone, checked by every solver, and refused where they are not what the module gives.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use twinrun_prove::certificate::{Certificate, Checked, check, derive, sha256};
use twinrun_prove::{Builds, Config, Verdict, prove};
use twinrun_solve::{Kind, Program};
use twinrun_term::{Rule, meanings};
use twinrun_testing::engine::WasmSubject;

use crate::common::{config, root, source, subject};

const LIMIT: Duration = Duration::from_secs(60);

/// The certificate of a relation that is proved.
fn certificate(subject: &WasmSubject, relation: &str) -> Certificate {
    let config = Config { no_safety: true, ..config() };
    let report = prove(subject, relation, &config, &mut |_| ()).expect("it can be run");
    let (Verdict::Proved(proof) | Verdict::ProvedOverReals(proof)) = &report.verdict else {
        panic!("{:?}", report.verdict)
    };
    let builds = Builds::of(subject, &config).expect("it was built");
    derive(subject, &builds, relation, proof.by(), &config)
        .expect("it can be run")
        .expect("it is proved again")
}

fn checked(certificate: &Certificate, subject: &WasmSubject, solvers: &[Program]) -> Checked {
    let config = Config { no_safety: true, ..config() };
    let builds = Builds::of(subject, &config).expect("it was built");
    let folder = tempfile::tempdir().expect("a folder");
    certificate.save(folder.path()).expect("it is written");
    check(folder.path(), subject, &builds, &config, solvers, LIMIT).expect("it is checked")
}

#[test]
fn every_solver_accepts_the_certificates_of_integers_floats_and_tables() {
    let relations = [
        "int f(int x) { return x < 0 ? -x : x; }
         RELATION(it) { int x = tw_i32(\"x\", -1000, 1000); int a = RUN(f(x)), b = RUN(f(-x)); CHECK_EQ(a, b); }",
        "double f(double x) { return x < 0.5 ? x : 0.5; }
         RELATION(it) { double x = tw_f64(\"x\", 0, 1); double a = RUN(f(x)); CHECK_LE(a, 0.5); }",
        "static const int table[4] = {1, 2, 4, 8};
         int f(int x) { return table[x & 3]; }
         RELATION(it) { int x = tw_i32(\"x\", 0, 100); int a = RUN(f(x)), b = RUN(f(x + 4)); CHECK_EQ(a, b); }",
    ];
    let solvers = Program::all(&root());
    for text in relations {
        let subject = source(&format!("#include <twinrun.h>\n{text}"));
        let certificate = certificate(&subject, "it");
        assert!(!certificate.files.is_empty(), "{text}");
        let checked = checked(&certificate, &subject, &solvers);
        assert!(checked.is_accepted(), "{text}\n{checked:?}");
    }
}

#[test]
fn what_the_module_does_not_give_is_refused_whatever_its_hashes() {
    let med = subject("pairs/med", "med");
    let genuine = certificate(&med, "swap_last_two");
    assert!(checked(&genuine, &med, &[]).is_accepted());
    let refused = |change: &dyn Fn(&mut Certificate)| {
        let mut forged = genuine.clone();
        change(&mut forged);
        for entry in &mut forged.manifest.obligations {
            entry.sha256 = sha256(forged.files[&entry.file].as_bytes());
        }
        checked(&forged, &med, &[]).refused.is_some()
    };
    assert!(refused(&|it| {
        let entry = it.manifest.obligations.remove(0);
        it.files.remove(&entry.file);
    }));
    assert!(refused(&|it| {
        let file = it.manifest.obligations[0].file.clone();
        it.files.insert(file, "(assert false)\n(check-sat)\n".to_owned());
    }));
    assert!(refused(&|it| it.manifest.relation = "swap_first_two".to_owned()));
    assert!(refused(&|it| it.manifest.inputs[0] = "a: any 64-bit integer".to_owned()));
    assert!(refused(&|it| it.manifest.bounds.depth = Some(3)));
    let faulty = subject("pairs/med", "faulty");
    assert!(checked(&genuine, &faulty, &[]).refused.is_some());
}

/// What a solver says to a text.
fn asked(solver: &Program, options: &[&str], text: &str) -> String {
    let mut child = Command::new(&solver.path)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn every_rule_of_plain_terms_has_lemmas_that_a_solver_proves() {
    let z3 = Program::find(&root()).expect("a solver");
    for rule in Rule::ALL {
        for lemma in rule.lemmas() {
            assert_eq!(asked(&z3, &["-in", "-T:60"], &lemma), "unsat", "{}: {lemma}", rule.name());
        }
    }
}

#[test]
fn the_translation_of_every_operator_to_integers_means_the_same() {
    let Ok(cvc5) = Program::find_kind(Kind::Cvc5, &root()) else {
        let _ = writeln!(std::io::stderr(), "skipped: no cvc5 here");
        return;
    };
    for width in [8, 16, 32, 64] {
        let lemma = meanings(width);
        let answer = asked(&cvc5, &["--solve-bv-as-int=sum", "--tlimit=60000", "--lang=smt2"], &lemma);
        assert_eq!(answer, "unsat", "{lemma}");
    }
}
