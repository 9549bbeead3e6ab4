//! The solver in front of the solvers: simplification, independent parts, memory of earlier answers, integers first.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use twinrun_base::Budget;
use twinrun_base::work::SECOND;
use twinrun_term::{Evaluation, Integers, Model, Node, Term, Terms, Theories, floats};

use crate::answer::{Answer, Counters, Reason};
use crate::cache::Cache;
use crate::program::Program;
use crate::session::{Backend, Logic, Raw, Session};
use crate::split::{related, split};

/// Limits and choices of a [`Solver`].
#[derive(Clone, Debug)]
pub struct Config {
    /// The most work for one query.
    pub query_limit: u64,
    /// What everything is paid from.
    pub budget: Option<Budget>,
    /// How many earlier models are tried before a solver is asked.
    pub models: usize,
    /// Whether to translate to integers where that is exact.
    pub integers: bool,
    /// However little work a query may cost, so long the watchdog waits for it.
    pub watchdog: Duration,
    /// The most memory that a solver process may use.
    pub memory_megabytes: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            query_limit: 10 * SECOND,
            budget: None,
            models: 8,
            integers: true,
            watchdog: Duration::from_secs(120),
            memory_megabytes: 4096,
        }
    }
}

/// Decides conditions over the terms of one arena. Use it with that arena only.
pub struct Solver {
    program: Program,
    config: Config,
    integers: Integers,
    sessions: BTreeMap<Logic, Box<dyn Backend>>,
    cache: Cache,
    counters: Counters,
    /// Questions about floats that ended at their limit.
    hard_floats: u32,
    /// What plain terms are when they are simplified.
    simplified: FxHashMap<Term, Term>,
}

/// The most work for a question about floats: one that is not decided by then hardly ever is, and paths ask many that are alike. Each such end halves what the next may cost.
const FLOATS: u64 = 6 * SECOND;
const MOST_HALVED: u32 = 6;

impl Solver {
    /// A solver that talks to `program`. Processes are started when they are first needed.
    pub fn new(program: Program, config: Config) -> Self {
        Solver {
            program,
            config,
            integers: Integers::new(),
            sessions: BTreeMap::new(),
            cache: Cache::default(),
            counters: Counters::default(),
            hard_floats: 0,
            simplified: FxHashMap::default(),
        }
    }

    /// How queries were answered so far.
    pub fn counters(&self) -> Counters {
        let restarts = self.sessions.values().map(|session| session.restarts()).sum();
        Counters { restarts, ..self.counters }
    }

    /// The program that is asked.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Limits and choices, which may be changed between queries.
    pub fn config_mut(&mut self) -> &mut Config {
        &mut self.config
    }

    /// Tells an input that is known to be possible, so that later queries may be answered with it.
    pub fn suggest(&mut self, model: Model) {
        self.cache.add_model(model, self.config.models);
    }

    /// Can the conditions hold together?
    pub fn check(&mut self, terms: &mut Terms, conditions: &[Term]) -> Answer {
        self.counters.queries += 1;
        let Some(conditions) = flatten(terms, conditions) else {
            self.counters.by_simplification += 1;
            return Answer::Unsat;
        };
        if conditions.is_empty() {
            self.counters.by_simplification += 1;
            return Answer::Sat(Model::new());
        }
        let mut model = Model::new();
        let mut unknown = None;
        for part in split(terms, &conditions) {
            self.counters.parts += 1;
            match self.check_part(terms, &part) {
                Answer::Sat(part) => model.extend(&part),
                Answer::Unsat => return Answer::Unsat,
                Answer::Unknown(reason) => unknown = Some(reason),
            }
        }
        match unknown {
            Some(reason) => {
                self.counters.unknown += 1;
                Answer::Unknown(reason)
            }
            None => Answer::Sat(model),
        }
    }

    /// Can `fresh` conditions hold together with earlier ones that `known` satisfies? Only what shares symbols with the fresh
    /// ones is asked; everything else keeps its known value.
    pub fn check_last(
        &mut self,
        terms: &mut Terms,
        earlier: &[Term],
        fresh: &[Term],
        known: &Model,
    ) -> Answer {
        self.counters.queries += 1;
        self.counters.parts += 1;
        let (Some(earlier), Some(fresh)) = (flatten(terms, earlier), flatten(terms, fresh)) else {
            self.counters.by_simplification += 1;
            return Answer::Unsat;
        };
        let mut part = related(terms, &earlier, &fresh);
        part.extend(fresh.iter().filter(|condition| !earlier.contains(condition)));
        if part.is_empty() {
            return Answer::Sat(known.clone());
        }
        match self.check_part(terms, &part) {
            Answer::Sat(model) => {
                let mut all = known.clone();
                all.extend(&model);
                Answer::Sat(all)
            }
            Answer::Unknown(reason) => {
                self.counters.unknown += 1;
                Answer::Unknown(reason)
            }
            Answer::Unsat => Answer::Unsat,
        }
    }

    /// Whether the conditions imply `goal`; a counterexample otherwise.
    pub fn implies(&mut self, terms: &mut Terms, conditions: &[Term], goal: Term) -> Answer {
        let mut conditions = conditions.to_vec();
        conditions.push(terms.not(goal));
        self.check(terms, &conditions)
    }

    /// Of conditions that cannot hold together, the positions of some that already cannot; nothing when they can or it is
    /// not known.
    pub fn core(&mut self, terms: &mut Terms, conditions: &[Term]) -> Option<Vec<usize>> {
        let limit = self.limit()?;
        let started = Instant::now();
        let translated = self.translate(terms, conditions).unwrap_or_else(|| conditions.to_vec());
        let core = self.session(terms, &translated).core(terms, &translated, limit);
        self.counters.solver_time += started.elapsed();
        if let Some(core) = &core {
            let mut members: Vec<Term> = core.iter().map(|&position| conditions[position]).collect();
            members.sort_unstable();
            self.cache.add_core(members.into());
        }
        core
    }

    fn check_part(&mut self, terms: &mut Terms, conditions: &[Term]) -> Answer {
        let mut key: Box<[Term]> = conditions.into();
        key.sort_unstable();
        if let Some(known) = self.cache.answer(&key) {
            self.counters.by_cache += 1;
            return known.clone().map_or(Answer::Unsat, Answer::Sat);
        }
        if self.cache.has_core(&key) {
            self.counters.by_core += 1;
            return Answer::Unsat;
        }
        if let Some(evaluation) = self.cache.model_for(terms, conditions) {
            self.counters.by_model += 1;
            return Answer::Sat(restricted(terms, evaluation.model(), conditions));
        }
        match self.ask(terms, conditions) {
            Answer::Sat(model) => {
                let model = restricted(terms, &model, conditions);
                let evaluation = Evaluation::new(model.clone());
                if !conditions.iter().all(|&condition| evaluation.holds(terms, condition)) {
                    return Answer::Unknown(Reason::WrongModel);
                }
                self.cache.add_model(model.clone(), self.config.models);
                self.cache.remember(key, Some(model.clone()));
                Answer::Sat(model)
            }
            Answer::Unsat => {
                self.cache.add_core(key.clone());
                self.cache.remember(key, None);
                Answer::Unsat
            }
            unknown => unknown,
        }
    }

    /// The work that the next query may cost.
    fn limit(&self) -> Option<u64> {
        match self.config.budget {
            Some(budget) if budget.is_over() => None,
            Some(budget) => Some(self.config.query_limit.min(budget.left())),
            None => Some(self.config.query_limit),
        }
    }

    fn translate(&mut self, terms: &mut Terms, conditions: &[Term]) -> Option<Vec<Term>> {
        let bits = Theories::BITS;
        if !self.config.integers || !conditions.iter().any(|&term| terms.theories(term).contains(bits)) {
            return None;
        }
        conditions.iter().map(|&condition| self.integers.translate(terms, condition)).collect()
    }

    /// Asks solvers: over integers where that is exact, then as the conditions stand. Plain terms are simplified before: whoever keeps them plain
    /// wants to write them down, and not to wait for answers.
    fn ask(&mut self, terms: &mut Terms, conditions: &[Term]) -> Answer {
        let Some(limit) = self.limit() else { return Answer::Unknown(Reason::Spent) };
        let started = Instant::now();
        let answer = if terms.is_plain() {
            let simple: Vec<Term> =
                conditions.iter().map(|&it| terms.simplified(it, &mut self.simplified)).collect();
            match flatten(terms, &simple) {
                None => Answer::Unsat,
                Some(simple) if simple.is_empty() => Answer::Sat(Model::new()),
                Some(simple) => terms.simplifying(|terms| self.ask_within(terms, &simple, limit)),
            }
        } else if theories(terms, conditions).contains(Theories::FLOATS) && floats::refuted(terms, conditions)
        {
            // Not of plain terms: what is to be written down has to be a question that solvers decide by themselves.
            self.counters.by_rounding += 1;
            Answer::Unsat
        } else {
            self.ask_within(terms, conditions, limit)
        };
        self.counters.watchdog += u64::from(answer == Answer::Unknown(Reason::Watchdog));
        self.counters.solver_time += started.elapsed();
        answer
    }

    fn ask_within(&mut self, terms: &mut Terms, conditions: &[Term], limit: u64) -> Answer {
        if let Some(translated) = self.translate(terms, conditions) {
            // Conditions that became `false` or `true` over integers need no solver.
            let Some(translated) = flatten(terms, &translated) else {
                self.counters.by_integers += 1;
                return Answer::Unsat;
            };
            let nonlinear = translated.iter().any(|&term| terms.theories(term).contains(Theories::NONLINEAR));
            // Products of unknowns may be hopeless over integers while the bits decide them: keep work for those.
            let share = if nonlinear { limit / 4 } else { limit / 2 };
            match self.session(terms, &translated).check(terms, &translated, share) {
                Raw::Unsat => {
                    self.counters.by_integers += 1;
                    return Answer::Unsat;
                }
                Raw::Sat(model) => {
                    let model = self.integers.original_model(terms, &model);
                    let evaluation = Evaluation::new(restricted(terms, &model, conditions));
                    if conditions.iter().all(|&condition| evaluation.holds(terms, condition)) {
                        self.counters.by_integers += 1;
                        return Answer::Sat(evaluation.model().clone());
                    }
                }
                Raw::Unknown(_) => {}
            }
            self.counters.fallbacks += 1;
        }
        let logic = Logic::of(theories(terms, conditions));
        if logic == Logic::Bits {
            // A growing stack is best for many small questions; what it does not decide soon is asked once more by itself.
            let raw = self.session(terms, conditions).check(terms, conditions, limit / 4);
            let raw = match raw {
                Raw::Unknown(_) => {
                    self.session_of(Logic::Circuits).check(terms, conditions, limit - limit / 4)
                }
                decided => decided,
            };
            return self.of_bits(raw);
        }
        let floats = logic == Logic::Floats;
        let limit = if floats { limit.min(FLOATS >> self.hard_floats.min(MOST_HALVED)) } else { limit };
        match self.session(terms, conditions).check(terms, conditions, limit) {
            Raw::Unknown(Reason::Limit) if floats => {
                self.hard_floats += 1;
                Answer::Unknown(Reason::Limit)
            }
            raw => self.of_bits(raw),
        }
    }

    /// The answer over bit-vectors or floats.
    fn of_bits(&mut self, raw: Raw) -> Answer {
        match raw {
            Raw::Sat(model) => {
                self.counters.by_bits += 1;
                Answer::Sat(model)
            }
            Raw::Unsat => {
                self.counters.by_bits += 1;
                Answer::Unsat
            }
            Raw::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    fn session(&mut self, terms: &Terms, conditions: &[Term]) -> &mut dyn Backend {
        self.session_of(Logic::of(theories(terms, conditions)))
    }

    fn session_of(&mut self, logic: Logic) -> &mut dyn Backend {
        let (program, memory, watchdog) = (&self.program, self.config.memory_megabytes, self.config.watchdog);
        let session = self.sessions.entry(logic);
        session.or_insert_with(|| Box::new(Session::new(program.clone(), logic, memory, watchdog))).as_mut()
    }
}

/// What conditions speak of.
fn theories(terms: &Terms, conditions: &[Term]) -> Theories {
    conditions.iter().fold(Theories::default(), |all, &condition| all.union(terms.theories(condition)))
}

/// Conjunctions taken apart, `true` left out; nothing when one is `false`.
fn flatten(terms: &Terms, conditions: &[Term]) -> Option<Vec<Term>> {
    let mut flat = Vec::with_capacity(conditions.len());
    let mut seen = FxHashSet::default();
    for &condition in conditions {
        match terms.node(condition) {
            Node::Bool(true) => {}
            Node::Bool(false) => return None,
            Node::And(parts) => flat.extend(parts.iter().copied().filter(|part| seen.insert(*part))),
            _ => flat.extend(seen.insert(condition).then_some(condition)),
        }
    }
    Some(flat)
}

/// A model of exactly the symbols that occur, with defaults for what was left open.
fn restricted(terms: &Terms, model: &Model, conditions: &[Term]) -> Model {
    let mut exact = model.clone();
    exact.retain(|symbol| {
        conditions.iter().any(|&term| terms.free_symbols(term).binary_search(&symbol).is_ok())
    });
    for &condition in conditions {
        for &symbol in terms.free_symbols(condition) {
            if exact.get(symbol).is_none() {
                exact.set(symbol, model.value(terms, symbol));
            }
        }
    }
    exact
}
