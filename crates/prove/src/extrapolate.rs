//! Extrapolation: for which further inputs correctness follows, from proved relations and from inputs for which the answer is known to be correct
//! (semi-proving, section 2.3 for conditions, section 2.7 for single cases and functions). What is claimed to be correct is run first: a wrong claim is
//! refused, and nothing follows from it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twinrun_base::Budget;
use twinrun_base::work::SECOND;
use twinrun_solve::{Program, Solver};
use twinrun_term::{Rational, Sort, Term, Terms};
use twinrun_testing::engine::WasmSubject;

use crate::carry::{Carry, Coordinate, Step};
use crate::class::{self, Claim, Seen};
use crate::closure::{Atom, Class, Compares, Factor, Move, reach};
use crate::conditions::{Conjunction, Minimiser};
use crate::error::Error;
use crate::given::{Given, Inputs, Operand};
use crate::prepare::Config;
use crate::report::Report;
use crate::verdict::Verdict;

/// Groups of more moves than this are not written out.
const MOST_MOVES: usize = 5040;
/// So many further cases are told.
const MOST_TOLD: usize = 24;
/// How long a condition may be put into better words.
const PATIENCE: u64 = 10 * SECOND;

/// For which further inputs correctness follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// The subject.
    pub subject: String,
    /// The relations from which it follows.
    pub relations: Vec<String>,
    /// The statement.
    pub text: String,
    /// Whether it covers all inputs of the declared ranges.
    pub all: bool,
    /// What became of a claim, if the statement is about one.
    #[serde(default)]
    pub claim: Option<Claimed>,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claimed {
    /// The expected answer is the answer for every input of it.
    Right,
    /// It is not.
    Refused,
    /// No expected answer was told: it has to be.
    Asked,
    /// Not found out.
    Unknown,
}

/// Why nothing is extrapolated: what is claimed does not fit to the function.
#[derive(Debug, thiserror::Error)]
pub enum Misfit {
    /// A claim about something that is no argument.
    #[error("`{claim}` speaks of `{name}`, which is no argument of {function}: there are {arguments}")]
    Extra {
        /// The claim.
        claim: String,
        /// What is no argument.
        name: String,
        /// The function.
        function: String,
        /// Its arguments.
        arguments: String,
    },
    /// A case that leaves an argument open.
    #[error("`{claim}` is a case without a value of `{name}`: {function} has the arguments {arguments}")]
    Missing {
        /// The claim.
        claim: String,
        /// What has no value.
        name: String,
        /// The function.
        function: String,
        /// Its arguments.
        arguments: String,
    },
    /// The subject could not be run.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// What follows from these reports and from what is known to be correct. `subject` finds the subject of a report.
///
/// # Errors
/// When a claim speaks of something that is no argument, or a subject cannot be run.
pub fn extrapolate<'a>(
    reports: &[Report],
    given: &[Given],
    subject: &dyn Fn(&str) -> Option<&'a WasmSubject>,
    config: &Config,
) -> Result<Vec<Statement>, Misfit> {
    // Only relations of one function over the same inputs say something together.
    let mut groups: BTreeMap<(String, String), Vec<&Report>> = BTreeMap::new();
    for report in reports {
        let proved = matches!(report.verdict, Verdict::Proved(_) | Verdict::ProvedOverReals(_));
        if let (true, Some(carry)) = (proved, &report.carry) {
            let about = format!("{} {:?}", carry.function, carry.from);
            groups.entry((report.subject.clone(), about)).or_default().push(report);
        }
    }
    let mut statements = Vec::new();
    for ((name, _), reports) in groups {
        let carries: Vec<&Carry> = reports.iter().filter_map(|report| report.carry.as_ref()).collect();
        let steps: BTreeSet<Step> = carries.iter().filter_map(|carry| carry.step).collect();
        let relations: Vec<String> = reports.iter().map(|report| report.relation.clone()).collect();
        if !steps.is_empty() {
            let text = functions(&carries[0].function, &steps, given);
            statements.push(Statement { subject: name, relations, text, all: false, claim: None });
            continue;
        }
        let Some(subject) = subject(&name) else { continue };
        let mut claims = 0;
        for inputs in given.iter().filter_map(|known| match known {
            Given::Inputs(inputs) => Some(inputs),
            Given::Function(_) => None,
        }) {
            fits(carries[0], inputs)?;
            let seen = class::look(subject, &reports[0].relation, inputs, config)?;
            let (text, claim) = looked_at(carries[0], inputs, &seen);
            let mut say = |relations: &[String], text: String, all: bool, claim: Claimed| {
                let relations = relations.to_vec();
                statements.push(Statement {
                    subject: name.clone(),
                    relations,
                    text,
                    all,
                    claim: Some(claim),
                });
            };
            if claim != Claimed::Right {
                say(&relations, text, false, claim);
                continue;
            }
            claims += 1;
            // Those whose transformation is understood; the others follow below, a step at a time.
            let moving: Vec<&&Report> = reports
                .iter()
                .filter(|report| report.carry.as_ref().is_some_and(|it| it.step_of_inputs.is_some()))
                .collect();
            if moving.is_empty() {
                say(&relations, text, false, claim);
                continue;
            }
            let relations: Vec<String> = moving.iter().map(|report| report.relation.clone()).collect();
            let moves: Vec<&Move> = moving
                .iter()
                .filter_map(|report| report.carry.as_ref().and_then(|it| it.step_of_inputs.as_ref()))
                .collect();
            let (words, all) = follows(&carries[0].from, inputs, &moves, &config.solver);
            say(&relations, format!("{text}, {words}{}", provided(carries[0])), all, claim);
        }
        for report in reports.iter().filter(|_| claims > 0) {
            let Some(carry) = report.carry.as_ref().filter(|carry| carry.step_of_inputs.is_none()) else {
                continue;
            };
            let from: Vec<&str> = carry.from.iter().map(|it| it.name.as_str()).collect();
            let text = format!(
                "where {}({}) is correct, so is {}({}){}",
                carry.function,
                from.join(", "),
                carry.function,
                carry.to.join(", "),
                provided(carry)
            );
            let relations = vec![report.relation.clone()];
            statements.push(Statement { subject: name.clone(), relations, text, all: false, claim: None });
        }
    }
    Ok(statements)
}

/// Whether a claim speaks of arguments alone, and a case of all of them.
fn fits(carry: &Carry, inputs: &Inputs) -> Result<(), Misfit> {
    let names: Vec<&str> = carry.from.iter().map(|it| it.name.as_str()).collect();
    let (claim, function) = (inputs.text.clone(), carry.function.clone());
    let arguments = names.join(", ");
    if let Some(name) = inputs.names().find(|name| !names.contains(name)) {
        return Err(Misfit::Extra { claim, name: name.to_owned(), function, arguments });
    }
    if let Some(case) = inputs.case()
        && let Some(name) = names.iter().find(|name| !case.contains_key(*name))
        && case.len() > 1
    {
        return Err(Misfit::Missing { claim, name: (*name).to_owned(), function, arguments });
    }
    Ok(())
}

/// What running the class showed, in words.
fn looked_at(carry: &Carry, inputs: &Inputs, seen: &Seen) -> (String, Claimed) {
    let answers: Vec<String> = seen
        .answers
        .iter()
        .map(|(condition, answer)| match condition.as_str() {
            "" => answer.clone(),
            _ => format!("{answer} where {condition}"),
        })
        .collect();
    let (function, text) = (&carry.function, &inputs.text);
    let answers = answers.join("; ");
    match &seen.claim {
        Claim::Right => (format!("correct where {text}: {function} answers {answers}"), Claimed::Right),
        Claim::Wrong { inputs: example, answered, expected } => (
            format!(
                "REFUSED: where {text}, {function} answers {answers}; for {example} it answers {answered}, and {expected} is expected"
            ),
            Claimed::Refused,
        ),
        Claim::Open => (
            format!(
                "where {text}, {function} answers {answers}: what is the right answer? Tell it as `--correct '{text} -> ANSWER'`"
            ),
            Claimed::Asked,
        ),
        Claim::Unknown(why) => (format!("nothing follows from `{text}`: {why}"), Claimed::Unknown),
    }
}

/// What is not looked at, and has to be so: that nothing but its arguments decides what the function answers.
fn provided(carry: &Carry) -> String {
    let names: Vec<&str> = carry.from.iter().map(|it| it.name.as_str()).collect();
    format!(" (provided that {} reads and changes nothing but {})", carry.function, names.join(", "))
}

/// What follows for functions.
fn functions(function: &str, steps: &BTreeSet<Step>, given: &[Given]) -> String {
    let named: Vec<&str> = given
        .iter()
        .filter_map(|known| match known {
            Given::Function(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let (constant, multiple, sum) =
        (steps.contains(&Step::Constant), steps.contains(&Step::Multiple), steps.contains(&Step::Sum));
    let parts: Vec<String> = match named.len() {
        0 => vec!["f1".to_owned(), "…".to_owned(), "fn".to_owned()],
        _ => named.iter().map(|text| format!("({text})")).collect(),
    };
    let factor = |number: usize| match number {
        _ if !multiple => String::new(),
        _ if named.is_empty() && number == 2 => "kn·".to_owned(),
        _ => format!("k{}·", number + 1),
    };
    let term = |(number, part): (usize, &String)| match part.as_str() {
        "…" => "…".to_owned(),
        _ => format!("{}{part}", factor(number)),
    };
    let mut forms: Vec<String> = parts.iter().enumerate().map(term).collect();
    let end = if constant { " + c" } else { "" };
    if sum {
        let joined = forms.join(" + ") + end;
        let numbers = if multiple || constant { ", for factors of the declared ranges" } else { "" };
        return format!(
            "where {function} is correct for {}, it is correct, with the other arguments the same, for {joined}{numbers}",
            parts.join(", ")
        );
    }
    forms.retain(|form| form != "…");
    let joined: Vec<String> = forms.iter().map(|form| format!("{form}{end}")).collect();
    format!(
        "where {function} is correct for {}, it is correct, with the other arguments the same, for {}",
        parts.join(", "),
        joined.join(", ")
    )
}

/// What follows from a class, in words, and whether that is everything.
fn follows(from: &[Coordinate], inputs: &Inputs, moves: &[&Move], program: &Program) -> (String, bool) {
    let ranges: Vec<Option<(i64, i64)>> = from.iter().map(|it| it.range).collect();
    let closed: Vec<&Move> = moves.iter().copied().filter(|step| step.is_closed(&ranges)).collect();
    if let Some(case) = inputs.case()
        && closed.len() == moves.len()
        && let Some(text) = further_cases(from, &case, &closed)
    {
        return (text, false);
    }
    let class: Option<Class> = inputs.comparisons.iter().map(|it| atom(from, it)).collect();
    let Some(class) = class else {
        return ("from which nothing follows: its numbers are too large".to_owned(), false);
    };
    let reached = reach(&class, moves, &ranges);
    let factors: Vec<String> = moves.iter().filter_map(|step| multiples(step)).collect();
    let why = made_of(from, moves, &closed);
    let mut terms = Terms::new();
    let symbols: Vec<Term> = from
        .iter()
        .map(|it| match it.range {
            Some((lo, hi)) => terms.symbol(&it.name, Sort::Int, Some((lo.into(), hi.into()))),
            None => terms.symbol(&it.name, Sort::Real, None),
        })
        .collect();
    let alternatives: Vec<Conjunction> = reached
        .classes
        .iter()
        .map(|class| class.iter().map(|atom| term(&mut terms, &symbols, atom)).collect())
        .collect();
    let until = Budget::of(PATIENCE);
    let config = twinrun_solve::Config { budget: Some(until), ..twinrun_solve::Config::default() };
    let mut solver = Solver::new(program.clone(), config);
    let parts: Vec<Term> = alternatives.iter().map(|atoms| terms.and(atoms)).collect();
    let outside: Vec<Term> = parts.into_iter().map(|part| terms.not(part)).collect();
    if solver.check(&mut terms, &outside).is_unsat() {
        return (format!("and therefore for all inputs of the declared ranges: {why}"), true);
    }
    let mut minimiser =
        Minimiser { terms: &mut terms, solver: &mut solver, until, given: Vec::new(), extents: Vec::new() };
    let shorter: Vec<Conjunction> =
        alternatives.into_iter().map(|atoms| minimiser.minimal_of(atoms)).collect();
    let union = minimiser.union(shorter);
    let condition = minimiser.show(&union, !reached.cut);
    let more = if condition.exact { "" } else { " (there may be more)" };
    let factors =
        if factors.is_empty() { String::new() } else { format!(", and for {}", factors.join(" and ")) };
    (format!("and therefore where {condition}{more}{factors}: {why}"), false)
}

/// What the relations are as moves.
fn made_of(from: &[Coordinate], moves: &[&Move], closed: &[&Move]) -> String {
    let names: Vec<&str> = from.iter().map(|it| it.name.as_str()).collect();
    let names = names.join(", ");
    let group = generated(from.len(), closed);
    let mut parts = Vec::new();
    if group.len() > 1 {
        let permutes = |step: &&&Move| {
            step.signs.iter().all(|sign| *sign == 1) && step.offsets.iter().all(|offset| *offset == 0)
        };
        let what = if closed.iter().all(|step| permutes(&step)) {
            "permutations"
        } else {
            "permutations and reflections"
        };
        let all = if group.len() > MOST_MOVES {
            format!("more than {MOST_MOVES}")
        } else {
            group.len().to_string()
        };
        parts.push(format!("the proved relations generate {all} {what} of ({names})"));
    }
    for step in moves.iter().filter(|step| !closed.contains(step)) {
        let is_shift = step.shifts.iter().any(|shift| *shift != 0) || step.offsets.iter().any(|it| *it != 0);
        match (&step.factor, &step.parameter) {
            (Some(_), _) => {
                parts.extend(multiples(step).map(|what| format!("one of them multiplies: {what}")));
            }
            (None, Some((name, lo, hi))) => {
                parts.push(format!("({names}) is moved by {name}, from {lo} to {hi}"));
            }
            (None, None) if is_shift => {
                parts.push(format!("({names}) is moved by a constant, out of the declared ranges too"));
            }
            _ => {}
        }
    }
    parts.join("; ")
}

/// The multiples that a move makes.
fn multiples(step: &Move) -> Option<String> {
    match (step.factor?, &step.parameter) {
        (Factor::Constant(number), _) => Some(format!("what is {number} times that")),
        (Factor::Parameter, Some((name, lo, hi))) => {
            Some(format!("what is {name} times that, {name} from {lo} to {hi}"))
        }
        (Factor::Parameter, None) => None,
    }
}

/// All moves that some generate, the identity first.
fn generated(n: usize, moves: &[&Move]) -> Vec<Move> {
    let mut known = vec![Move::permutation((0..n).collect())];
    let mut next = 0;
    while next < known.len() && known.len() <= MOST_MOVES {
        for step in moves {
            let before = &known[next];
            let place = |i: usize| before.places[step.places[i]];
            let sign = |i: usize| step.signs[i] * before.signs[step.places[i]];
            let offset = |i: usize| {
                step.signs[i].wrapping_mul(before.offsets[step.places[i]]).wrapping_add(step.offsets[i])
            };
            let product = Move {
                places: (0..n).map(place).collect(),
                signs: (0..n).map(sign).collect(),
                offsets: (0..n).map(offset).collect(),
                ..Move::permutation(Vec::new())
            };
            let product = Move { shifts: vec![0; n], ..product };
            if !known.contains(&product) {
                known.push(product);
            }
        }
        next += 1;
    }
    known
}

/// The cases that moves make of a correct one.
fn further_cases(from: &[Coordinate], values: &BTreeMap<&str, i64>, moves: &[&Move]) -> Option<String> {
    let case: Option<Vec<i64>> = from.iter().map(|it| values.get(it.name.as_str()).copied()).collect();
    let case = case?;
    let mut all = vec![case.clone()];
    let mut next = 0;
    while next < all.len() {
        for step in moves {
            let image = step.apply(&all[next])?;
            if !all.contains(&image) {
                all.push(image);
            }
        }
        next += 1;
        if all.len() > MOST_MOVES {
            return None;
        }
    }
    let tuple = |values: &Vec<i64>| {
        let parts: Vec<String> = values.iter().map(i64::to_string).collect();
        format!("({})", parts.join(", "))
    };
    let mut others: Vec<Vec<i64>> = all.into_iter().filter(|it| *it != case).collect();
    others.sort();
    let shown = others.iter().take(MOST_TOLD).map(&tuple).collect::<Vec<_>>().join(", ");
    let more = others.len().saturating_sub(MOST_TOLD);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names: Vec<&str> = from.iter().map(|it| it.name.as_str()).collect();
    Some(match others.len() {
        0 => "from which no other case follows".to_owned(),
        _ => format!("and therefore for ({}) = {shown}{more}", names.join(", ")),
    })
}

/// A comparison as a linear one. Names are arguments: that was looked at.
fn atom(from: &[Coordinate], comparison: &crate::given::Comparison) -> Option<Atom> {
    let is_whole = from.iter().all(|it| it.range.is_some());
    let mut atom = Atom { factors: vec![0; from.len()], constant: 0, compares: Compares::AtMost };
    let turned = matches!(comparison.operator.as_str(), ">" | ">=");
    let sides = [(&comparison.left, 1), (&comparison.right, -1)];
    for (operand, sign) in sides {
        let sign = if turned { -sign } else { sign };
        match operand {
            Operand::Number(number) => {
                atom.constant = atom.constant.checked_add(number.checked_mul(sign)?)?;
            }
            Operand::Name(name) => {
                let place = from.iter().position(|it| it.name == *name)?;
                atom.factors[place] += sign;
            }
        }
    }
    match comparison.operator.as_str() {
        "<" | ">" if is_whole => atom.constant = atom.constant.checked_add(1)?,
        "<" | ">" => atom.compares = Compares::Less,
        "==" => atom.compares = Compares::Equal,
        "!=" => atom.compares = Compares::Different,
        _ => {}
    }
    Some(atom)
}

/// The positive part on the left, the rest on the right, as people write it.
fn term(terms: &mut Terms, symbols: &[Term], atom: &Atom) -> Term {
    let sort = symbols.first().map_or(Sort::Int, |&symbol| terms.sort(symbol));
    let mut side = |sign: i64, constant: i64| {
        let mut sum = terms.num_constant(Rational::whole(constant.into()), sort);
        for (&symbol, &factor) in symbols.iter().zip(&atom.factors) {
            if factor.signum() == sign {
                let part = terms.num_scale(symbol, Rational::whole(i128::from(factor) * i128::from(sign)));
                sum = terms.num_add(sum, part);
            }
        }
        sum
    };
    let (left, right) = (side(1, atom.constant.max(0)), side(-1, (-atom.constant).max(0)));
    match atom.compares {
        Compares::AtMost => terms.num_le(left, right),
        Compares::Less => terms.num_lt(left, right),
        Compares::Equal => terms.eq(left, right),
        Compares::Different => {
            let equal = terms.eq(left, right);
            terms.not(equal)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_moved_by_the_whole_group() {
        let names = ["a", "b", "c"];
        let from = names.map(|name| Coordinate { name: name.to_owned(), range: Some((-9, 9)) });
        let moves = [Move::permutation(vec![0, 2, 1]), Move::permutation(vec![1, 0, 2])];
        let moves: Vec<&Move> = moves.iter().collect();
        assert_eq!(generated(3, &moves).len(), 6);
        let values = BTreeMap::from([("a", 1), ("b", 2), ("c", 2)]);
        let said = further_cases(&from, &values, &moves).expect("all are given");
        assert_eq!(said, "and therefore for (a, b, c) = (2, 1, 2), (2, 2, 1)");
    }

    #[test]
    fn linear_combinations_follow_from_all_three_steps() {
        let all = BTreeSet::from([Step::Constant, Step::Multiple, Step::Sum]);
        assert_eq!(
            functions("Area", &all, &[]),
            "where Area is correct for f1, …, fn, it is correct, with the other arguments the same, for k1·f1 + … + kn·fn + c, for factors of the declared ranges"
        );
        let given = [Given::Function("1".to_owned()), Given::Function("x".to_owned())];
        assert_eq!(
            functions("Area", &BTreeSet::from([Step::Sum]), &given),
            "where Area is correct for (1), (x), it is correct, with the other arguments the same, for (1) + (x)"
        );
    }
}
