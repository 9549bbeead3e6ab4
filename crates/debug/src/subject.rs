//! The subject as debugging sees it: decoded modules with their site tables.

use std::sync::Arc;

use twinrun_base::sites::Branch;
use twinrun_base::{Limits, Location, Sites};
use twinrun_explore::Decided;
use twinrun_interp::Module;
use twinrun_interp::code::Code;
use twinrun_interp::module::LoadOptions;

use crate::error::Error;

/// A subject: the module with the relations, the programs that they may run, and limits.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// The module.
    pub module: Arc<Module>,
    /// The programs, by name.
    pub programs: Vec<(String, Arc<Module>)>,
    /// The site tables: the relations' own first, then the programs'.
    pub sites: Vec<Arc<Sites>>,
    /// Limits of a group.
    pub limits: Limits,
}

impl Subject {
    /// Decodes the modules of a subject.
    ///
    /// # Errors
    /// When a module cannot be decoded.
    pub fn new(
        name: &str,
        module: &twinrun_subject::Module,
        programs: &[(String, &twinrun_subject::Module)],
        limits: Limits,
    ) -> Result<Subject, Error> {
        let mut sites = Vec::new();
        let mut load = |module: &twinrun_subject::Module| {
            let table = Arc::new(module.sites.clone());
            sites.push(table.clone());
            let options = LoadOptions { sites: Some(table), ..LoadOptions::default() };
            Module::new(&module.bytes, options).map(Arc::new)
        };
        let module = load(module)?;
        let programs = programs
            .iter()
            .map(|(name, program)| Ok((name.clone(), load(program)?)))
            .collect::<Result<_, Error>>()?;
        Ok(Subject { name: name.to_owned(), module, programs, sites, limits })
    }

    /// The site table of the module that a function address belongs to, and the function's index in it.
    pub(crate) fn table(&self, function: u32) -> (&Sites, u32) {
        let own = self.module.functions.len() as u32;
        match self.sites.get(1) {
            Some(program) if function >= own => (program, function - own),
            _ => (&self.sites[0], function),
        }
    }

    /// The code of a function address: of the relations' own module, or of the program that they run.
    pub(crate) fn code(&self, function: u32) -> Option<&Code> {
        let own = self.module.functions.len() as u32;
        let (module, index) = match self.programs.first() {
            Some((_, program)) if function >= own => (program, function - own),
            _ => (&self.module, function),
        };
        let has_code = (module.imported_functions..module.functions.len() as u32).contains(&index);
        has_code.then(|| module.code(index))
    }

    /// The branch that was decided.
    pub(crate) fn branch(&self, decided: &Decided) -> &Branch {
        &self.table(decided.at.function).0.branches[decided.site as usize]
    }

    /// Where the statement of a branch starts, else where the branch stands.
    pub(crate) fn statement(&self, decided: &Decided) -> Option<Location> {
        let (sites, _) = self.table(decided.at.function);
        let branch = &sites.branches[decided.site as usize];
        let statement = branch.statement.map(|statement| sites.statements[statement as usize].place);
        statement.or(branch.place).map(|place| sites.location(place))
    }

    /// What tells one branch statement from another.
    pub(crate) fn statement_key(&self, decided: &Decided) -> (u32, u32) {
        let (sites, index) = self.table(decided.at.function);
        let is_program = u32::from(index != decided.at.function);
        let branch = &sites.branches[decided.site as usize];
        (is_program, branch.statement.unwrap_or(decided.site + 0x8000_0000))
    }

    /// Whether a function is user code.
    pub(crate) fn is_user(&self, function: u32) -> bool {
        let (sites, index) = self.table(function);
        let found = sites.functions.binary_search_by_key(&index, |function| function.index);
        found.is_ok_and(|at| sites.functions[at].user)
    }

    /// The function that holds a branch.
    pub(crate) fn function(&self, decided: &Decided) -> String {
        let (sites, _) = self.table(decided.at.function);
        let function = self.branch(decided).function;
        sites.functions.get(function as usize).map(|function| function.name.clone()).unwrap_or_default()
    }
}
