//! Mutants of C and C++ sources: those of the program where relations run a whole one, else the subject's own. Relations and what they are made of are no part of it.

use std::path::PathBuf;

use twinrun_base::cut;
use twinrun_subject::Project;
use twinrun_testing::engine::Modules;
use twinrun_whatif::build::File;
use twinrun_whatif::{Mutant, apply};

use super::court::{BATCH, Candidate, Court};
use super::{Fate, Score, Scored, Which};
use crate::error::Error;
use crate::targets::{self, Opened, Ready};

/// Makes and judges the mutants of these files.
pub(super) fn score(
    project: &Project,
    files: &[File],
    original: &Ready,
    options: &Score,
    court: &Court<'_>,
) -> Result<(Vec<Scored>, usize), Error> {
    let name = &original.name;
    let mut twin = project.clone();
    // Mutants are judged in the plain build.
    if let Some(subject) = twin.file.subject.get_mut(name) {
        subject.checked = Some(false);
    }
    let Opened::Wasm(subject) = &original.opened else { return Ok((Vec::new(), 0)) };
    let plain = code(subject.modules());
    let mut all: Vec<(PathBuf, String, Mutant)> = Vec::new();
    for file in files {
        let found = file.mutants().map_err(|error| Error::Usage(error.to_string()))?;
        all.extend(found.into_iter().map(|mutant| (file.path.clone(), file.text.clone(), mutant)));
    }
    let wanted: Vec<_> = all.into_iter().step_by(options.every.max(1)).collect();
    let total = wanted.len();
    let mut scored: Vec<Scored> = Vec::new();
    for batch in wanted.chunks(BATCH) {
        if !court.goes_on(scored.len(), total) {
            break;
        }
        let mut candidates = Vec::new();
        for (path, text, mutant) in batch {
            twin.replaced.insert(path.clone(), apply(text, mutant).into());
            let built = targets::built(&twin, name);
            twin.replaced.remove(path);
            candidates.push(match built {
                Err(_) => Candidate::Settled(Fate::NotCompiled),
                Ok(modules) if code(&modules) == plain => Candidate::Settled(Fate::Equivalent),
                Ok(modules) => Candidate::Modules { modules, in_place: false },
            });
            if cut::is_requested() {
                break;
            }
        }
        for ((_, _, mutant), judged) in batch.iter().zip(court.judge(candidates)?) {
            let Some(judged) = judged else { continue };
            scored.push(Scored::new(Which::Source(mutant.clone()), mutant.describe(), judged));
        }
    }
    Ok((scored, total))
}

/// The code section of the subject's module: without names, places and custom sections.
fn code(modules: &Modules) -> Vec<u8> {
    let module = modules.programs.first().map_or(&modules.relations, |(_, program)| program);
    code_section(&module.bytes).unwrap_or_default().to_vec()
}

fn code_section(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.get(8..)?;
    while let Some((&id, after)) = rest.split_first() {
        let (mut size, mut shift, mut used) = (0usize, 0, 0);
        for &byte in after {
            size |= usize::from(byte & 0x7f) << shift;
            (shift, used) = (shift + 7, used + 1);
            if byte < 0x80 {
                break;
            }
        }
        let content = after.get(used..used + size)?;
        if id == 10 {
            return Some(content);
        }
        rest = &after[used + size..];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_section_is_found_behind_others() {
        let module = [0, 97, 115, 109, 1, 0, 0, 0, 0, 3, 1, 65, 66, 10, 2, 7, 8, 0, 1, 0];
        assert_eq!(code_section(&module), Some(&[7, 8][..]));
        assert_eq!(code_section(&module[..10]), None);
    }
}
