//! Blocks and branches of user code.
//!
//! A *block* is straight code: it starts at the first instruction of a body and after every control instruction (`loop`,
//! `if`, `else`, `end`, `br`, `br_if`, `br_table`, `return`, `unreachable`, tail calls), and ends with, and includes, the next
//! one that moves control (`if`, `br…`, `return`, `unreachable`, tail calls) or just before the next `loop`, `else` or `end`.
//! `block` and `nop` do nothing and neither start nor end one. The offset of a block is that of its first instruction that is
//! none of `block`, `loop`, `else`, `end`, `nop`; pieces without such an instruction are no blocks, and neither is code that
//! cannot be reached (after `br`, `br_table`, `return`, `unreachable` up to the `else` or `end`). So executing the instruction
//! at `offset` is executing the block, and an engine counts exactly there. A call does not end a block.
//!
//! In a checked build, branches to a handler of clang's checks are no sites, and neither are the blocks that call one.
//!
//! A block or branch is a site when the line table places one of its instructions, or the branch itself, in a user file.

use twinrun_base::sites::{Block, Branch, BranchKind, Place, Sites};
use wasmparser::Operator;

use super::decode::Decoded;
use super::lines::{Debug, place_at};
use super::{checks, landings};
use crate::error::Error;

/// Fills [`Sites::blocks`] and [`Sites::branches`] for the functions already in `sites`.
pub(super) fn find(decoded: &Decoded<'_>, debug: &Debug, sites: &mut Sites) -> Result<(), Error> {
    let handlers = checks::handlers(decoded);
    let landings = landings::landings(decoded);
    for (function, body) in decoded.bodies.iter().enumerate() {
        if sites.functions[function].user {
            let mut checks = match &handlers {
                Some(handlers) => checks::find(&body.body, decoded.code, handlers)?,
                None => checks::Checks::default(),
            };
            if let Some(landings) = &landings {
                checks.branches.extend(landings::find(&body.body, decoded.code, landings)?);
            }
            let mut finder =
                Finder { debug, function: function as u32, open: None, dead: None, checks, sites };
            finder.body(&body.body, decoded.code, body.range.1)?;
        }
    }
    Ok(())
}

struct Finder<'f> {
    debug: &'f Debug,
    function: u32,
    /// The block being collected.
    open: Option<Block>,
    /// In code that cannot be reached: how many structures opened inside it.
    dead: Option<u32>,
    checks: checks::Checks,
    sites: &'f mut Sites,
}

impl Finder<'_> {
    fn body(
        &mut self,
        body: &wasmparser::FunctionBody<'_>,
        code: usize,
        end: u32,
    ) -> Result<(), wasmparser::BinaryReaderError> {
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let (operator, position) = operators.read_with_offset()?;
            let next = (operators.original_position() - code) as u32;
            self.operator(&operator, (position - code) as u32, next.min(end));
        }
        Ok(())
    }

    fn operator(&mut self, operator: &Operator<'_>, offset: u32, next: u32) {
        use Operator as O;
        if let Some(depth) = self.dead {
            self.dead = match (operator, depth) {
                (O::End | O::Else, 0) => None,
                (O::End, depth) => Some(depth - 1),
                (O::Block { .. } | O::Loop { .. } | O::If { .. }, depth) => Some(depth + 1),
                (_, depth) => Some(depth),
            };
            return;
        }
        match operator {
            O::Block { .. } | O::Nop => {}
            O::Loop { .. } | O::Else | O::End => self.close(),
            O::If { .. } => self.branch(offset, next, BranchKind::If, 2),
            O::BrIf { .. } => self.branch(offset, next, BranchKind::BrIf, 2),
            O::BrTable { targets } => {
                self.branch(offset, next, BranchKind::BrTable, targets.len() + 1);
                self.dead = Some(0);
            }
            O::Select | O::TypedSelect { .. } => {
                self.extend(offset, next);
                self.site(offset, BranchKind::Select, 2);
            }
            O::Br { .. }
            | O::Return
            | O::Unreachable
            | O::ReturnCall { .. }
            | O::ReturnCallIndirect { .. } => {
                self.extend(offset, next);
                self.close();
                self.dead = Some(0);
            }
            _ => self.extend(offset, next),
        }
    }

    fn branch(&mut self, offset: u32, next: u32, kind: BranchKind, outcomes: u32) {
        self.extend(offset, next);
        self.close();
        self.site(offset, kind, outcomes);
    }

    fn site(&mut self, offset: u32, kind: BranchKind, outcomes: u32) {
        if !self.checks.branches.contains(&offset)
            && let Some(place) = self.user_place(offset)
        {
            let function = self.function;
            self.sites.branches.push(Branch {
                function,
                offset,
                kind,
                outcomes,
                place: Some(place),
                statement: None,
            });
        }
    }

    fn extend(&mut self, offset: u32, next: u32) {
        let place = self.user_place(offset);
        let function = self.function;
        let block =
            self.open.get_or_insert_with(|| Block { function, offset, end: next, places: Vec::new() });
        block.end = next;
        if let Some(place) = place
            && !block.places.contains(&place)
        {
            block.places.push(place);
        }
    }

    fn close(&mut self) {
        if let Some(block) = self.open.take()
            && !block.places.is_empty()
            && self.checks.calls.range(block.offset..block.end).next().is_none()
        {
            self.sites.blocks.push(block);
        }
    }

    fn user_place(&self, offset: u32) -> Option<Place> {
        place_at(&self.debug.lines, offset).filter(|place| self.debug.is_user(*place))
    }
}
