//! `twinrun combine` on real files: models in every form, bad models, and groups that are run and judged.

use crate::project::{Project, example};

const TOML: &str = "[[parameters]]\nname = \"os\"\nvalues = [\"linux\", \"mac, \\\"old\\\"\", \"windows\"]\n\
    [[parameters]]\nname = \"n\"\nrange = [1, 3]\n[[parameters]]\nname = \"fast\"\nvalues = [true, false]\n";

#[test]
fn values_with_commas_and_quotes_survive_csv_and_the_checker() {
    let project = Project::new(&[("model.toml", TOML)]);
    let made = project.twinrun(&["combine", "model.toml", "--rows", "csv", "-o", "rows.csv"]);
    made.expect(0, &[]);
    let rows = std::fs::read_to_string(project.path().join("rows.csv")).unwrap();
    assert!(rows.contains("\"mac, \"\"old\"\"\""), "{rows}");
    project
        .twinrun(&["combine", "model.toml", "--verify", "rows.csv"])
        .expect(0, &["0 missing at strength 2"]);
    let short: String = rows.lines().take(4).map(|line| format!("{line}\n")).collect();
    std::fs::write(project.path().join("short.csv"), short).unwrap();
    project.twinrun(&["combine", "model.toml", "--verify", "short.csv"]).expect(1, &["missing: os = "]);
}

#[test]
fn other_tools_models_are_read() {
    let project = Project::new(&[
        ("a.pict", "A: 1, 2, 3\nB: x, y\nC: 0, 1\nIF [A] = 1 THEN [B] = \"x\";\n"),
        ("a.model", "2\n3\n3 2 2\n"),
        ("a.constraints", "1\n2\n- 0 - 4\n"),
        (
            "a.acts",
            "[System]\nName: s\n[Parameter]\nA (int) : 1, 2, 3\nB (enum) : x, y\n[Constraint]\nA = 1 => B = \"x\"\n",
        ),
        ("a.ctw", "Model s\nParameters:\nA: {1, 2, 3}\nB: {x, y}\nConstraints:\n# A == 1 => B == x #\n"),
    ]);
    for file in ["a.pict", "a.model", "a.acts", "a.ctw"] {
        project.twinrun(&["combine", file]).expect(0, &["rows at strength 2 cover all"]);
    }
}

#[test]
fn bad_models_say_what_to_do() {
    let check = |text: &str, arguments: &[&str], said: &[&str]| {
        let project = Project::new(&[("model.pict", text)]);
        let arguments: Vec<&str> = ["combine", "model.pict"].iter().chain(arguments).copied().collect();
        project.twinrun(&arguments).expect(2, said);
    };
    check(
        "A: 1, 2\nB: 1, 2\n[A] = 1;\n[B] = 1;\n[A] <> [B];\n",
        &[],
        &["contradict", "[A] = 1", "[A] <> [B]"],
    );
    check("A: 1, 2\nB: 1, 2\n", &["-t", "3"], &["strength 3 is above the number of parameters, 2"]);
    // PICT leaves such a constraint out, with a warning.
    let unknown = Project::new(&[("model.pict", "A: 1, 2\nB: 1, 2\n[C] = 1;\n")]);
    unknown.twinrun(&["combine", "model.pict"]).expect(0, &["line 3, column 1", "`C`", "left out"]);
    let project = Project::new(&[("model.toml", TOML)]);
    project.twinrun(&["combine", "model.toml", "--run"]).expect(2, &["names no subject", "subject = "]);
    let project = Project::new(&[
        ("model.pict", "A: 1, 2\nB: 1, 2\nIF [A] = 1 THEN [B] = 1;\n"),
        ("kept.csv", "A,B\n1,2\n"),
    ]);
    project
        .twinrun(&["combine", "model.pict", "--extend", "kept.csv"])
        .expect(2, &["the row A = 1, B = 2 cannot be kept", "IF [A] = 1 THEN [B] = 1"]);
}

#[test]
fn a_thousand_parameters_with_a_constraint_over_all() {
    let parameters: String = (0..1000).map(|p| format!("p{p}: [0 .. 1]\n")).collect();
    let all: Vec<String> = (0..1000).map(|p| format!("p{p}")).collect();
    let text = format!("Model s\nParameters:\n{parameters}Constraints:\n# {} <= 990 #\n", all.join(" + "));
    let project = Project::new(&[("model.ctw", &text)]);
    project.twinrun(&["combine", "model.ctw", "--rows", "csv", "-o", "rows.csv"]);
    let rows = std::fs::read_to_string(project.path().join("rows.csv")).unwrap();
    assert!((10..60).contains(&rows.lines().count()), "{} rows", rows.lines().count());
}

#[test]
fn rules_are_taken_from_relations_and_groups_are_judged() {
    let project = example("triangle");
    let ran = project.twinrun(&["combine", "--run", "--quiet"]);
    ran.expect(
        1,
        &[
            "taken from rotate: follow.a = source.b and follow.b = source.c and follow.c = source.a",
            "taken from double_the_sides: follow.a = 2 * source.a and follow.b = 2 * source.b and follow.c = 2 * source.c",
            "violated: rotate",
            "suffices in the",
        ],
    );
    assert!(!ran.out.contains("differ from their rows"), "{}", ran.out);
    let json = project.twinrun(&["combine", "--run", "--quiet", "--format", "json"]).json();
    assert_eq!(json["run"]["unconfirmed"], 0);
    assert!(json["run"]["failures"][0]["suffices"][0]["further_groups"].as_u64().unwrap() > 0, "{json:#}");
    project.twinrun(&["combine", "--run", "--quiet", "--format", "sarif"]).expect(1, &["\"ruleId\""]);
}

#[test]
fn relations_that_do_not_name_their_inputs_are_refused() {
    let source = "RELATION(same) { int x = tw_i32(\"x\", 0, 9); int a = RUN(x + 1); int b = RUN(x + 1); CHECK_EQ(a, b); }\n";
    let project = Project::c(source);
    let file = project.path().join("twinrun.toml");
    let text = std::fs::read_to_string(&file).unwrap()
        + "\n[combine]\nsubject = \"it\"\nparameters = [{ name = \"x\", range = [0, 9] }, { name = \"y\", range = [0, 1] }]\nrelations = [{ name = \"same\" }]\n";
    std::fs::write(&file, text).unwrap();
    project.twinrun(&["combine", "--run", "--quiet"]).expect(2, &["relation `same`", "GIVEN"]);
}

#[test]
fn rows_of_a_command_are_run_and_the_sufficient_combination_is_named() {
    // A "program" that is wrong for just one pair of values.
    let command = "[subject.sum]\ncommand = [\"awk\", \"-v\", \"a={a}\", \"-v\", \"b={b}\", \"-v\", \"c={c}\", \
        \"BEGIN {{ print a + b + c + (a == 2 && c == 7) }}\"]\nexit = [0]\n\
        [subject.sum.parameters]\na = { range = [1, 3] }\nb = { range = [4, 6] }\nc = { range = [7, 9] }\n\
        [combine]\nsubject = \"sum\"\nstrength = 2\n\
        parameters = [{ name = \"a\", range = [1, 3] }, { name = \"b\", range = [4, 6] }, { name = \"c\", range = [7, 9] }]\n\
        relations = [{ name = \"one more\", input = \"follow.b = source.b + 1\", output = \"number(2) == number(1) + 1\" },\n\
        { name = \"carried\", input = \"follow.a = source.a + 1 and follow.c = source.c - 1\", output = \"same_output\" }]\n";
    let project = Project::new(&[("twinrun.toml", command)]);
    let ran = project.twinrun(&["combine", "--run", "--quiet", "--least-groups", "6"]);
    ran.expect(1, &["violated: carried", "suffices in the follow: a = 2, c = 7 (8 of 8"]);
    assert!(!ran.out.contains("violated: one more"), "{}", ran.out);
}
