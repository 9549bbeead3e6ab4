//! The soundness fuzzer on a bounded number of relations, every relation of which something false was once said, and those that were written to mislead the prover.

use std::io::Write as _;

use std::path::Path;
use twinrun_prove::Config;
use twinrun_results::workspace_root;
use twinrun_solve::Program;

use twinrun_soundness::batch::{Batch, Relation, folder, kept, relations};
use twinrun_soundness::families::FAMILIES;
use twinrun_soundness::judge::{Falsehood, judge, without_net};

fn nothing_false_is_said(all: Vec<Relation>) {
    let root = workspace_root();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let solver = Program::find(&root).expect("a solver is installed");
    // As in the study: what is not decided by then is hardly decided in a minute.
    let config = without_net(Config { work: twinrun_base::work::SECOND, ..Config::new(solver) });
    let batch = Batch::build(all, folder.path(), &root).expect("relations compile");
    for judged in judge(&batch, &config, &mut |_, _| ()).expect("relations are judged") {
        assert!(judged.truth.is_some(), "{} has too many cases", judged.name);
        // What the engine computes with bytes that nobody wrote is no truth, and only sanitisers tell where that is.
        if !judged.natively && judged.says(Falsehood::Violated) {
            let _ = writeln!(std::io::stderr(), "skipped: no native sanitisers (`./x test` installs them)");
            continue;
        }
        assert!(judged.false_answers.is_empty(), "{}: {:?}", judged.name, judged.false_answers);
    }
}

#[test]
fn nothing_false_is_said_of_a_relation_of_each_family() {
    nothing_false_is_said(FAMILIES.iter().flat_map(|(family, _)| relations(family, 7, 0..1)).collect());
}

#[test]
fn nothing_false_is_said_again() {
    let kept = kept().expect("they can be read");
    assert!(kept.len() >= 10, "{kept:?}");
    nothing_false_is_said(kept);
}

#[test]
fn nothing_false_is_said_of_what_was_written_to_mislead() {
    let tricky = folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tricky")).expect("they can be read");
    assert!(tricky.len() >= 60, "{}", tricky.len());
    // The gate has no time for all: `./x experiment soundness --folder experiments/soundness/tricky`.
    nothing_false_is_said(tricky.into_iter().step_by(5).collect());
}
