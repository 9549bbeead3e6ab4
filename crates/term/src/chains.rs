//! Comparisons joined to chains: `b < a`, `a < c` and the implied `b < c` become `b < a < c`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How two sides compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Relation {
    Less,
    AtMost,
    Equal,
    Different,
}

impl Relation {
    pub(crate) fn order(strict: bool) -> Relation {
        if strict { Relation::Less } else { Relation::AtMost }
    }

    fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Equal => "==",
            Relation::Different => "!=",
        }
    }
}

/// Two written sides and how they compare.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Comparison {
    pub(crate) left: String,
    pub(crate) relation: Relation,
    pub(crate) right: String,
    /// Whether both sides are whole numbers, so that `x < 3` is `x <= 2`.
    pub(crate) whole: bool,
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.left, self.relation.sign(), self.right)
    }
}

/// Joins comparisons to as few lines as are readable.
pub(crate) fn chains(comparisons: Vec<Comparison>) -> Vec<String> {
    let (mut equal, mut different, mut orders) = (Vec::new(), Vec::new(), Vec::new());
    for comparison in comparisons {
        match comparison.relation {
            Relation::Equal => equal.push(comparison),
            Relation::Different => different.push(comparison),
            _ => orders.push(comparison),
        }
    }
    let (mut edges, fixed) = tightest(orders);
    different.retain(|Comparison { left, right, .. }| {
        for (from, to) in [(left, right), (right, left)] {
            // At most and different is less.
            if let Some(relation) = edges.get_mut(&(from.clone(), to.clone())) {
                *relation = Relation::Less;
            }
        }
        !implied(&edges, left, right, true) && !implied(&edges, right, left, true)
    });
    let mut lines: Vec<String> = equal.iter().map(ToString::to_string).chain(fixed).collect();
    lines.extend(paths(reduced(edges)));
    lines.extend(different.iter().map(ToString::to_string));
    let mut seen = BTreeSet::new();
    lines.retain(|line| seen.insert(line.clone()));
    lines
}

type Edges = BTreeMap<(String, String), Relation>;

/// The number of a written constant; characters count as their codes.
fn number(text: &str) -> Option<i128> {
    match text.as_bytes() {
        [b'\'', code, b'\''] => Some(i128::from(*code)),
        _ => text.parse().ok(),
    }
}

/// A bound as the source wrote bounds of this side: as a character or as a number.
fn written(bound: i128, as_character: bool) -> String {
    match u8::try_from(bound) {
        Ok(code) if as_character && (code.is_ascii_graphic() || code == b' ') => {
            format!("'{}'", char::from(code))
        }
        _ => bound.to_string(),
    }
}

/// Of several bounds of one side by numbers, the tightest; written inclusively, since most bounds are of whole numbers. Sides whose bounds meet are equal
/// to them, and come apart.
fn tightest(orders: Vec<Comparison>) -> (Edges, Vec<String>) {
    let mut edges = Edges::new();
    let mut lower: BTreeMap<String, i128> = BTreeMap::new();
    let mut upper: BTreeMap<String, i128> = BTreeMap::new();
    let mut characters = BTreeSet::new();
    for Comparison { left, relation, right, whole } in orders {
        let step = i128::from(relation == Relation::Less);
        for (constant, side) in [(&left, &right), (&right, &left)] {
            if constant.starts_with('\'') {
                characters.insert(side.clone());
            }
        }
        match (number(&left), number(&right)) {
            (Some(bound), None) if whole => {
                let known = lower.entry(right).or_insert(i128::MIN);
                *known = (*known).max(bound + step);
            }
            (None, Some(bound)) if whole => {
                let known = upper.entry(left).or_insert(i128::MAX);
                *known = (*known).min(bound - step);
            }
            _ => {
                let known = edges.entry((left, right)).or_insert(relation);
                *known = (*known).min(relation);
            }
        }
    }
    let mut fixed = Vec::new();
    lower.retain(|side, bound| {
        let meet = upper.get(side) == Some(bound);
        if meet {
            upper.remove(side);
            fixed.push(format!("{side} == {}", written(*bound, characters.contains(side))));
        }
        !meet
    });
    for (side, bound) in lower {
        edges.insert((written(bound, characters.contains(&side)), side), Relation::AtMost);
    }
    for (side, bound) in upper {
        // Below zero reads better than at most minus one.
        if bound == -1 {
            edges.insert((side, "0".to_owned()), Relation::Less);
        } else {
            let bound = written(bound, characters.contains(&side));
            edges.insert((side, bound), Relation::AtMost);
        }
    }
    (edges, fixed)
}

/// Leaves out what follows from the other comparisons.
fn reduced(edges: Edges) -> Edges {
    let mut kept = edges;
    let all: Vec<(String, String)> = kept.keys().cloned().collect();
    for key in all {
        let Some(relation) = kept.remove(&key) else { continue };
        if !implied(&kept, &key.0, &key.1, relation == Relation::Less) {
            kept.insert(key, relation);
        }
    }
    kept
}

/// Whether a way leads from `from` to `to`, with a strict step if one is needed. A way has a step: a NaN is not even at most itself.
fn implied(edges: &Edges, from: &str, to: &str, strict: bool) -> bool {
    let mut open = vec![(from, false)];
    let mut seen = BTreeSet::new();
    while let Some((place, passed_strict)) = open.pop() {
        for ((left, right), relation) in edges {
            let strictly = passed_strict || *relation == Relation::Less;
            if left != place || !seen.insert((right.as_str(), strictly)) {
                continue;
            }
            if right == to && (strictly || !strict) {
                return true;
            }
            open.push((right, strictly));
        }
    }
    false
}

/// Covers all comparisons with chains, each as long as it gets. Numbers only begin or end a chain.
fn paths(mut edges: Edges) -> Vec<String> {
    let mut lines = Vec::new();
    while !edges.is_empty() {
        let is_inner = |place: &str| number(place).is_none() && edges.keys().any(|(_, right)| right == place);
        let start = edges.keys().find(|(left, _)| !is_inner(left)).or_else(|| edges.keys().next());
        let Some(mut place) = start.map(|(left, _)| left.clone()) else { break };
        let mut line = place.clone();
        loop {
            let next = edges
                .keys()
                .filter(|(left, _)| *left == place)
                // A further comparison keeps the chain going; a number ends it.
                .min_by_key(|(_, right)| number(right).is_some())
                .cloned();
            let Some(key) = next else { break };
            let Some(relation) = edges.remove(&key) else { break };
            line.push_str(&format!(" {} {}", relation.sign(), key.1));
            place = key.1;
            if number(&place).is_some() {
                break;
            }
        }
        lines.push(line);
    }
    lines
}
