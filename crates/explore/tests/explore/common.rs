//! Builds a subject from C and prepares one of its relations.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use twinrun_base::Limits;
use twinrun_explore::{Config, Engine, Explorer, Source};
use twinrun_interp::module::LoadOptions;
use twinrun_solve::{Program, Solver};
use twinrun_subject::build::{Environment, Language, Recipe, Shape, Unit, Variant, build};
use twinrun_subject::{Module, Roots};
use twinrun_term::Model;

/// The workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// Compiles sources of a folder and loads the module with its sites.
pub(crate) fn load(
    folder: &Path,
    sources: &[&str],
    flags: &[&str],
    shape: Shape,
) -> (Module, Arc<twinrun_interp::Module>) {
    let folder = folder.canonicalize().expect("the folder is there");
    let unit = |name: &&str| {
        let source = folder.join(name);
        Unit {
            language: Language::of(&source).expect("a known language"),
            source,
            text: None,
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
            folder: folder.clone(),
        }
    };
    let recipe = Recipe {
        units: sources.iter().map(unit).collect(),
        link: Vec::new(),
        shape,
        cache: root().join("target/explore-tests"),
    };
    let built = build(&recipe, Variant::Plain, &Environment::of_process(&root()), None).expect("it builds");
    let bytes = std::fs::read(built.path).expect("the module");
    let module = Module::load(bytes.clone(), &Roots::new(&folder)).expect("it loads");
    let options = LoadOptions { sites: Some(Arc::new(module.sites.clone())), ..LoadOptions::default() };
    let interpreted = twinrun_interp::Module::new(&bytes, options).expect("it decodes");
    (module, Arc::new(interpreted))
}

/// A solver for tests.
pub(crate) fn solver() -> Solver {
    Solver::new(Program::find(&root()).expect("a solver"), twinrun_solve::Config::default())
}

/// An exploration of a relation.
pub(crate) fn explorer(module: &Arc<twinrun_interp::Module>, relation: &str, config: Config) -> Explorer {
    let engine = Engine::new(module, relation, Vec::new(), Limits::default()).expect("it links");
    Explorer::new(engine, solver(), config, Source::Model(Model::new()))
}
