//! Projects: the templates open as they are, and mistakes in the file are told with their place.

use std::path::Path;

use twinrun_subject::build::{Environment, native_case, native_replay};
use twinrun_subject::init::{self, Template};
use twinrun_subject::project::Mistake;
use twinrun_subject::{Error, Modules, Project, Subject, SubjectKind, build_native, open};

fn modules(subject: &Subject) -> &Modules {
    match &subject.kind {
        SubjectKind::Module(modules) => modules,
        SubjectKind::Command(command) => panic!("{command:?}"),
    }
}

fn opened(template: Template) -> (tempfile::TempDir, Project, Subject) {
    let folder = tempfile::tempdir().expect("a folder");
    init::write(template, folder.path()).expect("it is written");
    let project = Project::find(folder.path()).expect("it is found");
    let name = project.subjects().remove(0);
    let subject = open(&project, &name, &Environment::of_process(folder.path())).expect("it opens");
    (folder, project, subject)
}

#[test]
fn the_c_template_opens_with_its_relations_and_replays_natively() {
    let (folder, project, subject) = opened(Template::C);
    let modules = modules(&subject);
    assert_eq!(modules.relations, ["longer", "reverse"]);
    assert!(modules.checked.is_some() && subject.notices.is_empty(), "{:?}", subject.notices);
    let environment = Environment::of_process(folder.path());
    let (native, program) = build_native(&project, "maxsub", &environment, false).expect("it builds");
    let case = folder.path().join("case");
    std::fs::write(&case, "int\tn\t1\t2\nints\ta\t2\t-1\t1\n").expect("a case");
    let output = native_replay(&native, program.as_ref(), false, "reverse", &case).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("violated: source == follow_up (line 18): 0 and 1"),
        "{output:?}"
    );
}

#[test]
fn the_cpp_template_opens() {
    let (_folder, _, subject) = opened(Template::Cxx);
    assert_eq!(modules(&subject).relations, ["add_and_take", "renamed"]);
    let users: Vec<_> = modules(&subject)
        .module
        .sites
        .functions
        .iter()
        .filter(|it| it.user)
        .map(|it| it.name.as_str())
        .collect();
    assert!(users.contains(&"Inventory::take"), "{users:?}");
}

#[test]
fn the_rust_template_opens_and_replays_natively() {
    let (folder, project, subject) = opened(Template::Rust);
    let modules = modules(&subject);
    assert_eq!(modules.relations, ["one_more", "permuted"]);
    let module = &modules.module;
    let location =
        module.relation("permuted").expect("it is there").location.as_ref().map(ToString::to_string);
    assert!(location.as_ref().is_some_and(|it| it.starts_with("src/lib.rs:")), "{location:?}");
    let users: Vec<_> =
        module.sites.functions.iter().filter(|it| it.user).map(|it| it.name.as_str()).collect();
    assert!(users.contains(&"intervals::merge"), "{users:?}");
    assert!(!users.iter().any(|name| name.starts_with("core::") || name.starts_with("alloc::")), "{users:?}");
    assert!(module.exports.iter().any(|export| export.name == "_initialize"));
    let (native, _) = build_native(&project, "intervals", &Environment::of_process(folder.path()), false)
        .expect("it builds");
    let case = folder.path().join("case");
    let text = "int\tn\t1\t2\nints\tstarts\t2\t0\t0\nints\tlengths\t2\t0\t1\nints\tpermutation\t2\t1\t0\n";
    std::fs::write(&case, text).expect("a case");
    let output = native_replay(&native, None, true, "permuted", &case).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("violated: source == follow_up"), "{output:?}");
}

#[test]
fn the_command_template_is_read() {
    let (_folder, project, subject) = opened(Template::Command);
    let SubjectKind::Command(command) = &subject.kind else { panic!("{subject:?}") };
    assert_eq!(command.parameters.names(), ["options", "text"]);
    assert_eq!(command.relations.names(), ["order_of_lines", "sorted_again", "one_line_less"]);
    assert_eq!(project.executes(), ["the command `sort` (subject `sort`)"]);
    assert!(project.is_first_opened() && !project.is_first_opened());
}

#[test]
fn init_touches_nothing_that_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("maxsub.c"), "mine").expect("a file");
    let error = init::write(Template::C, folder.path()).expect_err("a file is in the way");
    assert!(matches!(error, Error::Exists { .. }), "{error}");
    assert!(!folder.path().join("twinrun.toml").exists());
}

#[test]
fn a_whole_program_and_its_relations_are_two_modules() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write(
        "echo.c",
        "#include <stdio.h>\nint main(int n, char **v) { for (int i = 1; i < n; i++) puts(v[i]); return n > 3; }\n",
    );
    write(
        "relations.c",
        "#include <twinrun.h>\nRELATION(same) { char out[9]; tw_arg args[] = {TW_STR(\"x\")}; CHECK_EQ(tw_run_program(args, 1, \"\", 0, out, 9), 0); }\n",
    );
    write("twinrun.toml", "[subject.echo]\nsources = [\"relations.c\"]\nprogram = [\"echo.c\"]\n");
    let project = Project::find(folder.path()).expect("it is found");
    let subject = open(&project, "echo", &Environment::of_process(folder.path())).expect("it opens");
    let modules = modules(&subject);
    let program = modules.program.as_ref().expect("a program");
    assert!(program.exports.iter().any(|export| export.name == "_start"));
    assert!(program.sites.functions.iter().any(|function| function.user && function.name == "main"));
    assert!(modules.checked_program.is_some() && subject.notices.is_empty(), "{:?}", subject.notices);
}

#[test]
fn a_compilation_database_gives_the_flags() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("inc")).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("inc/f.h", "int f(int x);\n");
    write(
        "f.c",
        "#include <f.h>\n#ifndef DEEP\n#error DEEP is not set\n#endif\nint f(int x) { return x; }\n",
    );
    write("r.c", "#include <twinrun.h>\n#include <f.h>\nRELATION(r) { CHECK_EQ(RUN(f(1)), 1); }\n");
    let path = folder.path().canonicalize().expect("it is there").display().to_string();
    write(
        "compile_commands.json",
        &format!(
            r#"[{{"directory": "{path}", "file": "f.c", "command": "cc -O3 -DDEEP -I{path}/inc -c f.c -o f.o"}}]"#
        ),
    );
    write(
        "twinrun.toml",
        "[subject.f]\nsources = [\"*.c\"]\ncompile_commands = \"compile_commands.json\"\nchecked = false\n",
    );
    let project = Project::find(folder.path()).expect("it is found");
    let subject = open(&project, "f", &Environment::of_process(folder.path())).expect("it opens");
    assert_eq!(modules(&subject).relations, ["r"]);
    assert!(modules(&subject).checked.is_none());
}

#[test]
fn a_corrupt_module_and_one_without_debug_information_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("a file");
    write("bad.wasm", b"\0asm\x01\0\0\0\x01\x05garbage");
    write("text.wasm", b"hello");
    write("bare.wasm", &wat::parse_str("(module (func (export \"relation:r\")))").expect("valid"));
    write("twinrun.toml", b"[subject.bad]\nwasm = \"bad.wasm\"\n[subject.text]\nwasm = \"text.wasm\"\n[subject.bare]\nwasm = \"bare.wasm\"\n");
    let project = Project::find(folder.path()).expect("it is found");
    let environment = Environment::of_process(folder.path());
    let error = open(&project, "bad", &environment).expect_err("it is corrupt").to_string();
    assert!(error.contains("bad.wasm") && error.contains("corrupt at byte"), "{error}");
    let error = open(&project, "text", &environment).expect_err("it is text").to_string();
    assert!(error.contains("not a WebAssembly module"), "{error}");
    let bare = open(&project, "bare", &environment).expect("it loads");
    assert!(!modules(&bare).module.has_debug);
    assert!(bare.notices.iter().any(|it| it.contains("-g -O0")), "{:?}", bare.notices);
    let error = modules(&bare).module.relation("zzzz").expect_err("there is no such relation");
    assert_eq!(error.to_string(), "there is no relation `zzzz`; known: r");
}

#[test]
fn exception_opcodes_are_refused_with_what_to_do() {
    let bytes = wat::parse_str("(module (tag $t) (func (export \"relation:r\") (throw $t)))").expect("valid");
    let error =
        twinrun_subject::Module::load(bytes, &twinrun_subject::Roots::new(".")).expect_err("it is refused");
    assert!(error.to_string().contains("-fno-exceptions"), "{error}");
}

/// The mistake in a project file: line, column, message, help.
fn mistake(text: &str) -> (usize, usize, String, String) {
    match Project::parse(Path::new("/p/twinrun.toml"), text.to_owned()) {
        Err(Error::Project(mistake)) => {
            let Mistake { line, column, message, help, .. } = *mistake;
            (line, column, message, help.unwrap_or_default())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn mistakes_in_the_project_file_have_a_place_and_a_help() {
    let check = |text: &str, line: usize, column: usize, message: &str, help: &str| {
        let found = mistake(text);
        assert_eq!((found.0, found.1), (line, column), "{found:?}");
        assert!(found.2.contains(message) && found.3.contains(help), "{found:?}");
    };
    check("[subject.a]\nsource = [\"a.c\"]\n", 2, 1, "`source` is not a key", "did you mean `sources`?");
    check("[subject.a\n", 1, 11, "", "");
    check("[subject.a]\nsources = \"a.c\"\n", 2, 11, "sequence", "");
    check("[subject.a]\nflags = [\"-O1\"]\n", 1, 10, "does not say what it is", "sources");
    check(
        "[subject.a]\nsources = [\"a.c\"]\nwasm = \"a.wasm\"\n",
        3,
        1,
        "both `sources` and `wasm`",
        "two subjects",
    );
    check("[limits]\nwork = 3\n", 1, 1, "no subject", "[subject.NAME]");
    check("[subject.a]\nsources = [\"a.c\"]\nstdin = \"x\"\n", 3, 1, "a key of commands", "");
    check(
        "[subject.g]\ncommand = [\"grep\", \"{patern}\"]\nparameters.pattern.values = [\"a\"]\n",
        2,
        1,
        "no parameter `patern` (did you mean `pattern`?)",
        "",
    );
    check("[subject.g]\ncommand = [\"ls\"]\n[subject.g.relation.r]\n", 3, 21, "checks nothing", "");
    check("[subject.g]\ncommand = [\"ls\", \"{\"]\n", 2, 11, "write `{{`", "");
}

#[test]
fn an_unknown_subject_is_named_with_the_nearest_one() {
    let project =
        Project::parse(Path::new("/p/twinrun.toml"), "[subject.maxsub]\nsources = [\"a.c\"]\n".to_owned())
            .expect("it is fine");
    let error = project.subject("maxsum").expect_err("there is no such subject");
    assert_eq!(error.to_string(), "there is no subject `maxsum` (did you mean `maxsub`?); known: maxsub");
    let error = open(&project, "maxsub", &Environment::default()).expect_err("the file is not there");
    assert!(error.to_string().contains("twinrun.toml:2:1: `a.c` matches no file"), "{error}");
}

#[test]
fn a_case_without_inputs_is_an_empty_file() {
    assert_eq!(native_case(&twinrun_base::Case::default()), "");
}

#[test]
fn every_project_of_the_repository_is_read_and_its_sources_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let mut folders =
        vec![root.join("examples"), root.join("subjects"), root.join("crates/subject/templates")];
    let (mut read, mut wrong) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_tool = path.file_name().is_some_and(|name| name == "target" || name == ".twinrun");
            if path.is_dir() && !is_tool {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name == "twinrun.toml") {
                read += 1;
                let checked = Project::read(&path).and_then(|project| {
                    project.file.subject.iter().try_for_each(|(name, subject)| {
                        project.source(name, subject)?;
                        project.program(name, subject).map(|_| ())
                    })
                });
                // The template's Cargo.toml gets its name when it is written.
                if let Err(error) = checked
                    && !path.ends_with("templates/rust/twinrun.toml")
                {
                    wrong.push(error.to_string());
                }
            }
        }
    }
    assert!(read >= 4 && wrong.is_empty(), "{read} read\n{}", wrong.join("\n"));
}
