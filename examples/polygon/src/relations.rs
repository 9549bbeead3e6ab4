//! Moving, turning round and enlarging a polygon.

use twinrun_sdk::{check_eq, given, input, output, relation, run};

use crate::{Point, twice_area};

fn draw() -> Vec<Point> {
    let n = input::len("n", 1, 6);
    let x = input::i64s("x", n, -100, 100);
    let y = input::i64s("y", n, -100, 100);
    x.into_iter().zip(y).map(|(x, y)| Point { x, y }).collect()
}

/// Twice the area, -1 if there is none.
fn area(corners: &[Point]) -> i64 {
    let flat: Vec<i64> = corners.iter().flat_map(|corner| [corner.x, corner.y]).collect();
    given("corners", flat.as_slice());
    let area = run(|| twice_area(corners)).unwrap_or(-1);
    output("area", area);
    area
}

// Moved elsewhere, it is as large.
relation!(translate, {
    let corners = draw();
    let (dx, dy) = (input::i64("dx", -100, 100), input::i64("dy", -100, 100));
    let moved: Vec<Point> = corners.iter().map(|corner| Point { x: corner.x + dx, y: corner.y + dy }).collect();
    let source = area(&corners);
    let follow_up = area(&moved);
    check_eq!(source, follow_up);
});

// It does not matter at which corner one begins.
relation!(rotate, {
    let corners = draw();
    let mut rotated = corners.clone();
    rotated.rotate_left(input::choice("first", corners.len()));
    let source = area(&corners);
    let follow_up = area(&rotated);
    check_eq!(source, follow_up);
});

// Nor in which direction one goes round.
relation!(reverse, {
    let corners = draw();
    let reversed: Vec<Point> = corners.iter().rev().copied().collect();
    let source = area(&corners);
    let follow_up = area(&reversed);
    check_eq!(source, follow_up);
});

// Enlarged three times, it has nine times the area.
relation!(enlarge, {
    let corners = draw();
    let larger: Vec<Point> = corners.iter().map(|corner| Point { x: 3 * corner.x, y: 3 * corner.y }).collect();
    let source = area(&corners);
    let follow_up = area(&larger);
    check_eq!(if source < 0 { -1 } else { 9 * source }, follow_up);
});
