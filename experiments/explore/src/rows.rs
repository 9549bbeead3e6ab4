//! The rows of the benchmark with what is known of them.

/// One relation of one program.
pub(crate) struct Row {
    pub(crate) program: &'static str,
    pub(crate) flags: &'static [&'static str],
    pub(crate) relation: &'static str,
    /// Pairs, failing, mixed, by exhaustive enumeration.
    pub(crate) pairs: Option<(usize, usize, usize)>,
    /// CPU seconds of KLEE 3.3.
    pub(crate) klee: Option<f64>,
    /// CPU seconds of CBMC 6.6 for one answer.
    pub(crate) cbmc: Option<f64>,
}

const fn row(
    program: &'static str,
    relation: &'static str,
    flags: &'static [&'static str],
    pairs: Option<(usize, usize, usize)>,
    klee: Option<f64>,
    cbmc: Option<f64>,
) -> Row {
    Row { program, flags, relation, pairs, klee, cbmc }
}

pub(crate) const ROWS: &[Row] = &[
    row("med", "swap_last_two", &[], Some((12, 0, 0)), Some(0.30), Some(0.13)),
    row("med", "swap_last_two", &["-DFAULTY"], Some((10, 4, 2)), Some(0.26), Some(0.04)),
    row("med", "swap_first_two", &[], Some((11, 0, 0)), None, None),
    row("med", "swap_first_two", &["-DFAULTY"], Some((8, 2, 2)), None, None),
    row("maxsub", "reverse", &["-DN=3", "-DBOUND=1000"], Some((49, 0, 0)), Some(0.70), Some(0.09)),
    row("maxsub", "reverse", &["-DN=4", "-DBOUND=1000"], Some((244, 0, 0)), Some(7.7), Some(1.3)),
    row("maxsub", "reverse", &["-DN=5", "-DBOUND=1000"], None, Some(102.0), Some(89.0)),
    row(
        "maxsub",
        "reverse",
        &["-DN=3", "-DBOUND=1000", "-DFAULTY"],
        Some((62, 42, 4)),
        Some(0.77),
        Some(0.04),
    ),
    row(
        "maxsub",
        "reverse",
        &["-DN=4", "-DBOUND=1000", "-DFAULTY"],
        Some((301, 239, 49)),
        Some(3.7),
        Some(0.04),
    ),
    row("maxsub", "reverse", &["-DN=5", "-DBOUND=1000", "-DFAULTY"], None, Some(22.7), Some(0.04)),
    row("sort", "rotate", &["-DN=3"], Some((11, 0, 0)), Some(0.23), Some(0.10)),
    row("sort", "rotate", &["-DN=4"], Some((49, 0, 0)), Some(1.2), Some(1.2)),
    row("sort", "rotate", &["-DN=5"], None, Some(7.9), Some(10.3)),
    row("sort", "rotate", &["-DN=3", "-DFAULTY"], Some((4, 4, 3)), Some(0.10), Some(0.05)),
    row("sort", "rotate", &["-DN=4", "-DFAULTY"], Some((18, 18, 11)), Some(0.36), Some(0.05)),
    row("sort", "rotate", &["-DN=5", "-DFAULTY"], None, Some(2.2), Some(0.05)),
    row("bsearch", "append_larger", &["-DN=5"], None, Some(0.23), Some(2.5)),
    row("bsearch", "append_larger", &["-DN=8"], None, Some(0.83), Some(3.3)),
    row("bsearch", "append_larger", &["-DN=12"], None, Some(1.6), Some(97.0)),
    row("bsearch", "append_larger", &["-DN=5", "-DFAULTY"], None, Some(0.22), None),
    row("bsearch", "append_larger", &["-DN=8", "-DFAULTY"], None, Some(0.65), None),
    row("bsearch", "append_larger", &["-DN=12", "-DFAULTY"], None, Some(1.3), Some(0.28)),
    row("regex", "bracket", &["-DTL=3"], None, Some(0.76), None),
    row("regex", "bracket", &["-DTL=4"], None, Some(1.7), None),
    row("regex", "bracket", &["-DTL=5"], None, Some(3.6), None),
    row("regex", "bracket", &["-DTL=3", "-DFAULTY"], None, Some(0.62), None),
    row("regex", "bracket", &["-DTL=4", "-DFAULTY"], None, Some(1.2), None),
    row("regex", "bracket", &["-DTL=5", "-DFAULTY"], None, Some(2.2), None),
    row("area", "raise", &["-DV=2", "-DFIX"], None, Some(0.17), None),
    row("area", "raise", &["-DV=4", "-DFIX"], None, Some(0.20), None),
    row("area", "raise", &["-DV=8", "-DFIX"], None, Some(0.21), None),
    row("area", "raise", &["-DV=2", "-DFIX", "-DFAULTY"], None, Some(1.5), Some(0.06)),
    row("area", "raise", &["-DV=4", "-DFIX", "-DFAULTY"], None, Some(1.6), None),
    row("area", "raise", &["-DV=8", "-DFIX", "-DFAULTY"], None, Some(1.7), None),
];
