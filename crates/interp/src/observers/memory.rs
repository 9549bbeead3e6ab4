//! Every access to memory, of code and of the host.

use crate::domain::Position;
use crate::imports::Touched;
use crate::observers::{HostCall, Observer};

/// Records accesses in order.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// Where, and what was touched.
    pub all: Vec<(Position, Touched)>,
}

impl Observer for Accesses {
    const MEMORY: bool = true;

    fn access(&mut self, at: Position, touched: Touched) {
        self.all.push((at, touched));
    }

    fn host(&mut self, call: &HostCall<'_>) {
        self.all.extend(call.touched.iter().map(|touched| (call.at, *touched)));
    }
}
