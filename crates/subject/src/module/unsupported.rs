//! Features that WebAssembly here does not offer. The SDK leaves them as imports of the module `env`; an engine that meets a
//! call of one ends the run as crashed with the sentence given here.

use super::Import;

/// The import module of the handlers that a subject calls when it does what cannot be done here, or what a check forbids.
pub const MODULE: &str = "env";

/// What is to be said when the import `name` of [`MODULE`] is called.
pub fn sentence(name: &str) -> Option<&'static str> {
    Some(match name {
        "__cxa_throw" | "__cxa_rethrow" => {
            "a C++ exception was thrown: exceptions end a run here, `catch` is never reached; return an error value instead, or replay natively"
        }
        "longjmp" | "siglongjmp" | "_longjmp" => {
            "longjmp was called: WebAssembly here cannot jump out of a call; return an error value instead, or replay natively"
        }
        _ => return None,
    })
}

/// The reason when the import is a handler of the checked build: `__ubsan_handle_…_abort`, without the prefix and suffix.
pub fn sanitizer_check(name: &str) -> Option<&str> {
    let check = name.strip_prefix("__ubsan_handle_")?;
    Some(check.strip_suffix("_abort").unwrap_or(check))
}

/// One notice for each unsupported feature that the module could use.
pub(super) fn notices(imports: &[Import]) -> Vec<String> {
    let uses = |names: &[&str]| {
        imports.iter().any(|import| import.module == MODULE && names.contains(&import.name.as_str()))
    };
    let mut notices = Vec::new();
    if uses(&["__cxa_throw", "__cxa_rethrow"]) {
        notices.push("the module can throw C++ exceptions: a run that throws is reported as crashed, `catch` is never reached".to_owned());
    }
    if uses(&["longjmp", "siglongjmp", "_longjmp"]) {
        notices.push("the module can call longjmp: a run that calls it is reported as crashed".to_owned());
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_of_a_sanitizer_handler_is_its_name_without_the_frame() {
        assert_eq!(sanitizer_check("__ubsan_handle_add_overflow_abort"), Some("add_overflow"));
        assert_eq!(sanitizer_check("__ubsan_handle_builtin_unreachable"), Some("builtin_unreachable"));
        assert_eq!(sanitizer_check("malloc"), None);
    }
}
