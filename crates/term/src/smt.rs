//! SMT-LIB 2 text of terms. Parts that are long get a name once, so that the text stays linear in the number of terms.

use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::node::{BvOp, BvOrder, FloatBinary, FloatOrder, FloatUnary, Function, Node, Symbol, Term};
use crate::sort::{Rational, Sort, mask, signed};
use crate::terms::Terms;

/// Longer expressions are defined once and referred to by name.
const INLINE: usize = 48;

/// What was already declared and defined in one dialogue with a solver.
#[derive(Debug, Default)]
pub struct Printer {
    references: FxHashMap<Term, Rc<str>>,
    declared: FxHashMap<Symbol, ()>,
    functions: FxHashMap<Function, ()>,
}

impl Printer {
    /// A dialogue in which nothing was said yet.
    pub fn new() -> Self {
        Printer::default()
    }

    /// The expression of `root`. Declarations and definitions that it needs for the first time are appended to `out`; they
    /// must be global (`:global-declarations`) or stand outside of any push.
    pub fn expression(&mut self, terms: &Terms, root: Term, out: &mut String) -> Rc<str> {
        if let Some(known) = self.references.get(&root) {
            return known.clone();
        }
        for term in terms.post_order(&[root], |term| self.references.contains_key(&term)) {
            self.declare(terms, term, out);
            let text = self.text(terms, term);
            let reference = if text.len() > INLINE && term != root {
                let _ =
                    writeln!(out, "(define-fun ${} () {} {text})", term.index(), sort_name(terms.sort(term)));
                format!("${}", term.index())
            } else {
                text
            };
            self.references.insert(term, reference.into());
        }
        self.references[&root].clone()
    }

    /// How many terms this dialogue has named or printed.
    pub fn len(&self) -> usize {
        self.references.len()
    }

    /// Whether nothing was printed yet.
    pub fn is_empty(&self) -> bool {
        self.references.is_empty()
    }

    fn declare(&mut self, terms: &Terms, term: Term, out: &mut String) {
        match terms.node(term) {
            Node::Symbol(symbol) if self.declared.insert(*symbol, ()).is_none() => {
                let info = terms.symbol_info(*symbol);
                let _ = writeln!(out, "(declare-const {} {})", quoted(&info.name), sort_name(info.sort));
            }
            Node::Apply(function, _) if self.functions.insert(*function, ()).is_none() => {
                let info = terms.function_info(*function);
                let arguments: Vec<String> = info.arguments.iter().map(|sort| sort_name(*sort)).collect();
                let (name, arguments) = (quoted_function(&info.name), arguments.join(" "));
                let _ = writeln!(out, "(declare-fun {name} ({arguments}) {})", sort_name(info.result));
            }
            Node::FloatToBits(_) => {
                let _ =
                    writeln!(out, "(declare-const $bits{} {})", term.index(), sort_name(terms.sort(term)));
            }
            _ => {}
        }
    }

    fn text(&self, terms: &Terms, term: Term) -> String {
        let r = |part: &Term| &*self.references[part];
        let many = |name: &str, parts: &[Term]| {
            let mut text = format!("({name}");
            parts.iter().for_each(|part| text.extend([" ", r(part)]));
            text + ")"
        };
        let sort = terms.sort(term);
        match terms.node(term) {
            Node::Symbol(symbol) => quoted(&terms.symbol_info(*symbol).name),
            Node::Bool(value) => value.to_string(),
            Node::Bv(width, value) => bits(*width, *value),
            Node::Num(sort, value) => number(*sort, **value),
            Node::Float(sort, value) => float(*sort, *value),
            Node::Not(part) => format!("(not {})", r(part)),
            Node::And(parts) => many("and", parts),
            Node::Or(parts) => many("or", parts),
            Node::Eq(left, right) => format!("(= {} {})", r(left), r(right)),
            Node::Ite(condition, then, other) => format!("(ite {} {} {})", r(condition), r(then), r(other)),
            Node::BvSum(sum) => {
                let width = sort.width();
                let mut added = Vec::new();
                let mut taken = Vec::new();
                if sum.constant != 0 {
                    added.push(bits(width, sum.constant));
                }
                for (part, factor) in &sum.parts {
                    let minus = signed(width, *factor) < 0 && *factor != 1 << (width - 1);
                    let size = if minus { factor.wrapping_neg() & mask(width) } else { *factor };
                    let text = if size == 1 {
                        r(part).to_owned()
                    } else {
                        format!("(bvmul {} {})", bits(width, size), r(part))
                    };
                    if minus { taken.push(text) } else { added.push(text) }
                }
                let mut text = match added.len() {
                    0 => bits(width, 0),
                    1 => added.remove(0),
                    _ => format!("(bvadd {})", added.join(" ")),
                };
                for part in taken {
                    text = format!("(bvsub {text} {part})");
                }
                text
            }
            Node::BvOp(op, left, right) => match narrow(terms, *op, *left, *right) {
                None => format!("({} {} {})", bv_op_name(*op), r(left), r(right)),
                Some(width) => {
                    let part = |part: &str| format!("((_ extract {} 0) {part})", width - 1);
                    let (left, right) = (part(r(left)), part(r(right)));
                    let more = sort.width() - width;
                    format!("((_ sign_extend {more}) ({} {left} {right}))", bv_op_name(*op))
                }
            },
            Node::BvOrder(order, left, right) => {
                let name = match order {
                    BvOrder::Ult => "bvult",
                    BvOrder::Ule => "bvule",
                    BvOrder::Slt => "bvslt",
                    BvOrder::Sle => "bvsle",
                };
                format!("({name} {} {})", r(left), r(right))
            }
            Node::Extract(high, low, part) => format!("((_ extract {high} {low}) {})", r(part)),
            Node::Concat(high, low) => format!("(concat {} {})", r(high), r(low)),
            Node::ZeroExtend(width, part) => {
                format!("((_ zero_extend {}) {})", width - terms.width(*part), r(part))
            }
            Node::SignExtend(width, part) => {
                format!("((_ sign_extend {}) {})", width - terms.width(*part), r(part))
            }
            Node::NumSum(sum) => {
                let mut parts = Vec::new();
                for (part, factor) in &sum.parts {
                    parts.push(match *factor {
                        Rational::ONE => r(part).to_owned(),
                        factor if factor == Rational::ONE.negated() => format!("(- {})", r(part)),
                        factor => format!("(* {} {})", number(sort, factor), r(part)),
                    });
                }
                if sum.constant.signum() != 0 {
                    parts.push(number(sort, sum.constant));
                }
                if parts.len() == 1 { parts.remove(0) } else { format!("(+ {})", parts.join(" ")) }
            }
            Node::NumMul(left, right) => format!("(* {} {})", r(left), r(right)),
            Node::RealDiv(left, right) => format!("(/ {} {})", r(left), r(right)),
            Node::IntDiv(left, right) => format!("(div {} {})", r(left), r(right)),
            Node::IntMod(left, right) => format!("(mod {} {})", r(left), r(right)),
            Node::NumLe(left, right) => format!("(<= {} {})", r(left), r(right)),
            Node::NumLt(left, right) => format!("(< {} {})", r(left), r(right)),
            Node::ToReal(part) => format!("(to_real {})", r(part)),
            Node::FloatUnary(op, part) => match op {
                FloatUnary::Abs => format!("(fp.abs {})", r(part)),
                FloatUnary::Neg => format!("(fp.neg {})", r(part)),
                FloatUnary::Sqrt => format!("(fp.sqrt RNE {})", r(part)),
                FloatUnary::Ceil => format!("(fp.roundToIntegral RTP {})", r(part)),
                FloatUnary::Floor => format!("(fp.roundToIntegral RTN {})", r(part)),
                FloatUnary::Trunc => format!("(fp.roundToIntegral RTZ {})", r(part)),
                FloatUnary::Nearest => format!("(fp.roundToIntegral RNE {})", r(part)),
            },
            Node::FloatBinary(op, left, right) => {
                let name = match op {
                    FloatBinary::Add => "fp.add",
                    FloatBinary::Sub => "fp.sub",
                    FloatBinary::Mul => "fp.mul",
                    FloatBinary::Div => "fp.div",
                };
                format!("({name} RNE {} {})", r(left), r(right))
            }
            Node::FloatOrder(order, left, right) => {
                let name = match order {
                    FloatOrder::Eq => "fp.eq",
                    FloatOrder::Lt => "fp.lt",
                    FloatOrder::Le => "fp.leq",
                };
                format!("({name} {} {})", r(left), r(right))
            }
            Node::IsNan(part) => format!("(fp.isNaN {})", r(part)),
            Node::IsNegative(part) => format!("(fp.isNegative {})", r(part)),
            Node::FloatFromBits(part) => format!("((_ to_fp {}) {})", float_size(sort), r(part)),
            Node::FloatToBits(_) => format!("$bits{}", term.index()),
            Node::FloatFromBv(is_signed, to, part) => {
                let name = if *is_signed { "to_fp" } else { "to_fp_unsigned" };
                format!("((_ {name} {}) RNE {})", float_size(*to), r(part))
            }
            Node::FloatToBv(is_signed, width, part) => {
                let name = if *is_signed { "fp.to_sbv" } else { "fp.to_ubv" };
                format!("((_ {name} {width}) RTZ {})", r(part))
            }
            Node::FloatConvert(to, part) => format!("((_ to_fp {}) RNE {})", float_size(*to), r(part)),
            Node::ConstArray(byte) => {
                format!("((as const {}) {})", sort_name(Sort::Array), r(byte))
            }
            Node::Store(array, address, byte) => format!("(store {} {} {})", r(array), r(address), r(byte)),
            Node::Select(array, address) => format!("(select {} {})", r(array), r(address)),
            Node::Apply(function, parts) => {
                many(&quoted_function(&terms.function_info(*function).name), parts)
            }
        }
    }

    /// What must be asserted beside a condition: the meaning of every "bits of a float" below it.
    pub fn side_conditions(&mut self, terms: &Terms, root: Term, out: &mut String) -> Vec<String> {
        let mut conditions = Vec::new();
        for term in terms.post_order(&[root], |_| false) {
            if let Node::FloatToBits(part) = terms.node(term) {
                let value = self.expression(terms, *part, out);
                let bits_name = self.expression(terms, term, out);
                let sort = terms.sort(*part);
                let nan = match sort {
                    Sort::F32 => bits(32, u64::from(crate::terms::CANONICAL_NAN_32)),
                    _ => bits(64, crate::terms::CANONICAL_NAN_64),
                };
                let same = format!("(= ((_ to_fp {}) {bits_name}) {value})", float_size(sort));
                conditions.push(format!("(ite (fp.isNaN {value}) (= {bits_name} {nan}) {same})"));
            }
        }
        conditions
    }
}

/// The width in which a product or quotient is the same number, where that is at most half of its own: circuits of both grow with the square of their width.
/// What the operands may be follows from declared ranges, which are part of every query. Dividing by zero gives the same number in both widths.
fn narrow(terms: &Terms, op: BvOp, left: Term, right: Term) -> Option<u8> {
    if terms.is_plain() {
        return None;
    }
    let (a, b) = (terms.interval(left), terms.interval(right));
    let mut ends = vec![a.smin.into(), a.smax.into(), b.smin.into(), b.smax.into()];
    match op {
        BvOp::Mul => {
            for x in [a.smin, a.smax] {
                ends.extend([b.smin, b.smax].map(|y| i128::from(x) * i128::from(y)));
            }
        }
        BvOp::Udiv | BvOp::Urem if a.smin < 0 || b.smin < 0 => return None,
        BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem => {}
        _ => return None,
    }
    // One bit for the sign, one so that the least number divided by -1 is there too.
    let bits = |number: i128| 130 - if number < 0 { number.leading_ones() } else { number.leading_zeros() };
    let width = ends.into_iter().map(bits).max()?;
    (2 * width <= u32::from(terms.width(left))).then_some(width as u8)
}

/// The declared range of a symbol as a condition.
pub fn range_condition(terms: &Terms, symbol: Symbol) -> Option<String> {
    let info = terms.symbol_info(symbol);
    let (low, high) = info.range?;
    let name = quoted(&info.name);
    match info.sort {
        Sort::Int => {
            let (low, high) =
                (number(Sort::Int, Rational::whole(low)), number(Sort::Int, Rational::whole(high)));
            Some(format!("(and (<= {low} {name}) (<= {name} {high}))"))
        }
        Sort::Bv(width) => {
            let order = if low < 0 { "bvsle" } else { "bvule" };
            let high = high.min(i128::from(mask(width)));
            let (low, high) = (bits(width, low as u64 & mask(width)), bits(width, high as u64 & mask(width)));
            Some(format!("(and ({order} {low} {name}) ({order} {name} {high}))"))
        }
        _ => None,
    }
}

/// A stand-alone SMT-LIB file that asks whether the conditions can hold together.
pub fn script(terms: &Terms, conditions: &[Term], logic: &str, comment: &str) -> String {
    let mut text = String::new();
    for line in comment.lines() {
        let _ = writeln!(text, "; {line}");
    }
    let _ = writeln!(text, "(set-logic {logic})");
    let mut printer = Printer::new();
    let mut asserted = std::collections::BTreeSet::new();
    for &condition in conditions {
        let expression = printer.expression(terms, condition, &mut text);
        for &symbol in terms.free_symbols(condition) {
            if asserted.insert(symbol)
                && let Some(range) = range_condition(terms, symbol)
            {
                let _ = writeln!(text, "(assert {range})");
            }
        }
        let mut definitions = String::new();
        let sides = printer.side_conditions(terms, condition, &mut definitions);
        text.push_str(&definitions);
        for side in sides {
            let _ = writeln!(text, "(assert {side})");
        }
        let _ = writeln!(text, "(assert {expression})");
    }
    text.push_str("(check-sat)\n");
    text
}

/// The SMT-LIB name of a sort.
pub fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        Sort::Int => "Int".to_owned(),
        Sort::Real => "Real".to_owned(),
        Sort::F32 => "(_ FloatingPoint 8 24)".to_owned(),
        Sort::F64 => "(_ FloatingPoint 11 53)".to_owned(),
        Sort::Array => "(Array (_ BitVec 32) (_ BitVec 8))".to_owned(),
    }
}

/// A name as an SMT-LIB symbol. Different names give different symbols, none of which is one that the printer makes for itself (those
/// begin with a dollar) or a function's.
pub fn quoted(name: &str) -> String {
    let mut text = String::from("|");
    for (position, character) in name.chars().enumerate() {
        match character {
            '|' | '\\' | '%' => {
                let _ = write!(text, "%{:x};", u32::from(character));
            }
            '$' if position == 0 => text.push_str("%24;"),
            ' '..='~' => text.push(character),
            _ => {
                let _ = write!(text, "%{:x};", u32::from(character));
            }
        }
    }
    text + "|"
}

/// A function's name as an SMT-LIB symbol.
fn quoted_function(name: &str) -> String {
    format!("|%f:{}", &quoted(name)[1..])
}

fn float_size(sort: Sort) -> &'static str {
    if sort == Sort::F32 { "8 24" } else { "11 53" }
}

fn bits(width: u8, value: u64) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = usize::from(width / 4))
    } else {
        format!("#b{value:0digits$b}", digits = usize::from(width))
    }
}

fn float(sort: Sort, value: u64) -> String {
    let (exponent, fraction) = if sort == Sort::F32 { (8u32, 23u32) } else { (11, 52) };
    let sign = value >> (exponent + fraction) & 1;
    let exponent_bits = value >> fraction & ((1 << exponent) - 1);
    let fraction_bits = value & ((1 << fraction) - 1);
    if exponent_bits == (1 << exponent) - 1 && fraction_bits != 0 {
        return format!("(_ NaN {})", float_size(sort));
    }
    let (exponent, fraction) = (exponent as usize, fraction as usize);
    format!("(fp #b{sign} #b{exponent_bits:0exponent$b} #b{fraction_bits:0fraction$b})")
}

fn number(sort: Sort, value: Rational) -> String {
    let point = if sort == Sort::Real { ".0" } else { "" };
    let size = value.numerator().unsigned_abs();
    let magnitude = match value.denominator() {
        1 => format!("{size}{point}"),
        denominator => format!("(/ {size}{point} {denominator}{point})"),
    };
    if value.signum() < 0 { format!("(- {magnitude})") } else { magnitude }
}

fn bv_op_name(op: BvOp) -> &'static str {
    match op {
        BvOp::Mul => "bvmul",
        BvOp::Udiv => "bvudiv",
        BvOp::Urem => "bvurem",
        BvOp::Sdiv => "bvsdiv",
        BvOp::Srem => "bvsrem",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Shl => "bvshl",
        BvOp::Lshr => "bvlshr",
        BvOp::Ashr => "bvashr",
    }
}
