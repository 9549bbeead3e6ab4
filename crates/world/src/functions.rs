//! The table of all functions of WASI preview 1: name, parameters, meaning.

use crate::errno::{Answer, NOSYS, NOTSOCK, NOTSUP};
use crate::memory::Access;
use crate::world::World;

/// The module name of the imports.
pub const MODULE: &str = "wasi_snapshot_preview1";

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A 32-bit number.
    I32,
    /// A 64-bit number.
    I64,
}

type Meaning = fn(&mut World, &[u64], &mut Access<'_>) -> Answer;

/// One function. All return an `i32` error number, except `proc_exit`, which returns nothing.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    pub(crate) meaning: Meaning,
}

impl Function {
    /// Whether it has a result, the error number.
    pub fn returns(&self) -> bool {
        self.name != "proc_exit"
    }
}

/// The function of this name.
pub fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Shorthand for the rows: `w` is an `i32` (a word), `d` an `i64` (a double word).
macro_rules! parameters {
    ($($letter:ident)*) => { &[$(parameters!(@$letter)),*] };
    (@w) => { Parameter::I32 };
    (@d) => { Parameter::I64 };
}

macro_rules! table {
    ($($name:literal ($($letter:ident)*) = $meaning:expr;)*) => {
        &[$(Function { name: $name, parameters: parameters!($($letter)*), meaning: $meaning }),*]
    };
}

fn nothing(_: &mut World, _: &[u64], _: &mut Access<'_>) -> Answer {
    Ok(())
}

fn absent(_: &mut World, _: &[u64], _: &mut Access<'_>) -> Answer {
    Err(NOSYS)
}

fn unsupported(_: &mut World, _: &[u64], _: &mut Access<'_>) -> Answer {
    Err(NOTSUP)
}

fn no_socket(_: &mut World, _: &[u64], _: &mut Access<'_>) -> Answer {
    Err(NOTSOCK)
}

/// Every function that a subject may import from [`MODULE`].
pub const FUNCTIONS: &[Function] = table! {
    "args_get" (w w) = World::args_get;
    "args_sizes_get" (w w) = World::args_sizes_get;
    "environ_get" (w w) = World::environ_get;
    "environ_sizes_get" (w w) = World::environ_sizes_get;
    "clock_res_get" (w w) = World::clock_res_get;
    "clock_time_get" (w d w) = World::clock_time_get;
    "fd_advise" (w d d w) = World::fd_check;
    "fd_allocate" (w d d) = World::fd_allocate;
    "fd_close" (w) = World::fd_close;
    "fd_datasync" (w) = World::fd_check;
    "fd_fdstat_get" (w w) = World::fd_fdstat_get;
    "fd_fdstat_set_flags" (w w) = World::fd_fdstat_set_flags;
    "fd_fdstat_set_rights" (w d d) = World::fd_check;
    "fd_filestat_get" (w w) = World::fd_filestat_get;
    "fd_filestat_set_size" (w d) = World::fd_filestat_set_size;
    "fd_filestat_set_times" (w d d w) = World::fd_check;
    "fd_pread" (w w w d w) = World::fd_pread;
    "fd_prestat_get" (w w) = World::fd_prestat_get;
    "fd_prestat_dir_name" (w w w) = World::fd_prestat_dir_name;
    "fd_pwrite" (w w w d w) = World::fd_pwrite;
    "fd_read" (w w w w) = World::fd_read;
    "fd_readdir" (w w w d w) = World::fd_readdir;
    "fd_renumber" (w w) = World::fd_renumber;
    "fd_seek" (w d w w) = World::fd_seek;
    "fd_sync" (w) = World::fd_check;
    "fd_tell" (w w) = World::fd_tell;
    "fd_write" (w w w w) = World::fd_write;
    "path_create_directory" (w w w) = World::path_create_directory;
    "path_filestat_get" (w w w w w) = World::path_filestat_get;
    "path_filestat_set_times" (w w w w d d w) = World::path_filestat_set_times;
    "path_link" (w w w w w w w) = unsupported;
    "path_open" (w w w w w d d w w) = World::path_open;
    "path_readlink" (w w w w w w) = World::path_readlink;
    "path_remove_directory" (w w w) = World::path_remove_directory;
    "path_rename" (w w w w w w) = World::path_rename;
    "path_symlink" (w w w w w) = unsupported;
    "path_unlink_file" (w w w) = World::path_unlink_file;
    "poll_oneoff" (w w w w) = World::poll_oneoff;
    "proc_exit" (w) = World::proc_exit;
    "proc_raise" (w) = absent;
    "sched_yield" () = nothing;
    "random_get" (w w) = World::random_get;
    "sock_accept" (w w w) = no_socket;
    "sock_recv" (w w w w w w) = no_socket;
    "sock_send" (w w w w w) = no_socket;
    "sock_shutdown" (w w) = no_socket;
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_preview_1_is_answered() {
        assert_eq!(FUNCTIONS.len(), 46);
        assert!(
            find("fd_write").is_some_and(|function| function.returns() && function.parameters.len() == 4)
        );
        assert!(find("fork").is_none());
    }
}
