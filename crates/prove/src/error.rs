//! What keeps a proof from being tried.

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The module cannot be decoded.
    #[error(transparent)]
    Load(#[from] twinrun_interp::LoadError),
    /// The relation cannot be run with terms.
    #[error(transparent)]
    Explore(#[from] twinrun_explore::Error),
    /// The relation cannot be run concretely.
    #[error(transparent)]
    Group(#[from] twinrun_interp::group::GroupError),
    /// The other engine cannot replay.
    #[error(transparent)]
    Replay(#[from] twinrun_testing::executor::ExecuteError),
    /// A certificate cannot be read, or a solver cannot be started.
    #[error(transparent)]
    Files(#[from] std::io::Error),
    /// There is no build that the other engine can run.
    #[error("the subject has no build that can be run")]
    NoEngine,
}
