//! Localisation without an oracle: from groups that hold and groups that are violated to ranked suspects.
//!
//! A metamorphic slice is the union of what the runs of a group touched; with the group's verdict in the place of pass and
//! fail, spectrum-based formulas rank the sites (Xie, Wong, Chen and Xu, Metamorphic slice, 2013).

pub mod formulas;
pub mod measures;
pub mod ranking;
pub mod slices;
pub mod spectrum;
