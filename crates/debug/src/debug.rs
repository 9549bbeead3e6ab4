//! The whole of debugging: search from every violated case, choose the pair, rank.

use std::collections::BTreeSet;
use std::time::Instant;

use twinrun_base::work::SECOND;
use twinrun_base::{Budget, Case, Verdict};
use twinrun_explore::{Decided, Engine, Windows};
use twinrun_interp::Position;
use twinrun_solve::{Program, Solver};

use crate::cases::{Traced, draw, fresh, of_each, traced, with_smaller};
use crate::error::Error;
use crate::groups::Groups;
use crate::named::{following, in_runs, named, shared};
use crate::perturbed::Perturbed;
use crate::rank::{self, Ground, rank};
use crate::repairs::{Cases, decided, repairs};
use crate::report::{Common, Critical, Evidence, How, Outcome, Pair, Repaired, Report, Search};
use crate::search::{Ended, Limit, search};
use crate::subject::Subject;
use crate::switches::switches;

/// Which method names the branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// As published: the branch where the pair with the shortest failing suffix parts.
    Published,
    /// Branches ranked by several kinds of evidence; passing cases are compared where no neighbour passes.
    Ranked,
}

/// The work that a subject may cost unless something else is said.
pub const WORK: u64 = 20 * SECOND;

/// Limits and choices.
#[derive(Clone, Debug)]
pub struct Config {
    /// The method.
    pub method: Method,
    /// The solver.
    pub solver: Program,
    /// The most work in all, as [`twinrun_base::work`] counts it.
    pub work: u64,
    /// The most work for one question to the solver.
    pub query: u64,
    /// The most paths from one violated case.
    pub paths: u64,
    /// The most changes of behaviour that are tried.
    pub changes: u64,
    /// The seed of drawn cases.
    pub seed: u64,
}

/// A violated case.
#[derive(Clone, Debug, PartialEq)]
pub struct Violated {
    /// Its relation.
    pub relation: String,
    /// The inputs.
    pub case: Case,
}

/// Violated cases that tell whether a change only avoids the fault.
const AVOIDED: usize = 3;
/// Violated cases of each relation that the ranking searches from, the smallest ones.
const SEARCHED: usize = 4;
/// Passing neighbours that judge changes.
const NEIGHBOURS: usize = 4;
/// Violated cases that a change should repair.
const REPAIRED: usize = 6;
/// How many conditions that the solver cannot decide end a search from all cases.
const UNDECIDED: u64 = 2;
/// The most single decisions that are switched.
const SWITCHES: u64 = 400;

/// A pair with what naming needs.
struct Candidate {
    relation: String,
    how: How,
    failing: Case,
    passing: Case,
    trace: Vec<Decided>,
    passing_trace: Vec<Decided>,
    index: usize,
}

impl Candidate {
    fn suffix(&self) -> usize {
        self.trace.len() - self.index - 1
    }
}

/// What the searches from all cases gave.
struct Neighbours {
    candidates: Vec<Candidate>,
    /// The traces of the violated cases.
    traces: Vec<Vec<Decided>>,
    /// Every search saw all paths.
    exhausted: bool,
}

/// Debugs a subject from its violated cases, of one or several relations.
///
/// # Errors
/// When a relation cannot be run, or a case does not violate its relation.
pub fn debug(subject: &Subject, violated: &[Violated], config: &Config) -> Result<Report, Error> {
    let began = Instant::now();
    if violated.is_empty() {
        return Err(Error::NoCase);
    }
    let groups = Groups::new(subject)?;
    let given = violated.len();
    let smaller = match config.method {
        Method::Published => violated.to_vec(),
        Method::Ranked => with_smaller(&groups, violated)?,
    };
    let violated = &smaller[..];
    let mut search = Search { cases: given as u64, ..Search::default() };
    let whole = Budget::of(config.work);
    // The ranking needs its share of the work.
    let share = if config.method == Method::Ranked { 0.4 } else { 1.0 };
    let most = if config.method == Method::Ranked { SEARCHED } else { usize::MAX };
    let Neighbours { mut candidates, mut traces, exhausted } =
        neighbours(subject, &of_each(violated, most), config, whole.share(share), &mut search)?;
    search.exhausted = exhausted && candidates.is_empty();
    // What the concolic engine says is replayed on the other one before it is believed.
    candidates.retain(|candidate| is_confirmed(&groups, candidate));
    search.search_seconds = began.elapsed().as_secs_f64();
    let mut failing: Vec<Traced> = Vec::new();
    let mut passing: Vec<Traced> = Vec::new();
    if config.method == Method::Ranked {
        for Violated { relation, case } in violated {
            failing.extend(traced(&groups, subject, relation, case, Verdict::Violated)?);
        }
        for candidate in candidates.iter().take(NEIGHBOURS) {
            passing.extend(traced(
                &groups,
                subject,
                &candidate.relation,
                &candidate.passing,
                Verdict::Holds,
            )?);
        }
        draw(&groups, subject, violated, config.seed, &mut passing)?;
        search.passing = passing.len() as u64;
        if candidates.is_empty() {
            candidates.extend(compared(&failing, &passing));
        }
    }
    match config.method {
        Method::Published => candidates.sort_by_key(Candidate::suffix),
        // On the shortest trace least lies between a branch and the fault.
        Method::Ranked => candidates.sort_by_key(|candidate| (candidate.trace.len(), candidate.suffix())),
    }
    let mut pairs = Vec::new();
    for candidate in &candidates {
        pairs.push(pair(&groups, subject, candidate)?);
    }
    let limit = (whole, config.changes);
    // Where no passing neighbour is known, the shortest failing trace has to do.
    let shortest = failing.iter().min_by_key(|traced| traced.trace.len());
    let (critical, repairs) = match (config.method, candidates.first()) {
        (Method::Published, _) => (published(&pairs), Vec::new()),
        (Method::Ranked, Some(chosen)) => {
            match traced(&groups, subject, &chosen.relation, &chosen.failing, Verdict::Violated)? {
                Some(ground) => {
                    let ground = (&ground, chosen.index, Some(0));
                    ranked(
                        &groups,
                        subject,
                        ground,
                        &candidates,
                        &failing,
                        &passing,
                        limit,
                        config.seed,
                        &mut search,
                    )
                }
                None => Default::default(),
            }
        }
        (Method::Ranked, None) => shortest.map_or_else(Default::default, |ground| {
            let ground = (ground, ground.trace.len().saturating_sub(1), None);
            ranked(&groups, subject, ground, &candidates, &failing, &passing, limit, config.seed, &mut search)
        }),
    };
    let without_pair = shortest.filter(|_| pairs.is_empty());
    let without_pair = without_pair.map(|traced| (traced.relation.clone(), traced.known.case.clone()));
    let outcome = match (pairs.is_empty(), search.exhausted) {
        (false, _) => Outcome::Found,
        (true, true) => Outcome::NoPassingNeighbour,
        (true, false) => Outcome::NotFound,
    };
    if !failing.is_empty() {
        traces = failing.iter().map(|traced| traced.trace.clone()).collect();
    }
    let passing: Vec<Vec<Decided>> = passing.into_iter().map(|traced| traced.trace).collect();
    search.seconds = began.elapsed().as_secs_f64();
    Ok(Report {
        subject: subject.name.clone(),
        outcome,
        critical,
        repairs,
        pairs,
        violated: without_pair,
        common: common(subject, &traces, &passing),
        search,
    })
}

/// Whether both cases of a pair end as the search says.
fn is_confirmed(groups: &Groups, candidate: &Candidate) -> bool {
    let Ok(relation) = groups.relation(&candidate.relation) else { return false };
    let ends = |case: &Case| groups.replay(relation, case, Perturbed::nothing(), u64::MAX).verdict;
    ends(&candidate.failing) == Verdict::Violated && ends(&candidate.passing) == Verdict::Holds
}

/// Searches from every violated case: first with all lengths and addresses as they are, which keeps the conditions simple; where no neighbour
/// passes that way, with reads and writes over all places that an address may mean.
fn neighbours(
    subject: &Subject,
    violated: &[Violated],
    config: &Config,
    budget: Budget,
    counters: &mut Search,
) -> Result<Neighbours, Error> {
    let found = searched(subject, violated, config, (true, budget.share(0.6)), counters)?;
    // What is hard with most of the inputs fixed does not become easier.
    if !found.candidates.is_empty() || counters.unknown > 0 {
        return Ok(found);
    }
    searched(subject, violated, config, (false, budget), counters)
}

/// One search from every violated case.
fn searched(
    subject: &Subject,
    violated: &[Violated],
    config: &Config,
    (narrow, budget): (bool, Budget),
    counters: &mut Search,
) -> Result<Neighbours, Error> {
    let relations: BTreeSet<&String> = violated.iter().map(|violated| &violated.relation).collect();
    let (mut candidates, mut traces, mut exhausted) = (Vec::new(), Vec::new(), true);
    let mut left = violated.len() as u64;
    let unknown = counters.unknown + UNDECIDED;
    for relation in relations {
        let mut engine = Engine::new(&subject.module, relation, subject.programs.clone(), subject.limits)?;
        if narrow {
            engine.domain.windows = Windows { reads: 1, writes: 1 };
        }
        let solver_config = twinrun_solve::Config {
            query_limit: config.query,
            budget: Some(budget),
            ..twinrun_solve::Config::default()
        };
        let mut solver = Solver::new(config.solver.clone(), solver_config);
        engine.domain.budget = Some(budget);
        for Violated { case, .. } in violated.iter().filter(|it| it.relation == *relation) {
            // What one case does not use is left for the others.
            let limit = Limit { budget: budget.part(left), paths: config.paths, unknown, narrow };
            left = left.saturating_sub(1);
            let (ended, first) = search(&mut engine, &mut solver, relation, case, limit, counters)?;
            traces.extend(first.as_ref().map(in_runs));
            match ended {
                Ended::Found(found) => {
                    let terms = &engine.domain.terms;
                    candidates.push(Candidate {
                        relation: relation.clone(),
                        how: How::Negated,
                        failing: found.failing.case(terms, &found.failing.model),
                        passing: found.passing.case(terms, &found.passing.model),
                        trace: in_runs(&found.failing),
                        passing_trace: in_runs(&found.passing),
                        index: found.index,
                    });
                }
                Ended::Exhausted => {}
                Ended::Open => exhausted = false,
            }
        }
        counters.solver_queries += solver.counters().by_solver();
    }
    Ok(Neighbours { candidates, traces, exhausted })
}

/// The violated and the passing case whose runs agree longest.
fn compared(failing: &[Traced], passing: &[Traced]) -> Option<Candidate> {
    let pairs = failing.iter().flat_map(|a| {
        passing.iter().filter(|b| a.relation == b.relation).map(move |b| (a, b, shared(&a.trace, &b.trace)))
    });
    let parting = pairs.filter(|(a, _, index)| *index < a.trace.len());
    let (a, b, index) = parting.min_by_key(|(a, _, index)| a.trace.len() - index)?;
    Some(Candidate {
        relation: a.relation.clone(),
        how: How::Compared,
        failing: a.known.case.clone(),
        passing: b.known.case.clone(),
        trace: a.trace.clone(),
        passing_trace: b.trace.clone(),
        index,
    })
}

fn pair(groups: &Groups, subject: &Subject, candidate: &Candidate) -> Result<Pair, Error> {
    let relation = groups.relation(&candidate.relation)?;
    Ok(Pair {
        relation: candidate.relation.clone(),
        how: candidate.how,
        branch: named(subject, &candidate.trace, candidate.index),
        suffix: candidate.suffix(),
        failing: groups.explain(relation, &candidate.failing)?,
        passing: groups.explain(relation, &candidate.passing)?,
        after_failing: following(subject, &candidate.trace, candidate.index),
        after_passing: following(subject, &candidate.passing_trace, candidate.index),
    })
}

/// Each pair's own branch, the shortest suffix first.
fn published(pairs: &[Pair]) -> Vec<Critical> {
    let mut critical: Vec<Critical> = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        if critical.iter().any(|known| known.branch.statement == pair.branch.statement) {
            continue;
        }
        critical.push(Critical {
            branch: pair.branch.clone(),
            pair: Some(index),
            score: 1.0 / (1.0 + pair.suffix as f64),
            reasons: vec!["here the violating and the passing runs diverge".to_owned()],
            evidence: Evidence { parting: true, ..Evidence::default() },
        });
    }
    critical
}

#[expect(clippy::too_many_arguments, reason = "everything that was learned so far")]
fn ranked(
    groups: &Groups,
    subject: &Subject,
    (ground, parting, pair): (&Traced, usize, Option<usize>),
    candidates: &[Candidate],
    failing: &[Traced],
    passing: &[Traced],
    limit: (Budget, u64),
    seed: u64,
    counters: &mut Search,
) -> (Vec<Critical>, Vec<Repaired>) {
    // A single fault is executed in every violated case.
    let mut places: BTreeSet<Position> = ground.owners.keys().copied().collect();
    for traced in failing {
        places.retain(|place| traced.owners.contains_key(place));
    }
    let places: Vec<Position> = places.into_iter().collect();
    let mut shortest: Vec<&Traced> = failing.iter().collect();
    shortest.sort_by_key(|traced| traced.known.ran.work);
    // The shortest ones refuse most changes at little cost; the longer ones tell more about the few others.
    let longer = shortest.iter().rev().take(REPAIRED / 2).rev();
    let shorter = shortest.iter().take(REPAIRED / 2);
    let telling: Vec<&Traced> =
        if shortest.len() <= REPAIRED { shortest.clone() } else { shorter.chain(longer).copied().collect() };
    let (fresh, more) = fresh(groups, failing, seed);
    let lengths = passing.iter().map(|traced| &traced.known).chain(&fresh).map(|known| known.ran.work);
    let longest = lengths.max().unwrap_or(0);
    let cases = Cases {
        longest,
        decided: telling.iter().take(AVOIDED).map(|traced| decided(groups, &traced.known)).collect(),
        violated: telling.iter().map(|traced| traced.known.clone()).collect(),
        passing: passing.iter().map(|traced| traced.known.clone()).collect(),
        fresh,
        more,
    };
    let drawn = || cases.fresh.iter().chain(&cases.more);
    counters.drawn = drawn().count() as u64;
    counters.drawn_violated = drawn().filter(|known| known.ran.verdict == Verdict::Violated).count() as u64;
    let switched = switches(
        groups,
        subject,
        shortest.iter().map(|traced| (&traced.known, &traced.trace[..])),
        (limit.0, SWITCHES, cases.longest),
    );
    let (found, tried) = repairs(groups, subject, &places, &cases, limit, counters);
    let outcomes = |traced: &Traced| -> BTreeSet<(Position, u32)> {
        traced.trace.iter().map(|decided| (decided.at, decided.outcome)).collect()
    };
    let partings: Vec<rank::Key> =
        candidates.iter().map(|it| subject.statement_key(&it.trace[it.index])).collect();
    let known = rank::Known {
        cases: counters.cases as usize,
        repairs: &found,
        tried: &tried,
        partings: &partings,
        switched: &switched,
        violated: &failing.iter().map(outcomes).collect::<Vec<_>>(),
        passing: &passing.iter().map(outcomes).collect::<Vec<_>>(),
    };
    let ground = Ground { subject, trace: &ground.trace, parting, pair, owners: &ground.owners };
    rank(&ground, &known)
}

/// Statements whose branches every failing trace took in one way at least once.
fn common(subject: &Subject, failing: &[Vec<Decided>], passing: &[Vec<Decided>]) -> Vec<Common> {
    let taken = |trace: &[Decided]| -> BTreeSet<(rank::Key, u32)> {
        trace.iter().map(|decided| (subject.statement_key(decided), decided.outcome)).collect()
    };
    let Some(first) = failing.first() else { return Vec::new() };
    let mut shared = taken(first);
    for trace in &failing[1..] {
        let other = taken(trace);
        shared.retain(|outcome| other.contains(outcome));
    }
    let passing: Vec<_> = passing.iter().map(|trace| taken(trace)).collect();
    let mut statements: Vec<Common> = Vec::new();
    let mut seen: BTreeSet<rank::Key> = BTreeSet::new();
    for decided in first {
        let key = subject.statement_key(decided);
        let outcomes: Vec<u32> =
            shared.range((key, 0)..=(key, u32::MAX)).map(|(_, outcome)| *outcome).collect();
        if outcomes.is_empty() || !seen.insert(key) {
            continue;
        }
        let all = |case: &&BTreeSet<(rank::Key, u32)>| outcomes.iter().all(|it| case.contains(&(key, *it)));
        statements.push(Common {
            statement: subject.statement(decided),
            function: subject.function(decided),
            in_passing: passing.iter().filter(all).count(),
            outcomes,
        });
    }
    statements.sort_by_key(|common| common.in_passing);
    statements
}
