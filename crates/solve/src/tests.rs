//! The solver against brute force and against the published examples, with real solver processes.

use std::path::Path;
use twinrun_base::Budget;
use twinrun_base::work::{SECOND, spent};

use twinrun_term::{BvOp, Evaluation, FloatBinary, FloatOrder, Model, Rational, Sort, Term, Terms, Value};

use crate::*;

fn program() -> Program {
    Program::find(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("a solver for the tests")
}

fn solver() -> Solver {
    Solver::new(program(), Config::default())
}

fn ints(terms: &mut Terms, count: usize, range: Option<(i128, i128)>) -> Vec<Term> {
    (0..count).map(|i| terms.symbol(&format!("a[{i}]"), Sort::Bv(32), range)).collect()
}

/// MAXSUB with its branches merged.
fn maxsub(terms: &mut Terms, values: &[Term], faulty: bool) -> Term {
    let zero = terms.bv(32, 0);
    let (mut answer, mut count) = (zero, zero);
    for &value in values {
        count = terms.bv_add(count, value);
        if !faulty {
            let negative = terms.slt(count, zero);
            count = terms.ite(negative, zero, count);
        }
        let greater = terms.slt(answer, count);
        answer = terms.ite(greater, count, answer);
    }
    answer
}

fn maxsub_reversed(terms: &mut Terms, n: usize, range: Option<(i128, i128)>, faulty: bool) -> Term {
    let values = ints(terms, n, range);
    let reversed: Vec<Term> = values.iter().rev().copied().collect();
    let source = maxsub(terms, &values, faulty);
    let follow_up = maxsub(terms, &reversed, faulty);
    terms.ne(source, follow_up)
}

#[test]
fn maxsub_is_proved_and_its_fault_is_found_over_integers() {
    let mut terms = Terms::new();
    let mut solver = solver();
    let violated = maxsub_reversed(&mut terms, 6, Some((-1000, 1000)), false);
    assert_eq!(solver.check(&mut terms, &[violated]), Answer::Unsat);
    let violated = maxsub_reversed(&mut terms, 3, Some((-1000, 1000)), true);
    assert!(solver.check(&mut terms, &[violated]).is_sat());
    assert_eq!(solver.counters().by_integers, 2);
}

#[test]
fn full_range_inputs_violate_maxsub_by_overflow() {
    let mut terms = Terms::new();
    let violated = maxsub_reversed(&mut terms, 3, None, false);
    let model = solver().check(&mut terms, &[violated]).model().expect("wraps");
    assert!(Evaluation::new(model).holds(&terms, violated));
}

#[test]
fn a_path_is_asked_incrementally_and_every_model_holds() {
    let mut terms = Terms::new();
    let mut solver = solver();
    let a = ints(&mut terms, 4, Some((-100, 100)));
    let mut path = Vec::new();
    let mut unsat = 0;
    for i in 0..4 {
        for j in 0..4 {
            let less = terms.slt(a[i], a[(i + j) % 4]);
            path.push(less);
            match solver.check(&mut terms, &path) {
                Answer::Sat(model) => {
                    let evaluation = Evaluation::new(model);
                    assert!(path.iter().all(|&condition| evaluation.holds(&terms, condition)));
                }
                Answer::Unsat => {
                    unsat += 1;
                    path.pop();
                }
                Answer::Unknown(reason) => panic!("{reason}"),
            }
        }
    }
    assert!(unsat > 0);
}

#[test]
fn random_queries_agree_with_brute_force_in_both_translations() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bv(5), None);
    let y = terms.symbol("y", Sort::Bv(5), Some((-7, 9)));
    let mut with_integers = solver();
    let mut with_bits = Solver::new(program(), Config { integers: false, models: 0, ..Config::default() });
    let mut seed = 1u64;
    let mut next = |limit: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % limit
    };
    for _ in 0..60 {
        let mut conditions = Vec::new();
        for _ in 0..3 {
            let constant = terms.bv(5, next(32));
            let sum = terms.bv_add(x, constant);
            let product = terms.bv_scale(y, next(4));
            let choice = [sum, product, x, y, constant];
            let (a, b) = (choice[next(5) as usize], choice[next(5) as usize]);
            let op = [BvOp::Urem, BvOp::And, BvOp::Lshr, BvOp::Srem][next(4) as usize];
            let b = if next(2) == 0 { terms.bv_op(op, b, constant) } else { b };
            conditions.push(match next(4) {
                0 => terms.slt(a, b),
                1 => terms.ule(a, b),
                2 => terms.ne(a, b),
                _ => terms.eq(a, b),
            });
        }
        let mut possible = false;
        for value in 0..32 {
            for other in -7i64..=9 {
                let mut model = Model::new();
                model.set(terms.as_symbol(x).unwrap(), Value::Bv(value));
                model.set(terms.as_symbol(y).unwrap(), Value::Bv(other as u64 & 31));
                let evaluation = Evaluation::new(model);
                possible |= conditions.iter().all(|&condition| evaluation.holds(&terms, condition));
            }
        }
        for solver in [&mut with_integers, &mut with_bits] {
            let answer = solver.check(&mut terms, &conditions);
            assert_eq!(answer.is_sat(), possible, "{answer:?}");
            assert_eq!(answer.is_unsat(), !possible, "{answer:?}");
        }
    }
}

#[test]
fn floats_are_solved_bit_precisely() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::F64, None);
    let (tenth, fifth, sum) = (terms.f64(0.1), terms.f64(0.2), terms.f64(0.1 + 0.2));
    let added = terms.float_binary(FloatBinary::Add, x, fifth);
    let equal = terms.float_eq(added, sum);
    let different = terms.float_eq(x, tenth);
    let different = terms.not(different);
    let answer = solver().check(&mut terms, &[equal, different]);
    assert!(answer.is_sat(), "several doubles round to the same sum: {answer:?}");
    let bits = terms.float_to_bits(added);
    let wanted = terms.bv(64, 0x4008_0000_0000_0000);
    let equal = terms.eq(bits, wanted);
    let model = solver().check(&mut terms, &[equal]).model().expect("x + 0.2 = 3.0");
    assert!(Evaluation::new(model).holds(&terms, equal));
    let nan = terms.is_nan(x);
    let less = terms.float_order(FloatOrder::Lt, x, tenth);
    assert_eq!(solver().check(&mut terms, &[nan, less]), Answer::Unsat);
}

#[test]
fn reals_and_functions_are_solved() {
    let mut terms = Terms::new();
    let f = terms.function("f", &[Sort::Real], Sort::Real);
    let x = terms.symbol("x", Sort::Real, None);
    let y = terms.symbol("y", Sort::Real, None);
    let (fx, fy) = (terms.apply(f, &[x]), terms.apply(f, &[y]));
    let same = terms.eq(x, y);
    let different = terms.ne(fx, fy);
    assert_eq!(solver().check(&mut terms, &[same, different]), Answer::Unsat);
    let half = terms.real(Rational::new(1, 2).unwrap());
    let shifted = terms.num_add(fy, half);
    let apart = terms.eq(fx, shifted);
    let model = solver().check(&mut terms, &[apart]).model().expect("possible");
    assert!(Evaluation::new(model).holds(&terms, apart));
}

#[test]
fn arrays_are_solved() {
    let mut terms = Terms::new();
    let array = terms.symbol("m", Sort::Array, None);
    let i = terms.symbol("i", Sort::Bv(32), Some((0, 9)));
    let (seven, eight) = (terms.bv(8, 7), terms.bv(8, 8));
    let two = terms.bv(32, 2);
    let stored = terms.store(array, two, seven);
    let read = terms.select(stored, i);
    let equal = terms.eq(read, eight);
    let model = solver().check(&mut terms, &[equal]).model().expect("possible");
    assert!(Evaluation::new(model).holds(&terms, equal));
}

#[test]
fn a_core_leaves_out_what_is_not_needed() {
    let mut terms = Terms::new();
    let a = ints(&mut terms, 3, Some((-10, 10)));
    let first = terms.slt(a[0], a[1]);
    let idle = terms.slt(a[1], a[2]);
    let second = terms.slt(a[1], a[0]);
    let mut solver = solver();
    assert_eq!(solver.core(&mut terms, &[first, idle, second]), Some(vec![0, 2]));
    let further = terms.slt(a[2], a[0]);
    assert_eq!(solver.check(&mut terms, &[first, further, second]), Answer::Unsat);
    assert_eq!(solver.counters().by_core, 1);
}

#[test]
fn a_small_witness_has_small_numbers() {
    let mut terms = Terms::new();
    let a = ints(&mut terms, 3, None);
    let sum = terms.bv_add(a[0], a[1]);
    let seven = terms.bv(32, 7);
    let condition = terms.slt(seven, sum);
    let order = terms.slt(a[2], a[0]);
    let mut solver = solver();
    let model = solver.small_witness(&mut terms, &[condition, order]).model().expect("possible");
    for (_, value) in model.iter() {
        let number = value.as_bits().unwrap() as i32;
        assert!(number.abs() <= 4, "{model:?}");
    }
    assert!(solver.counters().queries < 60);
}

#[test]
fn a_hard_query_ends_at_its_limit_and_the_next_one_is_answered() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bv(64), None);
    let y = terms.symbol("y", Sort::Bv(64), None);
    // Factors of a prime, bounded so that nothing wraps: no lucky model can end the search early.
    let product = terms.bv_mul(x, y);
    let prime = terms.bv(64, (1 << 61) - 1);
    let bound = terms.bv(64, 1 << 32);
    let one = terms.bv(64, 1);
    let mut conditions = vec![terms.eq(product, prime)];
    for factor in [x, y] {
        conditions.push(terms.ult(factor, bound));
        conditions.push(terms.ult(one, factor));
    }
    let mut solver = Solver::new(program(), Config { query_limit: SECOND / 3, ..Config::default() });
    let before = spent();
    assert_eq!(solver.check(&mut terms, &conditions), Answer::Unknown(Reason::Limit));
    let cost = spent() - before;
    assert!(cost > SECOND / 30 && cost < 2 * SECOND, "a limit that does not hold: {cost}");
    solver.config_mut().query_limit = 60 * SECOND;
    let easy = terms.ult(x, y);
    assert!(solver.check(&mut terms, &[easy]).is_sat());
    solver.config_mut().budget = Some(Budget::of(0));
    let other = terms.ult(y, x);
    assert_eq!(solver.check(&mut terms, &[other]), Answer::Unknown(Reason::Spent));
}

#[test]
fn what_a_query_costs_and_answers_is_the_same_again() {
    let ask = || {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bv(32), None);
        let y = terms.symbol("y", Sort::Bv(32), None);
        let product = terms.bv_mul(x, y);
        let wanted = terms.bv(32, 0x1234_5679);
        let one = terms.bv(32, 1);
        let conditions = [terms.eq(product, wanted), terms.ult(one, x), terms.ult(x, y)];
        let mut solver = Solver::new(program(), Config::default());
        let before = spent();
        let answer = solver.check(&mut terms, &conditions);
        (answer, spent() - before)
    };
    let (answer, cost) = ask();
    assert!(answer.is_sat());
    assert!(cost > twinrun_base::work::price::QUERY);
    assert_eq!(ask(), (answer, cost));
}

#[test]
fn a_cut_ends_a_query_that_runs() {
    let mut terms = Terms::new();
    // The product of two primes of 31 bits, to be taken apart.
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bv(64), None));
    let product = terms.bv_mul(x, y);
    let number = terms.bv(64, 2_147_483_647 * 2_147_483_629);
    let (one, limit) = (terms.bv(64, 1), terms.bv(64, 1 << 32));
    let conditions = [terms.eq(product, number), terms.ult(one, x), terms.ult(x, y), terms.ult(y, limit)];
    let mut solver =
        Solver::new(program(), Config { query_limit: u64::MAX, integers: false, ..Config::default() });
    let cut = twinrun_base::Cut::new(Some(std::time::Duration::from_millis(300)));
    let answer = twinrun_base::cut::within(Some(cut), || solver.check(&mut terms, &conditions));
    assert_eq!(answer, Answer::Unknown(Reason::Spent));
}

#[test]
fn a_solver_that_dies_is_an_unknown_answer() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bool, None);
    let dead = Program { path: "/bin/false".into(), ..program() };
    let answer = Solver::new(dead, Config::default()).check(&mut terms, &[x]);
    assert!(matches!(answer, Answer::Unknown(Reason::Died(_))), "{answer:?}");
}

#[test]
fn every_installed_solver_gives_the_same_answers() {
    let all = Program::all(Path::new(env!("CARGO_MANIFEST_DIR")));
    assert!(!all.is_empty());
    for program in all {
        let mut terms = Terms::new();
        let mut solver = Solver::new(
            program.clone(),
            Config { integers: program.kind != Kind::Bitwuzla, ..Config::default() },
        );
        let violated = maxsub_reversed(&mut terms, 3, Some((-50, 50)), false);
        assert_eq!(solver.check(&mut terms, &[violated]), Answer::Unsat, "{program:?}");
        let violated = maxsub_reversed(&mut terms, 3, Some((-50, 50)), true);
        assert!(solver.check(&mut terms, &[violated]).is_sat(), "{program:?}");
        let x = terms.symbol("x", Sort::Bv(32), None);
        let two = terms.bv(32, 2);
        let odd = terms.bv_op(BvOp::Urem, x, two);
        let square = terms.bv_mul(odd, odd);
        let one = terms.bv(32, 1);
        let strange = terms.ult(one, square);
        assert_eq!(solver.check(&mut terms, &[strange]), Answer::Unsat, "{program:?}");
    }
}

#[test]
fn a_dumped_obligation_stands_alone() {
    let mut terms = Terms::new();
    let violated = maxsub_reversed(&mut terms, 3, Some((-50, 50)), false);
    let text =
        twinrun_term::smt::script(&terms, &[violated], logic(&terms, &[violated]), "MAXSUB reversed, n = 3");
    assert!(text.starts_with("; MAXSUB"));
    let folder = std::env::temp_dir().join(format!("twinrun-script-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("obligation.smt2");
    std::fs::write(&file, text).unwrap();
    let output = std::process::Command::new(program().path).arg(&file).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "unsat");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn products_and_quotients_of_small_numbers_are_the_same_in_fewer_bits() {
    let mut terms = Terms::new();
    let mut solver = solver();
    for (low, high) in [(-9, 7), (0, 11)] {
        let a = terms.symbol(&format!("a{low}"), Sort::Bv(32), Some((low, high)));
        let b = terms.symbol(&format!("b{low}"), Sort::Bv(32), Some((low, high)));
        for op in [BvOp::Mul, BvOp::Udiv, BvOp::Urem, BvOp::Sdiv, BvOp::Srem] {
            let result = terms.bv_op(op, a, b);
            let mut wrong = Vec::new();
            for (x, y) in (low..=high).flat_map(|x| (low..=high).map(move |y| (x, y))) {
                let (left, right) =
                    (terms.bv(32, x as u64 & 0xffff_ffff), terms.bv(32, y as u64 & 0xffff_ffff));
                let expected = terms.bv_op(op, left, right);
                let parts = [terms.eq(a, left), terms.eq(b, right), terms.ne(result, expected)];
                wrong.push(terms.and(&parts));
            }
            let some = terms.or(&wrong);
            assert_eq!(solver.check(&mut terms, &[some]), Answer::Unsat, "{op:?} {low}");
        }
    }
}

/// Queries of every kind that paths ask, each with what it costs: linear and other sums over integers, products in bits, floats, arrays, reals with functions.
fn all_kinds(fresh: bool) -> Vec<(String, u64)> {
    let mut told = Vec::new();
    let mut tell = |terms: &mut Terms, conditions: &[Term], integers: bool| {
        if fresh {
            spare::clear();
        }
        let mut solver =
            Solver::new(program(), Config { integers, query_limit: 3 * SECOND, ..Config::default() });
        let before = spent();
        for count in 1..=conditions.len() {
            let answer = solver.check(terms, &conditions[..count]);
            told.push((format!("{answer:?}"), spent() - before));
        }
    };
    for (faulty, integers) in [(false, true), (true, true), (false, false), (true, false)] {
        let mut terms = Terms::new();
        let violated = maxsub_reversed(&mut terms, 3, Some((-20, 20)), faulty);
        let a = ints(&mut terms, 3, Some((-20, 20)));
        let order = terms.slt(a[0], a[2]);
        tell(&mut terms, &[order, violated], integers);
        let product = terms.bv_mul(a[0], a[1]);
        let square = terms.bv_mul(a[2], a[2]);
        let (equal, more) = (terms.eq(product, square), terms.slt(square, product));
        let different = terms.ne(a[0], a[1]);
        tell(&mut terms, &[equal, different, order], integers);
        tell(&mut terms, &[more, order, violated], integers);
    }
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::F64, None));
    let sum = terms.float_binary(FloatBinary::Add, x, y);
    let back = terms.float_binary(FloatBinary::Sub, sum, y);
    let (same, less) = (terms.float_order(FloatOrder::Eq, back, x), terms.float_order(FloatOrder::Lt, x, y));
    let not = terms.not(same);
    tell(&mut terms, &[less, not], true);
    let f = terms.function("f", &[Sort::Real], Sort::Real);
    let [u, v] = ["u", "v"].map(|name| terms.symbol(name, Sort::Real, None));
    let (fu, fv) = (terms.apply(f, &[u]), terms.apply(f, &[v]));
    let (order, other) = (terms.num_lt(u, v), terms.ne(fu, fv));
    tell(&mut terms, &[order, other], true);
    let array = terms.symbol("m", Sort::Array, None);
    let i = terms.symbol("i", Sort::Bv(32), Some((0, 9)));
    let (two, seven) = (terms.bv(32, 2), terms.bv(8, 7));
    let stored = terms.store(array, two, seven);
    let read = terms.select(stored, i);
    let (is, beyond) = (terms.eq(read, seven), terms.ne(i, two));
    tell(&mut terms, &[is, beyond], true);
    told
}

#[test]
fn a_process_that_was_used_before_answers_as_a_fresh_one() {
    let expected = all_kinds(true);
    for _ in 0..3 {
        assert_eq!(all_kinds(false), expected);
    }
}
