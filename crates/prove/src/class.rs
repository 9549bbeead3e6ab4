//! What a function answers for a class of inputs, on all of its paths, and whether that is what is expected there: before correctness is carried
//! anywhere, it is looked at where it is claimed.

use twinrun_base::work::SECOND;
use twinrun_base::{Budget, Verdict as Ending};
use twinrun_explore::{Condition as Decided, Engine, Kind, Source, Watching};
use twinrun_solve::{Answer, Solver};
use twinrun_term::printed::{Expression, Printed, parse};
use twinrun_term::{
    BvOp, Evaluation, FloatBinary, FloatOrder, FloatUnary, Model, Sort, Symbol, Term, Terms, readable, signed,
};
use twinrun_testing::engine::WasmSubject;

use crate::carry;
use crate::conditions::{Conjunction, Minimiser};
use crate::error::Error;
use crate::given::{Comparison, Inputs, Operand};
use crate::prepare::{Config, Loaded, solver};
use crate::whole::watching;

/// More paths than this are not run.
const MOST_PATHS: usize = 2000;
/// How long a class may be looked at.
const PATIENCE: u64 = 20 * SECOND;
/// So many different answers are told.
const MOST_TOLD: usize = 12;

/// What was seen.
pub(crate) struct Seen {
    /// Answers over the arguments, each with its condition; the condition is empty where there is one answer only.
    pub(crate) answers: Vec<(String, String)>,
    pub(crate) claim: Claim,
}

/// What is known of the expected answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// None was told.
    Open,
    /// It is the answer for every input of the class.
    Right,
    /// It is not: for these inputs it answers something else.
    Wrong { inputs: String, answered: String, expected: String },
    /// Not found out, and why.
    Unknown(String),
}

/// One path of the function.
struct Ran {
    conditions: Vec<Term>,
    answer: Term,
}

/// Runs the function on the class.
pub(crate) fn look(
    subject: &WasmSubject,
    relation: &str,
    inputs: &Inputs,
    config: &Config,
) -> Result<Seen, Error> {
    let loaded = Loaded::new(subject.modules())?;
    let (watching, _) = watching(subject);
    let mut engine = loaded.engine(relation, config.limits)?;
    let until = Budget::of(PATIENCE.min(config.work));
    let mut finder = solver(&config.solver, until);
    let unknown = |why: &str| Ok(Seen { answers: Vec::new(), claim: Claim::Unknown(why.to_owned()) });
    let (first, calls) = engine.run_called(Source::Model(Model::new()), &watching)?;
    let Some(symbols) =
        calls.into_iter().flatten().next().and_then(|call| carry::given_to(&engine.domain.terms, &call))
    else {
        return unknown("what the function is given is not understood");
    };
    let mut reader = Reader { terms: &mut engine.domain.terms, symbols: &symbols };
    let class: Option<Vec<Term>> = inputs.comparisons.iter().map(|it| reader.comparison(it)).collect();
    let Some(mut class) = class else {
        return unknown("the condition is not understood for such arguments");
    };
    // What the declarations say of doubles, symbols do not tell.
    class.extend(first.conditions.iter().filter(|it| it.kind == Kind::Input).map(|it| it.term));
    let ran = match paths(&mut engine, &mut finder, &watching, &class)? {
        Ok(ran) => ran,
        Err(why) => return unknown(&why),
    };
    if ran.is_empty() {
        return unknown("no input of the declared ranges satisfies it");
    }
    let terms = &mut engine.domain.terms;
    let answers = match (inputs.case(), finder.check(terms, &class)) {
        (Some(_), Answer::Sat(model)) if ran.len() == 1 => {
            vec![(String::new(), Evaluated::new(terms, &symbols, &model).told(terms, ran[0].answer))]
        }
        _ => told(terms, &mut finder, &class, &ran, until),
    };
    let Some(text) = &inputs.expected else { return Ok(Seen { answers, claim: Claim::Open }) };
    let Ok(expression) = parse(text) else { return unknown("the expected answer is not understood") };
    for path in &ran {
        let mut reader = Reader { terms, symbols: &symbols };
        let Some((agrees, expected)) = reader.agrees(path.answer, &expression) else {
            let claim = Claim::Unknown(format!(
                "`{text}` is not understood as an answer: numbers, arguments, + - *, min, max, abs and choices are, below 64 bits"
            ));
            return Ok(Seen { answers, claim });
        };
        let mut conditions = class.clone();
        conditions.extend(&path.conditions);
        conditions.push(terms.not(agrees));
        match finder.check(terms, &conditions) {
            Answer::Unsat => {}
            Answer::Sat(model) => {
                let claim = wrong(terms, &symbols, &model, path.answer, expected);
                return Ok(Seen { answers, claim });
            }
            Answer::Unknown(reason) => {
                return Ok(Seen { answers, claim: Claim::Unknown(reason.to_string()) });
            }
        }
    }
    Ok(Seen { answers, claim: Claim::Right })
}

/// All paths of the function for inputs of the class; a reason where they are not all.
fn paths(
    engine: &mut Engine,
    solver: &mut Solver,
    watching: &Watching,
    class: &[Term],
) -> Result<Result<Vec<Ran>, String>, Error> {
    let mut ran: Vec<Ran> = Vec::new();
    let mut open: Vec<(Vec<Term>, usize)> = vec![(class.to_vec(), 0)];
    while let Some((conditions, depth)) = open.pop() {
        let model = match solver.check(&mut engine.domain.terms, &conditions) {
            Answer::Unsat => continue,
            Answer::Sat(model) => model,
            Answer::Unknown(reason) => return Ok(Err(reason.to_string())),
        };
        if ran.len() >= MOST_PATHS {
            return Ok(Err("it has too many paths".to_owned()));
        }
        let (path, calls) = engine.run_called(Source::Model(model), watching)?;
        let in_first = |condition: &&Decided| condition.run == Some(0) && condition.kind != Kind::Input;
        let own: Vec<Term> =
            path.conditions.iter().filter(in_first).map(|condition| condition.term).collect();
        let terms = &mut engine.domain.terms;
        for index in depth..own.len() {
            let mut next = conditions.clone();
            next.extend(&own[depth..index]);
            next.push(terms.not(own[index]));
            open.push((next, index));
        }
        let answer = calls.into_iter().next().flatten().and_then(|first| first.answer);
        let Some(answer) = answer else {
            let how = if path.verdict == Ending::Crashed { "it crashes" } else { "it does not answer" };
            return Ok(Err(format!("{how} for some of these inputs")));
        };
        ran.push(Ran { conditions: own, answer });
    }
    // Whatever was run: these are all paths if no input of the class lies beside them.
    let terms = &mut engine.domain.terms;
    let mut beside = class.to_vec();
    for path in &ran {
        let all = terms.and(&path.conditions);
        beside.push(terms.not(all));
    }
    Ok(if solver.check(terms, &beside).is_unsat() {
        Ok(ran)
    } else {
        Err("not all of its paths were found".to_owned())
    })
}

/// Answers with their conditions, those that are equal together.
fn told(
    terms: &mut Terms,
    solver: &mut Solver,
    class: &[Term],
    ran: &[Ran],
    until: Budget,
) -> Vec<(String, String)> {
    let mut groups: Vec<(String, Vec<Conjunction>)> = Vec::new();
    for path in ran {
        let text = readable::show(terms, path.answer);
        match groups.iter_mut().find(|(known, _)| *known == text) {
            Some((_, conditions)) => conditions.push(path.conditions.clone()),
            None => groups.push((text, vec![path.conditions.clone()])),
        }
    }
    if let [(answer, _)] = &groups[..] {
        return vec![(String::new(), answer.clone())];
    }
    let mut minimiser = Minimiser { terms, solver, until, given: class.to_vec(), extents: Vec::new() };
    let mut all = Vec::new();
    for (answer, alternatives) in groups.into_iter().take(MOST_TOLD) {
        let alternatives = alternatives.into_iter().map(|atoms| minimiser.minimal_of(atoms)).collect();
        let union = minimiser.union(alternatives);
        all.push((minimiser.show(&union, true).to_string(), answer));
    }
    all
}

fn wrong(terms: &mut Terms, symbols: &[Symbol], model: &Model, answer: Term, expected: Term) -> Claim {
    let evaluated = Evaluated::new(terms, symbols, model);
    let mut inputs: Vec<String> = Vec::new();
    for &symbol in symbols {
        let term = terms.symbol_term(symbol);
        inputs.push(format!("{} = {}", readable::show_symbol(terms, symbol), evaluated.told(terms, term)));
    }
    Claim::Wrong {
        inputs: inputs.join(", "),
        answered: evaluated.told(terms, answer),
        expected: evaluated.told(terms, expected),
    }
}

/// Terms for one case.
struct Evaluated(Evaluation);

impl Evaluated {
    fn new(terms: &Terms, symbols: &[Symbol], model: &Model) -> Evaluated {
        let mut model = model.clone();
        for &symbol in symbols {
            if model.get(symbol).is_none() {
                let value = model.value(terms, symbol);
                model.set(symbol, value);
            }
        }
        Evaluated(Evaluation::new(model))
    }

    /// A number as it is spoken of.
    fn told(&self, terms: &Terms, term: Term) -> String {
        let value = self.0.value(terms, term);
        let Some(bits) = value.and_then(|value| value.as_bits()) else { return "no value".to_owned() };
        match terms.sort(term) {
            Sort::Bv(width) => match terms.as_symbol(term) {
                Some(symbol) => terms.symbol_info(symbol).number(bits).to_string(),
                None => signed(width, bits).to_string(),
            },
            Sort::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            _ => format!("{:?}", f64::from_bits(bits)),
        }
    }
}

/// A number while a text is read.
#[derive(Clone, Copy)]
enum Number {
    /// 64 bits with sign, and the bounds of what they are.
    Whole(Term, i128, i128),
    Double(Term),
}

/// Reads texts over arguments.
struct Reader<'a> {
    terms: &'a mut Terms,
    symbols: &'a [Symbol],
}

impl Reader<'_> {
    fn argument(&mut self, name: &str) -> Option<Number> {
        let symbols = self.symbols;
        let symbol =
            symbols.iter().copied().find(|&symbol| readable::show_symbol(self.terms, symbol) == name)?;
        let info = self.terms.symbol_info(symbol).clone();
        let term = self.terms.symbol_term(symbol);
        match info.sort {
            Sort::Bv(width) => {
                let (lo, hi) = info.numbers();
                if hi > i64::MAX.into() {
                    return None;
                }
                let wide = match (width, lo < 0) {
                    (64, _) => term,
                    (_, true) => self.terms.sign_extend(64, term),
                    _ => self.terms.zero_extend(64, term),
                };
                Some(Number::Whole(wide, lo, hi))
            }
            Sort::F64 => Some(Number::Double(term)),
            _ => None,
        }
    }

    fn constant(&mut self, value: i128) -> Option<Number> {
        let number = i64::try_from(value).ok()?;
        Some(Number::Whole(self.terms.bv(64, number as u64), value, value))
    }

    /// Both as doubles where one is.
    fn alike(&mut self, left: Number, right: Number) -> Option<(Number, Number)> {
        let mut double = |number: Number| match number {
            Number::Double(_) => Some(number),
            // A constant that a double has.
            Number::Whole(_, lo, hi) if lo == hi && (lo as f64) as i128 == lo && lo.abs() < 1 << 53 => {
                Some(Number::Double(self.terms.f64(lo as f64)))
            }
            Number::Whole(..) => None,
        };
        match (left, right) {
            (Number::Whole(..), Number::Whole(..)) => Some((left, right)),
            _ => Some((double(left)?, double(right)?)),
        }
    }

    fn comparison(&mut self, comparison: &Comparison) -> Option<Term> {
        let mut operand = |operand: &Operand| match operand {
            Operand::Name(name) => self.argument(name),
            Operand::Number(number) => self.constant((*number).into()),
        };
        let (left, right) = (operand(&comparison.left)?, operand(&comparison.right)?);
        self.compare(&comparison.operator, left, right)
    }

    fn compare(&mut self, operator: &str, left: Number, right: Number) -> Option<Term> {
        let (left, right) = match operator {
            ">" | ">=" => self.alike(right, left)?,
            _ => self.alike(left, right)?,
        };
        let terms = &mut *self.terms;
        let equal = match (left, right) {
            (Number::Whole(a, ..), Number::Whole(b, ..)) => match operator {
                "<" | ">" => return Some(terms.slt(a, b)),
                "<=" | ">=" => return Some(terms.sle(a, b)),
                _ => terms.eq(a, b),
            },
            (Number::Double(a), Number::Double(b)) => match operator {
                "<" | ">" => return Some(terms.float_order(FloatOrder::Lt, a, b)),
                "<=" | ">=" => return Some(terms.float_order(FloatOrder::Le, a, b)),
                _ => terms.float_eq(a, b),
            },
            _ => return None,
        };
        match operator {
            "==" => Some(equal),
            "!=" => Some(terms.not(equal)),
            _ => None,
        }
    }

    /// That an answer is what is expected. Answers of 32 bits are read with their sign.
    fn agrees(&mut self, answer: Term, expected: &Expression) -> Option<(Term, Term)> {
        let expected = self.value(expected)?;
        let answer = match self.terms.sort(answer) {
            Sort::Bv(64) => Number::Whole(answer, i64::MIN.into(), i64::MAX.into()),
            Sort::Bv(width) => {
                let wide = self.terms.sign_extend(64, answer);
                let half = 1i128 << (width - 1);
                Number::Whole(wide, -half, half - 1)
            }
            Sort::F64 => Number::Double(answer),
            _ => return None,
        };
        let agrees = self.compare("==", answer, expected)?;
        let (Number::Whole(expected, ..) | Number::Double(expected)) = expected;
        Some((agrees, expected))
    }

    fn truth(&mut self, expression: &Expression) -> Option<Term> {
        match expression {
            Expression::Constant(Printed::Truth(truth)) => Some(self.terms.bool(*truth)),
            Expression::Prefix("!", inner) => {
                let inner = self.truth(inner)?;
                Some(self.terms.not(inner))
            }
            Expression::Infix(operator @ ("&&" | "||"), left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Some(if *operator == "&&" {
                    self.terms.and2(left, right)
                } else {
                    self.terms.or2(left, right)
                })
            }
            Expression::Infix(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.compare(operator, left, right)
            }
            _ => None,
        }
    }

    fn value(&mut self, expression: &Expression) -> Option<Number> {
        match expression {
            Expression::Constant(Printed::Whole(number)) => self.constant(*number),
            Expression::Constant(Printed::Double(number)) => Some(Number::Double(self.terms.f64(*number))),
            Expression::Name(name) => self.argument(name),
            Expression::Prefix("-", inner) => match self.value(inner)? {
                Number::Double(term) => Some(Number::Double(self.terms.float_unary(FloatUnary::Neg, term))),
                Number::Whole(term, lo, hi) => {
                    let negative = self.terms.bv_neg(term);
                    bounded(negative, -hi, -lo)
                }
            },
            Expression::Infix(operator @ ("+" | "-" | "*"), left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let terms = &mut *self.terms;
                match self_alike(terms, left, right)? {
                    (Number::Double(a), Number::Double(b)) => {
                        let operator = match *operator {
                            "+" => FloatBinary::Add,
                            "-" => FloatBinary::Sub,
                            _ => FloatBinary::Mul,
                        };
                        Some(Number::Double(terms.float_binary(operator, a, b)))
                    }
                    (Number::Whole(a, al, ah), Number::Whole(b, bl, bh)) => match *operator {
                        "+" => bounded(terms.bv_add(a, b), al + bl, ah + bh),
                        "-" => bounded(terms.bv_sub(a, b), al - bh, ah - bl),
                        _ => {
                            let ends = [al * bl, al * bh, ah * bl, ah * bh];
                            let (lo, hi) = (ends.iter().min()?, ends.iter().max()?);
                            let product = terms.bv_op(BvOp::Mul, a, b);
                            bounded(product, *lo, *hi)
                        }
                    },
                    _ => None,
                }
            }
            Expression::Choice(parts) => {
                let [condition, then, other] = &**parts;
                let condition = self.truth(condition)?;
                let (then, other) = (self.value(then)?, self.value(other)?);
                self.choice(condition, then, other)
            }
            Expression::Call(name, parts) => match (name.as_str(), &parts[..]) {
                ("abs", [part]) => {
                    let number = self.value(part)?;
                    let Number::Whole(term, lo, hi) = number else { return None };
                    let zero = self.constant(0)?;
                    let negative = self.compare("<", number, zero)?;
                    let turned = self.terms.bv_neg(term);
                    let turned = bounded(turned, -hi, -lo)?;
                    self.choice(negative, turned, number)
                }
                ("min" | "max", [first, rest @ ..]) => {
                    let mut best = self.value(first)?;
                    for part in rest {
                        let part = self.value(part)?;
                        let order = if name == "min" { "<" } else { ">" };
                        let better = self.compare(order, part, best)?;
                        best = self.choice(better, part, best)?;
                    }
                    Some(best)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn choice(&mut self, condition: Term, then: Number, other: Number) -> Option<Number> {
        match self.alike(then, other)? {
            (Number::Whole(a, al, ah), Number::Whole(b, bl, bh)) => {
                Some(Number::Whole(self.terms.ite(condition, a, b), al.min(bl), ah.max(bh)))
            }
            (Number::Double(a), Number::Double(b)) => Some(Number::Double(self.terms.ite(condition, a, b))),
            _ => None,
        }
    }
}

fn self_alike(terms: &mut Terms, left: Number, right: Number) -> Option<(Number, Number)> {
    Reader { terms, symbols: &[] }.alike(left, right)
}

/// A number of 64 bits that its operation cannot have wrapped around.
fn bounded(term: Term, lo: i128, hi: i128) -> Option<Number> {
    let fits = lo >= i64::MIN.into() && hi <= i64::MAX.into();
    fits.then_some(Number::Whole(term, lo, hi))
}
