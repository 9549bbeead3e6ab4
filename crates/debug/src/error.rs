//! What keeps debugging from answering.

/// What keeps debugging from answering.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The module cannot be loaded.
    #[error(transparent)]
    Load(#[from] twinrun_interp::LoadError),
    /// The relation cannot be run.
    #[error(transparent)]
    Explore(#[from] twinrun_explore::Error),
    /// A group cannot be run.
    #[error(transparent)]
    Group(#[from] twinrun_interp::group::GroupError),
    /// A case does not violate its relation, so that there is nothing to debug.
    #[error("the case of `{relation}` is {verdict}, not violated: nothing is to be debugged ({case})")]
    NotViolated {
        /// The relation.
        relation: String,
        /// How the case ends.
        verdict: twinrun_base::Verdict,
        /// The case.
        case: String,
    },
    /// No case was given.
    #[error("no violated case is given")]
    NoCase,
}
