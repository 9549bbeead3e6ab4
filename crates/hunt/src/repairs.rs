//! What to write instead: repairs, and what can be proved of them.

use serde::{Deserialize, Serialize};
use twinrun_base::work::SECOND;
use twinrun_base::{Case, Finding, Location, Repair, cut};
use twinrun_prove::{Verdict, prove};
use twinrun_solve::Program;
use twinrun_subject::Project;
use twinrun_subject::build::Environment;
use twinrun_testing::engine::WasmSubject;
use twinrun_whatif::repair::{self, Difference, Outcome};

use crate::hunt::Config;
use crate::outcome::Said;
use crate::subject::Subject;

/// Where the sources of a subject are, and how it is built.
#[derive(Clone)]
pub struct Sources<'a> {
    /// The project.
    pub project: &'a Project,
    /// What builds it.
    pub environment: &'a Environment,
    /// All relations that the project uses: a repair must satisfy those too that the hunt was not asked about.
    pub relations: &'a [String],
}

/// What a search for repairs gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Repaired {
    /// The search.
    pub outcome: Outcome,
    /// For each repair, the relations of which something was proved, and what.
    pub proofs: Vec<Vec<(String, String)>>,
}

impl Repaired {
    /// The repairs as findings have them.
    pub fn told(&self) -> Vec<Repair> {
        let told = |(place, it): (usize, &repair::Repair)| {
            let location = Location { file: it.file.clone(), line: it.line, column: 0 };
            let mut support = vec![support(it, &self.outcome)];
            let proofs = self.proofs.get(place).into_iter().flatten();
            support.extend(proofs.map(|(relation, words)| format!("{relation}: {words}")));
            if let Some(first) = it.alike.first() {
                let more = match it.alike.len() - 1 {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                support.push(format!("answers alike on every case that was tried: {first}{more}"));
            }
            support.extend(it.differs.as_ref().map(differs));
            Repair { location, change: it.change.clone(), diff: it.diff.clone(), support }
        };
        self.outcome.repairs.iter().enumerate().map(told).collect()
    }
}

/// What was tried, in one sentence.
pub fn support(repair: &repair::Repair, outcome: &Outcome) -> String {
    let answers = match repair.changes {
        0 => format!("changes no answer of {} passing ones", repair.passing),
        changes => {
            format!("breaks 0 of {} passing ones ({changes} of them answer otherwise)", repair.passing)
        }
    };
    format!(
        "fixes {} of {} failing cases, {answers}; holds in {} fresh groups",
        repair.fixes, outcome.failing, repair.fresh
    )
}

/// What tells a repair from the first.
pub fn differs(difference: &Difference) -> String {
    let inputs: Vec<String> = difference.case.inputs.iter().map(ToString::to_string).collect();
    let Difference { relation, this, first, .. } = difference;
    match this == first {
        true => format!("unlike repair 1 with {}: runs of {relation} give something else", inputs.join(", ")),
        false => format!(
            "unlike repair 1 with {}: {relation} compares {this:?}, with repair 1 {first:?}",
            inputs.join(", ")
        ),
    }
}

/// Work for the proof of one relation of a repaired subject: proofs that are quick are worth having, others have their own command.
pub const PROOF: u64 = 3 * SECOND;

/// What can be proved of a repaired subject with so much work for each relation.
pub fn proofs(
    subject: &WasmSubject,
    relations: &[String],
    solver: &Program,
    work: u64,
) -> Vec<(String, String)> {
    let config = twinrun_prove::Config { work, ..twinrun_prove::Config::new(solver.clone()) };
    let one = |relation: &String| {
        let report = prove(subject, relation, &config, &mut |_| ()).ok()?;
        let words = match report.verdict {
            Verdict::Proved(_) => "proved for all inputs of the declared ranges".to_owned(),
            Verdict::ProvedOverReals(_) => "proved over the reals".to_owned(),
            Verdict::ProvedUpTo { bound, .. } => format!("holds up to a bound ({bound})"),
            _ => return None,
        };
        Some((relation.clone(), words))
    };
    relations.iter().take_while(|_| !cut::is_requested()).filter_map(one).collect()
}

/// Cases of the search, fewer than those of `twinrun repair`.
const DRAWN: u64 = 2_000;
/// Edits that are tried, and fresh groups of each relation that a repair must survive.
const EDITS: usize = 12_000;
const FRESH: u64 = 5_000;

/// Looks for repairs of a subject with findings.
pub(crate) fn repairing(
    subject: &Subject<'_>,
    findings: &[Finding],
    config: &Config,
    work: u64,
) -> Said<Repaired> {
    let nothing = |why: String| Said::Nothing { why: format!("repairing: {why}") };
    let (Some(wasm), Some(sources)) = (subject.wasm(), &subject.sources) else {
        return nothing("only C and C++ sources of a project are edited".to_owned());
    };
    let given: Vec<(String, Case)> = findings
        .iter()
        .flat_map(|it| [&it.group.case, &it.found].map(|case| (it.relation.clone(), case.clone())))
        .collect();
    let mut asked = repair::Config {
        seed: config.seed,
        given,
        edits: EDITS,
        work,
        fresh: FRESH,
        forbidden: config.forbidden.clone(),
        ..repair::Config::default()
    };
    asked.amount.drawn = DRAWN;
    let relations = sources.relations;
    match repair::repair(sources.project, &subject.name, wasm, relations, sources.environment, &asked) {
        Ok((outcome, built)) => {
            // Of the likeliest alone: proofs of the others are for `twinrun repair`.
            let first = built.iter().take(1);
            let proofs = match &config.solver {
                Ok(solver) => first.map(|it| proofs(&it.subject, relations, solver, PROOF)).collect(),
                Err(_) => Vec::new(),
            };
            Said::Report(Box::new(Repaired { outcome, proofs }))
        }
        Err(error) => nothing(error.to_string()),
    }
}
