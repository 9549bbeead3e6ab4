//! Random terms over small widths, compared with a plain reference on all inputs.

use crate::*;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The reference: a tree that computes directly, with no simplification.
enum Tree {
    Symbol(usize),
    Constant(u8, u64),
    Op(BvOp, Box<Tree>, Box<Tree>),
    Add(Box<Tree>, Box<Tree>),
    Sub(Box<Tree>, Box<Tree>),
    Extract(u8, u8, Box<Tree>),
    Concat(Box<Tree>, Box<Tree>),
    Zero(u8, Box<Tree>),
    Sign(u8, Box<Tree>),
    Flag(u8, Box<Test>),
    Ite(Box<Test>, Box<Tree>, Box<Tree>),
}

enum Test {
    Order(BvOrder, Tree, Tree),
    Eq(Tree, Tree),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    NonZero(Tree),
}

const OPS: [BvOp; 11] = [
    BvOp::Mul,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
];
const ORDERS: [BvOrder; 4] = [BvOrder::Ult, BvOrder::Ule, BvOrder::Slt, BvOrder::Sle];

/// The widths and declared ranges of the symbols that random terms are made of.
struct Setting {
    widths: Vec<u8>,
    ranges: Vec<Option<(i128, i128)>>,
    arithmetic_only: bool,
}

impl Setting {
    fn tree(&self, random: &mut Random, width: u8, depth: u32) -> Tree {
        let boxed = |random: &mut Random, width| Box::new(self.tree(random, width, depth.saturating_sub(1)));
        if depth == 0 || random.below(8) == 0 {
            let fitting: Vec<usize> = (0..self.widths.len()).filter(|&i| self.widths[i] == width).collect();
            if fitting.is_empty() || random.below(3) == 0 {
                return Tree::Constant(width, random.below(1 << width.min(20)) & mask(width));
            }
            return Tree::Symbol(fitting[random.below(fitting.len() as u64) as usize]);
        }
        match random.below(14) {
            0..=2 => Tree::Add(boxed(random, width), boxed(random, width)),
            3 => Tree::Sub(boxed(random, width), boxed(random, width)),
            4..=5 => {
                let op = OPS[random.below(OPS.len() as u64) as usize];
                let constant = self.arithmetic_only || random.below(2) == 0;
                let right = if constant {
                    Box::new(Tree::Constant(width, random.below(1 << width.min(20))))
                } else {
                    boxed(random, width)
                };
                Tree::Op(op, boxed(random, width), right)
            }
            6..=7 => {
                let wide = (width + 1 + random.below(4) as u8).min(8);
                if wide <= width {
                    return *boxed(random, width);
                }
                let low = random.below(u64::from(wide - width) + 1) as u8;
                Tree::Extract(low + width - 1, low, boxed(random, wide))
            }
            8..=9 if width > 1 => {
                let split = 1 + random.below(u64::from(width) - 1) as u8;
                if random.below(2) == 0 {
                    // Cut a term apart and join it again, as stores and loads do.
                    let seed = random.0;
                    let copy = self.tree(&mut Random(seed), width, depth - 1);
                    let again = self.tree(&mut Random(seed), width, depth - 1);
                    return Tree::Concat(
                        Box::new(Tree::Extract(width - 1, split, Box::new(copy))),
                        Box::new(Tree::Extract(split - 1, 0, Box::new(again))),
                    );
                }
                Tree::Concat(boxed(random, width - split), boxed(random, split))
            }
            10 if width > 1 => Tree::Zero(width, boxed(random, width - 1)),
            11 if width > 1 => Tree::Sign(width, boxed(random, width - 1)),
            12 => Tree::Flag(width, Box::new(self.test(random, depth - 1))),
            _ => {
                Tree::Ite(Box::new(self.test(random, depth - 1)), boxed(random, width), boxed(random, width))
            }
        }
    }

    fn test(&self, random: &mut Random, depth: u32) -> Test {
        let width = self.widths[random.below(self.widths.len() as u64) as usize];
        match random.below(if depth == 0 { 4 } else { 8 }) {
            0..=2 => {
                let order = ORDERS[random.below(4) as usize];
                Test::Order(order, self.tree(random, width, depth), self.tree(random, width, depth))
            }
            3 | 4 => Test::Eq(self.tree(random, width, depth), self.tree(random, width, depth)),
            5 => Test::Not(Box::new(self.test(random, depth - 1))),
            6 => Test::And(Box::new(self.test(random, depth - 1)), Box::new(self.test(random, depth - 1))),
            7 if random.below(2) == 0 => {
                Test::Or(Box::new(self.test(random, depth - 1)), Box::new(self.test(random, depth - 1)))
            }
            _ => Test::NonZero(self.tree(random, width, depth)),
        }
    }

    fn symbols(&self, terms: &mut Terms) -> Vec<Term> {
        (0..self.widths.len())
            .map(|i| terms.symbol(&format!("x{i}"), Sort::Bv(self.widths[i]), self.ranges[i]))
            .collect()
    }

    /// Every assignment of the symbols within their ranges.
    fn inputs(&self) -> Vec<Vec<u64>> {
        let mut all = vec![Vec::new()];
        for (width, range) in self.widths.iter().zip(&self.ranges) {
            let values: Vec<u64> = match range {
                Some((low, high)) => (*low..=*high).map(|value| value as u64 & mask(*width)).collect(),
                None => (0..=mask(*width)).collect(),
            };
            all = all
                .iter()
                .flat_map(|head: &Vec<u64>| {
                    values.iter().map(move |value| head.iter().copied().chain([*value]).collect())
                })
                .collect();
        }
        all
    }
}

impl Tree {
    fn width(&self, widths: &[u8]) -> u8 {
        match self {
            Tree::Symbol(i) => widths[*i],
            Tree::Constant(width, _) | Tree::Zero(width, _) | Tree::Sign(width, _) | Tree::Flag(width, _) => {
                *width
            }
            Tree::Op(_, a, _) | Tree::Add(a, _) | Tree::Sub(a, _) | Tree::Ite(_, a, _) => a.width(widths),
            Tree::Extract(high, low, _) => high - low + 1,
            Tree::Concat(a, b) => a.width(widths) + b.width(widths),
        }
    }

    fn build(&self, terms: &mut Terms, symbols: &[Term]) -> Term {
        match self {
            Tree::Symbol(i) => symbols[*i],
            Tree::Constant(width, value) => terms.bv(*width, *value),
            Tree::Op(op, a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.bv_op(*op, a, b)
            }
            Tree::Add(a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.bv_add(a, b)
            }
            Tree::Sub(a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.bv_sub(a, b)
            }
            Tree::Extract(high, low, a) => {
                let a = a.build(terms, symbols);
                terms.extract(*high, *low, a)
            }
            Tree::Concat(a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.concat(a, b)
            }
            Tree::Zero(width, a) => {
                let a = a.build(terms, symbols);
                terms.zero_extend(*width, a)
            }
            Tree::Sign(width, a) => {
                let a = a.build(terms, symbols);
                terms.sign_extend(*width, a)
            }
            Tree::Flag(width, test) => {
                let test = test.build(terms, symbols);
                terms.bool_to_bv(test, *width)
            }
            Tree::Ite(test, a, b) => {
                let test = test.build(terms, symbols);
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.ite(test, a, b)
            }
        }
    }

    fn run(&self, widths: &[u8], input: &[u64]) -> u64 {
        let width = self.width(widths);
        let value = match self {
            Tree::Symbol(i) => input[*i],
            Tree::Constant(_, value) => *value,
            Tree::Op(op, a, b) => ops::bv_op(*op, width, a.run(widths, input), b.run(widths, input)),
            Tree::Add(a, b) => a.run(widths, input).wrapping_add(b.run(widths, input)),
            Tree::Sub(a, b) => a.run(widths, input).wrapping_sub(b.run(widths, input)),
            Tree::Extract(_, low, a) => a.run(widths, input) >> low,
            Tree::Concat(a, b) => a.run(widths, input) << b.width(widths) | b.run(widths, input),
            Tree::Zero(_, a) => a.run(widths, input),
            Tree::Sign(_, a) => signed(a.width(widths), a.run(widths, input)) as u64,
            Tree::Flag(_, test) => u64::from(test.run(widths, input)),
            Tree::Ite(test, a, b) => {
                if test.run(widths, input) {
                    a.run(widths, input)
                } else {
                    b.run(widths, input)
                }
            }
        };
        value & mask(width)
    }
}

impl Test {
    fn build(&self, terms: &mut Terms, symbols: &[Term]) -> Term {
        match self {
            Test::Order(order, a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.bv_order(*order, a, b)
            }
            Test::Eq(a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.eq(a, b)
            }
            Test::Not(a) => {
                let a = a.build(terms, symbols);
                terms.not(a)
            }
            Test::And(a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.and2(a, b)
            }
            Test::Or(a, b) => {
                let (a, b) = (a.build(terms, symbols), b.build(terms, symbols));
                terms.or2(a, b)
            }
            Test::NonZero(a) => {
                let a = a.build(terms, symbols);
                terms.bv_to_bool(a)
            }
        }
    }

    fn run(&self, widths: &[u8], input: &[u64]) -> bool {
        match self {
            Test::Order(order, a, b) => {
                ops::bv_order(*order, a.width(widths), a.run(widths, input), b.run(widths, input))
            }
            Test::Eq(a, b) => a.run(widths, input) == b.run(widths, input),
            Test::Not(a) => !a.run(widths, input),
            Test::And(a, b) => a.run(widths, input) && b.run(widths, input),
            Test::Or(a, b) => a.run(widths, input) || b.run(widths, input),
            Test::NonZero(a) => a.run(widths, input) != 0,
        }
    }
}

fn model(terms: &Terms, symbols: &[Term], input: &[u64]) -> Model {
    let mut model = Model::new();
    for (term, value) in symbols.iter().zip(input) {
        model.set(terms.as_symbol(*term).unwrap(), Value::Bv(*value));
    }
    model
}

/// Builds `count` random tests in one arena and compares simplified terms, intervals and integer translations with the
/// reference on all inputs. Returns how many translations were exact.
fn check(setting: &Setting, seed: u64, count: usize, depth: u32) -> usize {
    let mut random = Random(seed);
    let mut terms = Terms::new();
    let mut integers = Integers::new();
    let symbols = setting.symbols(&mut terms);
    let inputs = setting.inputs();
    let mut exact = 0;
    for _ in 0..count {
        let test = setting.test(&mut random, depth);
        let term = test.build(&mut terms, &symbols);
        let translated = integers.translate(&mut terms, term);
        exact += usize::from(translated.is_some());
        let below = terms.post_order(&[term], |_| false);
        for input in &inputs {
            let evaluation = Evaluation::new(model(&terms, &symbols, input));
            let expected = test.run(&setting.widths, input);
            assert_eq!(evaluation.holds(&terms, term), expected, "input {input:?}: {:?}", terms.node(term));
            for &part in &below {
                if let (Sort::Bv(width), Some(Value::Bv(value))) =
                    (terms.sort(part), evaluation.value(&terms, part))
                {
                    let interval = terms.interval(part);
                    let number = signed(width, value);
                    assert!(
                        interval.umin <= value && value <= interval.umax,
                        "unsigned {interval:?} has no {value}"
                    );
                    assert!(
                        interval.smin <= number && number <= interval.smax,
                        "signed {interval:?} has no {number}"
                    );
                }
            }
            if let Some(translated) = translated {
                let mut image = Model::new();
                for (index, (term, value)) in symbols.iter().zip(input).enumerate() {
                    if let Some(integer) = integers.integer_symbol(terms.as_symbol(*term).unwrap()) {
                        let (low, _) = terms.symbol_info(integer).range.unwrap();
                        let width = setting.widths[index];
                        let number =
                            if low < 0 { i128::from(signed(width, *value)) } else { i128::from(*value) };
                        image.set(integer, Value::Num(Rational::whole(number)));
                    }
                }
                let evaluation = Evaluation::new(image);
                assert_eq!(evaluation.holds(&terms, translated), expected, "integers, input {input:?}");
            }
        }
    }
    exact
}

#[test]
fn simplified_terms_equal_the_reference_on_all_inputs() {
    let setting = Setting { widths: vec![3, 3, 5], ranges: vec![None; 3], arithmetic_only: false };
    for seed in 0..6 {
        check(&setting, seed, 40, 4);
    }
}

#[test]
fn integers_equal_bit_vectors_on_all_inputs() {
    let ranges = vec![Some((-3, 3)), Some((0, 6)), None, Some((-4, 3))];
    let setting = Setting { widths: vec![5, 5, 3, 3], ranges, arithmetic_only: true };
    let exact: usize = (100..106).map(|seed| check(&setting, seed, 30, 3)).sum();
    assert!(exact > 120, "most arithmetic conditions translate: {exact} of 180");
}

#[test]
fn substitution_by_constants_is_evaluation() {
    let setting = Setting { widths: vec![3, 4], ranges: vec![None; 2], arithmetic_only: false };
    let mut random = Random(7);
    let mut terms = Terms::new();
    let symbols = setting.symbols(&mut terms);
    for _ in 0..100 {
        let test = setting.test(&mut random, 4);
        let term = test.build(&mut terms, &symbols);
        for input in setting.inputs() {
            let constants: Vec<Term> =
                input.iter().zip(&setting.widths).map(|(value, width)| terms.bv(*width, *value)).collect();
            let mut replacements = symbols.iter().copied().zip(constants).collect();
            let replaced = terms.substitute(term, &mut replacements);
            assert_eq!(terms.as_bool(replaced), Some(test.run(&setting.widths, &input)));
        }
    }
}

#[test]
fn remainders_and_cut_sums_are_what_they_are() {
    let value = |terms: &Terms, evaluation: &Evaluation, term: Term| {
        evaluation.value(terms, term).and_then(|value| value.as_bits()).unwrap()
    };
    for by in [2, 3, 7, 10] {
        for (factor, offset) in [(1, 0), (1, 48), (63, 9), (3, 61)] {
            let mut terms = Terms::new();
            let (x, y) =
                (terms.symbol("x", Sort::Bv(6), None), terms.symbol("y", Sort::Bv(4), Some((-8, 7))));
            let shifted = terms.bv(6, 5);
            let shifted = terms.bv_add(x, shifted);
            let mut remainders = Vec::new();
            for divided in [x, shifted] {
                let constant = terms.bv(6, by);
                let quotient = terms.bv_op(BvOp::Udiv, divided, constant);
                let back = terms.bv_scale(quotient, by);
                let remainder = terms.bv_sub(divided, back);
                let remainder = terms.bv_scale(remainder, factor);
                let constant = terms.bv(6, offset);
                remainders.push(terms.bv_add(remainder, constant));
            }
            // Quotients by powers of two are cuts.
            let is_tight = terms.interval(remainders[1]).umax < offset + by;
            assert!(is_tight || factor != 1 || by == 2, "{by} {offset}");
            let wide = terms.sign_extend(6, y);
            let turned = terms.bv_scale(wide, 63);
            let sum = terms.bv_add(turned, shifted);
            let only = terms.bv(6, offset);
            let only = terms.bv_add(turned, only);
            let cuts = [terms.extract(3, 0, sum), terms.extract(3, 0, only)];
            for (a, b) in (0..64).flat_map(|a| (0..16).map(move |b| (a, b))) {
                let mut model = Model::new();
                model.set(terms.as_symbol(x).unwrap(), Value::Bv(a));
                model.set(terms.as_symbol(y).unwrap(), Value::Bv(b));
                let evaluation = Evaluation::new(model);
                for (remainder, divided) in remainders.iter().zip([a, (a + 5) % 64]) {
                    let expected = (divided % by * factor + offset) % 64;
                    assert_eq!(value(&terms, &evaluation, *remainder), expected);
                    let interval = terms.interval(*remainder);
                    assert!(
                        interval.umin <= expected && expected <= interval.umax,
                        "{interval:?} {expected}"
                    );
                    let number = signed(6, expected);
                    assert!(interval.smin <= number && number <= interval.smax, "{interval:?} {number}");
                }
                let turned = 64 + 64 - signed(4, b).rem_euclid(64) as u64;
                assert_eq!(value(&terms, &evaluation, cuts[0]), (turned + a + 5) % 16);
                assert_eq!(value(&terms, &evaluation, cuts[1]), (turned + offset) % 16);
            }
        }
    }
}
