//! Loading modules: any bytes are answered, valid modules are understood, and the site table is sound.

use std::sync::Arc;

use twinrun_base::sites::{Place, Sites};
use twinrun_subject::{Module, Roots};

use crate::smith::valid_module;

/// The first byte chooses: the rest is a module, or makes a valid one.
pub fn module(data: &[u8]) {
    let roots = Roots::new("/project");
    let Some((choice, rest)) = data.split_first() else { return };
    if choice % 2 == 0 {
        if let Ok(module) = Module::load(Arc::<[u8]>::from(rest), &roots) {
            sound(&module.sites);
        }
    } else if let Some(bytes) = valid_module(rest) {
        match Module::load(bytes, &roots) {
            Ok(module) => sound(&module.sites),
            Err(error) => panic!("a valid module is refused: {error}"),
        }
    }
}

/// What engines rely on: order, ranges, and indices that lead somewhere.
fn sound(sites: &Sites) {
    let known = |place: &Place| (place.file as usize) < sites.files.len() && place.line > 0;
    assert!(sites.functions.is_sorted_by(|one, two| one.index < two.index));
    assert!(sites.blocks.is_sorted_by(|one, two| one.offset < two.offset));
    assert!(sites.branches.is_sorted_by(|one, two| one.offset < two.offset));
    for function in &sites.functions {
        assert!(function.range.0 <= function.range.1);
    }
    for block in &sites.blocks {
        let function = &sites.functions[block.function as usize];
        assert!(function.user, "only user code has blocks");
        assert!(
            function.range.0 <= block.offset && block.offset < block.end && block.end <= function.range.1
        );
        assert!(block.places.iter().all(known));
    }
    for branch in &sites.branches {
        let function = &sites.functions[branch.function as usize];
        assert!(function.range.0 <= branch.offset && branch.offset < function.range.1);
        assert!(branch.outcomes >= 1);
        assert!(branch.place.iter().all(known));
        assert!(branch.statement.is_none_or(|statement| (statement as usize) < sites.statements.len()));
    }
    assert!(sites.statements.iter().all(|statement| known(&statement.place)));
}
