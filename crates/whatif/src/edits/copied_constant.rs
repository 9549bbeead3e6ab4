//! Another constant of the same function, or its negation.

use super::{Change, Kind};
use crate::source::walk;

/// More constants than this are not tried at one place.
const MOST: usize = 8;

pub(super) const KIND: Kind = Kind {
    name: "constant-of-the-function",
    about: "another constant that occurs in the function, or the negated one",
    weight: 0.8,
    propose: |at, changes| {
        if !matches!(at.node.kind(), "number_literal" | "char_literal") {
            return;
        }
        let own = at.source.text(at.node);
        let mut others: Vec<&str> = Vec::new();
        walk(at.function, &mut |node| {
            let text = at.source.text(node);
            if node.kind() == at.node.kind() && text != own && !others.contains(&text) {
                others.push(text);
            }
        });
        changes.extend(others.into_iter().take(MOST).map(|other| Change::node(at.node, other)));
        if at.node.kind() == "number_literal" {
            changes.push(Change::node(at.node, format!("(-{own})")));
        }
    },
};
