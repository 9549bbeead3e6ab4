//! The methods that are compared: every formula on the metamorphic slices as published, with an oracle, and ours.

use twinrun_localize::formulas::FORMULAS;
use twinrun_localize::method::{Mending, Method, Runs, Unit};

/// How runs are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judge {
    /// By the relations: groups.
    Relations,
    /// By the correct version, one test for each source run.
    SourceTests,
    /// One test for each follow-up run.
    FollowUpTests,
    /// One test for each run.
    AllTests,
}

/// A named method.
#[derive(Clone)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) judge: Judge,
    pub(crate) method: Method,
    /// One of ours, so that it may be chosen.
    pub(crate) ours: bool,
}

/// Every method.
pub(crate) fn all() -> Vec<Named> {
    let mut methods = Vec::new();
    for formula in FORMULAS {
        let method = Method::published(formula);
        for (judge, name) in [
            (Judge::Relations, "slices"),
            (Judge::SourceTests, "oracle on source tests"),
            (Judge::FollowUpTests, "oracle on follow-up tests"),
            (Judge::AllTests, "oracle on all tests"),
        ] {
            methods.push(Named { name: format!("{name}, {}", formula.name), judge, method, ours: false });
        }
    }
    let costly = ["ochiai", "op2", "dstar", "barinel", "jaccard", "tarantula"];
    for formula in FORMULAS {
        for bits in 0..48u32 {
            let on = |bit: u32| bits >> bit & 1 == 1;
            let runs = if on(0) { Runs::Likely } else { Runs::Union };
            if runs == Runs::Likely && (!costly.contains(&formula.name) || !on(1)) {
                continue;
            }
            let unit = if on(1) { Unit::Block } else { Unit::Line };
            let method = Method {
                formula,
                unit,
                near: on(2),
                demanding: on(3),
                runs,
                mending: [Mending::Off, Mending::First, Mending::Beside][(bits >> 4) as usize],
            };
            let mut parts = vec![formula.name];
            parts.extend(on(1).then_some("blocks"));
            parts.extend(on(0).then_some("likely runs"));
            parts.extend(on(2).then_some("near groups"));
            parts.extend(on(3).then_some("demanding relations"));
            parts.extend(on(4).then_some("mending first"));
            parts.extend(on(5).then_some("mending beside"));
            methods.push(Named {
                name: format!("ours: {}", parts.join(" + ")),
                judge: Judge::Relations,
                method,
                ours: true,
            });
        }
    }
    methods
}
