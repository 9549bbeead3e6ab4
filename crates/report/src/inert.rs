//! Makes text from subjects harmless: nothing that a program under test printed may steer the reader's terminal.

use std::fmt::Write;

/// The text with control characters, invisible characters and changes of direction escaped.
pub fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|char| push(&mut out, char));
    out
}

/// Bytes as text: what is valid UTF-8 is shown as [`inert`] does, any other byte as `\xNN`.
pub fn inert_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|char| push(&mut out, char));
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// At most `most` characters, and how many there were.
pub fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_string(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    }
}

fn push(out: &mut String, char: char) {
    match char {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ if char.is_control() && u32::from(char) < 0x80 => {
            let _ = write!(out, "\\x{:02x}", u32::from(char));
        }
        _ if char.is_control() || is_deceptive(char) => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(char));
        }
        _ => out.push(char),
    }
}

/// Invisible, or changing how other characters are laid out.
fn is_deceptive(char: char) -> bool {
    matches!(u32::from(char),
        0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfe00..=0xfe0f
        | 0xfeff | 0xfff0..=0xfffb | 0xe0000..=0xe0fff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expect: &str) {
        assert_eq!(inert_bytes(bytes), expect);
    }

    #[test]
    fn nothing_that_steers_a_terminal_survives() {
        check(b"plain text, 100 %", "plain text, 100 %");
        check("naïve 数".as_bytes(), "naïve 数");
        check(b"\x1b[31mred\x07\r\n\t\0\x7f", "\\x1b[31mred\\x07\\r\\n\\t\\x00\\x7f");
        check(
            "\u{9b}31m\u{202e}gnp.exe\u{200b}\u{feff}".as_bytes(),
            "\\u{9b}31m\\u{202e}gnp.exe\\u{200b}\\u{feff}",
        );
        check(b"a\xff\xfeb\xc3", "a\\xff\\xfeb\\xc3");
        for byte in 0..=255 {
            let shown = inert_bytes(&[byte]);
            assert!(!shown.chars().any(char::is_control) && !shown.is_empty(), "{byte}");
        }
    }

    #[test]
    fn long_text_is_cut_at_a_character() {
        assert_eq!(shorten("数数数", 3), "数数数");
        assert_eq!(shorten("数数数数", 3), "数数数… (4 characters)");
    }
}
