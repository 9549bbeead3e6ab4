//! `twinrun repair` on small projects: what it writes is built and tested.

use std::fs;

use crate::project::{Project, example};

#[test]
fn a_missing_assignment_is_written_and_the_relations_hold_then() {
    let project = example("maxsub");
    let ran = project.twinrun(&["repair", "faulty", "--apply", "--no-proof"]);
    ran.expect(
        0,
        &["repair 1: maxsub.c:8 insert `cnt = 0;`", "fixes 300 of 300 failing cases", "written: maxsub.c"],
    );
    assert!(
        fs::read_to_string(project.path().join("maxsub.c"))
            .unwrap()
            .contains("#endif\n            cnt = 0;\n")
    );
    project.twinrun(&["test", "faulty"]).expect(0, &["no violation found"]);
    project.twinrun(&["repair", "faulty"]).expect(0, &["nothing to repair"]);
}

#[test]
fn sources_outside_of_the_project_are_repaired_and_nothing_is_touched() {
    let faulty = "\
static int clamp(int x, int low, int high) {
    if (x < low) return low;
    if (x > low) return high;
    return x;
}
";
    let project = Project::new(&[
        ("library/clamp.c", &format!("#include \"clamp.h\"\n{}", faulty.replace("static ", ""))),
        ("library/clamp.h", "int clamp(int x, int low, int high);\n"),
        (
            "tests/relations.c",
            "#include <twinrun.h>\n#include \"clamp.h\"\nRELATION(mirrored) {\n    int x = tw_i32(\"x\", -20, 20);\n    int a = RUN(clamp(x, -5, 9)), b = RUN(clamp(-x, -9, 5));\n    CHECK_EQ(a, -b);\n}\n",
        ),
        (
            "tests/twinrun.toml",
            "[subject.clamp]\nsources = [\"relations.c\", \"../library/clamp.c\"]\ninclude = [\"../library\"]\n",
        ),
    ]);
    let folder = project.path().join("tests");
    let ran = crate::project::twinrun(&folder, &["repair", "--no-proof", "--format", "json"]);
    let report = ran.expect(1, &[]).json();
    let repairs = report["subjects"][0]["outcome"]["repairs"].as_array().unwrap();
    let told: Vec<&str> = repairs.iter().map(|it| it["change"].as_str().unwrap()).collect();
    assert!(told.iter().any(|it| it.contains("high")), "{told:?}");
    let text = fs::read_to_string(project.path().join("library/clamp.c")).unwrap();
    assert!(text.contains("x > low"), "nothing is written without --apply");
}

#[test]
fn what_cannot_be_edited_is_said() {
    let project =
        Project::c("RELATION(never) {\n    int x = tw_i32(\"x\", 0, 9);\n    CHECK_EQ(RUN(x), x + 1);\n}\n");
    project.twinrun(&["repair"]).expect(1, &["no single edit fixes every failing case"]);
}
