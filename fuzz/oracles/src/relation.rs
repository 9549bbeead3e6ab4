//! Relations: nothing false is said of a relation whose truth is known by enumeration.

use twinrun_prove::Config;
use twinrun_solve::Program;
use twinrun_soundness::batch::{Batch, relations};
use twinrun_soundness::families::FAMILIES;
use twinrun_soundness::judge::judge;

/// The bytes choose a family and a seed. Nothing is said where no solver or compiler is installed.
pub fn relation(data: &[u8]) {
    let Some((family, seed)) = data.split_first() else { return };
    let mut number = [0; 8];
    number.iter_mut().zip(seed).for_each(|(to, from)| *to = *from);
    let (family, _) = FAMILIES[usize::from(*family) % FAMILIES.len()];
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(solver) = Program::find(root) else { return };
    let folder = tempfile::tempdir().expect("a folder can be made");
    let made = relations(family, 1, u64::from_le_bytes(number)..u64::from_le_bytes(number).saturating_add(1));
    let source = made.first().map(|it| it.source.clone()).unwrap_or_default();
    let Ok(batch) = Batch::build(made, folder.path(), root) else { return };
    let judged = judge(&batch, &Config::new(solver)).expect("it can be judged");
    for judged in judged {
        assert!(judged.false_answers.is_empty(), "{:?}\n{source}", judged.false_answers);
    }
}
