//! Conditions under which a planted fault shows.

use crate::dice::Dice;
use crate::draft::{Aim, Var, cases, constant};

/// A condition over the scalars: never true, true for few cases, or true for many.
pub fn condition(dice: &mut Dice, aim: Aim, vars: &[Var]) -> String {
    match aim {
        Aim::True => never(dice, vars),
        Aim::Rare => rare(dice, vars),
        Aim::Common => common(dice, vars),
    }
}

/// Never true within the ranges, but not so that a reader sees it at once.
fn never(dice: &mut Dice, vars: &[Var]) -> String {
    let var = &vars[dice.index(vars.len())];
    let name = &var.name;
    let wide = format!("(int64_t){name}");
    match dice.range(0, 5) {
        0 => format!("{wide} > {}ll", var.hi),
        1 => format!("{wide} < {}ll", var.lo),
        // Squares are 0 or 1 modulo 4, also where they wrap around.
        2 => format!("((uint64_t){name} * (uint64_t){name}) % 4 == {}", dice.pick(&["2", "3"])),
        3 => format!("(({wide} & 1) + (({wide} >> 1) & 1)) == 3"),
        4 => format!("(({wide} ^ {}) & 1) == ({wide} & 1)", 2 * dice.range(0, 5) + 1),
        _ => format!("{name} == {} && {name} == {}", literal(var, var.lo), literal(var, var.hi)),
    }
}

/// A constant that compares with the variable as written.
fn literal(var: &Var, value: i64) -> String {
    match var.of {
        "uint32_t" => format!("{value}u"),
        "int64_t" => format!("{value}ll"),
        _ => constant(value),
    }
}

/// A point, or a short curve, in the space of the inputs.
fn rare(dice: &mut Dice, vars: &[Var]) -> String {
    let total = cases(vars);
    let mut order: Vec<&Var> = vars.iter().collect();
    dice.shuffle(&mut order);
    let mut parts = Vec::new();
    let mut share = total;
    for var in order {
        // Fewer than one in a hundred, and at least one.
        if share * 120 < total {
            break;
        }
        share /= var.size();
        parts.push(point(dice, var));
    }
    parts.join(" && ")
}

/// One value of one variable, said in some way.
fn point(dice: &mut Dice, var: &Var) -> String {
    let name = &var.name;
    let value = var.value(dice);
    let wide = format!("(int64_t){name}");
    match dice.range(0, 9) {
        0 if value == var.hi => {
            format!("{name} > {}", literal(var, value - 1)).replace("> 4294967295u", "== 0u")
        }
        1 if value == var.lo && value < var.hi => format!("{name} < {}", literal(var, value + 1)),
        2 => format!("({wide} ^ {}ll) == {}ll", 37, value ^ 37),
        3 => format!("!({name} != {})", literal(var, value)),
        4 => format!("{wide} * 3 + 1 == {}ll", value * 3 + 1),
        5 => format!("{wide} - {value}ll == 0"),
        6 => format!("{wide} >= {value}ll && {wide} <= {value}ll"),
        _ => format!("{name} == {}", literal(var, value)),
    }
    .replace("-9223372036854775808ll", "INT64_MIN")
}

fn common(dice: &mut Dice, vars: &[Var]) -> String {
    let var = &vars[dice.index(vars.len())];
    let name = &var.name;
    let middle = var.lo + var.size() / 2;
    match dice.range(0, 4) {
        0 => format!("({name} & 1) == {}", dice.range(0, 1)),
        1 => format!("{name} >= {}", literal(var, middle)),
        2 => format!("(uint32_t){name} % 3u == {}u", (var.lo as u32).wrapping_add(1) % 3),
        3 => format!("{name} != {}", literal(var, var.value(dice))),
        _ => format!("{name} < {}", literal(var, middle)),
    }
}
