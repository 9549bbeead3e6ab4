//! Post-dominators by the iterative algorithm of Cooper, Harvey and Kennedy (2001) on the reversed graph, and control dependence from them.

/// The immediate post-dominator of each block; nothing is the exit.
///
/// Ways that cannot reach a return (they trap or loop for ever) are left out wherever another way does reach one, so that a check that aborts does not
/// push the join of everything before it to the function's exit.
pub(super) fn immediate(successors: &[Vec<usize>], returns: &[bool]) -> Vec<Option<usize>> {
    let count = successors.len();
    let exit = count;
    let reaches = reaching(successors, returns);
    // Edges of the graph that we reverse.
    let mut edges: Vec<Vec<usize>> = Vec::with_capacity(count);
    for (block, next) in successors.iter().enumerate() {
        let mut to: Vec<usize> =
            next.iter().copied().filter(|next| !reaches[block] || reaches[*next]).collect();
        let stuck = !reaches[block] && (next.is_empty() || next.iter().any(|next| *next <= block));
        if returns[block] || stuck {
            to.push(exit);
        }
        edges.push(to);
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
    for (block, next) in edges.iter().enumerate() {
        for &next in next {
            before[next].push(block);
        }
    }
    // Reverse postorder from the exit, against the edges.
    let mut order = Vec::new();
    let mut seen = vec![false; count + 1];
    let mut open = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((block, child)) = open.pop() {
        if let Some(&next) = before[block].get(child) {
            open.push((block, child + 1));
            if !seen[next] {
                seen[next] = true;
                open.push((next, 0));
            }
        } else {
            order.push(block);
        }
    }
    let mut number = vec![usize::MAX; count + 1];
    for (at, &block) in order.iter().enumerate() {
        number[block] = at;
    }
    let mut join: Vec<Option<usize>> = vec![None; count + 1];
    join[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev() {
            if block == exit {
                continue;
            }
            let mut best = None;
            for &next in &edges[block] {
                if join[next].is_some() {
                    best = Some(best.map_or(next, |best| meet(&join, &number, best, next)));
                }
            }
            if best != join[block] {
                join[block] = best;
                changed = true;
            }
        }
    }
    join.truncate(count);
    join.into_iter().map(|join| join.filter(|join| *join != exit)).collect()
}

fn meet(join: &[Option<usize>], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] < number[b] {
            let Some(next) = join[a] else { return b };
            a = next;
        }
        while number[b] < number[a] {
            let Some(next) = join[b] else { return a };
            b = next;
        }
    }
    a
}

/// Which blocks can reach a return.
fn reaching(successors: &[Vec<usize>], returns: &[bool]) -> Vec<bool> {
    let mut reaches = returns.to_vec();
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..successors.len()).rev() {
            if !reaches[block] && successors[block].iter().any(|next| reaches[*next]) {
                reaches[block] = true;
                changed = true;
            }
        }
    }
    reaches
}

/// For each block the branches (by their instruction, `last` of their block) that it is control dependent on.
pub(super) fn controls(successors: &[Vec<usize>], joins: &[Option<usize>], last: &[u32]) -> Vec<Vec<u32>> {
    let mut controls: Vec<Vec<u32>> = vec![Vec::new(); successors.len()];
    for (block, next) in successors.iter().enumerate() {
        if next.len() < 2 {
            continue;
        }
        for &next in next {
            let mut at = Some(next);
            let mut steps = 0;
            while let Some(here) = at
                && Some(here) != joins[block]
                && steps <= successors.len()
            {
                if !controls[here].contains(&last[block]) {
                    controls[here].push(last[block]);
                }
                at = joins[here];
                steps += 1;
            }
        }
    }
    controls
}
