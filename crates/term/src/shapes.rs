//! Facts about shapes: what compiled code builds must come back as what the programmer wrote.

use crate::*;

fn symbol(terms: &mut Terms, name: &str, width: u8) -> Term {
    terms.symbol(name, Sort::Bv(width), None)
}

/// Stores a term as bytes and loads it again.
fn through_memory(terms: &mut Terms, term: Term) -> Term {
    let bytes = terms.width(term) / 8;
    let stored: Vec<Term> = (0..bytes).map(|i| terms.extract(8 * i + 7, 8 * i, term)).collect();
    stored[1..].iter().fold(stored[0], |low, &high| terms.concat(high, low))
}

#[test]
fn a_stored_number_is_loaded_as_itself() {
    let mut terms = Terms::new();
    let (x, y, c) = (symbol(&mut terms, "x", 32), symbol(&mut terms, "y", 32), symbol(&mut terms, "c", 8));
    let zero = terms.bv(32, 0);
    let less = terms.slt(x, y);
    let wide_sign = terms.sign_extend(64, x);
    let cases = [
        x,
        terms.bv_add(x, y),
        terms.bool_to_bv(less, 32),
        terms.zero_extend(32, c),
        terms.sign_extend(32, c),
        terms.ite(less, x, zero),
        wide_sign,
        terms.bv_mul(x, y),
    ];
    for term in cases {
        assert_eq!(through_memory(&mut terms, term), term, "{:?}", terms.node(term));
    }
    let sum = terms.zero_extend(32, c);
    let one = terms.bv(32, 1);
    let next = terms.bv_add(sum, one);
    assert_eq!(through_memory(&mut terms, next), next);
}

#[test]
fn a_comparison_stored_as_a_number_and_tested_again_is_the_comparison() {
    let mut terms = Terms::new();
    let (x, y) = (symbol(&mut terms, "x", 32), symbol(&mut terms, "y", 32));
    let less = terms.slt(x, y);
    let flag = terms.bool_to_bv(less, 32);
    assert_eq!(terms.bv_to_bool(flag), less);
    let zero = terms.bv(32, 0);
    let negated = terms.eq(flag, zero);
    assert_eq!(negated, terms.not(less));
    assert_eq!(negated, terms.sle(y, x));
    let one = terms.bv(32, 1);
    let masked = terms.bv_op(BvOp::And, flag, one);
    assert_eq!(masked, flag);
    let flipped = terms.bv_op(BvOp::Xor, flag, one);
    assert_eq!(terms.bv_to_bool(flipped), negated);
    let byte = terms.extract(7, 0, flag);
    let widened = terms.zero_extend(32, byte);
    assert_eq!(widened, flag);
}

#[test]
fn sums_are_equal_in_any_order() {
    let mut terms = Terms::new();
    let (x, y, z) = (symbol(&mut terms, "x", 32), symbol(&mut terms, "y", 32), symbol(&mut terms, "z", 32));
    let xy = terms.bv_add(x, y);
    let left = terms.bv_add(xy, z);
    let zy = terms.bv_add(z, y);
    let right = terms.bv_add(zy, x);
    assert_eq!(left, right);
    let back = terms.bv_sub(left, zy);
    assert_eq!(back, x);
    let square = terms.bv_mul(xy, xy);
    let xx = terms.bv_mul(x, x);
    let yy = terms.bv_mul(y, y);
    let cross = terms.bv_mul(y, x);
    let twice = terms.bv_scale(cross, 2);
    let expanded = terms.bv_add(xx, yy);
    assert_eq!(terms.bv_add(expanded, twice), square);
}

#[test]
fn a_range_check_by_subtraction_is_two_comparisons() {
    let mut terms = Terms::new();
    let x = symbol(&mut terms, "x", 32);
    let first = terms.bv(32, u64::from(b'0'));
    let shifted = terms.bv_sub(x, first);
    let ten = terms.bv(32, 10);
    let check = terms.ult(shifted, ten);
    let last = terms.bv(32, u64::from(b'9'));
    let above = terms.sle(first, x);
    let below = terms.sle(x, last);
    assert_eq!(check, terms.and2(above, below));
}

#[test]
fn declared_ranges_decide_comparisons() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bv(32), Some((-1000, 1000)));
    let limit = terms.bv(32, 2000);
    let below = terms.slt(x, limit);
    assert_eq!(terms.as_bool(below), Some(true));
    let double = terms.bv_add(x, x);
    let equal = terms.slt(limit, double);
    assert_eq!(terms.as_bool(equal), Some(false));
}

#[test]
fn accumulators_stay_linear_in_size() {
    let mut terms = Terms::new();
    let mut sum = terms.bv(32, 0);
    for i in 0..500 {
        let x = symbol(&mut terms, &format!("x{i}"), 32);
        sum = terms.bv_add(sum, x);
    }
    let sizes: usize = terms
        .post_order(&[sum], |_| false)
        .into_iter()
        .map(|term| if let Node::BvSum(sum) = terms.node(term) { sum.parts.len() } else { 1 })
        .sum();
    assert!(sizes < 2000, "{sizes}");
}
