//! The area of a polygon, and relations that it must satisfy.

mod relations;

/// A corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub x: i64,
    pub y: i64,
}

/// Twice the area between the edges, positive if the corners go round counter-clockwise (Gauss's shoelace formula).
///
/// With the feature `faulty`, the edge from the last corner to the first one is forgotten.
pub fn twice_signed_area(corners: &[Point]) -> i64 {
    let mut sum = 0;
    let edges = if cfg!(feature = "faulty") { corners.len().saturating_sub(1) } else { corners.len() };
    for i in 0..edges {
        let here = corners[i];
        let next = corners[(i + 1) % corners.len()];
        sum += here.x * next.y - next.x * here.y;
    }
    sum
}

/// Twice the area of the polygon; nothing if it has fewer than three corners.
pub fn twice_area(corners: &[Point]) -> Option<i64> {
    if corners.len() < 3 {
        return None;
    }
    Some(twice_signed_area(corners).abs())
}
