//! The proof of one way outside the loops: those candidates that are inductive, and the property.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use twinrun_base::{Case, Operator};
use twinrun_explore::{Arrival, Engine, Kind, Looped, Slot};
use twinrun_solve::{Solver, logic};
use twinrun_term::{Rational, Symbol, Term, readable, smt};

use super::Way;
use super::alignment::{Pace, fitting, stepped};
use super::reals::Reals;
use crate::certificate::{Kind as Obliged, Obligation};

/// The proof of one way.
pub(super) struct Attempt<'a> {
    pub(super) reals: Reals,
    pub(super) solver: &'a mut Solver,
    pub(super) engine: &'a mut Engine,
    /// What the proof rests on.
    pub(super) obligations: Vec<Obligation>,
}

/// A loop of a run: its variables with their first values, and the turns that it may take.
#[derive(Default)]
struct Turning {
    begin: FxHashMap<Term, Term>,
    /// Where there are branches inside, a turn for each way through them.
    turns: Vec<Turn>,
    /// Variables whose values mean nothing over the reals, such as halves of a double that a call left behind.
    strange: Vec<Term>,
}

impl Turning {
    /// The variables that have a meaning.
    fn variables(&self) -> impl Iterator<Item = &Term> {
        self.begin.keys()
    }
}

/// A turn: what it makes of the variables, and when it is taken.
#[derive(Clone, Default)]
pub(super) struct Turn {
    pub(super) values: FxHashMap<Term, Term>,
    pub(super) guard: Vec<Term>,
}

/// More ways through a turn than this are not followed.
const MOST_TURNS: usize = 8;
/// More turns of all loops together than this are not followed.
const MOST_STEPS: usize = 128;

/// What a proof starts from.
pub(super) struct Known<'a> {
    premises: Vec<Term>,
    /// When all loops end.
    exits: Vec<Term>,
    /// What must follow when these loops end; nothing where others come behind.
    property: Option<Term>,
    /// What the variables are used for behind these loops.
    later: Vec<Term>,
    pub(super) runs: Vec<Slot>,
    pub(super) longest: &'a Looped,
    pub(super) samples: &'a [(Case, Looped)],
}

impl Attempt<'_> {
    pub(super) fn real(&mut self, term: Term) -> Option<Term> {
        self.reals.translate(&self.engine.domain.terms, term)
    }

    fn unsat(&mut self, conditions: &[Term]) -> bool {
        let mut all = conditions.to_vec();
        all.extend(&self.reals.quotients);
        self.solver.check(&mut self.reals.terms, &all).is_unsat()
    }

    /// Whether something follows; if so, that becomes part of the proof.
    fn follows(&mut self, from: &[Term], goal: Term, states: &str) -> bool {
        if self.reals.terms.as_bool(goal) == Some(true) {
            return true;
        }
        let mut query = from.to_vec();
        query.push(self.reals.terms.not(goal));
        if !self.unsat(&query) {
            return false;
        }
        self.oblige(&query, states);
        true
    }

    fn oblige(&mut self, query: &[Term], states: &str) {
        let all: Vec<Term> = query.iter().chain(&self.reals.quotients).copied().collect();
        let text = smt::script(&self.reals.terms, &all, logic(&self.reals.terms, &all), states);
        self.obligations.push(Obligation { kind: Obliged::Invariant, states: states.to_owned(), text });
    }

    pub(super) fn prove(&mut self, conditions: &[Term], samples: &[(Case, Looped)]) -> (Way, Option<String>) {
        let shown = readable::show_conjunction(&self.engine.domain.terms, conditions);
        let mut way = Way { when: shown, ..Way::default() };
        match self.attempt(conditions, samples, &mut way) {
            Some(true) => {
                way.proved = true;
                (way, None)
            }
            Some(false) => {
                let reason = format!("the property does not follow when {}", way.when);
                (way, Some(reason))
            }
            None => {
                let reason = format!("when {}, the loops have no form that is understood", way.when);
                (way, Some(reason))
            }
        }
    }

    fn attempt(&mut self, conditions: &[Term], samples: &[(Case, Looped)], way: &mut Way) -> Option<bool> {
        // The sample with the most turns tells what a turn does.
        let (_, longest) = samples.iter().max_by_key(|(_, looped)| looped.arrivals.len())?;
        let mut premises: Vec<Term> = Vec::new();
        let given = longest.path.conditions.iter().enumerate();
        let mut exits = Vec::new();
        for (position, condition) in given.filter(|(_, condition)| condition.kind != Kind::Check) {
            let image = self.real(condition.term)?;
            if conditions.contains(&condition.term) || condition.kind == Kind::Input {
                premises.push(image);
            } else {
                exits.push((position, image));
            }
        }
        let mut properties = Vec::new();
        for check in &longest.path.checks {
            properties.push(match check.sides {
                // Over the reals what is near on doubles is equal.
                Some((left, right)) if matches!(check.operator, Operator::Eq | Operator::Near) => {
                    let (left, right) = (self.real(left)?, self.real(right)?);
                    self.reals.terms.eq(left, right)
                }
                _ => self.real(check.property)?,
            });
        }
        let property = self.reals.terms.and(&properties);
        if longest.arrivals.is_empty() {
            premises.extend(exits.into_iter().map(|(_, image)| image));
            if !self.divides(&premises) {
                return None;
            }
            return Some(self.follows(&premises, property, "without turns the property follows"));
        }
        let mut slots: Vec<Slot> = longest.cells.keys().copied().collect();
        slots.sort_unstable();
        let mut loops: Vec<Turning> = Vec::new();
        for &slot in &slots {
            loops.push(self.turning(samples, longest, slot)?);
        }
        // The first loops of all runs together, then the second ones; or one loop after the other.
        let phases = slots.iter().map(|slot| slot.phase).max()? + 1;
        let together = (0..phases).map(|phase| {
            (0..slots.len()).filter(|&index| slots[index].phase == phase).collect::<Vec<usize>>()
        });
        let mut orders: Vec<Vec<Vec<usize>>> = vec![together.collect()];
        if slots.len() > orders[0].len() {
            orders.push((0..slots.len()).map(|index| vec![index]).collect());
        }
        let exits = self.exits_by_loop(&slots, longest, &exits)?;
        let mut answer = None;
        for order in &orders {
            let kept = self.obligations.len();
            way.invariants.clear();
            let in_order =
                self.in_order(order, &slots, &loops, &exits, &premises, property, longest, samples, way);
            if in_order == Some(true) {
                return Some(true);
            }
            answer = answer.or(in_order);
            self.obligations.truncate(kept);
        }
        answer
    }

    /// Which conditions were found between the beginning of a loop and that of the next one.
    fn exits_by_loop(
        &self,
        slots: &[Slot],
        longest: &Looped,
        exits: &[(usize, Term)],
    ) -> Option<Vec<Vec<Term>>> {
        let mut begins: Vec<(usize, usize)> = Vec::new();
        for (index, slot) in slots.iter().enumerate() {
            let first = longest.arrivals.iter().find(|arrival| arrival.slot == *slot)?;
            begins.push((first.before, index));
        }
        begins.sort_unstable();
        let mut by_loop: Vec<Vec<Term>> = vec![Vec::new(); slots.len()];
        for &(position, image) in exits {
            // What is asked of a loop's variables before any loop has begun does not occur.
            let (_, index) = begins.iter().rev().find(|(begin, _)| *begin <= position)?;
            by_loop[*index].push(image);
        }
        Some(by_loop)
    }

    /// The proof where loops are gone through in this order, those of one group together.
    #[expect(clippy::too_many_arguments, reason = "what is known of one way, taken apart")]
    fn in_order(
        &mut self,
        order: &[Vec<usize>],
        slots: &[Slot],
        loops: &[Turning],
        exits: &[Vec<Term>],
        premises: &[Term],
        property: Term,
        longest: &Looped,
        samples: &[(Case, Looped)],
        way: &mut Way,
    ) -> Option<bool> {
        let sampled: Vec<&Looped> = samples.iter().map(|(_, looped)| looped).collect();
        let mut premises = premises.to_vec();
        let mut before: BTreeSet<Symbol> = BTreeSet::new();
        for (number, group) in order.iter().enumerate() {
            let members: Vec<&Turning> = group.iter().map(|&index| &loops[index]).collect();
            if !self.apart(&members, &before, loops) {
                return None;
            }
            let is_last = number + 1 == order.len();
            let rest = order[number + 1..].iter().flatten();
            let later: Vec<Term> = rest
                .flat_map(|&index| {
                    let turning = &loops[index];
                    let turns = turning.turns.iter().flat_map(|turn| turn.values.values().chain(&turn.guard));
                    turning.begin.values().chain(turns).chain(&exits[index]).copied().collect::<Vec<_>>()
                })
                .chain([property])
                .collect();
            let ends: Vec<Term> = group.iter().flat_map(|&index| exits[index].iter().copied()).collect();
            let known = Known {
                premises: premises.clone(),
                exits: ends.clone(),
                property: is_last.then_some(property),
                later,
                runs: group.iter().map(|&index| slots[index]).collect(),
                longest,
                samples,
            };
            let mut answer = None;
            for paces in fitting(&sampled, &known.runs) {
                let plain = paces.iter().all(|pace| pace.is_plain());
                // A quotient by a loop variable has one meaning only where a step is one turn.
                if !plain && self.divides_by_a_variable(&members) {
                    continue;
                }
                let kept = self.obligations.len();
                answer = self.align(&known, &members, &paces, way);
                if let Some((true, _)) = answer {
                    if !plain {
                        way.steps = Some(describe(&known.runs, &paces));
                    }
                    break;
                }
                self.obligations.truncate(kept);
            }
            let (proved, invariants) = answer?;
            if !proved {
                return Some(false);
            }
            if is_last {
                return Some(true);
            }
            premises.extend(invariants);
            premises.extend(ends);
            before.extend(members.iter().flat_map(|turning| self.own(turning)));
        }
        None
    }

    /// What one turn of a loop does: every way through it that was sampled.
    fn turning(&mut self, samples: &[(Case, Looped)], longest: &Looped, slot: Slot) -> Option<Turning> {
        let arrivals: Vec<&Arrival> =
            longest.arrivals.iter().filter(|arrival| arrival.slot == slot).collect();
        let first = *arrivals.first()?;
        let mut turning = Turning::default();
        let symbols: Vec<Term> = longest.cells[&slot].iter().map(|(_, symbol)| *symbol).collect();
        let mut known: Vec<&Arrival> = Vec::new();
        for (_, looped) in samples {
            let turns = looped.arrivals.iter().filter(|arrival| arrival.slot == slot).skip(1);
            for arrival in turns {
                let terms = |of: &Arrival| of.turn.iter().map(|condition| condition.term).collect::<Vec<_>>();
                let same = |it: &&Arrival| it.values == arrival.values && terms(it) == terms(arrival);
                if !known.iter().any(same) {
                    known.push(arrival);
                }
            }
        }
        if known.is_empty() || known.len() > MOST_TURNS {
            return None;
        }
        let mut meaningful: Vec<(usize, Term)> = Vec::new();
        for (index, symbol) in symbols.iter().enumerate() {
            let symbol = self.real(*symbol)?;
            let begin = self.real(first.values[index]);
            let values: Option<Vec<Term>> = known.iter().map(|turn| self.real(turn.values[index])).collect();
            match (begin, values) {
                (Some(begin), Some(_)) => {
                    turning.begin.insert(symbol, begin);
                    meaningful.push((index, symbol));
                }
                _ => turning.strange.push(symbol),
            }
        }
        for arrival in known {
            let mut turn = Turn::default();
            for condition in &arrival.turn {
                turn.guard.push(self.real(condition.term)?);
            }
            for &(index, symbol) in &meaningful {
                turn.values.insert(symbol, self.real(arrival.values[index])?);
            }
            turning.turns.push(turn);
        }
        Some(turning)
    }

    /// The symbols of a loop.
    fn own(&self, turning: &Turning) -> BTreeSet<Symbol> {
        let all = turning.variables().chain(&turning.strange);
        all.filter_map(|&term| self.reals.terms.as_symbol(term)).collect()
    }

    /// Whether these loops read only what they made themselves, and what loops before them made: only then may they turn together.
    fn apart(&self, members: &[&Turning], before: &BTreeSet<Symbol>, loops: &[Turning]) -> bool {
        let terms = &self.reals.terms;
        let all: BTreeSet<Symbol> = loops.iter().flat_map(|turning| self.own(turning)).collect();
        let reads = |term: &Term, allowed: &BTreeSet<Symbol>| {
            terms
                .free_symbols(*term)
                .iter()
                .any(|symbol| all.contains(symbol) && !allowed.contains(symbol) && !before.contains(symbol))
        };
        members.iter().all(|turning| {
            let (own, none) = (self.own(turning), BTreeSet::new());
            let turns = turning.turns.iter().flat_map(|turn| turn.values.values().chain(&turn.guard));
            !turning.begin.values().any(|term| reads(term, &none))
                && !turns.into_iter().any(|term| reads(term, &own))
        })
    }

    /// Whether all quotients have a meaning where this holds.
    fn divides(&mut self, inside: &[Term]) -> bool {
        for (number, divisor) in self.reals.divisors.clone().into_iter().enumerate() {
            let zero = self.reals.terms.real(Rational::ZERO);
            let is_zero = self.reals.terms.eq(divisor, zero);
            // A quotient's own equation excludes divisors of zero: only earlier ones may be used.
            let earlier = &self.reals.quotients[..number];
            let query: Vec<Term> = inside.iter().chain(earlier).copied().chain([is_zero]).collect();
            if !self.solver.check(&mut self.reals.terms, &query).is_unsat() {
                return false;
            }
            let text = smt::script(
                &self.reals.terms,
                &query,
                logic(&self.reals.terms, &query),
                "a divisor is not zero",
            );
            self.obligations.push(Obligation {
                kind: Obliged::Invariant,
                states: "a divisor is not zero".to_owned(),
                text,
            });
        }
        true
    }

    fn divides_by_a_variable(&self, loops: &[&Turning]) -> bool {
        let terms = &self.reals.terms;
        let own = |symbol: &Symbol| {
            loops.iter().flat_map(|it| it.variables()).any(|&key| terms.as_symbol(key) == Some(*symbol))
        };
        self.reals.quotients.iter().any(|&defining| terms.free_symbols(defining).iter().any(own))
    }

    /// The proof where these loops turn at these paces, with the invariants that were found.
    fn align(
        &mut self,
        known: &Known<'_>,
        loops: &[&Turning],
        paces: &[Pace],
        way: &mut Way,
    ) -> Option<(bool, Vec<Term>)> {
        let Known { premises, exits, .. } = known;
        let mut begin = FxHashMap::default();
        let mut steps: Vec<Turn> = vec![Turn::default()];
        // For each loop, when it goes on.
        let mut goes_on: Vec<Term> = Vec::new();
        for (turning, &pace) in loops.iter().zip(paces) {
            let own = stepped(&mut self.reals.terms, pace, &turning.begin, &turning.turns)?;
            let before = self.reals.terms.and(&own.before);
            if !self.follows(premises, before, "the turns before the common ones are taken") {
                return None;
            }
            begin.extend(own.begin);
            let guards: Vec<Term> = own.steps.iter().map(|step| self.reals.terms.and(&step.guard)).collect();
            goes_on.push(self.reals.terms.or(&guards));
            if steps.len() * own.steps.len() > MOST_STEPS {
                return None;
            }
            steps = steps
                .iter()
                .flat_map(|step| {
                    own.steps.iter().map(|other| {
                        let mut both = step.clone();
                        both.values.extend(other.values.iter().map(|(&symbol, &value)| (symbol, value)));
                        both.guard.extend(&other.guard);
                        both
                    })
                })
                .collect();
        }
        let mut roots: Vec<Term> = exits.iter().chain(&known.later).chain(&goes_on).copied().collect();
        roots.extend(known.property);
        let live = self.live(roots, &begin, &steps);
        let strange = loops.iter().flat_map(|turning| &turning.strange);
        let symbols: Vec<Symbol> = strange.filter_map(|&term| self.reals.terms.as_symbol(term)).collect();
        if symbols.iter().any(|symbol| live.contains(symbol)) {
            return None;
        }
        let (linear, products) = self.candidates(known, paces, &live, &begin)?;
        // Products make questions hard, and are mostly not needed.
        let with_products =
            (!products.is_empty()).then(|| linear.iter().chain(&products).copied().collect::<Vec<Term>>());
        let mut answer = None;
        // What loops behind these ones need of them is not known yet.
        let rounds = match (known.property, with_products) {
            (_, None) => vec![linear],
            (None, Some(all)) => vec![all],
            (Some(_), Some(all)) => vec![linear, all],
        };
        for candidates in rounds {
            let (kept, told) = (self.obligations.len(), way.invariants.len());
            answer = self.closes(known, candidates, &begin, &steps, &goes_on, way);
            if matches!(answer, Some((true, _))) {
                break;
            }
            self.obligations.truncate(kept);
            way.invariants.truncate(told);
        }
        answer
    }

    /// Whether those of the candidates that are inductive make the loops go on together, and the property follow.
    fn closes(
        &mut self,
        known: &Known<'_>,
        candidates: Vec<Term>,
        begin: &FxHashMap<Term, Term>,
        steps: &[Turn],
        goes_on: &[Term],
        way: &mut Way,
    ) -> Option<(bool, Vec<Term>)> {
        let Known { premises, exits, .. } = known;
        let kept = self.inductive(premises, candidates, begin, steps);
        way.invariants.extend(kept.iter().map(|&term| readable::show(&self.reals.terms, term)));
        let inside: Vec<Term> = premises.iter().chain(&kept).copied().collect();
        if !self.divides(&inside) {
            return None;
        }
        // All loops turn together: where the invariants hold, one goes on exactly when the others do.
        for &other in &goes_on[1..] {
            let differ = self.reals.terms.xor_bool(goes_on[0], other);
            let agree = self.reals.terms.not(differ);
            if !self.follows(&inside, agree, "the loops go on together") {
                return None;
            }
        }
        // A turn of a form that was sampled, or the end: there is no third way.
        let ends = self.reals.terms.and(exits);
        let either = self.reals.terms.or2(goes_on[0], ends);
        if !self.follows(&inside, either, "the loops go on as they were sampled, or end") {
            return None;
        }
        let Some(property) = known.property else { return Some((true, kept)) };
        let outside: Vec<Term> = inside.iter().chain(exits).copied().collect();
        let proved = self.follows(&outside, property, "the property follows when the loops end");
        Some((proved, kept))
    }

    /// The symbols on which the guards, the ends of the loops and the property depend.
    fn live(&self, roots: Vec<Term>, begin: &FxHashMap<Term, Term>, steps: &[Turn]) -> BTreeSet<Symbol> {
        let terms = &self.reals.terms;
        let mut live: BTreeSet<Symbol> = BTreeSet::new();
        let mut open = roots;
        while let Some(term) = open.pop() {
            for &symbol in terms.free_symbols(term) {
                if live.insert(symbol) {
                    let own = |map: &FxHashMap<Term, Term>| {
                        map.iter()
                            .find(|(of, _)| terms.as_symbol(**of) == Some(symbol))
                            .map(|(_, value)| *value)
                    };
                    open.extend(own(begin));
                    open.extend(steps.iter().filter_map(|step| own(&step.values)));
                    // Whatever defines a quotient.
                    let defining = self.reals.quotients.iter();
                    open.extend(defining.filter(|term| terms.free_symbols(**term).contains(&symbol)));
                }
            }
        }
        live
    }

    /// Those candidates that hold at the beginning and that a turn keeps, all together (Flanagan and Leino: Houdini).
    fn inductive(
        &mut self,
        premises: &[Term],
        candidates: Vec<Term>,
        begin: &FxHashMap<Term, Term>,
        steps: &[Turn],
    ) -> Vec<Term> {
        let mut kept: Vec<Term> = Vec::new();
        for candidate in candidates {
            let at_begin = self.reals.terms.substitute(candidate, &mut begin.clone());
            let refuted = self.reals.terms.not(at_begin);
            let mut query = premises.to_vec();
            query.push(refuted);
            if self.reals.terms.as_bool(at_begin) == Some(true) || self.unsat(&query) {
                kept.push(candidate);
            }
        }
        loop {
            let before = kept.len();
            for candidate in kept.clone() {
                for step in steps {
                    let after = self.reals.terms.substitute(candidate, &mut step.values.clone());
                    let refuted = self.reals.terms.not(after);
                    let mut query: Vec<Term> =
                        premises.iter().chain(&kept).chain(&step.guard).copied().collect();
                    query.push(refuted);
                    let keeps = self.reals.terms.as_bool(after) == Some(true)
                        || after == candidate
                        || self.unsat(&query);
                    if !keeps {
                        kept.retain(|&other| other != candidate);
                        break;
                    }
                }
            }
            if kept.len() == before {
                self.certify(premises, &kept, begin, steps);
                return kept;
            }
        }
    }

    /// The obligations of inductive invariants that are not plain from their form.
    fn certify(&mut self, premises: &[Term], kept: &[Term], begin: &FxHashMap<Term, Term>, steps: &[Turn]) {
        for &invariant in kept {
            let shown = readable::show(&self.reals.terms, invariant);
            let first = (begin, premises.to_vec(), format!("at the beginning {shown}"));
            let turns = steps.iter().map(|step| {
                let from = premises.iter().chain(kept).chain(&step.guard).copied().collect();
                (&step.values, from, format!("a turn keeps {shown}"))
            });
            for (map, mut query, states) in std::iter::once(first).chain(turns) {
                let goal = self.reals.terms.substitute(invariant, &mut map.clone());
                if self.reals.terms.as_bool(goal) == Some(true) || goal == invariant {
                    continue;
                }
                query.push(self.reals.terms.not(goal));
                self.oblige(&query, &states);
            }
        }
    }
}

/// How the loops turn together, in words.
fn describe(runs: &[Slot], paces: &[Pace]) -> String {
    let one = |(slot, pace): (&Slot, &Pace)| {
        let turns = if pace.turns == 1 { "1 turn".to_owned() } else { format!("{} turns", pace.turns) };
        let before =
            if pace.peeled > 0 { format!(" after the first {}", pace.peeled) } else { String::new() };
        format!("{turns} of run {}{before}", slot.run + 1)
    };
    let parts: Vec<String> = runs.iter().zip(paces).map(one).collect();
    parts.join(" with ")
}
