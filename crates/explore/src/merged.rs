//! Runs with paths merged: at a branch on inputs both sides run to where they meet, and what differs becomes
//! `if condition then a else b`.
//!
//! One merged path stands for many. What cannot be merged (a call of the host, an address without bounds, a side that crashes for the inputs at hand)
//! stays a branch of the path, so that an [`Explorer`](crate::Explorer) over a merging engine still covers everything.

use rustc_hash::FxHashSet;
use twinrun_base::{Budget, cut};
use twinrun_interp::instr::Instr;
use twinrun_interp::{Mark, Outcome, Position, State, Trap, Type, merge, run};
use twinrun_solve::Solver;
use twinrun_term::Term;

use crate::domain::{Concolic, Value};
use crate::engine::{Engine, Watch};
use crate::path::{Condition, Kind};

/// How paths are merged.
pub struct Merging {
    /// Tells which sides of loops are possible.
    pub solver: Solver,
    /// After so many open merges at one branch, the solver is asked whether a side is possible.
    pub unasked: usize,
    /// More open merges at one branch than this are not tried.
    pub most_open: usize,
    /// A merged value may have so many terms; beyond, its branch is split.
    pub most_terms: usize,
    /// When it is spent, merging stops and branches stay branches.
    pub budget: Option<Budget>,
    /// How many branches were merged so far.
    pub merges: u64,
    /// Branches that are not merged any more.
    split: FxHashSet<Position>,
}

impl Merging {
    /// The usual limits.
    pub fn new(solver: Solver) -> Merging {
        Merging {
            solver,
            unasked: 3,
            most_open: 200,
            most_terms: 2_000_000,
            budget: None,
            merges: 0,
            split: FxHashSet::default(),
        }
    }

    /// How many branches had to stay branches.
    pub fn splits(&self) -> usize {
        self.split.len()
    }

    /// The branches that had to stay branches, to begin with them elsewhere: a branch that is split only on later paths makes earlier ones mean something else.
    pub fn split(&self) -> impl Iterator<Item = Position> + '_ {
        self.split.iter().copied()
    }

    /// From the beginning these branches stay branches.
    pub fn with_split(mut self, split: impl IntoIterator<Item = Position>) -> Merging {
        self.split.extend(split);
        self
    }
}

/// Where a side or a merge came to.
enum Side {
    /// To the mark.
    Arrived(Box<State<Concolic>>),
    /// To a trap.
    Ended(Trap),
}

/// Why a branch is not merged.
enum Refusal {
    /// It never can be.
    Always,
    /// Not for these inputs.
    Here,
}

impl Engine {
    /// From now on paths are merged.
    pub fn merge_with(&mut self, merging: Merging) {
        self.domain.merging = true;
        self.merging = Some(merging);
    }

    /// What merging has done, if it is on.
    pub fn merging(&self) -> Option<&Merging> {
        self.merging.as_ref()
    }

    pub(crate) fn run_merging(&mut self, state: &mut State<Concolic>, watch: &mut Watch) -> Outcome<Value> {
        loop {
            match run(state, &mut self.domain, &mut self.host, watch) {
                Outcome::Suspended { at, condition, outcomes } => {
                    let before = self.domain.save();
                    let split = self.merging.as_ref().is_none_or(|merging| merging.split.contains(&at));
                    let joined = if split {
                        Err(Refusal::Here)
                    } else {
                        self.join(state, at, condition, outcomes, &mut Vec::new())
                    };
                    match joined {
                        Ok(Side::Arrived(joined)) => {
                            *state = *joined;
                            if state.frames.is_empty() {
                                return Outcome::Finished;
                            }
                            continue;
                        }
                        Err(Refusal::Always) => {
                            if let Some(merging) = &mut self.merging {
                                merging.split.insert(at);
                            }
                        }
                        _ => {}
                    }
                    self.domain.restore(&before);
                    self.domain.depth = 0;
                    let outcome = concrete(condition, outcomes);
                    let taken = self.condition(condition, outcomes, outcome);
                    let kind =
                        if outcomes == 2 { Kind::Branch { outcome } } else { Kind::Switch { outcome } };
                    self.domain.assume(at, taken, kind);
                    self.domain.decisions += 1;
                    state.force(outcome);
                }
                other => return other,
            }
        }
    }

    /// The condition of one outcome.
    fn condition(&mut self, tested: Value, outcomes: u32, outcome: u32) -> Term {
        let term = self.domain.term(tested);
        let terms = &mut self.domain.terms;
        if outcomes == 2 {
            let holds = terms.bv_to_bool(term);
            return if outcome == 1 { holds } else { terms.not(holds) };
        }
        let number = terms.bv(32, u64::from(outcome));
        if outcome == outcomes - 1 { terms.ule(number, term) } else { terms.eq(term, number) }
    }

    /// Runs all sides of a branch to where they meet, and joins them.
    fn join(
        &mut self,
        state: &State<Concolic>,
        at: Position,
        tested: Value,
        outcomes: u32,
        open: &mut Vec<Position>,
    ) -> Result<Side, Refusal> {
        let nested = open.iter().filter(|known| **known == at).count();
        let Some(merging) = &self.merging else { return Err(Refusal::Here) };
        if nested >= merging.most_open || self.domain.terms.len() > merging.most_terms {
            return Err(Refusal::Always);
        }
        if merging.budget.is_some_and(Budget::is_over) || cut::is_requested() {
            return Err(Refusal::Here);
        }
        let ask = nested >= merging.unasked;
        let mark = meeting(state, at);
        let before = self.domain.save();
        let taken = concrete(tested, outcomes);
        let mut sides: Vec<(u32, Term, Box<State<Concolic>>)> = Vec::new();
        let mut guards: Vec<Term> = Vec::new();
        let mut ended = None;
        for outcome in 0..outcomes {
            self.domain.restore(&before);
            let condition = self.condition(tested, outcomes, outcome);
            if self.domain.decided(condition) == Some(false) {
                continue;
            }
            let is_taken = !before.astray && outcome == taken;
            if ask && !is_taken && !self.is_possible(condition) {
                continue;
            }
            self.domain.astray = !is_taken;
            self.domain.assume(at, condition, Kind::Branch { outcome });
            let mut side = state.clone();
            side.marks = vec![mark];
            side.force(outcome);
            open.push(at);
            self.domain.depth += 1;
            let end = self.run_side(side, mark, open);
            self.domain.depth -= 1;
            open.pop();
            let own: Vec<Condition> = self.domain.path[before.path..].to_vec();
            match end? {
                Side::Arrived(side) => {
                    self.imply(&own, &mut guards);
                    sides.push((outcome, condition, side));
                }
                Side::Ended(Trap::Domain) => return Err(Refusal::Always),
                Side::Ended(Trap::Work | Trap::Cut) => return Err(Refusal::Here),
                Side::Ended(trap) => {
                    // A crash of the very inputs at hand is a path of its own.
                    if is_taken {
                        return Err(Refusal::Here);
                    }
                    // Guards of the side do not narrow the way to it: where they do not hold, it crashes as well.
                    let way = own.iter().filter(|condition| condition.kind != Kind::Guard);
                    let parts: Vec<Term> = way.map(|condition| condition.term).collect();
                    let way = self.domain.terms.and(&parts);
                    guards.push(self.domain.terms.not(way));
                    ended = Some(trap);
                }
            }
        }
        self.domain.restore(&before);
        for guard in guards {
            self.domain.assume(at, guard, Kind::Guard);
        }
        let Some((_, _, mut joined)) = sides.pop() else {
            return Ok(Side::Ended(ended.unwrap_or(Trap::Domain)));
        };
        for (outcome, condition, side) in sides.into_iter().rev() {
            let flag = self.domain.terms.bool_to_bv(condition, 32);
            let value = Value::of(Type::I32, u64::from(outcome == taken), Some(flag));
            let merged = merge(&mut self.domain, value, &side, &joined).map_err(|_| Refusal::Always)?;
            joined = Box::new(merged);
        }
        joined.marks = state.marks.clone();
        if let Some(merging) = &mut self.merging {
            merging.merges += 1;
        }
        Ok(Side::Arrived(joined))
    }

    /// What a side had to assume for its safety, as conditions that hold on both sides.
    fn imply(&mut self, own: &[Condition], guards: &mut Vec<Term>) {
        let mut way: Vec<Term> = Vec::new();
        for condition in own {
            if condition.kind == Kind::Guard {
                let so_far = self.domain.terms.and(&way);
                guards.push(self.domain.terms.implies(so_far, condition.term));
            }
            way.push(condition.term);
        }
    }

    fn is_possible(&mut self, condition: Term) -> bool {
        let mut conditions: Vec<Term> = self.domain.path.iter().map(|condition| condition.term).collect();
        conditions.push(condition);
        let Some(merging) = &mut self.merging else { return true };
        let possible = !merging.solver.check(&mut self.domain.terms, &conditions).is_unsat();
        if !possible {
            let claim = self.domain.terms.not(condition);
            self.domain.conclude(claim, "a side is impossible");
        }
        possible
    }

    fn run_side(
        &mut self,
        mut state: State<Concolic>,
        mark: Mark,
        open: &mut Vec<Position>,
    ) -> Result<Side, Refusal> {
        loop {
            match run(&mut state, &mut self.domain, &mut self.host, &mut Watch::default()) {
                Outcome::Paused | Outcome::Finished => return Ok(Side::Arrived(Box::new(state))),
                Outcome::Trapped(trap) => return Ok(Side::Ended(trap)),
                Outcome::Suspended { at, condition, outcomes } => {
                    match self.join(&state, at, condition, outcomes, open)? {
                        Side::Arrived(joined) => state = *joined,
                        ended => return Ok(ended),
                    }
                    // A run that starts at a mark goes on from it.
                    if is_reached(&state, mark) {
                        return Ok(Side::Arrived(Box::new(state)));
                    }
                }
            }
        }
    }
}

/// The outcome that the inputs at hand take.
fn concrete(tested: Value, outcomes: u32) -> u32 {
    if outcomes == 2 { u32::from(tested.bits as u32 != 0) } else { (tested.bits as u32).min(outcomes - 1) }
}

/// Where the sides of a branch meet.
fn meeting(state: &State<Concolic>, at: Position) -> Mark {
    let frames = state.frames.len() as u32;
    let Some(code) = state.linked.code(at.function) else { return Mark::Return(frames) };
    if matches!(code.instrs[at.pc as usize], Instr::SelectBranch { .. }) {
        return Mark::At(frames, Position { pc: at.pc + 1, ..at });
    }
    match code.flow().join(at.pc) {
        Some(pc) => Mark::At(frames, Position { pc, ..at }),
        None => Mark::Return(frames),
    }
}

fn is_reached(state: &State<Concolic>, mark: Mark) -> bool {
    let open = state.frames.len() as u32;
    match mark {
        Mark::At(frames, position) => frames == open && state.position() == Some(position),
        Mark::Return(frames) => open < frames,
    }
}
