//! Where a fault would go unnoticed.

use std::fmt::Write;

use twinrun_report::Sources;
use twinrun_report::html::{Mood, Part, tag, text};

use crate::outcome::{Hunt, Said};

/// The part with all subjects; none when nothing was asked.
pub(super) fn part(hunt: &Hunt, sources: &Sources) -> Option<Part> {
    let mut content = String::new();
    for notice in &hunt.noticed {
        let name = text(&notice.subject);
        let noticed = match &notice.said {
            Said::Report(noticed) => noticed,
            Said::Nothing { why } => {
                let _ = write!(content, "<h3>{name}</h3><p class=\"dim\">{}</p>", text(why));
                continue;
            }
            Said::Pending => {
                let _ = write!(content, "<h3>{name}</h3><p>{}</p>", tag(Mood::Unsure, "not yet"));
                continue;
            }
        };
        let short = if noticed.complete { "" } else { " Time was short: not all changes were tried." };
        let _ = write!(
            content,
            "<h3>{name}</h3><p>Of {} small changes of its code that alter an answer, the relations notice {}. {} of {} lines with code were run.{short}</p>",
            noticed.tried, noticed.noticed, noticed.run, noticed.lines
        );
        if noticed.blind.is_empty() {
            continue;
        }
        content.push_str("<p>On these lines none is noticed; a further relation that depends on them would help:</p><ul class=\"places\">");
        for blind in &noticed.blind {
            let line = sources.line(&blind.location.file, blind.location.line).unwrap_or_default();
            let _ = write!(
                content,
                "<li><code>{}:{}</code> <code>{}</code> e.g. {}</li>",
                text(&blind.location.file),
                blind.location.line,
                text(line.trim()),
                text(&blind.example)
            );
        }
        content.push_str("</ul>");
    }
    (!content.is_empty()).then(|| Part {
        id: "unnoticed".to_owned(),
        title: "What goes unnoticed".to_owned(),
        mood: None,
        content,
        searched: true,
    })
}
