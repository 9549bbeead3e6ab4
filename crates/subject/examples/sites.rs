//! Prints the site table of a module: `cargo run -p twinrun-subject --example sites -- FOLDER MODULE.wasm`.

use twinrun_subject::{Module, Roots};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, file] = arguments.as_slice() else { return Err("give a folder and a module".into()) };
    let module = Module::load(std::fs::read(file)?, &Roots::new(folder))?;
    for relation in &module.relations {
        println!("relation {} {:?}", relation.name, relation.location.as_ref().map(ToString::to_string));
    }
    for function in module.sites.functions.iter().filter(|function| function.user) {
        let place = function.place.map(|place| module.sites.location(place).to_string());
        println!("function {} {:?} {:?}", function.name, function.range, place);
    }
    for block in &module.sites.blocks {
        let places: Vec<String> =
            block.places.iter().map(|it| format!("{}:{}", it.line, it.column)).collect();
        println!("block {:#x}..{:#x} {}", block.offset, block.end, places.join(" "));
    }
    for branch in &module.sites.branches {
        let place = branch.place.map(|place| module.sites.location(place).to_string()).unwrap_or_default();
        let statement =
            branch.statement.map(|it| module.sites.location(module.sites.statements[it as usize].place));
        println!(
            "branch {:#x} {:?}/{} at {place} in {:?}",
            branch.offset,
            branch.kind,
            branch.outcomes,
            statement.map(|it| it.to_string())
        );
    }
    for notice in &module.notices {
        println!("notice: {notice}");
    }
    Ok(())
}
