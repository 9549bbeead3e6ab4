//! The programs of the study with the published figures.

/// A program as published.
pub(crate) struct Program {
    /// The folder below `subjects/comedy`.
    pub(crate) folder: &'static str,
    /// Its published name.
    pub(crate) name: &'static str,
    /// Killed mutants, reports, mean distance, exact, seconds.
    pub(crate) published: (u32, u32, f64, u32, f64),
}

const fn program(folder: &'static str, name: &'static str, published: (u32, u32, f64, u32, f64)) -> Program {
    Program { folder, name, published }
}

/// All programs, the published order.
pub(crate) const PROGRAMS: [Program; 21] = [
    program("closest_pair", "ClosestPair", (160, 145, 1.641, 68, 81.83)),
    program("dijkstra", "Dijkstra", (161, 154, 3.58, 40, 58.46)),
    program("edmonds_karp", "Edmonds-Karp", (46, 43, 2.441, 7, 108.22)),
    program("maximum_rectangle", "MaximumRectangle", (156, 153, 2.072, 41, 131.17)),
    program("boyer_moore", "BoyerMoore", (59, 49, 1.49, 21, 74.05)),
    program("surrounded_region", "SurroundedRegion", (309, 250, 2.224, 45, 52.72)),
    program("decoding_ways", "DecodingWays", (400, 287, 1.864, 64, 34.7)),
    program("largest_rectangle", "LargestRectangle", (107, 105, 2.133, 25, 114.76)),
    program("max_tree_path_sum", "MaxTreePathSum", (76, 67, 0.286, 41, 133.29)),
    program("editing_distance", "EditingDistance", (169, 169, 0.766, 103, 102.63)),
    program("interleaving_string", "InterleavingString", (113, 113, 1.3, 34, 100.03)),
    program("heap_sort", "HeapSort", (82, 61, 0.295, 43, 48.98)),
    program("multi_maxsub", "multi-MAXSUB", (12, 12, 0.5, 8, 17.0)),
    program("search_in_rot", "SearchInRot", (192, 192, 1.522, 46, 41.36)),
    program("quick_sort", "QuickSort", (54, 41, 0.24, 31, 55.96)),
    program("first_missing_positive", "FirstMissingPositive", (39, 38, 0.842, 16, 11.22)),
    program("min_in_rot", "MinInRot", (65, 63, 0.381, 44, 34.79)),
    program("matrix_search", "2D-MatrixSearch", (27, 27, 0.704, 14, 39.83)),
    program("distinct_subsequence", "DistinctSubsequence", (15, 14, 0.429, 12, 24.12)),
    program("maxsub", "MAXSUB", (21, 21, 0.286, 15, 10.4)),
    program("prim", "Prim", (67, 61, 2.344, 16, 106.56)),
];
