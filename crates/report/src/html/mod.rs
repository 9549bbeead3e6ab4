//! Pages that need nothing but themselves: one file with its style and its small script, no network.
//!
//! Text from subjects passes through [`text`], which leaves no markup and no control character.

mod trace;

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::inert::{inert, shorten};
use crate::sources::Sources;

pub use trace::{Step, Traces, traces};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// Characters of one source line that are shown.
const MOST: usize = 500;
/// Lines shown around a marked one when the file is long.
const AROUND: u32 = 60;
/// A file up to so many lines is shown whole.
const WHOLE: usize = 600;

/// How something turned out, for colours beside words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Violated or crashed.
    Bad,
    /// Holds or proved.
    Good,
    /// No answer.
    Unsure,
}

impl Mood {
    fn class(self) -> &'static str {
        match self {
            Mood::Bad => "bad",
            Mood::Good => "good",
            Mood::Unsure => "unsure",
        }
    }
}

/// One part of a page, with its entry in the list at the side.
#[derive(Clone, Debug)]
pub struct Part {
    /// Unique on the page; letters, digits and hyphens.
    pub id: String,
    /// Its title, as plain text.
    pub title: String,
    /// How it turned out.
    pub mood: Option<Mood>,
    /// Its content, as HTML.
    pub content: String,
    /// Whether the search hides it when it does not match.
    pub searched: bool,
}

/// Plain text, made harmless.
pub fn text(text: &str) -> String {
    escape(&inert(text))
}

/// Text that may hold line ends, each line made harmless.
pub fn lines(text: &str) -> String {
    text.split('\n').map(self::text).collect::<Vec<_>>().join("\n")
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(char),
        }
    }
    out
}

/// A word with its colour.
pub fn tag(mood: Mood, word: &str) -> String {
    format!("<span class=\"tag {}\">{}</span>", mood.class(), text(word))
}

/// Text to copy, with a button.
pub fn copied(id: &str, content: &str) -> String {
    // A line break right after the tag is not content: without one, an empty first line would be lost.
    format!(
        "<div class=\"copy\"><pre id=\"{id}\" tabindex=\"0\">\n{}</pre><button type=\"button\" data-copy=\"{id}\">Copy</button></div>",
        lines(content)
    )
}

/// What is said about one source line.
#[derive(Clone, Debug, Default)]
pub struct Note {
    /// From 0 to 1: how suspicious.
    pub heat: f64,
    /// A few words beside the line; the line is marked when there are some.
    pub why: String,
    /// The critical branch stands here.
    pub critical: bool,
}

/// A source file with its lines coloured by their heat and marked where something is said about them.
pub fn source(sources: &Sources, file: &str, notes: &BTreeMap<u32, Note>) -> Option<String> {
    let all = sources.lines(file)?;
    let near = |line: u32| all.len() <= WHOLE || notes.keys().any(|noted| noted.abs_diff(line) <= AROUND);
    let mut html = format!(
        "<div class=\"source\" tabindex=\"0\" role=\"region\" aria-label=\"Source of {}\"><table>",
        text(file)
    );
    let mut left_out = false;
    for (line, content) in (1u32..).zip(all) {
        if !near(line) {
            left_out = true;
            continue;
        }
        if std::mem::take(&mut left_out) {
            html.push_str("<tr><td class=\"at\">⋯</td><td></td><td></td></tr>");
        }
        let note = notes.get(&line);
        let marked = note.is_some_and(|note| !note.why.is_empty());
        let heat = note.map_or(0.0, |note| note.heat.clamp(0.0, 1.0));
        let style = if heat > 0.0 {
            format!(" style=\"background:rgba(var(--heat),{:.2})\"", 0.55 * heat)
        } else {
            String::new()
        };
        let class = match note {
            Some(Note { critical: true, .. }) => " class=\"marked critical\"",
            _ if marked => " class=\"marked\"",
            _ => "",
        };
        let shown = escape(&inert(&shorten(&content.replace('\t', "    "), MOST)));
        let why = note.map_or(String::new(), |note| text(&note.why));
        let _ = write!(
            html,
            "<tr{class}><td class=\"at\">{line}</td><td{style}>{shown}</td><td class=\"why\">{why}</td></tr>"
        );
    }
    html.push_str("</table></div>");
    Some(html)
}

/// A whole page.
pub fn page(title: &str, lead: &str, parts: &[Part]) -> String {
    live_page(title, lead, parts, None)
}

/// A whole page that a server shows: the script asks for `/version` and loads the page again when it is no longer this one.
pub fn live_page(title: &str, lead: &str, parts: &[Part], version: Option<&str>) -> String {
    let version = version
        .map_or(String::new(), |it| format!("<meta name=\"twinrun-version\" content=\"{}\">\n", text(it)));
    let mut links = String::new();
    let mut body = String::new();
    for part in parts {
        let class = part.mood.map_or(String::new(), |mood| format!(" class=\"{}\"", mood.class()));
        let _ = write!(links, "<li><a href=\"#{}\"{class}>{}</a></li>", part.id, text(&part.title));
        let (element, searched) = match part.mood {
            Some(_) => ("article", ""),
            None if part.searched => ("section", " data-searched"),
            None => ("section", ""),
        };
        let _ = writeln!(
            body,
            "<{element} id=\"{id}\" tabindex=\"-1\" aria-labelledby=\"{id}-title\"{searched}><h2 id=\"{id}-title\">{title}</h2>\n{}</{element}>",
            part.content,
            id = part.id,
            title = text(&part.title),
        );
    }
    let title = text(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; connect-src 'self'\">\n\
         <link rel=\"icon\" href=\"data:,\"><title>{title}</title>\n{version}<style>\n{STYLE}</style></head>\n<body>\n<a class=\"skip\" href=\"#content\">To the content</a>\n\
         <header><h1>{title}</h1><span id=\"status\" class=\"dim\" role=\"status\"></span>\
         <input id=\"search\" type=\"search\" placeholder=\"Search (press /)\" aria-label=\"Search the findings\">\
         <button id=\"theme\" type=\"button\" aria-label=\"Switch between light and dark\">Dark</button></header>\n\
         <div class=\"frame\"><nav aria-label=\"Contents\"><ul>{links}</ul></nav>\n<main id=\"content\">\n<p class=\"lead\">{lead}</p>\n{body}</main></div>\n\
         <script>\n{SCRIPT}</script>\n</body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_become_text() {
        assert_eq!(text("<script>\u{1b}[0m\"'&"), "&lt;script&gt;\\x1b[0m&quot;&#39;&amp;");
        assert_eq!(lines("a<b\nc\r"), "a&lt;b\nc\\r");
    }

    #[test]
    fn a_long_file_is_shown_around_its_marks() {
        let mut sources = Sources::default();
        sources.insert("a.c", &"x\n".repeat(5000));
        let note = Note { heat: 1.0, why: "here".into(), critical: false };
        let html = source(&sources, "a.c", &BTreeMap::from([(2500, note)])).unwrap();
        assert_eq!(html.matches("<tr").count(), 2 * AROUND as usize + 2);
        assert!(html.contains("class=\"marked\"") && html.contains("⋯"));
        assert!(source(&sources, "b.c", &BTreeMap::new()).is_none());
    }
}
