//! The SDK, carried inside the binary, so that an installed Twinrun needs nothing beside it.

use std::path::{Path, PathBuf};

use twinrun_base::Hash;

use crate::error::Error;

/// Files for C and C++: name and text.
const C_FILES: [(&str, &str); 6] = [
    ("twinrun.h", include_str!("../../../sdk/c/twinrun.h")),
    ("native.c", include_str!("../../../sdk/c/native.c")),
    ("plain_libc.c", include_str!("../../../sdk/c/plain_libc.c")),
    ("bounds.c", include_str!("../../../sdk/c/bounds.c")),
    ("cxx_runtime.c", include_str!("../../../sdk/c/cxx_runtime.c")),
    ("wasm/setjmp.h", include_str!("../../../sdk/c/wasm/setjmp.h")),
];

/// Files of the crate for Rust.
const RUST_FILES: [(&str, &str); 10] = [
    ("Cargo.toml", include_str!("../../../sdk/rust/Cargo.toml")),
    ("src/lib.rs", include_str!("../../../sdk/rust/src/lib.rs")),
    ("src/allocator.rs", include_str!("../../../sdk/rust/src/allocator.rs")),
    ("src/checks.rs", include_str!("../../../sdk/rust/src/checks.rs")),
    ("src/host.rs", include_str!("../../../sdk/rust/src/host.rs")),
    ("src/input.rs", include_str!("../../../sdk/rust/src/input.rs")),
    ("src/native.rs", include_str!("../../../sdk/rust/src/native.rs")),
    ("src/program.rs", include_str!("../../../sdk/rust/src/program.rs")),
    ("src/show.rs", include_str!("../../../sdk/rust/src/show.rs")),
    ("src/transform.rs", include_str!("../../../sdk/rust/src/transform.rs")),
];

/// The SDK on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sdk {
    /// The folder of `twinrun.h`; its name carries the content hash.
    pub c: PathBuf,
    /// The content hash of the C files.
    pub hash: Hash,
}

impl Sdk {
    /// Unpacks the files for C and C++ below the cache folder, unless they are there already.
    pub fn unpack(cache: &Path) -> Result<Sdk, Error> {
        let hash = Hash::of(C_FILES.iter().flat_map(|(name, text)| [*name, *text]));
        let c = cache.join("sdk").join(format!("c-{}", hash.short()));
        write_files(&c, &C_FILES)?;
        Ok(Sdk { c, hash })
    }
}

/// Writes the crate `twinrun-sdk` to `folder`, touching only files that differ (cargo looks at times).
pub fn unpack_rust(folder: &Path) -> Result<(), Error> {
    write_files(folder, &RUST_FILES)
}

fn write_files(folder: &Path, files: &[(&str, &str)]) -> Result<(), Error> {
    for (name, text) in files {
        let path = folder.join(name);
        if std::fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            continue;
        }
        crate::files::write(&path, text.as_bytes())?;
    }
    Ok(())
}
