//! A test to copy: the minimal case, replayed natively, in the subject's own language.

use std::fmt::Write;

use twinrun_base::Finding;
use twinrun_subject::build::native_case;

use crate::subject::Language;

/// The language and the text; none where nothing can be replayed natively.
pub(crate) fn ready_test(finding: &Finding, language: &Language) -> Option<(String, String)> {
    let id = &finding.fingerprint.short();
    let case = native_case(&finding.group.case);
    match language {
        Language::C { build } => Some(("C".to_owned(), c(finding, id, &case, build))),
        Language::Rust => Some(("Rust".to_owned(), rust(finding, id, &case))),
        Language::Other => None,
    }
}

fn c(finding: &Finding, id: &str, case: &str, build: &str) -> String {
    let name = identifier(&finding.relation);
    let mut text = String::new();
    let build = build.replace("{test}", &format!("{name}_{id}"));
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "/* {}/{}, finding {id}: save as {name}_{id}.c beside twinrun.toml, then\n *\n *   {build}\n *\n \
         * It ends with 0 when the relation holds on this case, with 1 when it is violated. */\n\
         #define main tw_replay_main\n#include \"native.c\"\n#undef main\n\n\
         int main(void) {{\n    char path[] = \"/tmp/{name}-XXXXXX\";\n    FILE *file = fdopen(mkstemp(path), \"wb\");\n",
        plain(&finding.subject),
        plain(&finding.relation),
    );
    for line in case.lines() {
        let _ = writeln!(text, "    fputs(\"{}\\n\", file);", literal(line));
    }
    let _ = write!(
        text,
        "    fclose(file);\n    char *arguments[] = {{\"test\", \"{}\", path, 0}};\n    return tw_replay_main(3, arguments);\n}}\n",
        literal(&finding.relation)
    );
    text
}

fn rust(finding: &Finding, id: &str, case: &str) -> String {
    let (name, relation) = (identifier(&finding.relation), literal(&finding.relation));
    let mut text = format!(
        "// {}/{}, finding {id}: put it beside the relations.\n#[test]\nfn {name}_{id}() {{\n    \
         let case = std::env::temp_dir().join(\"{name}-{id}.case\");\n    let lines = [\n",
        plain(&finding.subject),
        plain(&finding.relation)
    );
    for line in case.lines() {
        let _ = writeln!(text, "        \"{}\",", literal(line));
    }
    let _ = write!(
        text,
        "    ];\n    std::fs::write(&case, lines.join(\"\\n\") + \"\\n\").unwrap();\n    \
         let output = std::process::Command::new(std::env::current_exe().unwrap())\n        \
         .args([\"{relation}::replay\", \"--include-ignored\", \"--nocapture\", \"--test-threads=1\"])\n        \
         .env(\"TWINRUN_CASE\", &case)\n        .env(\"TWINRUN_RELATION\", \"{relation}\")\n        .output()\n        .unwrap();\n    \
         let said = String::from_utf8_lossy(&output.stdout);\n    \
         // A name that selects no test succeeds too.\n    \
         assert!(output.status.success() && said.lines().any(|line| line == \"holds\"), \"{relation} is violated:\\n{{said}}\");\n}}\n"
    );
    text
}

fn identifier(name: &str) -> String {
    name.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '_' }).collect()
}

/// Text for a comment: it cannot end it.
fn plain(text: &str) -> String {
    text.chars()
        .map(|char| if char.is_ascii_graphic() && char != '*' || char == ' ' { char } else { '_' })
        .collect()
}

/// Text inside quotes, valid in C and in Rust.
fn literal(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\t' => out.push_str("\\t"),
            _ if char.is_ascii_graphic() || char == ' ' => out.push(char),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_stay_inside_comments_and_quotes() {
        assert_eq!(plain("a*/ system(\"x\")\n"), "a_/ system(\"x\")_");
        assert_eq!(literal("a\"\\\n\t"), "a\\\"\\\\?\\t");
        assert_eq!(identifier("best sum<é>"), "best_sum___");
    }
}
