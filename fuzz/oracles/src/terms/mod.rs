//! Terms: whatever is built, the simplified term, its interval, its translation to integers, its substitution and its printed text mean what a plain
//! reference computes, for all values of the symbols or, where there are too many, for boundary values and arbitrary ones.

mod bytes;
mod floats;
mod setting;
mod tree;

use twinrun_term::printed::{self, Printed};
use twinrun_term::{Evaluation, Integers, Model, Rational, Sort, Term, Terms, Value, readable, signed};

use bytes::Bytes;
use setting::Setting;
use tree::{Test, Tree};

/// The bytes choose symbols, terms over them, and values.
pub fn terms(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let setting = Setting::draw(&mut bytes);
    let mut terms = Terms::new();
    let symbols = setting.symbols(&mut terms);
    let count = 1 + bytes.below(3);
    let tests: Vec<Test> = (0..count).map(|_| setting.test(&mut bytes, 3)).collect();
    let number = setting.tree(&mut bytes, setting.widths[0], 3);
    let inputs = setting.inputs(&mut bytes);
    check(&setting, &mut terms, &symbols, &tests, &number, &inputs);
}

fn check(
    setting: &Setting,
    terms: &mut Terms,
    symbols: &[Term],
    tests: &[Test],
    number: &Tree,
    inputs: &[Vec<u64>],
) {
    let conditions: Vec<Term> = tests.iter().map(|test| test.build(terms, symbols)).collect();
    let value = number.build(terms, symbols);
    let roots: Vec<Term> = conditions.iter().copied().chain([value]).collect();
    let below = terms.post_order(&roots, |_| false);
    let mut integers = Integers::new();
    let translated: Vec<Option<Term>> =
        conditions.iter().map(|&condition| integers.translate(terms, condition)).collect();
    let shown = readable::show_conjunction(terms, &conditions);
    let number_shown = readable::show(terms, value);
    for (place, input) in inputs.iter().enumerate() {
        let model = model(terms, symbols, input);
        let evaluation = Evaluation::new(model);
        let expected: Vec<bool> = tests.iter().map(|test| test.run(setting, input)).collect();
        for (&condition, &expected) in conditions.iter().zip(&expected) {
            let found = evaluation.value(terms, condition);
            assert_eq!(found, Some(Value::Bool(expected)), "{input:?}: {}", readable::show(terms, condition));
        }
        let bits = number.run(setting, input);
        let found = evaluation.value(terms, value);
        assert_eq!(found, Some(Value::Bv(bits)), "{input:?}: {number_shown}");
        for &part in &below {
            within_interval(terms, &evaluation, part);
        }
        for (translated, &expected) in translated.iter().zip(&expected) {
            if let Some(translated) = *translated {
                let image = Evaluation::new(integer_model(terms, &integers, symbols, input));
                assert!(image.holds(terms, translated) == expected, "integers, {input:?}");
            }
        }
        let names = names(terms, symbols, input);
        let input_of = |name: &str| names.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        if readable::is_complete(&shown) {
            let all = Printed::Truth(expected.iter().all(|holds| *holds));
            printed_as(&shown, &input_of, |found| found == all, input);
        }
        if readable::is_complete(&number_shown) {
            let width = terms.width(value);
            let readings = [Printed::Whole(bits.into()), Printed::Whole(signed(width, bits).into())];
            printed_as(&number_shown, &input_of, |found| readings.contains(&found), input);
        }
        // Building is simplifying again, which must agree; few inputs suffice.
        if place < 4 {
            let constants: Vec<Term> = symbols
                .iter()
                .zip(input)
                .filter_map(|(&symbol, &bits)| {
                    let sort = terms.sort(symbol);
                    let value = if sort.is_float() { Value::Float(bits) } else { Value::Bv(bits) };
                    terms.value_term(sort, &value)
                })
                .collect();
            let mut replacements = symbols.iter().copied().zip(constants).collect();
            for (&condition, &expected) in conditions.iter().zip(&expected) {
                let replaced = terms.substitute(condition, &mut replacements);
                assert_eq!(terms.as_bool(replaced), Some(expected), "substitution, {input:?}");
            }
        }
    }
}

/// Only what divides by zero may have no value.
fn printed_as(
    text: &str,
    input_of: &dyn Fn(&str) -> Option<Printed>,
    fits: impl Fn(Printed) -> bool,
    input: &[u64],
) {
    let expression = match printed::parse(text) {
        Ok(expression) => expression,
        Err(message) => panic!("{message}: {text}"),
    };
    match expression.evaluate(input_of) {
        Some(found) => assert!(fits(found), "{input:?}: {found:?} for {text}"),
        None => assert!(text.contains(['/', '%']), "{input:?}: no value for {text}"),
    }
}

fn within_interval(terms: &Terms, evaluation: &Evaluation, part: Term) {
    if let (Sort::Bv(width), Some(Value::Bv(value))) = (terms.sort(part), evaluation.value(terms, part)) {
        let interval = terms.interval(part);
        let number = signed(width, value);
        assert!(interval.umin <= value && value <= interval.umax, "unsigned {interval:?} has no {value}");
        assert!(interval.smin <= number && number <= interval.smax, "signed {interval:?} has no {number}");
    }
}

fn model(terms: &Terms, symbols: &[Term], input: &[u64]) -> Model {
    let mut model = Model::new();
    for (&term, &bits) in symbols.iter().zip(input) {
        let value = if terms.sort(term).is_float() { Value::Float(bits) } else { Value::Bv(bits) };
        model.set(terms.as_symbol(term).expect("a symbol"), value);
    }
    model
}

fn integer_model(terms: &Terms, integers: &Integers, symbols: &[Term], input: &[u64]) -> Model {
    let mut model = Model::new();
    for (&term, &bits) in symbols.iter().zip(input) {
        let symbol = terms.as_symbol(term).expect("a symbol");
        if let Some(integer) = integers.integer_symbol(symbol) {
            let number = terms.symbol_info(symbol).number(bits);
            model.set(integer, Value::Num(Rational::whole(number)));
        }
    }
    model
}

/// What printed names stand for: the labels, read back from how they are written.
fn names(terms: &Terms, symbols: &[Term], input: &[u64]) -> Vec<(String, Printed)> {
    let one = |(&term, &bits): (&Term, &u64)| {
        let info = terms.symbol_info(terms.as_symbol(term).expect("a symbol"));
        let value = match info.sort {
            Sort::F32 => Printed::Single(f32::from_bits(bits as u32)),
            Sort::F64 => Printed::Double(f64::from_bits(bits)),
            _ => Printed::Whole(info.number(bits)),
        };
        (info.label.clone(), value)
    };
    symbols.iter().zip(input).map(one).collect()
}
