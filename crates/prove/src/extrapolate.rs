//! Extrapolation: for which further inputs correctness follows, from proved relations and from inputs for which the answer is known to be correct
//! (semi-proving, section 2.3 for conditions, section 2.7 for single cases and functions).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twinrun_base::Budget;
use twinrun_base::work::SECOND;
use twinrun_solve::{Program, Solver};
use twinrun_term::{Sort, Term, Terms};

use crate::carry::{Carry, Coordinate, Step};
use crate::conditions::{Conjunction, Minimiser};
use crate::given::{Comparison, Given, Operand};
use crate::report::Report;
use crate::verdict::Verdict;

/// Groups of more permutations than this are not written out.
const MOST_PERMUTATIONS: usize = 5040;
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
}

/// What follows from these reports and from what is known to be correct.
pub fn extrapolate(reports: &[Report], given: &[Given], program: &Program) -> Vec<Statement> {
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
    for ((subject, _), reports) in groups {
        let carries: Vec<&Carry> = reports.iter().filter_map(|report| report.carry.as_ref()).collect();
        let steps: BTreeSet<Step> = carries.iter().filter_map(|carry| carry.step).collect();
        let mut say = |relations: Vec<String>, text: String, all: bool| {
            statements.push(Statement { subject: subject.clone(), relations, text, all });
        };
        if !steps.is_empty() {
            let relations = reports.iter().map(|report| report.relation.clone()).collect();
            say(relations, functions(&carries[0].function, &steps, given), false);
            continue;
        }
        let permuting: Vec<&&Report> = reports
            .iter()
            .filter(|report| report.carry.as_ref().is_some_and(|it| !it.permutations.is_empty()))
            .collect();
        let relations: Vec<String> = permuting.iter().map(|report| report.relation.clone()).collect();
        let generators: Vec<&Vec<usize>> = carries.iter().flat_map(|carry| &carry.permutations).collect();
        let group = closure(carries[0].from.len(), &generators);
        for known in given {
            match known {
                Given::Case(values) if group.len() > 1 && group.len() <= MOST_PERMUTATIONS => {
                    if let Some(text) = further_cases(&carries[0].from, values, &group) {
                        say(relations.clone(), format!("{text}{}", provided(carries[0])), false);
                    }
                }
                Given::Where(text, comparisons) if group.len() > 1 && group.len() <= MOST_PERMUTATIONS => {
                    let (words, all) = further_inputs(&carries[0].from, text, comparisons, &group, program);
                    say(relations.clone(), format!("{words}{}", provided(carries[0])), all);
                }
                _ => {}
            }
        }
        // What is no permutation carries over one step at a time.
        for report in reports.iter().filter(|_| !given.is_empty()) {
            let Some(carry) = report.carry.as_ref().filter(|carry| carry.permutations.is_empty()) else {
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
            say(vec![report.relation.clone()], text, false);
        }
    }
    statements
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

/// All permutations that some generate, the identity first.
fn closure(n: usize, generators: &[&Vec<usize>]) -> Vec<Vec<usize>> {
    let mut known: Vec<Vec<usize>> = vec![(0..n).collect()];
    let mut seen: BTreeSet<Vec<usize>> = known.iter().cloned().collect();
    let mut next = 0;
    while next < known.len() && known.len() <= MOST_PERMUTATIONS {
        for generator in generators {
            let product: Vec<usize> = generator.iter().map(|&place| known[next][place]).collect();
            if seen.insert(product.clone()) {
                known.push(product);
            }
        }
        next += 1;
    }
    known
}

/// The cases to which a correct one is permuted.
fn further_cases(
    from: &[Coordinate],
    values: &BTreeMap<String, i64>,
    group: &[Vec<usize>],
) -> Option<String> {
    let case: Option<Vec<i64>> = from.iter().map(|it| values.get(&it.name).copied()).collect();
    let case = case?;
    // Of a case outside of the declared ranges, the relations say nothing.
    let inside = |(value, it): (&i64, &Coordinate)| it.range.is_none_or(|(lo, hi)| (lo..=hi).contains(value));
    if !case.iter().zip(from).all(inside) {
        return None;
    }
    let permuted = |permutation: &Vec<usize>| permutation.iter().map(|&place| case[place]).collect();
    let all: BTreeSet<Vec<i64>> = group.iter().map(permuted).collect();
    let tuple = |values: &Vec<i64>| {
        let parts: Vec<String> = values.iter().map(i64::to_string).collect();
        format!("({})", parts.join(", "))
    };
    let names: Vec<&str> = from.iter().map(|it| it.name.as_str()).collect();
    let others: Vec<String> = all.iter().filter(|it| **it != case).map(&tuple).collect();
    let shown = others.iter().take(MOST_TOLD).cloned().collect::<Vec<_>>().join(", ");
    let more = others.len().saturating_sub(MOST_TOLD);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(match others.len() {
        0 => {
            format!("correct for ({}) = {}, from which no other case follows", names.join(", "), tuple(&case))
        }
        _ => {
            format!("correct for ({}) = {}, and therefore for {shown}{more}", names.join(", "), tuple(&case))
        }
    })
}

/// The inputs to which those of a condition are permuted, and whether these are all.
fn further_inputs(
    from: &[Coordinate],
    text: &str,
    comparisons: &[Comparison],
    group: &[Vec<usize>],
    program: &Program,
) -> (String, bool) {
    let mut terms = Terms::new();
    let symbols: Vec<Term> = from
        .iter()
        .map(|it| match it.range {
            Some((lo, hi)) => terms.symbol(&it.name, Sort::Int, Some((lo.into(), hi.into()))),
            None => terms.symbol(&it.name, Sort::Real, None),
        })
        .collect();
    let place = |name: &str| from.iter().position(|it| it.name == name);
    let unknown = comparisons.iter().flat_map(|it| [&it.left, &it.right]).find_map(|operand| match operand {
        Operand::Name(name) if place(name).is_none() => Some(name.clone()),
        _ => None,
    });
    let names: Vec<&str> = from.iter().map(|it| it.name.as_str()).collect();
    if let Some(name) = unknown {
        return (format!("`{name}` is no argument: there are {}", names.join(", ")), false);
    }
    let mut alternatives: Vec<Conjunction> = Vec::new();
    for permutation in group {
        // Where y = x ∘ p is given and x is correct, y is: x[p[i]] = y[i].
        let mut operand = |operand: &Operand| match operand {
            Operand::Number(number) => match from.first().and_then(|it| it.range) {
                Some(_) => terms.int((*number).into()),
                None => terms.real(twinrun_term::Rational::whole((*number).into())),
            },
            Operand::Name(name) => {
                let at = place(name).and_then(|at| permutation.iter().position(|&it| it == at));
                symbols[at.unwrap_or(0)]
            }
        };
        let sides: Vec<(Term, &str, Term)> = comparisons
            .iter()
            .map(|it| (operand(&it.left), it.operator.as_str(), operand(&it.right)))
            .collect();
        let atoms = sides.into_iter().map(|(left, operator, right)| match operator {
            "<" => terms.num_lt(left, right),
            "<=" => terms.num_le(left, right),
            ">" => terms.num_lt(right, left),
            ">=" => terms.num_le(right, left),
            "!=" => {
                let equal = terms.eq(left, right);
                terms.not(equal)
            }
            _ => terms.eq(left, right),
        });
        alternatives.push(atoms.collect());
    }
    let until = Budget::of(PATIENCE);
    let config = twinrun_solve::Config { budget: Some(until), ..twinrun_solve::Config::default() };
    let mut solver = Solver::new(program.clone(), config);
    let parts: Vec<Term> = alternatives.iter().map(|atoms| terms.and(atoms)).collect();
    let outside: Vec<Term> = parts.into_iter().map(|part| terms.not(part)).collect();
    let count = group.len();
    let why = format!("the proved relations generate {count} permutations of ({})", names.join(", "));
    if solver.check(&mut terms, &outside).is_unsat() {
        let words =
            format!("correct where {text}, and therefore for all inputs of the declared ranges: {why}");
        return (words, true);
    }
    let mut minimiser =
        Minimiser { terms: &mut terms, solver: &mut solver, until, given: Vec::new(), extents: Vec::new() };
    let union = minimiser.union(alternatives);
    let condition = minimiser.show(&union, true);
    (format!("correct where {text}, and therefore where {condition}: {why}"), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<Coordinate> {
        names.iter().map(|name| Coordinate { name: (*name).to_owned(), range: Some((-9, 9)) }).collect()
    }

    #[test]
    fn a_case_is_permuted_by_the_whole_group() {
        let group = closure(3, &[&vec![0, 2, 1], &vec![1, 0, 2]]);
        assert_eq!(group.len(), 6);
        let values = BTreeMap::from([("a".to_owned(), 1), ("b".to_owned(), 2), ("c".to_owned(), 2)]);
        let said = further_cases(&names(&["a", "b", "c"]), &values, &group).expect("all are given");
        assert_eq!(said, "correct for (a, b, c) = (1, 2, 2), and therefore for (2, 1, 2), (2, 2, 1)");
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
