//! As much XML as models are written in: elements with attributes, text, comments; no document types of one's own.

use crate::error::{Error, Place};

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
    /// The text directly within it.
    pub text: String,
    pub place: Place,
}

impl Element {
    /// An attribute by name.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// The children of some name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name.eq_ignore_ascii_case(name))
    }

    /// The children of the first child of some name.
    pub(super) fn within<'a>(&'a self, name: &'a str) -> &'a [Element] {
        self.all(name).next().map_or(&[], |child| &child.children)
    }
}

/// Elements nested deeper than this are refused instead of overflowing the stack.
const DEEPEST: usize = 500;

/// Reads the outermost element.
pub(super) fn parse(text: &str) -> Result<Element, Error> {
    let mut open: Vec<Element> = vec![Element::default()];
    let mut at = 0;
    let fail = |at: usize, message: &str| {
        Err(Error::Syntax { place: Place::of(text, at), message: message.to_owned() })
    };
    while at < text.len() {
        let rest = &text[at..];
        let Some(start) = rest.find('<') else { break };
        let inner = open.last_mut().expect("the outermost stays open");
        inner.text.push_str(&unescaped(&rest[..start]));
        at += start;
        let rest = &text[at..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")]
            .into_iter()
            .find(|(begin, _)| rest.starts_with(begin));
        if let Some((begin, end)) = skipped {
            let Some(length) = rest[begin.len()..].find(end) else { return fail(at, "this is never closed") };
            if begin == "<![CDATA[" {
                inner.text.push_str(&rest[begin.len()..begin.len() + length]);
            }
            at += begin.len() + length + end.len();
            continue;
        }
        let Some(length) = tag_length(rest) else { return fail(at, "this tag is never closed by `>`") };
        let tag = &rest[1..length - 1];
        if let Some(name) = tag.strip_prefix('/') {
            let closed = open.pop().expect("the outermost stays open");
            match open.last_mut() {
                Some(outer) if closed.name == name.trim() => outer.children.push(closed),
                _ => return fail(at, "this tag closes nothing that is open"),
            }
        } else {
            let alone = tag.ends_with('/');
            let element = element(tag.trim_end_matches('/'), Place::of(text, at));
            if alone {
                inner.children.push(element);
            } else if open.len() > DEEPEST {
                return fail(at, "elements are nested too deeply");
            } else {
                open.push(element);
            }
        }
        at += length;
    }
    let outermost = open.swap_remove(0);
    if !open.is_empty() {
        return fail(text.len(), "an element is never closed");
    }
    match outermost.children.into_iter().next() {
        Some(element) => Ok(element),
        None => fail(0, "there is no element"),
    }
}

/// Up to and with the `>` that ends a tag, outside quotes.
fn tag_length(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn element(tag: &str, place: Place) -> Element {
    let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    while let Some((key, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let Some(quote) = after.chars().next().filter(|c| ['"', '\''].contains(c)) else { break };
        let Some(end) = after[1..].find(quote) else { break };
        attributes.push((key.trim().to_owned(), unescaped(&after[1..=end])));
        rest = &after[end + 2..];
    }
    Element { name: name.to_owned(), attributes, place, ..Element::default() }
}

fn unescaped(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#10;", "\n"), ("&amp;", "&")]
        .into_iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_attributes_and_text_are_read() {
        let root = parse(
            "<?xml version=\"1.0\"?>\n<!-- a > b --><a x='1 > 0'>\n  <b y=\"&lt;\"/><b>t &amp; u</b></a>",
        )
        .unwrap();
        assert_eq!(root.attribute("X"), Some("1 > 0"));
        assert_eq!(root.all("b").count(), 2);
        assert_eq!(root.children[0].attribute("y"), Some("<"));
        assert_eq!((root.children[1].text.as_str(), root.children[1].place.line), ("t & u", 3));
        assert!(parse("<a><b></a>").is_err() && parse("<a").is_err() && parse("").is_err());
        assert!(parse(&"<a>".repeat(10_000)).unwrap_err().to_string().contains("too deeply"));
    }
}
