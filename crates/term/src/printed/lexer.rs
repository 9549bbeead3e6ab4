//! Words of printed conditions.

/// A word.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A name of an input.
    Name(String),
    /// A word that names a value. In quotes it is a name like any other.
    Constant(&'static str),
    /// A function, whose parenthesis follows.
    Function(String),
    /// A whole number or character.
    Whole(i128),
    /// A number with a fraction or exponent, and whether it is of 32 bits.
    Float(String, bool),
    /// An operator or parenthesis.
    Sign(&'static str),
}

/// Longer ones first.
const SIGNS: [&str; 22] = [
    "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!",
    "?", ":", ",",
];
const WORDS: [&str; 2] = ["mod", "div"];
const CONSTANTS: [&str; 4] = ["true", "false", "nan", "inf"];

/// Whether a name can stand in a text as it is: a word with indices, fields or a number that tells it from others, or the length of such.
pub fn is_plain(name: &str) -> bool {
    if let Some(inner) = name.strip_prefix("len(")
        && let Some(end) = inner.find(')')
    {
        return is_plain(&inner[..end]) && suffix_length(&inner[end + 1..]) == inner.len() - end - 1;
    }
    let word = word_length(name);
    word > 0
        && word + suffix_length(&name[word..]) == name.len()
        && !WORDS.iter().chain(&CONSTANTS).any(|known| *known == &name[..word])
}

fn word_length(text: &str) -> usize {
    let mut bytes = text.bytes();
    match bytes.next() {
        Some(first) if first.is_ascii_alphabetic() || first == b'_' => {}
        _ => return 0,
    }
    1 + bytes.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
}

/// The length of indices, fields and numbers behind a word.
fn suffix_length(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text.as_bytes()[at..];
        let digits = rest.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
        at += match rest.first() {
            _ if digits == 0 => return at,
            Some(b'[') if rest.get(digits + 1) == Some(&b']') => digits + 2,
            Some(b'.' | b'#' | b'@') => digits + 1,
            // `!4`, but not the `!` of `a != 4`: that has no digit behind it.
            Some(b'!') => digits + 1,
            _ => return at,
        };
    }
}

/// The words of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut at = 0;
    'words: while at < text.len() {
        let rest = &text[at..];
        let first = rest.as_bytes()[0];
        if first == b' ' {
            at += 1;
            continue;
        }
        if first == b'(' || first == b')' {
            found.push(Token::Sign(if first == b'(' { "(" } else { ")" }));
            at += 1;
            continue;
        }
        if first == b'`' {
            let (name, length) = quoted(rest).ok_or_else(|| format!("a name has no end at {at}"))?;
            found.push(Token::Name(name));
            at += length;
            continue;
        }
        if let [b'\'', code, b'\'', ..] = *rest.as_bytes() {
            found.push(Token::Whole(code.into()));
            at += 3;
            continue;
        }
        if first.is_ascii_digit() {
            at += number(rest, &mut found).ok_or_else(|| format!("no number at {at}"))?;
            continue;
        }
        if let Some(length) = length_name(rest) {
            found.push(Token::Name(rest[..length].to_owned()));
            at += length;
            continue;
        }
        let word = word_length(rest);
        if word > 0 {
            if let Some(word) = WORDS.iter().find(|known| **known == &rest[..word]) {
                found.push(Token::Sign(word));
                at += word.len();
                continue;
            }
            if rest[word..].starts_with('(') {
                found.push(Token::Function(rest[..word].to_owned()));
                at += word;
                continue;
            }
            let whole = word + suffix_length(&rest[word..]);
            found.push(match CONSTANTS.iter().find(|known| **known == &rest[..whole]) {
                Some(known) => Token::Constant(known),
                None => Token::Name(rest[..whole].to_owned()),
            });
            at += whole;
            continue;
        }
        for sign in SIGNS {
            if rest.starts_with(sign) {
                found.push(Token::Sign(sign));
                at += sign.len();
                continue 'words;
            }
        }
        return Err(format!("nothing begins with {:?} at {at}", rest.chars().next()));
    }
    Ok(found)
}

/// `len(t)` with what follows it, if the text begins with that.
fn length_name(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("len(")?;
    let end = inner.find(')').filter(|end| is_plain(&inner[..*end]))?;
    Some(4 + end + 1 + suffix_length(&inner[end + 1..]))
}

fn quoted(text: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character != '`' {
            name.push(character);
        } else if characters.peek().is_some_and(|(_, next)| *next == '`') {
            name.push('`');
            characters.next();
        } else {
            return Some((name, at + 1));
        }
    }
    None
}

fn number(text: &str, found: &mut Vec<Token>) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits =
        |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    let mut whole = true;
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
        whole = false;
    }
    if bytes.get(end) == Some(&b'e') {
        let sign = usize::from(bytes.get(end + 1) == Some(&b'-'));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
            whole = false;
        }
    }
    if whole {
        found.push(Token::Whole(text[..end].parse().ok()?));
        return Some(end);
    }
    let single = bytes.get(end) == Some(&b'f');
    found.push(Token::Float(text[..end].to_owned(), single));
    Some(end + usize::from(single))
}
