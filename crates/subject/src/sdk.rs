//! The SDK, carried inside the binary, so that an installed Twinrun needs nothing beside it.

use std::path::{Path, PathBuf};

use twinrun_base::Hash;

use crate::error::Error;

/// Files for C and C++: name and text.
const C_FILES: [(&str, &str); 33] = [
    ("twinrun.h", include_str!("../../../sdk/c/twinrun.h")),
    ("native.c", include_str!("../../../sdk/c/native.c")),
    ("plain_libc.c", include_str!("../../../sdk/c/plain_libc.c")),
    ("system.c", include_str!("../../../sdk/c/system.c")),
    ("threads.c", include_str!("../../../sdk/c/threads.c")),
    ("unwind.c", include_str!("../../../sdk/c/unwind.c")),
    ("exceptions.cpp", include_str!("../../../sdk/c/exceptions.cpp")),
    ("library_throws.cpp", include_str!("../../../sdk/c/library_throws.cpp")),
    ("bounds.c", include_str!("../../../sdk/c/bounds.c")),
    ("cxx_runtime.c", include_str!("../../../sdk/c/cxx_runtime.c")),
    ("wasm/cxx/condition_variable", include_str!("../../../sdk/c/wasm/cxx/condition_variable")),
    ("wasm/cxx/mutex", include_str!("../../../sdk/c/wasm/cxx/mutex")),
    ("wasm/cxx/shared_mutex", include_str!("../../../sdk/c/wasm/cxx/shared_mutex")),
    ("wasm/cxx/thread", include_str!("../../../sdk/c/wasm/cxx/thread")),
    ("wasm/cxx/tw_threads.hpp", include_str!("../../../sdk/c/wasm/cxx/tw_threads.hpp")),
    ("wasm/dlfcn.h", include_str!("../../../sdk/c/wasm/dlfcn.h")),
    ("wasm/grp.h", include_str!("../../../sdk/c/wasm/grp.h")),
    ("wasm/netdb.h", include_str!("../../../sdk/c/wasm/netdb.h")),
    ("wasm/pthread.h", include_str!("../../../sdk/c/wasm/pthread.h")),
    ("wasm/pwd.h", include_str!("../../../sdk/c/wasm/pwd.h")),
    ("wasm/setjmp.h", include_str!("../../../sdk/c/wasm/setjmp.h")),
    ("wasm/signal.h", include_str!("../../../sdk/c/wasm/signal.h")),
    ("wasm/stdio.h", include_str!("../../../sdk/c/wasm/stdio.h")),
    ("wasm/stdlib.h", include_str!("../../../sdk/c/wasm/stdlib.h")),
    ("wasm/sys/mman.h", include_str!("../../../sdk/c/wasm/sys/mman.h")),
    ("wasm/sys/resource.h", include_str!("../../../sdk/c/wasm/sys/resource.h")),
    ("wasm/sys/signal.h", include_str!("../../../sdk/c/wasm/sys/signal.h")),
    ("wasm/sys/socket.h", include_str!("../../../sdk/c/wasm/sys/socket.h")),
    ("wasm/sys/times.h", include_str!("../../../sdk/c/wasm/sys/times.h")),
    ("wasm/sys/wait.h", include_str!("../../../sdk/c/wasm/sys/wait.h")),
    ("wasm/syslog.h", include_str!("../../../sdk/c/wasm/syslog.h")),
    ("wasm/termios.h", include_str!("../../../sdk/c/wasm/termios.h")),
    ("wasm/unistd.h", include_str!("../../../sdk/c/wasm/unistd.h")),
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
