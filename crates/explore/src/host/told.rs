//! Named inputs and outputs of runs, kept as terms for reports.

use twinrun_base::IntKind;
use twinrun_interp::{Host, Trap};
use twinrun_term::Term;

use super::Primitives;
use super::calls::Told as Shape;
use crate::domain::Concolic;
use crate::path::Told;

impl Primitives {
    pub(super) fn tell(
        &mut self,
        host: &mut Host<'_, Concolic>,
        output: bool,
        shape: Shape,
    ) -> Result<(), Trap> {
        let name = self.name(host, 0)?;
        let values = match shape {
            Shape::Int | Shape::Float => {
                let value = host.argument(2);
                vec![host.domain.term(value)]
            }
            Shape::Ints => {
                let kind = self.fixed(host, 2)? as u32;
                let size = IntKind::from_code(kind).map_or(4, IntKind::bytes);
                self.elements(host, 3, size)?
            }
            Shape::Floats => {
                let numbers = self.elements(host, 2, 8)?;
                numbers.into_iter().map(|bits| host.domain.terms.float_from_bits(bits)).collect()
            }
            Shape::Bytes => self.elements(host, 2, 1)?,
        };
        // Given values speak of the run that follows, outputs of the last one.
        let run = if output { self.runs.saturating_sub(1) } else { self.runs };
        self.told.push(Told { name, run, output, values });
        Ok(())
    }

    /// The elements of an array whose pointer and count are arguments.
    fn elements(
        &mut self,
        host: &mut Host<'_, Concolic>,
        index: usize,
        size: usize,
    ) -> Result<Vec<Term>, Trap> {
        let (at, count) = (self.fixed(host, index)? as u32, self.fixed(host, index + 1)? as u32);
        let bytes = host.read(at, count.saturating_mul(size as u32))?;
        let mut values = Vec::new();
        for (number, raw) in bytes.chunks(size).enumerate() {
            let shadow = host.memory()?.shadow.read(u64::from(at) + (number * size) as u64, size as u64);
            values.push(host.domain.joined(&shadow, raw));
        }
        Ok(values)
    }
}
