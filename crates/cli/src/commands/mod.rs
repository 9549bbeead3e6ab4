//! One file for each command: its options and what it does.

pub(crate) mod check;
#[cfg(feature = "cluster")]
pub(crate) mod cluster;
pub(crate) mod combine;
pub(crate) mod debug;
pub(crate) mod debugger;
pub(crate) mod doctor;
pub(crate) mod explore;
pub(crate) mod hunt;
pub(crate) mod init;
pub(crate) mod locate;
pub(crate) mod prove;
pub(crate) mod repair;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod score;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod test;
#[cfg(feature = "cluster")]
pub(crate) mod worker;
