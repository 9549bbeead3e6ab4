//! Shapes that the 25 models do not have: uniform models with known best sizes, growth to many parameters at strength 3, and
//! a feature model with very many clauses.

use serde_json::{Value, json};
use twinrun_combine::readers::{read_dimacs, read_pict};
use twinrun_combine::{Config, Random, generate, verify};
use twinrun_results::{Results, cpu_seconds};

/// Values, columns, the best size known, and where it is from. `v²` rows are the least that any array can have. The first ones are
/// where fields and Katona's construction give the best sizes.
const UNIFORM: [(usize, usize, usize, &str); 28] = [
    (2, 4, 5, KATONA),
    (2, 10, 6, KATONA),
    (2, 15, 7, KATONA),
    (2, 20, 8, KATONA),
    (2, 56, 9, KATONA),
    (2, 126, 10, KATONA),
    (2, 200, 11, KATONA),
    (3, 4, 9, LEAST),
    (3, 13, 15, TABLES),
    (4, 5, 16, LEAST),
    (4, 21, 28, TABLES),
    (5, 6, 25, LEAST),
    (5, 31, 45, TABLES),
    (7, 4, 49, LEAST),
    (7, 8, 49, LEAST),
    (7, 57, 91, TABLES),
    (8, 5, 64, LEAST),
    (8, 9, 64, LEAST),
    (9, 10, 81, LEAST),
    (11, 5, 121, LEAST),
    (11, 12, 121, LEAST),
    (13, 14, 169, LEAST),
    (16, 10, 256, LEAST),
    (16, 17, 256, LEAST),
    (17, 18, 289, LEAST),
    (19, 10, 361, LEAST),
    (19, 20, 361, LEAST),
    (23, 24, 529, LEAST),
];
/// Where they do not: most of these were found by computer searches for the one array.
const HARDER: [(usize, usize, usize, &str); 21] = [
    (3, 5, 11, STARTERS),
    (3, 7, 12, ANNEALING),
    (3, 9, 13, ANNEALING),
    (3, 10, 14, ANNEALING),
    (3, 20, 15, ORDERLY),
    (4, 6, 19, STARTERS),
    (4, 7, 21, ORDERLY),
    (4, 12, 24, CATALOGUE),
    (4, 13, 25, CATALOGUE),
    (5, 7, 29, STARTERS),
    (5, 9, 35, ANNEALING),
    (5, 12, 38, CATALOGUE),
    (5, 13, 40, CATALOGUE),
    (6, 4, 37, ANNEALING),
    (6, 5, 39, ORDERLY),
    (6, 9, 46, STARTERS),
    (7, 9, 59, CATALOGUE),
    (7, 10, 61, STARTERS),
    (7, 13, 76, CATALOGUE),
    (10, 12, 117, CATALOGUE),
    (12, 14, 165, CATALOGUE),
];
const STARTERS: &str = "Meagher and Stevens 2005";
const ANNEALING: &str = "Cohen's arrays by annealing, 2004";
const ORDERLY: &str = "Torres-Jimenez and others, an orderly algorithm";
const CATALOGUE: &str = "Colbourn, Kéri, Rivas Soriano and Schlage-Puchta 2010";
const KATONA: &str = "Katona 1973; Kleitman and Spencer 1973";
const LEAST: &str = "the product of two sizes";
const TABLES: &str = "Colbourn's tables of covering arrays";

/// Adds rows and totals; `growth` and `features` are what processes of their own measured.
pub(crate) fn write(results: &mut Results, growth: Option<&Value>, features: Option<&Value>) {
    uniform_models(results);
    if let Some(growth) = growth {
        results.total("growth_t3_400_cpu_s", growth["cpu_s"].clone());
        results.total("growth_t3_400_mib", growth["mib"].clone());
        results.total("growth_t3_400_rows", growth["rows"].clone());
    }
    if let Some(features) = features {
        for key in ["s", "rows", "missing", "uncovered"] {
            results.total(&format!("feature_model_62k_clauses_{key}"), features[key].clone());
        }
    }
}

/// Adds rows and totals of uniform models.
pub(crate) fn uniform_models(results: &mut Results) {
    let mut uniform = |models: &[(usize, usize, usize, &str)]| -> Vec<f64> {
        models.iter().map(|model| measure(model, results).ln()).collect()
    };
    let (easier, harder) = (uniform(&UNIFORM), uniform(&HARDER));
    let mean = |logs: &[f64]| (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    results.total("uniform_models", easier.len() + harder.len());
    results.total("uniform_t2", mean(&[easier.as_slice(), &harder].concat()));
    results.total("uniform_t2_by_fields", mean(&easier));
    results.total("uniform_t2_harder", mean(&harder));
}

/// One uniform model in quick mode: its size over the best known.
fn measure(&(values, columns, best, source): &(usize, usize, usize, &str), results: &mut Results) -> f64 {
    let model = read_pict(&uniform(values, columns)).expect("the model is sound");
    let before = cpu_seconds();
    let array = generate(&model, &Config::default()).expect("there are no constraints");
    let seconds = cpu_seconds() - before;
    let missing = verify(&model, &array.rows, 2).map_or(usize::MAX, |found| found.missing_count);
    assert_eq!(missing, 0, "{values}^{columns}");
    results.row(&json!({ "model": format!("{values}^{columns}"), "t": 2, "best": best, "bound": array.lower_bound,
        "quick": array.rows.len(), "quick_cpu_s": seconds, "optimised": null, "pict": null, "pict_cpu_s": null,
        "missing": missing, "tuples": array.tuples }));
    results.notes.push(format!("{values}^{columns}: best size {best} ({source})."));
    array.rows.len() as f64 / best as f64
}

/// The large feature model: CPU seconds, rows, and what the checker finds missing.
pub(crate) fn features() -> Value {
    let model = read_dimacs(&feature_model(OPTIONS, CLAUSES, 1)).expect("the model is sound");
    let before = cpu_seconds();
    let array = generate(&model, &Config::default()).expect("it has products");
    let seconds = cpu_seconds() - before;
    let missing =
        verify(&model, &array.rows, 2).map_or(usize::MAX, |found| found.missing_count + found.broken.len());
    json!({ "s": seconds, "rows": array.rows.len(), "missing": missing, "uncovered": array.uncovered,
        "bound": array.lower_bound, "tuples": array.tuples, "constructed": array.constructed, "solver": array.solver_calls })
}

/// The shape of a large feature model.
const OPTIONS: usize = 1_400;
const CLAUSES: usize = 62_000;

/// 400 parameters of four values at strength 3, in this process: CPU seconds and the most memory that was held.
pub(crate) fn growth() -> Value {
    let model = read_pict(&uniform(4, 400)).expect("the model is sound");
    let array = generate(&model, &Config { strength: Some(3), ..Config::default() })
        .expect("there are no constraints");
    // SAFETY: `rusage` is plain data for which all-zero is valid, and the call only writes into it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    json!({ "cpu_s": cpu_seconds(), "mib": usage.ru_maxrss / 1024, "rows": array.rows.len(), "uncovered": array.uncovered })
}

fn uniform(values: usize, columns: usize) -> String {
    let values: Vec<String> = (0..values).map(|value| value.to_string()).collect();
    (0..columns).map(|column| format!("p{column}: {}\n", values.join(", "))).collect()
}

/// A feature model in DIMACS: a tree of options, and clauses over two or three of them that some products, drawn beforehand,
/// all satisfy.
pub(crate) fn feature_model(options: usize, clauses: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let parents: Vec<usize> =
        (0..options).map(|option| if option == 0 { 0 } else { random.below(option) }).collect();
    let products: Vec<Vec<bool>> = (0..PRODUCTS)
        .map(|_| {
            let mut product = vec![true; options];
            for option in 1..options {
                product[option] = product[parents[option]] && random.below(3) > 0;
            }
            product
        })
        .collect();
    let mut lines: Vec<String> = vec!["1 0".to_owned()];
    lines.extend((1..options).map(|option| format!("-{} {} 0", option + 1, parents[option] + 1)));
    while lines.len() < clauses {
        let mut clause: Vec<(usize, bool)> = Vec::new();
        for _ in 0..2 + random.below(2) {
            clause.push((random.below(options), random.below(3) == 0));
        }
        let holds = |product: &Vec<bool>| clause.iter().any(|&(option, wanted)| product[option] == wanted);
        if products.iter().all(holds) {
            let literal = |&(option, wanted): &(usize, bool)| {
                format!("{}{}", if wanted { "" } else { "-" }, option + 1)
            };
            lines.push(clause.iter().map(literal).collect::<Vec<_>>().join(" ") + " 0");
        }
    }
    format!("p cnf {options} {}\n{}\n", lines.len(), lines.join("\n"))
}

/// Products that every clause leaves.
const PRODUCTS: usize = 60;
