//! Another constant: one more, one less, zero; the other truth value; another character.

use super::Operator;
use crate::mutant::Edit;

pub(super) const OPERATOR: Operator = Operator {
    name: "constant",
    about: "another constant: one more, one less, 0; `true` for `false`; the next character",
    propose: |node, source, _, edits| match node.kind() {
        "number_literal" => {
            let text = source.text(node);
            if let Ok(value) = text.parse::<i64>() {
                edits.extend([value + 1, value - 1, 0].iter().filter(|it| **it != value).map(|it| {
                    // A negative number needs brackets: `x - -1` is fine, `x --1` is not.
                    Edit::node(node, if *it < 0 { format!("({it})") } else { it.to_string() })
                }));
            } else if let Ok(value) = text.parse::<f64>() {
                edits.extend(
                    [value + 1.0, value / 2.0]
                        .iter()
                        .filter(|it| **it != value)
                        .map(|it| Edit::node(node, format!("{it:?}"))),
                );
            }
        }
        "true" => edits.push(Edit::node(node, "false")),
        "false" => edits.push(Edit::node(node, "true")),
        "char_literal" => {
            let text = source.text(node);
            if let [b'\'', letter, b'\''] = text.as_bytes()
                && letter.is_ascii_graphic()
                && !matches!(letter + 1, b'\'' | b'\\' | 127)
            {
                edits.push(Edit::node(node, format!("'{}'", char::from(letter + 1))));
            }
        }
        _ => {}
    },
};
