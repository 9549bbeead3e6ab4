//! The families of relations: one file and one line in [`FAMILIES`] each.

mod arrays;
mod assumptions;
mod bits;
mod checks;
mod control;
mod draws;
mod floats;
mod functions;
mod heap;
mod integers;
mod loops;
mod memory;
mod names;
mod operations;
mod padding;
mod permutations;
mod pointers;
mod runs;
mod safety;
mod state;
mod structs;
mod texts;
mod wide;

use crate::dice::Dice;
use crate::draft::{Aim, Draft, Var};
use crate::faults;

/// Makes a relation of a family.
pub type Family = fn(&mut Dice, Aim) -> Draft;

/// All families by name.
pub const FAMILIES: [(&str, Family); 23] = [
    ("arrays", arrays::draft),
    ("assumptions", assumptions::draft),
    ("bits", bits::draft),
    ("checks", checks::draft),
    ("control", control::draft),
    ("draws", draws::draft),
    ("floats", floats::draft),
    ("functions", functions::draft),
    ("heap", heap::draft),
    ("integers", integers::draft),
    ("loops", loops::draft),
    ("memory", memory::draft),
    ("names", names::draft),
    ("operations", operations::draft),
    ("padding", padding::draft),
    ("permutations", permutations::draft),
    ("pointers", pointers::draft),
    ("runs", runs::draft),
    ("safety", safety::draft),
    ("state", state::draft),
    ("structs", structs::draft),
    ("texts", texts::draft),
    ("wide", wide::draft),
];

/// `int32_t x, uint8_t y`.
fn parameters(vars: &[Var]) -> String {
    vars.iter().map(|var| format!("{} {}", var.of, var.name)).collect::<Vec<_>>().join(", ")
}

/// `x, y`.
fn arguments(vars: &[Var]) -> String {
    vars.iter().map(|var| var.name.clone()).collect::<Vec<_>>().join(", ")
}

/// The statements that draw the variables, in this order.
fn draws(draft: &mut Draft, vars: &[Var]) {
    vars.iter().for_each(|var| draft.line(var.statement()));
}

/// A statement that spoils `result` where the fault shows; for a true relation its condition never holds, or there is none.
fn fault(dice: &mut Dice, aim: Aim, vars: &[Var], result: &str) -> String {
    if aim == Aim::True && dice.percent(60) {
        return String::new();
    }
    let condition = faults::condition(dice, aim, vars);
    let effect = match dice.range(0, 3) {
        0 => format!("{result} ^= {};", 1 << dice.range(0, 4)),
        1 => format!("{result} += 1;"),
        2 => format!("{result} -= {};", dice.range(1, 3)),
        _ => format!("{result} = {result} + 3;"),
    };
    format!("if ({condition}) {effect}")
}

/// The same with one operator changed, if there is one to change: a fault as programmers make them.
fn slip(dice: &mut Dice, text: &str) -> String {
    let swaps = [
        (" < ", " <= "),
        (" <= ", " < "),
        (" > ", " >= "),
        (" >= ", " > "),
        (" + ", " - "),
        (" & ", " | "),
        (" >> ", " << "),
        ("% ", "/ "),
    ];
    let mut places: Vec<(usize, &str, &str)> = Vec::new();
    for (from, to) in swaps {
        places.extend(text.match_indices(from).map(|(at, _)| (at, from, to)));
    }
    if places.is_empty() {
        return text.to_owned();
    }
    places.sort_unstable();
    let (at, from, to) = places[dice.index(places.len())];
    format!("{}{to}{}", &text[..at], &text[at + from.len()..])
}
