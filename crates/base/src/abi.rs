//! The border between a subject and Twinrun: names and codes that `sdk/c/twinrun.h`, `sdk/rust` and both engines share.
//!
//! All imports come from the module [`MODULE`]. Strings are passed as (pointer, length); `name` below stands for such a pair
//! that names an input or output, `text` for one that repeats the source text of a check.
//!
//! | import | parameters | result |
//! | --- | --- | --- |
//! | `int` | name, kind: i32, lo: i64, hi: i64 | i64 |
//! | `float` | name, lo: f64, hi: f64 | f64 |
//! | `ints` | name, kind: i32, out: ptr, rows: i32, columns: i32, lo: i64, hi: i64 (rows < 0: a plain array of `columns`) | – |
//! | `floats` | name, out: ptr, rows: i32, columns: i32, lo: f64, hi: f64 | – |
//! | `text` | name, out: ptr, min: i32, max: i32, alphabet: ptr, alphabet length: i32 | length i32 |
//! | `permutation` | name, out: ptr to i32, n: i32 | – |
//! | `ops` | name, out: ptr to (op, three arguments) of i32, max: i32, spec: ptr, spec length: i32 | count i32 |
//! | `run_begin`, `run_end` | – | – |
//! | `assume` | condition: i32 | – (unwinds when 0) |
//! | `check` | condition: i32, text, line: i32 | – (unwinds when it fails, like all checks) |
//! | `check_int` | operator: i32, unsigned: i32, left: i64, right: i64, text, line: i32 | – |
//! | `check_float` | operator: i32, left: f64, right: f64, tolerance: f64, text, line: i32 | – |
//! | `check_bytes` | left: ptr, length, right: ptr, length, text, line: i32 | – |
//! | `given_int` / `output_int` | name, value: i64 | – |
//! | `given_float` / `output_float` | name, value: f64 | – |
//! | `given_ints` / `output_ints` | name, kind: i32, pointer, count: i32 | – |
//! | `given_floats` / `output_floats` | name, pointer, count: i32 | – |
//! | `given_bytes` / `output_bytes` | name, pointer, length: i32 | – |
//! | `program_file` | path, data: ptr, length: i32: a file for the next program run | – |
//! | `program` | name, arguments: ptr to (ptr, length) pairs, count: i32, stdin: ptr, length: i32 | exit code i32 |
//! | `program_output` | stream: i32 (1 stdout, 2 stderr), offset: i32, out: ptr, capacity: i32 | total length i32 |
//! | `program_written` | path, out: ptr, capacity: i32: a file that the last program run wrote | length i32, -1 if absent |
//! | `heap_alloc` | block: ptr, size: i32: a block is now valid | – |
//! | `heap_free` | block: ptr, size: i32: a block is now freed (and quarantined) | – |
//! | `thrown` | –: something is thrown here, for the stack of a report | – |
//! | `caught` | – | i32: whether an `invoke_…` is open that what is thrown would reach |
//! | `unwind` | – | – (leaves calls up to the innermost `invoke_…`) |
//! | `uncaught` | text | – (ends the group) |
//! | `unsupported` | text: what cannot be done here, and why | – (ends the group) |
//! | `open_runs` | – | i32: how many `run_begin` are open |
//! | `heap_error` | kind: i32 ([`HEAP_ERRORS`]), block: ptr, size: i32 | – (unwinds) |
//!
//! `given_*` speak of the run that follows, `output_*` of the run that is open or ended last. A `program` call outside a run
//! is a run by itself. Each relation is an export named [`RELATION_PREFIX`] + its name, without parameters or results; a
//! module built as a WASI reactor also exports `_initialize`, a program exports `_start`.

/// The module name of all imports.
pub const MODULE: &str = "twinrun";

/// The module name of what the compiler itself asks for.
pub const ENV: &str = "env";

/// What the imports of [`ENV`] start with that call a function of the table, the first argument, with the others, and stop what leaves it: the compiler's
/// lowering of calls with landings. The stack pointer is then as before the call, and the result 0.
pub const INVOKE: &str = "invoke_";

/// What the export of a relation starts with.
pub const RELATION_PREFIX: &str = "relation:";

/// What our C library exports beside the relations: it looks at every block of the heap.
pub const HEAP_CHECK: &str = "tw_heap_check";

/// The meaning of the kinds of `heap_error`.
pub const HEAP_ERRORS: [&str; 4] =
    ["heap overrun", "write after free", "double free", "free of a pointer that was never allocated"];
