//! The rules that an arena uses which does not simplify ([`Terms::plain`](crate::Terms::plain)), each with its lemma.
//!
//! Without them no condition of a branch would be the comparison that the program wrote: WebAssembly stores every truth value as a number and tests it again.

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// `not (not a)` is `a`.
    DoubleNegation,
    /// `not (a < b)` is `b ≤ a`, and so on for the four orders of bit-vectors.
    NegatedOrder,
    /// A truth value that is stored as 1 or 0 and compared with one of them is the truth value; bitwise operators of two such are those of the truth values.
    StoredTruth,
    /// The float of the bits of a float is the float.
    BitsOfFloat,
}

impl Rule {
    /// All of them.
    pub const ALL: [Rule; 4] =
        [Rule::DoubleNegation, Rule::NegatedOrder, Rule::StoredTruth, Rule::BitsOfFloat];

    /// Its name in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Rule::DoubleNegation => "double-negation",
            Rule::NegatedOrder => "negated-order",
            Rule::StoredTruth => "stored-truth",
            Rule::BitsOfFloat => "bits-of-a-float",
        }
    }

    /// The lemmas of the rule as SMT-LIB texts, one for each width or sort that it is used for: each must be unsatisfiable.
    pub fn lemmas(self) -> Vec<String> {
        let widths = [8, 16, 32, 64];
        let query = |declared: String, never: &str| {
            format!("(set-logic ALL)\n{declared}\n(assert {never})\n(check-sat)\n")
        };
        match self {
            Rule::DoubleNegation => {
                vec![query("(declare-const a Bool)".to_owned(), "(not (= (not (not a)) a))")]
            }
            Rule::NegatedOrder => widths
                .into_iter()
                .map(|width| {
                    let sort = format!("(_ BitVec {width})");
                    let orders = [("bvult", "bvule"), ("bvule", "bvult"), ("bvslt", "bvsle"), ("bvsle", "bvslt")];
                    let differ = orders.map(|(order, turned)| format!("(not (= (not ({order} a b)) ({turned} b a)))"));
                    query(format!("(declare-const a {sort})(declare-const b {sort})"), &format!("(or {})", differ.join(" ")))
                })
                .collect(),
            Rule::StoredTruth => widths
                .into_iter()
                .map(|width| {
                    let number = |value: u8| format!("(_ bv{value} {width})");
                    let stored = |truth: &str| format!("(ite {truth} {} {})", number(1), number(0));
                    let turned = |truth: &str| format!("(ite {truth} {} {})", number(0), number(1));
                    let mut differ = vec![
                        format!("(not (= (= {} {}) a))", stored("a"), number(1)),
                        format!("(not (= (= {} {}) (not a)))", stored("a"), number(0)),
                        format!("(not (= {} {}))", turned("a"), stored("(not a)")),
                        format!("(not (= {} {}))", number(1), stored("true")),
                        format!("(not (= {} {}))", number(0), stored("false")),
                    ];
                    for (bits, truth) in [("bvand", "and"), ("bvor", "or"), ("bvxor", "xor")] {
                        let (left, right) = (stored("a"), stored("b"));
                        let both = stored(&format!("({truth} a b)"));
                        differ.push(format!("(not (= ({bits} {left} {right}) {both}))"));
                    }
                    query("(declare-const a Bool)(declare-const b Bool)".to_owned(), &format!("(or {})", differ.join(" ")))
                })
                .collect(),
            Rule::BitsOfFloat => [("8 24", 32, "#x7fc00000"), ("11 53", 64, "#x7ff8000000000000")]
                .into_iter()
                .map(|(size, width, nan)| {
                    // The bits of a float are a vector of which this is asserted: see `Printer::side_conditions`.
                    let declared = format!("(declare-const x (_ FloatingPoint {size}))(declare-const bits (_ BitVec {width}))\n(assert (ite (fp.isNaN x) (= bits {nan}) (= ((_ to_fp {size}) bits) x)))");
                    query(declared, &format!("(not (= ((_ to_fp {size}) bits) x))"))
                })
                .collect(),
        }
    }
}

/// That the operators of bit-vectors mean what [`Integers`](crate::Integers) takes them for, at one width: an SMT-LIB text that must be unsatisfiable.
pub fn meanings(width: u8) -> String {
    let modulus = 1u128 << width;
    let half = modulus / 2;
    let number = |term: &str| format!("(bv2nat {term})");
    let signed = |term: &str| {
        format!("(ite (< (bv2nat {term}) {half}) (bv2nat {term}) (- (bv2nat {term}) {modulus}))")
    };
    let (x, y, ten) = (number("x"), number("y"), format!("(_ bv10 {width})"));
    let sx = signed("x");
    let facts = [
        format!("(= (bv2nat (bvadd x y)) (mod (+ {x} {y}) {modulus}))"),
        format!("(= (bv2nat (bvsub x y)) (mod (- {x} {y}) {modulus}))"),
        format!("(= (bv2nat (bvmul {ten} x)) (mod (* 10 {x}) {modulus}))"),
        format!("(= (bv2nat (bvmul x y)) (mod (* {x} {y}) {modulus}))"),
        format!("(= (bvult x y) (< {x} {y}))"),
        format!("(= (bvule x y) (<= {x} {y}))"),
        format!("(= (bvslt x y) (< {sx} {}))", signed("y")),
        format!("(= (bvsle x y) (<= {sx} {}))", signed("y")),
        format!("(= (= x y) (= {x} {y}))"),
        format!("(= (bv2nat (bvudiv x {ten})) (div {x} 10))"),
        format!("(= (bv2nat (bvurem x {ten})) (mod {x} 10))"),
        format!(
            "(= {} (ite (< {sx} 0) (- (div (- {sx}) 10)) (div {sx} 10)))",
            signed(&format!("(bvsdiv x {ten})"))
        ),
        format!(
            "(= {} (- {sx} (* 10 {})))",
            signed(&format!("(bvsrem x {ten})")),
            signed(&format!("(bvsdiv x {ten})"))
        ),
        format!("(= (bv2nat ((_ zero_extend 8) x)) {x})"),
        format!("(= (bv2nat ((_ extract 3 0) x)) (mod {x} 16))"),
        format!("(= (bv2nat ((_ extract {} 4) x)) (div {x} 16))", width - 1),
    ];
    let wrong: Vec<String> = facts.iter().map(|fact| format!("(not {fact})")).collect();
    let sort = format!("(_ BitVec {width})");
    format!(
        "(set-logic ALL)\n(declare-const x {sort})\n(declare-const y {sort})\n(assert (or {}))\n(check-sat)\n",
        wrong.join(" ")
    )
}
