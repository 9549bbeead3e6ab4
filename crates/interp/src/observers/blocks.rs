//! Block coverage for each run: the execution slices. The module must be loaded with [`crate::LoadOptions::blocks`].

use crate::imports::Segment;
use crate::observers::Observer;

/// Which blocks of the site table were executed.
#[derive(Clone, Debug)]
pub struct Blocks {
    count: usize,
    /// For each run the blocks that it executed, by index.
    pub runs: Vec<Vec<bool>>,
    /// Blocks executed inside or outside runs.
    pub all: Vec<bool>,
    open: bool,
    /// A whole program runs: its blocks count in another site table.
    elsewhere: bool,
}

impl Blocks {
    /// Nothing executed yet, of so many blocks.
    pub fn new(count: usize) -> Blocks {
        Blocks { count, runs: Vec::new(), all: vec![false; count], open: false, elsewhere: false }
    }
}

impl Observer for Blocks {
    fn block(&mut self, site: u32) {
        if self.elsewhere {
            return;
        }
        self.all[site as usize] = true;
        if self.open
            && let Some(run) = self.runs.last_mut()
        {
            run[site as usize] = true;
        }
    }

    fn segment(&mut self, segment: Segment) {
        match segment {
            Segment::Program => {
                if !self.open {
                    self.runs.push(vec![false; self.count]);
                }
                self.elsewhere = true;
            }
            Segment::Begin => {
                self.runs.push(vec![false; self.count]);
                self.open = true;
            }
            Segment::End => {
                self.open = false;
                self.elsewhere = false;
            }
        }
    }
}
