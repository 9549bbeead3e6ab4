//! Nothing but a manifest: it names the union of the features that members of this workspace use of common crates. Because every member depends on it,
//! a build of one member (`-p NAME`, `--bin NAME`) compiles wasmtime and the like exactly as a build of all members does, and finds them compiled.
