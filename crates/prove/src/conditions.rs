//! Conditions on the inputs that people can read: minimal conjunctions, chains, exact unions, and the trigger of a failure.

use twinrun_base::Budget;
use twinrun_explore::Path;
use twinrun_solve::Solver;
use twinrun_term::{BvOrder, Node, Sort, Symbol, Term, Terms, readable};

use crate::report::Condition;

/// A conjunction of atoms.
pub(crate) type Conjunction = Vec<Term>;

/// Beyond this many atoms a conjunction is shown as it stands.
const MOST_ATOMS: usize = 400;
/// Beyond this many alternatives, only the first are shown, and the condition only implies the failure.
const MOST_ALTERNATIVES: usize = 24;
/// Unions of more paths than this are not generalised.
const MOST_GENERALISED: usize = 48;

/// Minimises conditions with a solver until a budget is spent.
pub(crate) struct Minimiser<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) solver: &'a mut Solver,
    pub(crate) until: Budget,
    /// What the declarations of the inputs say; never shown.
    pub(crate) given: Vec<Term>,
    /// Conditions without which some inputs have no elements that these symbols stand for: they stay beside what speaks of these.
    pub(crate) extents: Vec<(Term, Vec<Symbol>)>,
}

impl Minimiser<'_> {
    fn is_late(&self) -> bool {
        self.until.is_over()
    }

    /// Takes over what says that the elements of a path's inputs are there.
    pub(crate) fn rest_on(&mut self, path: &Path) {
        for (condition, symbols) in path.extents() {
            for atom in flatten(self.terms, &[condition]) {
                let known = (atom, symbols.clone());
                if !self.extents.contains(&known) {
                    self.extents.push(known);
                }
            }
        }
    }

    /// Whether an atom must stay beside the others, because it says that what they speak of is there.
    fn grounds(&self, atom: Term, others: &[Term]) -> bool {
        let mut own = self.extents.iter().filter(|(condition, _)| *condition == atom);
        own.any(|(_, symbols)| {
            let mut free = others.iter().flat_map(|&other| self.terms.free_symbols(other));
            free.any(|symbol| symbols.contains(symbol))
        })
    }

    /// What goes first when atoms are left out: what is hardest to read; what others rest on goes last.
    fn order(&self, atoms: &[Term]) -> Vec<Term> {
        let extent = |atom: Term| self.extents.iter().any(|(condition, _)| *condition == atom);
        let mut order = atoms.to_vec();
        order.sort_by_key(|&atom| (extent(atom), std::cmp::Reverse(weight(self.terms, atom)), atom));
        order
    }

    fn follows(&mut self, from: &[Term], goal: Term) -> bool {
        let conditions: Vec<Term> = self.given.iter().chain(from).copied().collect();
        self.solver.implies(self.terms, &conditions, goal).is_unsat()
    }

    /// An equivalent conjunction without what follows from the rest, orders made strict where they are.
    pub(crate) fn minimal(&mut self, path: &Path) -> Conjunction {
        let mut conditions = path.condition_terms();
        conditions.extend(path.extents().iter().map(|(condition, _)| condition));
        self.rest_on(path);
        let atoms = flatten(self.terms, &conditions);
        self.minimal_of(atoms)
    }

    /// The same of atoms.
    pub(crate) fn minimal_of(&mut self, atoms: Conjunction) -> Conjunction {
        let mut atoms = atoms;
        let given = self.given.clone();
        atoms.retain(|atom| !given.contains(atom));
        if atoms.len() > MOST_ATOMS {
            return atoms;
        }
        for position in 0..atoms.len() {
            if self.is_late() {
                return atoms;
            }
            let Some((strict, equal)) = sharper(self.terms, atoms[position]) else { continue };
            for better in [strict, equal] {
                if self.terms.as_bool(better).is_none() && self.follows(&atoms, better) {
                    atoms[position] = better;
                    break;
                }
            }
        }
        atoms = flatten(self.terms, &atoms);
        for atom in self.order(&atoms) {
            if self.is_late() {
                break;
            }
            let rest: Vec<Term> = atoms.iter().copied().filter(|&other| other != atom).collect();
            if rest.len() < atoms.len() && !self.grounds(atom, &rest) && self.follows(&rest, atom) {
                atoms = rest;
            }
        }
        atoms
    }

    /// A union of conjunctions with as few atoms as possible: an atom is left out when what remains still lies inside the union.
    pub(crate) fn union(&mut self, alternatives: Vec<Conjunction>) -> Vec<Conjunction> {
        let mut alternatives = alternatives;
        alternatives.sort();
        alternatives.dedup();
        if alternatives.len() < 2 || alternatives.len() > MOST_GENERALISED {
            return alternatives;
        }
        let parts: Vec<Term> = alternatives.iter().map(|atoms| self.terms.and(atoms)).collect();
        let whole = self.terms.or(&parts);
        for alternative in &mut alternatives {
            for atom in self.order(alternative) {
                if self.is_late() {
                    break;
                }
                let rest: Vec<Term> = alternative.iter().copied().filter(|&other| other != atom).collect();
                if self.grounds(atom, &rest) {
                    continue;
                }
                if self.follows(&rest, whole) {
                    *alternative = rest;
                    continue;
                }
                for weaker in weaker(self.terms, atom) {
                    let mut relaxed = rest.clone();
                    relaxed.push(weaker);
                    if self.follows(&relaxed, whole) {
                        *alternative = relaxed;
                        break;
                    }
                }
            }
            alternative.sort_unstable();
        }
        alternatives.sort_by_key(|atoms| (atoms.len(), atoms.clone()));
        alternatives.dedup();
        let mut kept: Vec<Conjunction> = Vec::new();
        for position in 0..alternatives.len() {
            let others: Vec<Term> =
                kept.iter().chain(&alternatives[position + 1..]).map(|atoms| self.terms.and(atoms)).collect();
            let rest = self.terms.or(&others);
            if self.is_late() || !self.follows(&alternatives[position], rest) {
                kept.push(alternatives[position].clone());
            }
        }
        kept
    }

    /// What of a failing conjunction does not already follow on every holding path: among the inputs of these paths, the failing ones are exactly those.
    pub(crate) fn trigger(&mut self, failing: &[Term], holding: &[Conjunction]) -> Conjunction {
        let mut trigger = Vec::new();
        for &atom in failing {
            let mut everywhere = true;
            for path in holding {
                if self.is_late() || !self.follows(path, atom) {
                    everywhere = false;
                    break;
                }
            }
            if !everywhere {
                trigger.push(atom);
            }
        }
        for &atom in failing {
            if !trigger.contains(&atom) && self.grounds(atom, &trigger) {
                trigger.push(atom);
            }
        }
        trigger
    }

    /// The readable form of a union.
    pub(crate) fn show(&self, alternatives: &[Conjunction], exact: bool) -> Condition {
        let shown = alternatives.iter().take(MOST_ALTERNATIVES);
        let lines: Vec<String> = shown.map(|atoms| readable::show_conjunction(self.terms, atoms)).collect();
        // What was left out for its length is not said.
        let whole =
            alternatives.len() <= MOST_ALTERNATIVES && lines.iter().all(|line| readable::is_complete(line));
        Condition { alternatives: lines, exact: exact && whole }
    }
}

/// Conjunctions taken apart.
pub(crate) fn flatten(terms: &Terms, conditions: &[Term]) -> Conjunction {
    let mut atoms: Vec<Term> = Vec::new();
    let mut open: Vec<Term> = conditions.iter().rev().copied().collect();
    while let Some(condition) = open.pop() {
        match terms.node(condition) {
            Node::Bool(true) => {}
            Node::And(parts) => open.extend(parts.iter().rev()),
            _ if atoms.contains(&condition) => {}
            _ => atoms.push(condition),
        }
    }
    atoms
}

/// `a < b` and `a == b` for `a <= b` or `!(b < a)`.
fn sharper(terms: &mut Terms, atom: Term) -> Option<(Term, Term)> {
    let (order, left, right) = match *terms.node(atom) {
        Node::BvOrder(order @ (BvOrder::Sle | BvOrder::Ule), left, right) => (Some(order), left, right),
        Node::NumLe(left, right) => (None, left, right),
        Node::Not(inner) => match *terms.node(inner) {
            Node::BvOrder(BvOrder::Slt, left, right) => (Some(BvOrder::Sle), right, left),
            Node::BvOrder(BvOrder::Ult, left, right) => (Some(BvOrder::Ule), right, left),
            Node::NumLt(left, right) => (None, right, left),
            _ => return None,
        },
        _ => return None,
    };
    let strict = match order {
        Some(BvOrder::Sle) => terms.slt(left, right),
        Some(_) => terms.ult(left, right),
        None => terms.num_lt(left, right),
    };
    Some((strict, terms.eq(left, right)))
}

/// `a <= b` for `a < b`; `a <= b` and `b <= a` for `a == b`.
fn weaker(terms: &mut Terms, atom: Term) -> Vec<Term> {
    match *terms.node(atom) {
        Node::BvOrder(BvOrder::Slt, left, right) => vec![terms.sle(left, right)],
        Node::BvOrder(BvOrder::Ult, left, right) => vec![terms.ule(left, right)],
        Node::NumLt(left, right) => vec![terms.num_le(left, right)],
        Node::Eq(left, right)
            if matches!(terms.sort(left), Sort::Bv(16..))
                && !terms.is_constant(left)
                && !terms.is_constant(right) =>
        {
            vec![terms.sle(left, right), terms.sle(right, left)]
        }
        _ => Vec::new(),
    }
}

/// How hard an atom is to read.
fn weight(terms: &Terms, atom: Term) -> (bool, usize) {
    let size = terms.post_order(&[atom], |_| false).len();
    let inner = match *terms.node(atom) {
        Node::Not(inner) => inner,
        _ => atom,
    };
    let different = inner != atom && matches!(terms.node(inner), Node::Eq(..));
    let plain =
        matches!(terms.node(inner), Node::Eq(..) | Node::BvOrder(..) | Node::NumLe(..) | Node::NumLt(..));
    (!plain, size * 2 + usize::from(different))
}
