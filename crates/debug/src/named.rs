//! Branches of a path, named for a report.

use twinrun_base::Location;
use twinrun_explore::{Decided, Path};

use crate::report::Named;
use crate::subject::Subject;

/// The branches that the runs decided, in order.
pub(crate) fn in_runs(path: &Path) -> Vec<Decided> {
    path.decided.iter().filter(|decided| decided.run.is_some()).copied().collect()
}

/// A branch of a trace in words for a report.
pub(crate) fn named(subject: &Subject, trace: &[Decided], index: usize) -> Named {
    let decided = &trace[index];
    let (sites, _) = subject.table(decided.at.function);
    let same = |other: &&Decided| {
        other.run == decided.run && other.site == decided.site && other.at.function == decided.at.function
    };
    Named {
        location: subject.branch(decided).place.map(|place| sites.location(place)),
        statement: subject.statement(decided),
        function: subject.function(decided),
        run: decided.run.map_or(0, |run| run + 1),
        iteration: trace[..index].iter().filter(same).count() as u32 + 1,
        outcome: decided.outcome,
        index,
    }
}

/// The first few different statements that a trace decides after a branch.
pub(crate) fn following(subject: &Subject, trace: &[Decided], index: usize) -> Vec<Location> {
    const SHOWN: usize = 4;
    let mut found: Vec<Location> = Vec::new();
    for decided in trace.iter().skip(index + 1) {
        if let Some(statement) = subject.statement(decided)
            && !found.contains(&statement)
        {
            found.push(statement);
        }
        if found.len() == SHOWN {
            break;
        }
    }
    found
}

/// How many branches two traces share from the beginning: same place, same outcome.
pub(crate) fn shared(a: &[Decided], b: &[Decided]) -> usize {
    let same = |(a, b): &(&Decided, &Decided)| a.at == b.at && a.outcome == b.outcome && a.run == b.run;
    a.iter().zip(b).take_while(same).count()
}
