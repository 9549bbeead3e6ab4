//! The error numbers of WASI preview 1 that the world answers with, and how a call ends early.

/// Why a call did not simply succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The subject sees an error number.
    Errno(u16),
    /// The subject asked to end.
    Exit(i32),
    /// More output than the limit.
    OutputLimit,
}

/// What every function of the world returns.
pub(crate) type Answer<T = ()> = Result<T, Stop>;

pub(crate) const BADF: Stop = Stop::Errno(8);
pub(crate) const EXIST: Stop = Stop::Errno(20);
pub(crate) const FAULT: Stop = Stop::Errno(21);
pub(crate) const INVAL: Stop = Stop::Errno(28);
pub(crate) const ISDIR: Stop = Stop::Errno(31);
pub(crate) const NAMETOOLONG: Stop = Stop::Errno(37);
pub(crate) const NOENT: Stop = Stop::Errno(44);
pub(crate) const NOSYS: Stop = Stop::Errno(52);
pub(crate) const NOTDIR: Stop = Stop::Errno(54);
pub(crate) const NOTEMPTY: Stop = Stop::Errno(55);
pub(crate) const NOTSOCK: Stop = Stop::Errno(57);
pub(crate) const NOTSUP: Stop = Stop::Errno(58);
pub(crate) const NOTCAPABLE: Stop = Stop::Errno(76);
pub(crate) const SPIPE: Stop = Stop::Errno(70);
