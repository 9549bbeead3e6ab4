//! Integers of all widths and signs: one expression in two ways.

use super::{arguments, draws, fault, parameters, slip};
use crate::dice::Dice;
use crate::draft::{Aim, Draft, scalars};
use crate::pairs;

pub(super) fn draft(dice: &mut Dice, aim: Aim) -> Draft {
    let mut draft = Draft::default();
    let count = 1 + dice.index(3);
    let budget = dice.range(400, 6000);
    let vars = scalars(dice, count, budget);
    let depth = 1 + dice.index(3) as u32;
    let (left, mut right, of) = match dice.range(0, 3) {
        0 | 1 => {
            let pair = pairs::int(dice, &vars, depth.max(2));
            (pair.left, pair.right, "int32_t")
        }
        2 => {
            let (left, right) = pairs::word(dice, &vars, depth);
            (left, right, "uint32_t")
        }
        _ => widened(dice, &vars),
    };
    let slipped = aim == Aim::Common && dice.percent(60) || aim == Aim::Rare && dice.percent(15);
    if slipped {
        right = slip(dice, &right);
    }
    let fault = if slipped { String::new() } else { fault(dice, aim, &vars, "r") };
    let parameters = parameters(&vars);
    draft.function(format!("static {of} f$({parameters}) {{ return ({of}){left}; }}"));
    draft.function(format!("static {of} g$({parameters}) {{ {of} r = ({of}){right}; {fault} return r; }}"));
    draws(&mut draft, &vars);
    let arguments = arguments(&vars);
    draft.line(format!("CHECK_EQ(RUN(f$({arguments})), RUN(g$({arguments})));"));
    draft
}

/// Sums and comparisons over 64 bits, and what is left of them in fewer.
fn widened(dice: &mut Dice, vars: &[crate::draft::Var]) -> (String, String, &'static str) {
    let a = &vars[0].name;
    let b = &vars[vars.len() - 1].name;
    let (left, right, of) = match dice.range(0, 7) {
        0 => (
            format!("((int64_t){a} + (int64_t){b})"),
            format!("((int64_t)((uint64_t){b} + (uint64_t){a}))"),
            "int64_t",
        ),
        1 => (
            format!("((int64_t){a} < (int64_t){b})"),
            format!("(!((int64_t){b} <= (int64_t){a}))"),
            "int32_t",
        ),
        2 => (
            format!("((uint64_t)(int64_t){a} >> 32)"),
            format!("(((uint64_t)(int64_t){a} - (uint32_t){a}) / 4294967296ull)"),
            "uint64_t",
        ),
        3 => (
            format!("((int64_t)(int32_t)(int64_t){a})"),
            format!("((((int64_t){a} & 0xffffffffll) ^ 0x80000000ll) - 0x80000000ll)"),
            "int64_t",
        ),
        4 => (
            format!("((uint64_t)(uint32_t){a} * (uint32_t)(uint8_t){b})"),
            format!("((uint64_t)(uint8_t){b} * (uint64_t)(uint32_t){a})"),
            "uint64_t",
        ),
        5 => (
            format!("((int16_t)((uint16_t){a} + (uint16_t){b}))"),
            format!("((int16_t)(uint16_t)((uint32_t){a} + (uint32_t){b}))"),
            "int16_t",
        ),
        6 => (
            format!("((uint8_t)((uint8_t){a} - (uint8_t){b}))"),
            format!("((uint8_t)((uint32_t){a} - (uint32_t){b}))"),
            "uint8_t",
        ),
        _ => (format!("((int8_t)((uint32_t){a} + 1u))"), format!("((int8_t)((uint8_t){a} + 1))"), "int8_t"),
    };
    (left, right, of)
}
