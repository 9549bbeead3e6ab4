//! Edges: the outcomes of all branches, numbered so that a trace needs one number for each event.

use twinrun_base::Sites;

/// The numbering of edges: branch `b` with outcome `o` is edge `first(b) + o`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    first: Vec<u32>,
    branch: Vec<u32>,
}

impl Edges {
    /// Numbers the edges of a site table.
    pub fn new(sites: &Sites) -> Edges {
        let mut edges = Edges::default();
        for (index, branch) in sites.branches.iter().enumerate() {
            edges.first.push(edges.branch.len() as u32);
            edges.branch.extend(std::iter::repeat_n(index as u32, branch.outcomes as usize));
        }
        edges
    }

    /// How many edges there are.
    pub fn count(&self) -> usize {
        self.branch.len()
    }

    /// The number of a branch's first edge (outcome 0).
    pub fn first(&self, branch: usize) -> u32 {
        self.first[branch]
    }

    /// The branch (index into [`Sites::branches`]) and outcome of an edge.
    pub fn decode(&self, edge: u32) -> (u32, u32) {
        let branch = self.branch[edge as usize];
        (branch, edge - self.first[branch as usize])
    }
}
