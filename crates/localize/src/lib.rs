//! Localisation without an oracle: from groups that hold and groups that are violated to ranked suspects.
//!
//! A metamorphic slice is the union of what the runs of a group touched; with the group's verdict in the place of pass and
//! fail, spectrum-based formulas rank the sites (Xie, Wong, Chen and Xu, Metamorphic slice, 2013).
//!
//! ```text
//! targets ──gather──▶ Evidence ──mend──▶ Mended ──locate──▶ Report ──present──▶ text, JSON, SARIF, HTML
//! ```
//!
//! [`gather::gather`] draws groups and keeps what each run touched, [`mend::mend`] tries single changes at suspects,
//! [`report::locate`] is a pure function from both to a report. [`notice::notice`] tells where a fault would go unnoticed.

pub mod coverage;
pub mod evidence;
pub mod formulas;
pub mod gather;
pub mod lines;
pub mod measures;
pub mod mend;
pub mod method;
pub mod notice;
pub mod oracle;
pub mod present;
pub mod ranking;
pub mod report;
pub mod slices;
pub mod spectrum;
