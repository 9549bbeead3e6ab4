//! How correctness carries over: the transformation of a relation as a map between the arguments of its runs.
//!
//! Where a relation tells what the last run answers from what the others answer, and it is proved, a correct answer to the one makes the other correct
//! (semi-proving, sections 2.3 and 2.7).

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use twinrun_base::{Case, Domain, Input, Operator, Value};
use twinrun_explore::{Argument, Called, Engine, Kind, Path, Source, Watching};
use twinrun_term::{
    BvOp, FloatBinary, FloatUnary, Model, Node, Sort, Symbol, Term, Terms, readable, signed, signed_max,
    signed_min,
};

use crate::closure::{Factor, Move};
use crate::error::Error;

/// From which inputs to which others correctness carries over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Carry {
    /// The function that the runs call.
    pub function: String,
    /// What the first run is given: each an input of its own.
    pub from: Vec<Coordinate>,
    /// What the last run is given, in words.
    pub to: Vec<String>,
    /// How the last run's input is made of the first one's, where that is understood.
    #[serde(default)]
    pub step_of_inputs: Option<Move>,
    /// Where the runs are passed functions, what the last one is made of.
    pub step: Option<Step>,
}

/// One argument, or one element of an argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coordinate {
    /// Its name.
    pub name: String,
    /// The least and the greatest integer that it may be; none for a double.
    pub range: Option<(i64, i64)>,
}

/// What the function of the last run is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The function of the first run and any constant.
    Constant,
    /// Any multiple of the function of the first run.
    Multiple,
    /// The sum of the functions of the earlier runs.
    Sum,
}

/// What the runs of a relation are given; nothing when correctness does not carry over.
pub(crate) fn find(
    engine: &mut Engine,
    watching: &Watching,
    names: &FxHashMap<u32, String>,
) -> Result<Option<Carry>, Error> {
    let (mut path, mut calls) = engine.run_called(Source::Model(Model::new()), watching)?;
    if !watching.any.is_empty() {
        // Inputs near zero are often all equal, so that functions that are passed are not called.
        let case = different(path.case(&engine.domain.terms, &path.model));
        (path, calls) = engine.run_called(Source::Case(case), watching)?;
    }
    let calls: Option<Vec<Called>> = calls.into_iter().collect();
    let Some(calls) = calls.filter(|calls| calls.len() > 1 && calls.len() == path.runs as usize) else {
        return Ok(None);
    };
    let same = calls.iter().all(|call| call.function == calls[0].function);
    let over_reals = !watching.any.is_empty();
    if !same || !is_uniform(&path) || !determines(&engine.domain.terms, &path, &calls, over_reals) {
        return Ok(None);
    }
    let function = names.get(&calls[0].function).cloned().unwrap_or_else(|| "the program".to_owned());
    let terms = &mut engine.domain.terms;
    if calls.iter().all(|call| !call.bodies.is_empty()) {
        let equal = calls.iter().all(|call| differ_in_functions_alone(&calls[0], call));
        let step = step(terms, &calls).filter(|_| equal);
        return Ok(step.map(|step| Carry { function, step: Some(step), ..Carry::default() }));
    }
    let [first, last] = &calls[..] else { return Ok(None) };
    if fixed(first) != fixed(last) {
        return Ok(None);
    }
    let (Some(from), Some(to)) = (coordinates(first), coordinates(last)) else { return Ok(None) };
    let Some(symbols) = inputs(terms, &from) else { return Ok(None) };
    let coordinates: Vec<Coordinate> = symbols.iter().map(|&symbol| coordinate(terms, symbol)).collect();
    let step_of_inputs = moved(terms, &symbols, &to);
    let to = to.iter().map(|&term| readable::show(terms, term)).collect();
    Ok(Some(Carry { function, to, step_of_inputs, from: coordinates, step: None }))
}

/// The inputs that a run's function is given, if each is one of its own.
pub(crate) fn given_to(terms: &Terms, call: &Called) -> Option<Vec<Symbol>> {
    inputs(terms, &coordinates(call)?)
}

/// How these terms are made of inputs: each of one of them, and all inputs are used.
fn moved(terms: &Terms, from: &[Symbol], to: &[Term]) -> Option<Move> {
    let mut step = Move::permutation(Vec::new());
    let mut parameter: Option<Symbol> = None;
    let mut factors: Vec<Option<Factor>> = Vec::new();
    for &term in to {
        let mut own = Linear::of(terms, term)?;
        if let (Some(times), [(part, _)]) = (own.times, &mut own.parts[..])
            && !from.contains(part)
        {
            own.times = Some(std::mem::replace(part, times));
        }
        let (places, others): (Vec<_>, Vec<_>) = own.parts.iter().partition(|(part, _)| from.contains(part));
        let (&[&(symbol, sign)], true) = (&places[..], others.len() <= 1) else { return None };
        step.places.push(from.iter().position(|known| *known == symbol)?);
        let shift = others.first().map(|(symbol, shift)| (*symbol, *shift));
        if let Some(symbol) = own.times.or(shift.map(|(symbol, _)| symbol)) {
            if parameter.is_some_and(|known| known != symbol) || from.contains(&symbol) {
                return None;
            }
            parameter = Some(symbol);
        }
        let factor = match (own.times, sign) {
            (Some(_), 1) if own.constant == 0 => Some(Factor::Parameter),
            (None, 2..) if own.constant == 0 && shift.is_none() => Some(Factor::Constant(sign)),
            (None, 1 | -1) => None,
            _ => return None,
        };
        factors.push(factor);
        step.signs.push(if factor.is_some() { 1 } else { sign });
        step.offsets.push(own.constant);
        step.shifts.push(shift.map_or(0, |(_, shift)| shift));
    }
    let mut sorted = step.places.clone();
    sorted.sort_unstable();
    let same = factors.iter().all(|factor| *factor == factors[0]);
    if !same || !sorted.into_iter().eq(0..from.len()) {
        return None;
    }
    // What is permuted has to stay in the declared ranges, and what is multiplied stays where it is.
    let range = |place: usize| coordinate(terms, from[place]).range;
    step.factor = factors[0];
    step.parameter = match parameter {
        Some(symbol) => {
            let (lo, hi) = coordinate(terms, symbol).range?;
            Some((terms.symbol_info(symbol).label.clone(), lo, hi))
        }
        None => None,
    };
    let is_plain = step.parameter.is_none() && step.factor.is_none();
    let permutes = step.signs.iter().all(|sign| *sign == 1) && step.offsets.iter().all(|it| *it == 0);
    let stays = (0..from.len()).all(|i| range(i) == range(step.places[i]));
    let in_place = step.places.iter().copied().eq(0..from.len());
    let fits = if step.factor.is_some() { in_place } else { !(is_plain && permutes) || stays };
    fits.then_some(step)
}

/// A sum of inputs as the mathematical number that it is: nothing wraps around for any input of the declared ranges.
struct Linear {
    parts: Vec<(Symbol, i64)>,
    constant: i64,
    /// An input that all is multiplied with.
    times: Option<Symbol>,
}

impl Linear {
    /// The input that a term is as a number: widened in the way in which it is read.
    fn number(terms: &Terms, term: Term) -> Option<Symbol> {
        let (part, is_signed) = match *terms.node(term) {
            Node::SignExtend(_, part) => (part, true),
            Node::ZeroExtend(_, part) => (part, false),
            _ => return terms.as_symbol(term),
        };
        let input = terms.as_symbol(part)?;
        let (lo, hi) = terms.symbol_info(input).numbers();
        let same = if is_signed { hi <= signed_max(terms.width(part)).into() } else { lo >= 0 };
        same.then_some(input)
    }

    fn of(terms: &Terms, term: Term) -> Option<Linear> {
        if let Some(input) = Linear::number(terms, term) {
            return Some(Linear { parts: vec![(input, 1)], constant: 0, times: None });
        }
        let width = match terms.sort(term) {
            Sort::Bv(width) => width,
            // The sign of a double changes exactly.
            Sort::F64 => {
                let Node::FloatUnary(FloatUnary::Neg, part) = *terms.node(term) else { return None };
                return Some(Linear { parts: vec![(terms.as_symbol(part)?, -1)], constant: 0, times: None });
            }
            _ => return None,
        };
        let bounds =
            |input: Symbol| coordinate(terms, input).range.map(|(lo, hi)| (i128::from(lo), i128::from(hi)));
        let fits = |lo: i128, hi: i128| lo >= signed_min(width).into() && hi <= i128::from(signed_max(width));
        match terms.node(term) {
            Node::BvSum(sum) => {
                let constant = signed(width, sum.constant);
                let mut own = Linear { parts: Vec::new(), constant, times: None };
                let (mut lo, mut hi) = (i128::from(constant), i128::from(constant));
                for &(part, factor) in &sum.parts {
                    let (input, factor) = (Linear::number(terms, part)?, signed(width, factor));
                    let (least, greatest) = bounds(input)?;
                    let ends = [least * i128::from(factor), greatest * i128::from(factor)];
                    (lo, hi) = (lo + ends[0].min(ends[1]), hi + ends[0].max(ends[1]));
                    own.parts.push((input, factor));
                }
                fits(lo, hi).then_some(own)
            }
            &Node::BvOp(BvOp::Mul, left, right) => {
                let (left, right) = (Linear::number(terms, left)?, Linear::number(terms, right)?);
                let ((a, b), (c, d)) = (bounds(left)?, bounds(right)?);
                let ends = [a * c, a * d, b * c, b * d];
                let whole = fits(*ends.iter().min()?, *ends.iter().max()?);
                // Which of the two is the parameter shows where it is used.
                whole.then_some(Linear { parts: vec![(left, 1)], constant: 0, times: Some(right) })
            }
            _ => None,
        }
    }
}

/// A case whose numbers are small and all different.
fn different(case: Case) -> Case {
    let next = |(number, input): (usize, Input)| {
        let number = number as i64 + 1;
        let value = match &input.domain {
            Domain::Int { lo, hi, .. } => Value::Int((number + 1).clamp(*lo, *hi)),
            Domain::Float { lo, hi } => Value::Float((number as f64).clamp(*lo, *hi)),
            _ => input.value.clone(),
        };
        Input { value, ..input }
    };
    Case { inputs: case.inputs.into_iter().enumerate().map(next).collect() }
}

/// Whether the way from inputs to runs and from answers to checks is the same for all inputs and all answers.
fn is_uniform(path: &Path) -> bool {
    let mut outside = path.conditions.iter().filter(|condition| condition.run.is_none());
    outside.all(|condition| matches!(condition.kind, Kind::Input | Kind::Check))
}

/// Whether some check says what the last run answers, from what the others answer: an equality with that answer alone on one side, or its negative, and without
/// it on the other. Over the reals, what is near is equal.
fn determines(terms: &Terms, path: &Path, calls: &[Called], over_reals: bool) -> bool {
    let answers: Option<Vec<Symbol>> =
        calls.iter().map(|call| call.result.and_then(|term| terms.as_symbol(term))).collect();
    let Some(last) = answers.and_then(|answers| answers.last().copied()) else { return false };
    path.checks.iter().any(|check| {
        let equality = check.operator == Operator::Eq || (over_reals && check.operator == Operator::Near);
        let is_last = |one: Term, other: Term| {
            stands_alone(terms, one, last) && !terms.free_symbols(other).contains(&last)
        };
        equality && check.sides.is_some_and(|(left, right)| is_last(left, right) || is_last(right, left))
    })
}

/// Whether a term tells an answer: it is the answer, or its negative, and something that does not depend on it is added.
fn stands_alone(terms: &Terms, term: Term, answer: Symbol) -> bool {
    if symbol(terms, term) == Some(answer) {
        return true;
    }
    match terms.node(term) {
        Node::BvSum(sum) => {
            let width = terms.width(term);
            let (own, others): (Vec<_>, Vec<_>) =
                sum.parts.iter().partition(|(part, _)| terms.as_symbol(*part) == Some(answer));
            matches!(own[..], [&(_, factor)] if matches!(signed(width, factor), 1 | -1))
                && others.iter().all(|(part, _)| !terms.free_symbols(*part).contains(&answer))
        }
        Node::FloatUnary(FloatUnary::Neg, part) => terms.as_symbol(*part) == Some(answer),
        _ => false,
    }
}

/// Whether two calls have the same arguments but for functions that they are passed and call.
fn differ_in_functions_alone(one: &Called, other: &Called) -> bool {
    let calls = |call: &Called, function: u32| call.bodies.iter().any(|(called, ..)| *called == function);
    one.arguments.len() == other.arguments.len()
        && one.arguments.iter().zip(&other.arguments).all(|(a, b)| match (a, b) {
            (Argument::Function(_, f), Argument::Function(_, g)) => {
                a == b || (calls(one, *f) && calls(other, *g))
            }
            (a, b) => a == b,
        })
}

/// What of the arguments does not depend on inputs.
fn fixed(call: &Called) -> Vec<Option<&Argument>> {
    let is_fixed = |argument: &&Argument| matches!(argument, Argument::Fixed(_) | Argument::Function(..));
    call.arguments.iter().map(|argument| Some(argument).filter(is_fixed)).collect()
}

/// All numbers that a run is given.
fn coordinates(call: &Called) -> Option<Vec<Term>> {
    let mut all = Vec::new();
    for argument in &call.arguments {
        match argument {
            Argument::Number(term) => all.push(*term),
            Argument::Array(elements) => all.extend(elements),
            Argument::Fixed(_) | Argument::Function(..) => {}
        }
    }
    (!all.is_empty()).then_some(all)
}

/// The inputs that these are, if each is one of its own.
fn inputs(terms: &Terms, from: &[Term]) -> Option<Vec<Symbol>> {
    let symbols: Option<Vec<Symbol>> = from.iter().map(|&term| symbol(terms, term)).collect();
    let mut sorted = symbols.clone()?;
    sorted.sort_unstable();
    sorted.dedup();
    symbols.filter(|symbols| symbols.len() == sorted.len())
}

/// The input that a term is, also where it was only widened or narrowed.
fn symbol(terms: &Terms, term: Term) -> Option<Symbol> {
    match *terms.node(term) {
        Node::SignExtend(_, part) | Node::ZeroExtend(_, part) => symbol(terms, part),
        _ => terms.as_symbol(term),
    }
}

fn coordinate(terms: &Terms, symbol: Symbol) -> Coordinate {
    let info = terms.symbol_info(symbol);
    let range = match info.sort {
        Sort::Bv(_) => info.range.map(|(lo, hi)| (lo as i64, hi as i64)).or(Some((i64::MIN, i64::MAX))),
        _ => None,
    };
    Coordinate { name: info.label.clone(), range }
}

/// What the function of the last run is made of: every call that was seen must say the same.
fn step(terms: &mut Terms, calls: &[Called]) -> Option<Step> {
    let (last, earlier) = calls.split_last()?;
    let any = terms.symbol("x", Sort::F64, None);
    let mut general = |call: &Called| -> Option<Term> {
        let mut bodies = call.bodies.iter().map(|&(_, argument, result)| {
            let mut map = FxHashMap::from_iter([(argument, any)]);
            terms.substitute(result, &mut map)
        });
        let first = bodies.next()?;
        bodies.all(|other| other == first).then_some(first)
    };
    let whole = general(last)?;
    let parts: Option<Vec<Term>> = earlier.iter().map(&mut general).collect();
    let parts = parts?;
    let free = |terms: &Terms, term: Term| {
        let any = terms.as_symbol(any);
        any.is_some_and(|any| !terms.free_symbols(term).contains(&any))
    };
    match (&parts[..], terms.node(whole)) {
        (&[one], &Node::FloatBinary(FloatBinary::Add, a, b))
            if (a == one && free(terms, b)) || (b == one && free(terms, a)) =>
        {
            Some(Step::Constant)
        }
        (&[one], &Node::FloatBinary(FloatBinary::Mul, a, b))
            if (a == one && free(terms, b)) || (b == one && free(terms, a)) =>
        {
            Some(Step::Multiple)
        }
        (&[one, other], &Node::FloatBinary(FloatBinary::Add, a, b))
            if (a, b) == (one, other) || (a, b) == (other, one) =>
        {
            Some(Step::Sum)
        }
        _ => None,
    }
}
