//! Conditional compilation: a parser without a preprocessor does not understand a condition of which each branch of an `#ifdef` has its own head. Where that
//! happens, what is not compiled is taken for white space; every byte stays where it is.

/// What every compiler for WebAssembly here defines.
const ALWAYS: [&str; 5] = ["__wasm__", "__wasm32__", "__wasi__", "__clang__", "__GNUC__"];

/// The text with directives of conditional compilation and what they leave out as white space; none where a condition is not understood.
pub(crate) fn active(text: &str, flags: &[String], cpp: bool) -> Option<String> {
    let given: Vec<&str> = flags.iter().filter_map(|flag| flag.strip_prefix("-D")).map(name_of).collect();
    let mut defined: Vec<&str> =
        ALWAYS.into_iter().chain(given).chain(cpp.then_some("__cplusplus")).collect();
    // For each open conditional: whether it is reached, whether its branch is taken, whether one was.
    let mut open: Vec<(bool, bool, bool)> = Vec::new();
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let here = open.last().is_none_or(|(reached, taken, _)| *reached && *taken);
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let (word, rest) = directive
            .map_or(("", ""), |it| it.split_at(it.find(|c: char| !c.is_alphabetic()).unwrap_or(it.len())));
        let rest = rest.trim();
        let mut conditional = true;
        match word {
            "if" | "ifdef" | "ifndef" => {
                let holds = match word {
                    "if" => condition(rest, &defined),
                    _ => Some(defined.contains(&name_of(rest)) == (word == "ifdef")),
                };
                // What is not reached need not be understood.
                let holds = if here { holds? } else { false };
                open.push((here, holds, holds));
            }
            "elif" => {
                let (reached, taken, before) = open.last_mut()?;
                *taken = *reached && !*before && condition(rest, &defined)?;
                *before |= *taken;
            }
            "else" => {
                let (reached, taken, before) = open.last_mut()?;
                *taken = *reached && !*before;
            }
            "endif" => {
                open.pop()?;
            }
            _ => {
                conditional = false;
                if here && word == "define" {
                    defined.push(name_of(rest));
                }
                if here && word == "undef" {
                    defined.retain(|name| *name != name_of(rest));
                }
            }
        }
        if conditional && line.trim_end().ends_with('\\') {
            return None;
        }
        match here && !conditional {
            true => out.push_str(line),
            false => out.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' })),
        }
    }
    open.is_empty().then_some(out)
}

/// The name at the beginning of a definition.
fn name_of(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())]
}

/// `0`, `1`, `defined(X)` and its opposite.
fn condition(text: &str, defined: &[&str]) -> Option<bool> {
    if let Some(rest) = text.strip_prefix('!') {
        return condition(rest.trim_start(), defined).map(|it| !it);
    }
    if let Some(rest) = text.strip_prefix("defined") {
        let rest = rest.trim_start();
        let name = name_of(rest.strip_prefix('(').unwrap_or(rest).trim_start());
        let behind = rest.trim_start_matches(['(', ' ']).strip_prefix(name)?.trim();
        return (!name.is_empty() && matches!(behind, "" | ")")).then(|| defined.contains(&name));
    }
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, flags: &[&str], expect: Option<&str>) {
        let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let found = active(text, &flags, false);
        assert!(found.as_ref().is_none_or(|it| it.len() == text.len()));
        let lines = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        assert_eq!(found.as_deref().map(lines).as_deref(), expect);
    }

    #[test]
    fn what_is_not_compiled_is_white_space() {
        let text = "a\n#ifdef F\nb\n#else\nc\n#endif\nd\n";
        check(text, &["-DF"], Some("a\n\nb\n\n\n\nd"));
        check(text, &["-DG=1"], Some("a\n\n\n\nc\n\nd"));
        check("#if defined(F) && G\na\n#endif\n", &[], None);
        check("#if 0\n#if X > 2\na\n#endif\n#elif !defined F\nb\n#endif\n", &[], Some("\n\n\n\n\nb\n"));
        check("#define F\n#ifndef F\na\n#endif\n", &[], Some("#define F\n\n\n"));
        check("#ifdef F\na\n", &[], None);
    }
}
