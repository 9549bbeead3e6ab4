//! The methods that are compared: every formula on the metamorphic slices as published, with an oracle, and ours.

use twinrun_localize::formulas::FORMULAS;
use twinrun_localize::mend::Worth;
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
    // Every formula with the parts that help it most; the usual ones with every choice of parts.
    let usual = ["ochiai", "op2", "dstar", "barinel", "jaccard", "tarantula"];
    for formula in FORMULAS {
        for (bits, (mending, worth)) in (0..16u32).flat_map(|bits| mendings().map(move |it| (bits, it))) {
            let on = |bit: u32| bits >> bit & 1 == 1;
            let runs = if on(0) { Runs::Likely } else { Runs::Union };
            if (runs == Runs::Likely && !on(1)) || (!usual.contains(&formula.name) && bits != 0b0110) {
                continue;
            }
            let unit = if on(1) { Unit::Block } else { Unit::Line };
            let method = Method { formula, unit, near: on(2), demanding: on(3), runs, mending, worth };
            let mut parts = vec![formula.name.to_owned()];
            parts.extend(on(1).then(|| "blocks".to_owned()));
            parts.extend(on(0).then(|| "likely runs".to_owned()));
            parts.extend(on(2).then(|| "near groups".to_owned()));
            parts.extend(on(3).then(|| "demanding relations".to_owned()));
            let worth = match worth {
                Worth::Answers => "answers",
                Worth::Kept => "kept, variety",
                Worth::Held => "held, variety",
            };
            parts.extend(match mending {
                Mending::Off => None,
                Mending::First => Some(format!("mending first ({worth})")),
                Mending::Beside => Some(format!("mending beside ({worth})")),
                Mending::Even => Some(format!("mending evenly ({worth})")),
            });
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

/// How changes that mend may count.
fn mendings() -> impl Iterator<Item = (Mending, Worth)> {
    let worths = [Worth::Answers, Worth::Kept, Worth::Held];
    let joins = [Mending::First, Mending::Beside, Mending::Even];
    let each = joins.into_iter().flat_map(move |join| worths.map(|worth| (join, worth)));
    std::iter::once((Mending::Off, Worth::Held)).chain(each)
}
