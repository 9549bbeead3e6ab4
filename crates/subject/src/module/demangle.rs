//! Names as people wrote them.

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};

/// The demangled name of a C++ or Rust function, without parameter types and hashes; other names stay as they are.
pub fn demangle(name: &str) -> String {
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}");
    }
    if !name.starts_with("_Z") {
        return name.to_owned();
    }
    // A crafted name can nest deeply; beyond the limit it stays mangled.
    let options = ParseOptions::default().recursion_limit(96);
    Symbol::new_with_options(name, &options)
        .ok()
        .and_then(|symbol| {
            symbol.demangle_with_options(&DemangleOptions::new().no_params().no_return_type()).ok()
        })
        .unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_languages_become_readable() {
        let check = |name: &str, expected: &str| assert_eq!(demangle(name), expected);
        check("maxsub", "maxsub");
        check("_Z6maxsubPii", "maxsub");
        check("_ZN5graph4PathC2Ev", "graph::Path::Path");
        check(
            "_ZNSt3__26vectorIiNS_9allocatorIiEEE9push_backERKi",
            "std::__2::vector<int, std::__2::allocator<int> >::push_back",
        );
        check("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad");
        check("_RNvC6_123foo3bar", "123foo::bar");
        check("_Z", "_Z");
    }
}
