//! Modules that do their worst: endless, huge, deep, or hard to decide. Each is one relation with two runs of one function.

use std::fmt::Write as _;

/// A module.
pub(crate) struct Hostile {
    /// What it does.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
}

/// The parts of a module that differ.
#[derive(Default)]
struct Parts {
    /// Imports beside those of every module.
    imports: String,
    /// Pages of memory.
    pages: u32,
    /// Tables, globals, functions, segments.
    items: String,
    /// Locals of the function under test.
    locals: String,
    /// Its body, which leaves nothing on the stack; `$x` is its parameter, an i64 from 0 to 9.
    body: String,
    /// Statements of the relation before its runs.
    before: String,
}

fn parts(body: &str) -> Parts {
    Parts { pages: 2, body: body.to_owned(), ..Parts::default() }
}

/// The module of some parts. The second run differs for one input in ten, so that there is something to locate, debug and prove.
fn module(parts: &Parts) -> String {
    let Parts { imports, pages, items, locals, body, before } = parts;
    format!(
        r#"(module
  (import "twinrun" "int" (func $int (param i32 i32 i32 i64 i64) (result i64)))
  (import "twinrun" "run_begin" (func $begin))
  (import "twinrun" "run_end" (func $end))
  (import "twinrun" "check_int" (func $check (param i32 i32 i64 i64 i32 i32 i32)))
  {imports}
  (memory (export "memory") {pages})
  (data (i32.const 16) "x")
  {items}
  (func $f (param $x i64) (param $second i32) (result i64) {locals}
    {body}
    (i64.add (local.get $x)
      (i64.extend_i32_u (i32.and (local.get $second) (i64.eq (local.get $x) (i64.const 7))))))
  (func (export "relation:r") (local $x i64) (local $a i64)
    (local.set $x (call $int (i32.const 16) (i32.const 1) (i32.const 1) (i64.const 0) (i64.const 9)))
    {before}
    (call $begin) (local.set $a (call $f (local.get $x) (i32.const 0))) (call $end)
    (call $begin)
    (call $check (i32.const 0) (i32.const 0) (local.get $a) (call $f (local.get $x) (i32.const 1))
      (i32.const 16) (i32.const 1) (i32.const 1))
    (call $end)))"#
    )
}

/// All of them.
pub(crate) fn modules() -> Vec<Hostile> {
    let mut all: Vec<(String, Parts)> = Vec::new();
    for (name, body) in BODIES {
        all.push(((*name).to_owned(), parts(body)));
        // The same behind a decision on the input: some cases end, and there is a path to look for.
        let guarded = format!("(if (i64.eq (local.get $x) (i64.const 3)) (then {body}))");
        all.push((format!("{name}_for_one_input"), parts(&guarded)));
    }
    all.extend(large());
    all.extend(memories());
    all.extend(beginnings());
    all.extend(hosts());
    all.into_iter().map(|(name, parts)| Hostile { name, text: module(&parts) }).collect()
}

/// What needs nothing but a body.
const BODIES: &[(&str, &str)] = &[
    ("endless_loop", "(loop (br 0))"),
    ("endless_nested_loops", "(loop (loop (loop (br 2))))"),
    (
        "endless_stores",
        "(loop (i64.store (i32.const 64) (i64.add (i64.load (i32.const 64)) (i64.const 1))) (br 0))",
    ),
    ("fill_a_page", "(loop (memory.fill (i32.const 0) (i32.const 7) (i32.const 65536)) (br 0))"),
    ("fill_nothing", "(loop (memory.fill (i32.const 0) (i32.const 7) (i32.const 0)) (br 0))"),
    ("copy_a_page", "(loop (memory.copy (i32.const 1) (i32.const 0) (i32.const 65536)) (br 0))"),
    ("fill_beyond_memory", "(memory.fill (i32.const 0) (i32.const 7) (i32.const -1))"),
    ("grow_by_one", "(loop (drop (memory.grow (i32.const 1))) (br 0))"),
    ("grow_by_nothing", "(loop (drop (memory.grow (i32.const 0))) (br 0))"),
    ("grow_by_much", "(loop (drop (memory.grow (i32.const 1000))) (br 0))"),
    ("grow_by_all", "(drop (memory.grow (i32.const 65535)))"),
    (
        "loop_over_the_input",
        "(loop (local.set $x (i64.add (i64.mul (local.get $x) (i64.const 3)) (i64.const 1))) (br_if 0 (i64.ne (local.get $x) (i64.const -1))))",
    ),
    (
        "stores_over_the_input",
        "(loop (i64.store (i32.wrap_i64 (i64.and (local.get $x) (i64.const 1023))) (local.get $x)) (local.set $x (i64.add (local.get $x) (i64.load (i32.const 40)))) (br 0))",
    ),
    (
        "products_of_the_input",
        "(if (i64.eq (i64.mul (i64.mul (local.get $x) (i64.add (local.get $x) (i64.const 11))) (i64.add (local.get $x) (i64.const 1234567))) (i64.const 99999999977)) (then (unreachable)))",
    ),
    (
        "divisions_by_the_input",
        "(loop (local.set $x (i64.rem_u (i64.mul (local.get $x) (i64.const 48271)) (i64.add (local.get $x) (i64.const 3)))) (br_if 0 (i64.lt_u (local.get $x) (i64.const 1000000))))",
    ),
];

fn repeated(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

/// Modules of many or large things.
fn large() -> Vec<(String, Parts)> {
    let mut all = Vec::new();
    let mut add = |name: &str, parts: Parts| all.push((name.to_owned(), parts));
    add("sixty_thousand_functions", Parts { items: repeated(60_000, |_| "(func)".to_owned()), ..parts("") });
    let loops = repeated(10_000, |n| format!("(func $g{n} (loop (br 0)))"));
    add("ten_thousand_endless_functions", Parts { items: loops, ..parts("(call $g77)") });
    let line = "(local.set $x (i64.xor (i64.rotl (local.get $x) (i64.const 7)) (i64.const 12345)))";
    add("a_long_function", parts(&line.repeat(30_000)));
    add("a_long_loop", parts(&format!("(loop {} (br 0))", line.repeat(10_000))));
    add("deep_blocks", parts(&format!("{}{}", "(block ".repeat(3_000), ")".repeat(3_000))));
    let nested = "(if (i64.ne (local.get $x) (i64.const 99)) (then ";
    add("deep_decisions", parts(&format!("{}{}", nested.repeat(800), "))".repeat(800))));
    add("deep_loops", parts(&format!("{}(br 0){}", "(loop ".repeat(800), ")".repeat(800))));
    let ifs = repeated(300, |n| {
        format!(
            "(if (i64.gt_u (i64.rotl (local.get $x) (i64.const {})) (i64.const {n})) (then (local.set $x (i64.add (local.get $x) (i64.const 1)))))",
            n % 64
        )
    });
    add("many_paths", parts(&ifs));
    let table = format!("(block (br_table {} (i32.wrap_i64 (local.get $x))))", "0 ".repeat(30_000));
    add("a_long_br_table", parts(&table));
    add("a_long_br_table_in_a_loop", parts(&format!("(loop {table} (br 0))")));
    let tables =
        repeated(300, |_| format!("(block (br_table {} (i32.wrap_i64 (local.get $x))))", "0 ".repeat(200)));
    add("many_br_tables", parts(&tables));
    add("many_locals", Parts { locals: format!("(local {})", "i64 ".repeat(40_000)), ..parts("") });
    let recursive = |locals: usize| Parts {
        items: format!(
            "(func $g (param i64) (result i64) (local {}) (i64.add (i64.const 1) (call $g (local.get 0))))",
            "i64 ".repeat(locals)
        ),
        ..parts("(drop (call $g (local.get $x)))")
    };
    add("endless_recursion", recursive(1));
    add("endless_recursion_with_many_locals", recursive(2_000));
    let mutual =
        "(func $g (param i64) (call $h (local.get 0))) (func $h (param i64) (call $g (local.get 0)))";
    add("mutual_recursion", Parts { items: mutual.to_owned(), ..parts("(call $g (local.get $x))") });
    let tree = "(func $g (param i32) (if (local.get 0) (then (call $g (i32.sub (local.get 0) (i32.const 1))) (call $g (i32.sub (local.get 0) (i32.const 1))))))";
    add("a_tree_of_calls", Parts { items: tree.to_owned(), ..parts("(call $g (i32.const 60))") });
    add(
        "many_globals",
        Parts { items: repeated(20_000, |_| "(global (mut i64) (i64.const 1))".to_owned()), ..parts("") },
    );
    add(
        "many_types",
        Parts {
            items: repeated(5_000, |n| format!("(type (func (param {})))", "i32 ".repeat(n % 50))),
            ..parts("")
        },
    );
    add(
        "many_exports",
        Parts { items: repeated(20_000, |n| format!("(func (export \"e{n}\"))")), ..parts("") },
    );
    add(
        "many_relations",
        Parts {
            items: repeated(60, |n| format!("(func (export \"relation:s{n}\") (loop (br 0)))")),
            ..parts("")
        },
    );
    add("a_long_name", Parts { items: format!("(func (export \"{}\"))", "n".repeat(60_000)), ..parts("") });
    add(
        "much_data",
        Parts {
            pages: 300,
            items: format!("(data (i32.const 64) \"{}\")", "d".repeat(16_000_000)),
            ..parts("")
        },
    );
    add(
        "many_segments",
        Parts { items: repeated(30_000, |n| format!("(data (i32.const {}) \"d\")", 64 + n)), ..parts("") },
    );
    add("data_beyond_memory", Parts { items: "(data (i32.const 1000000) \"d\")".to_owned(), ..parts("") });
    add(
        "selects_of_the_input",
        parts(&repeated(3_000, |n| {
            format!(
                "(local.set $x (select (i64.add (local.get $x) (i64.const {n})) (i64.xor (local.get $x) (i64.const {n})) (i64.lt_s (local.get $x) (i64.const {n}))))"
            )
        })),
    );
    add("mixing_the_input", parts(&format!(
        "{}(if (i64.eq (local.get $x) (i64.const 81985529216486895)) (then (unreachable)))",
        "(local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 29))) (i64.const -4658895280553007687)))".repeat(40)
    )));
    add("floats_of_the_input", parts(&format!(
        "{}(if (i64.eq (local.get $x) (i64.const 4607182418800017408)) (then (unreachable)))",
        "(local.set $x (i64.reinterpret_f64 (f64.div (f64.sqrt (f64.convert_i64_s (local.get $x))) (f64.const 1.7))))".repeat(12)
    )));
    all
}

/// Modules with large or unusual memories and tables.
fn memories() -> Vec<(String, Parts)> {
    let mut all = Vec::new();
    let mut add = |name: &str, parts: Parts| all.push((name.to_owned(), parts));
    let with = |pages: u32, body: &str| Parts { pages, ..parts(body) };
    add(
        "fill_sixty_megabytes",
        with(1_000, "(loop (memory.fill (i32.const 0) (local.get $second) (i32.const 65000000)) (br 0))"),
    );
    add(
        "copy_sixty_megabytes",
        with(1_000, "(loop (memory.copy (i32.const 100) (i32.const 0) (i32.const 65000000)) (br 0))"),
    );
    add(
        "fill_two_hundred_megabytes",
        with(4_000, "(memory.fill (i32.const 0) (local.get $second) (i32.const 260000000))"),
    );
    add("all_of_memory", with(65_536, ""));
    add("no_memory_left", with(4_096, "(loop (drop (memory.grow (i32.const 1))) (br 0))"));
    let init = "(data $d \"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\")";
    add(
        "init_in_a_loop",
        Parts {
            items: init.to_owned(),
            ..parts("(loop (memory.init $d (i32.const 128) (i32.const 0) (i32.const 64)) (br 0))")
        },
    );
    let table = "(table $t 50000 100000 funcref)".to_owned();
    let tables = [
        ("table_fill", "(loop (table.fill $t (i32.const 0) (ref.null func) (i32.const 50000)) (br 0))"),
        ("table_copy", "(loop (table.copy $t $t (i32.const 1) (i32.const 0) (i32.const 49999)) (br 0))"),
        ("table_grow", "(loop (drop (table.grow $t (ref.null func) (i32.const 10))) (br 0))"),
        ("table_set", "(loop (table.set $t (i32.const 1) (ref.null func)) (br 0))"),
        ("call_nothing", "(call_indirect $t (i32.wrap_i64 (local.get $x)))"),
    ];
    for (name, body) in tables {
        add(name, Parts { items: table.clone(), ..parts(body) });
    }
    let many = format!(
        "(table $t 60000 funcref) (elem (i32.const 0) func {}) (func $g (loop (br 0)))",
        "$g ".repeat(60_000)
    );
    add("a_full_table", Parts { items: many, ..parts("(call_indirect $t (i32.wrap_i64 (local.get $x)))") });
    add("a_huge_table", Parts { items: "(table 10000000 funcref)".to_owned(), ..parts("") });
    all
}

/// Modules that are bad before a relation runs.
fn beginnings() -> Vec<(String, Parts)> {
    let mut all = Vec::new();
    let mut add =
        |name: &str, items: &str| all.push((name.to_owned(), Parts { items: items.to_owned(), ..parts("") }));
    add("a_start_that_loops", "(func $s (loop (br 0))) (start $s)");
    add(
        "a_start_that_fills",
        "(func $s (loop (memory.fill (i32.const 0) (i32.const 1) (i32.const 65536)) (br 0))) (start $s)",
    );
    add("a_start_that_recurses", "(func $s (call $s)) (start $s)");
    add("a_start_that_grows", "(func $s (loop (drop (memory.grow (i32.const 16))) (br 0))) (start $s)");
    add("an_initialisation_that_loops", "(func (export \"_initialize\") (loop (br 0)))");
    add("an_initialisation_that_traps", "(func (export \"_initialize\") (unreachable))");
    add(
        "an_initialisation_that_grows",
        "(func (export \"_initialize\") (drop (memory.grow (i32.const 3000))))",
    );
    for (name, pointer) in [("beyond_memory", 2_000_000_000), ("below_zero", -5), ("at_zero", 0)] {
        let stack = format!(
            "(global $__stack_pointer (mut i32) (i32.const {pointer})) (export \"__stack_pointer\" (global $__stack_pointer)) \
             (func $g (export \"g\") (global.set $__stack_pointer (i32.sub (global.get $__stack_pointer) (i32.const 16))) \
             (i32.store (global.get $__stack_pointer) (i32.const 1)))"
        );
        all.push((format!("a_stack_pointer_{name}"), Parts { items: stack, ..parts("(call $g)") }));
    }
    all
}

/// Modules that keep the host busy.
fn hosts() -> Vec<(String, Parts)> {
    let mut all = Vec::new();
    let mut add = |name: &str, imports: &str, body: &str, before: &str| {
        let (imports, before) = (imports.to_owned(), before.to_owned());
        all.push((name.to_owned(), Parts { imports, before, pages: 600, ..parts(body) }));
    };
    let drawn = "(call $int (i32.const 16) (i32.const 1) (i32.const 0) (i64.const -5) (i64.const 5))";
    add("inputs_without_end", "", "", &format!("(loop (drop {drawn}) (br 0))"));
    add("inputs_in_a_run", "", &format!("(loop (drop {drawn}) (br 0))"), "");
    let ints = "(import \"twinrun\" \"ints\" (func $ints (param i32 i32 i32 i32 i32 i32 i64 i64)))";
    let array = |count: u32| {
        format!(
            "(call $ints (i32.const 16) (i32.const 1) (i32.const 0) (i32.const 1024) (i32.const -1) (i32.const {count}) (i64.const 0) (i64.const 9))"
        )
    };
    add("a_long_array", ints, "", &array(9_000_000));
    add("an_array_beyond_memory", ints, "", &array(2_000_000_000));
    add("arrays_without_end", ints, "", &format!("(loop {} (br 0))", array(1_000)));
    let text = "(import \"twinrun\" \"text\" (func $text (param i32 i32 i32 i32 i32 i32 i32) (result i32)))";
    add(
        "a_long_text",
        text,
        "",
        "(drop (call $text (i32.const 16) (i32.const 1) (i32.const 1024) (i32.const 0) (i32.const 30000000) (i32.const 16) (i32.const 1)))",
    );
    let assume = "(import \"twinrun\" \"assume\" (func $assume (param i32)))";
    add("nothing_is_assumed", assume, "", "(call $assume (i32.const 0))");
    add("assumptions_without_end", assume, "(loop (call $assume (i32.const 1)) (br 0))", "");
    let output = "(import \"twinrun\" \"output_int\" (func $output (param i32 i32 i64)))";
    add(
        "outputs_without_end",
        output,
        "(loop (call $output (i32.const 16) (i32.const 1) (local.get $x)) (br 0))",
        "",
    );
    add("runs_without_end", "", "", "(loop (call $begin) (br 0))");
    add("runs_that_end_before_they_begin", "", "", "(call $end) (call $end)");
    let write =
        "(import \"wasi_snapshot_preview1\" \"fd_write\" (func $write (param i32 i32 i32 i32) (result i32)))";
    let vector = "(i32.store (i32.const 64) (i32.const 1024)) (i32.store (i32.const 68) (i32.const 100000))";
    add(
        "writes_without_end",
        write,
        &format!(
            "{vector} (loop (drop (call $write (i32.const 1) (i32.const 64) (i32.const 1) (i32.const 80))) (br 0))"
        ),
        "",
    );
    let random =
        "(import \"wasi_snapshot_preview1\" \"random_get\" (func $random (param i32 i32) (result i32)))";
    add(
        "random_bytes_without_end",
        random,
        "(loop (drop (call $random (i32.const 1024) (i32.const 30000000))) (br 0))",
        "",
    );
    let clock = "(import \"wasi_snapshot_preview1\" \"clock_time_get\" (func $clock (param i32 i64 i32) (result i32)))";
    add(
        "waiting_for_the_clock",
        clock,
        "(loop (drop (call $clock (i32.const 0) (i64.const 0) (i32.const 64))) (br_if 0 (i64.lt_u (i64.load (i32.const 64)) (i64.const -1))))",
        "",
    );
    let mut checks = String::new();
    for _ in 0..3 {
        let _ = write!(
            checks,
            "(call $check (i32.const 0) (i32.const 0) (local.get $x) (local.get $x) (i32.const 16) (i32.const 1) (i32.const 1))"
        );
    }
    add("checks_without_end", "", "", &format!("(loop {checks} (br 0))"));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_enough_kinds_and_each_is_a_module() {
        let all = modules();
        assert!(all.len() >= 60, "{}", all.len());
        let mut names: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
        for hostile in &all {
            if let Err(error) = wat::parse_str(&hostile.text) {
                panic!("{}: {error}", hostile.name);
            }
        }
    }
}
