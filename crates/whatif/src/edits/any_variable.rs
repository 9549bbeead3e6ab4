//! Another variable of the same type, whichever is visible; also where a value is stored.

use super::{Change, Kind, is_use};

pub(super) const KIND: Kind = Kind {
    name: "variable",
    about: "another visible variable of the same type is read or written",
    weight: 1.0,
    propose: |at, changes| {
        if is_use(at.node) {
            let others = at.scope.alternatives(at.source.text(at.node), at.node.start_byte());
            changes.extend(others.into_iter().map(|other| Change::node(at.node, other)));
        }
    },
};
