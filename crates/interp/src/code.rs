//! The register code of one function, with where each instruction came from.

use std::sync::OnceLock;

use crate::flow::Flow;
use crate::instr::{Constant, IndirectCall, Instr, Reg};
use crate::ops::Type;

/// In [`Code::sites`]: not a branch of the site table.
pub const NO_SITE: u32 = u32::MAX;

/// The register code of one function.
#[derive(Debug)]
pub struct Code {
    /// The function's index in its module.
    pub index: u32,
    /// How many parameters; they are the first registers.
    pub params: u16,
    /// How many results; a caller finds them in the callee's first registers.
    pub results: u16,
    /// The types of parameters and locals.
    pub locals: Vec<Type>,
    /// The locals whose first value is read, so that they must be zero when the function is entered.
    pub zeroed: Vec<(Reg, Type)>,
    /// All registers: parameters, locals, stack slots.
    pub registers: u32,
    /// The instructions.
    pub instrs: Vec<Instr>,
    /// For each instruction the offset of its origin, from the code section's payload.
    pub offsets: Vec<u32>,
    /// For each instruction the branch of the site table that it decides, or [`NO_SITE`].
    pub sites: Vec<u32>,
    /// Constants that do not fit into an instruction.
    pub pool: Vec<Constant>,
    /// Calls through tables.
    pub indirect: Vec<IndirectCall>,
    /// Where each loop starts: its position and the offset of its `loop` instruction.
    pub loops: Vec<(u32, u32)>,
    pub(crate) flow: OnceLock<Flow>,
}

impl Code {
    /// Control flow, worked out when first asked for: joins, control dependence, live registers.
    pub fn flow(&self) -> &Flow {
        self.flow.get_or_init(|| Flow::of(self))
    }

    /// The branch of the site table that the instruction decides.
    pub fn site(&self, pc: u32) -> Option<u32> {
        Some(self.sites[pc as usize]).filter(|site| *site != NO_SITE)
    }

    /// The position of the loop whose `loop` instruction stands at this offset.
    pub fn loop_at(&self, offset: u32) -> Option<u32> {
        self.loops.iter().find(|(_, at)| *at == offset).map(|(pc, _)| *pc)
    }
}
