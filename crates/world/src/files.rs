//! The virtual files: a flat map from normal paths to contents, and the set of directories.

use std::collections::{BTreeMap, BTreeSet};

use crate::errno::{Answer, EXIST, INVAL, ISDIR, NOENT, NOTCAPABLE, NOTDIR, NOTEMPTY};

/// The files of a world. Paths are normal: no leading slash, no `.` or `..`, the empty path is the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    names: BTreeMap<Vec<u8>, u32>,
    directories: BTreeSet<Vec<u8>>,
    /// Contents by number; a number stays valid while a descriptor is open, even when its name is gone.
    contents: Vec<Vec<u8>>,
}

impl Files {
    pub(crate) fn new(files: &BTreeMap<Vec<u8>, Vec<u8>>) -> Files {
        let mut all = Files::default();
        for (path, content) in files {
            let path = normal(b"", path).unwrap_or_default();
            let mut parent = parent(&path);
            while !parent.is_empty() {
                all.directories.insert(parent.to_vec());
                parent = self::parent(parent);
            }
            let number = all.contents.len() as u32;
            all.contents.push(content.clone());
            all.names.insert(path, number);
        }
        all
    }

    pub(crate) fn content(&self, number: u32) -> &Vec<u8> {
        &self.contents[number as usize]
    }

    pub(crate) fn content_mut(&mut self, number: u32) -> &mut Vec<u8> {
        &mut self.contents[number as usize]
    }

    pub(crate) fn find(&self, path: &[u8]) -> Option<u32> {
        self.names.get(path).copied()
    }

    pub(crate) fn is_directory(&self, path: &[u8]) -> bool {
        path.is_empty() || self.directories.contains(path)
    }

    pub(crate) fn create(&mut self, path: &[u8]) -> Answer<u32> {
        self.check_parent(path)?;
        let number = self.contents.len() as u32;
        self.contents.push(Vec::new());
        self.names.insert(path.to_vec(), number);
        Ok(number)
    }

    pub(crate) fn create_directory(&mut self, path: &[u8]) -> Answer {
        if self.is_directory(path) || self.find(path).is_some() {
            return Err(EXIST);
        }
        self.check_parent(path)?;
        self.directories.insert(path.to_vec());
        Ok(())
    }

    pub(crate) fn remove(&mut self, path: &[u8]) -> Answer {
        if self.is_directory(path) {
            return Err(ISDIR);
        }
        self.names.remove(path).map(drop).ok_or(NOENT)
    }

    pub(crate) fn remove_directory(&mut self, path: &[u8]) -> Answer {
        if self.find(path).is_some() {
            return Err(NOTDIR);
        }
        if !self.directories.contains(path) {
            return Err(NOENT);
        }
        if !self.children(path).is_empty() {
            return Err(NOTEMPTY);
        }
        self.directories.remove(path);
        Ok(())
    }

    /// Renames a file or a whole directory.
    pub(crate) fn rename(&mut self, from: &[u8], to: &[u8]) -> Answer {
        if from == to {
            return Ok(());
        }
        self.check_parent(to)?;
        if let Some(number) = self.find(from) {
            if self.is_directory(to) {
                return Err(ISDIR);
            }
            self.names.remove(from);
            self.names.insert(to.to_vec(), number);
            return Ok(());
        }
        if !self.directories.contains(from) {
            return Err(NOENT);
        }
        if self.find(to).is_some() {
            return Err(NOTDIR);
        }
        if self.is_directory(to) && !self.children(to).is_empty() {
            return Err(NOTEMPTY);
        }
        let inside = [from, b"/"].concat();
        if to.starts_with(&inside) {
            return Err(INVAL);
        }
        let moved = |path: &[u8]| [to, &path[from.len()..]].concat();
        let below = |path: &Vec<u8>| path == from || path.starts_with(&inside);
        for path in self.directories.iter().filter(|path| below(path)).cloned().collect::<Vec<_>>() {
            self.directories.remove(&path);
            self.directories.insert(moved(&path));
        }
        for path in self.names.keys().filter(|path| below(path)).cloned().collect::<Vec<_>>() {
            if let Some(number) = self.names.remove(&path) {
                self.names.insert(moved(&path), number);
            }
        }
        Ok(())
    }

    /// The names directly in a directory, in order, with the number of a file (`None`: a directory).
    pub(crate) fn children(&self, path: &[u8]) -> Vec<(Vec<u8>, Option<u32>)> {
        let directories = self.directories.iter().map(|child| (child, None));
        let files = self.names.iter().map(|(child, number)| (child, Some(*number)));
        let mut children: Vec<_> = directories
            .chain(files)
            .filter(|(child, _)| !child.is_empty() && parent(child) == path)
            .map(|(child, number)| (child[path.len()..].to_vec(), number))
            .map(|(name, number)| (name.strip_prefix(b"/").unwrap_or(&name).to_vec(), number))
            .collect();
        children.sort();
        children
    }

    /// All files by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.names.iter().map(|(path, number)| (&path[..], &self.contents[*number as usize][..]))
    }

    fn check_parent(&self, path: &[u8]) -> Answer {
        let parent = parent(path);
        if self.find(parent).is_some() && !parent.is_empty() {
            return Err(NOTDIR);
        }
        if self.is_directory(parent) { Ok(()) } else { Err(NOENT) }
    }
}

/// The path of the directory that holds this path.
fn parent(path: &[u8]) -> &[u8] {
    path.iter().rposition(|byte| *byte == b'/').map_or(b"", |slash| &path[..slash])
}

/// The normal form of a path seen from a directory. A path above the root is refused.
pub(crate) fn normal(directory: &[u8], path: &[u8]) -> Answer<Vec<u8>> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in directory.split(|byte| *byte == b'/').chain(path.split(|byte| *byte == b'/')) {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop().ok_or(NOTCAPABLE)?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join(&b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_cannot_leave_the_root() {
        assert_eq!(normal(b"a/b", b"../c/./d").unwrap(), b"a/c/d");
        assert_eq!(normal(b"", b"/x//y/").unwrap(), b"x/y");
        assert_eq!(normal(b"a", b"../.."), Err(NOTCAPABLE));
    }

    #[test]
    fn a_directory_is_renamed_with_all_that_it_holds() {
        let mut files = Files::new(&BTreeMap::from([(b"d/e/f".to_vec(), b"1".to_vec())]));
        files.rename(b"d", b"x").unwrap();
        assert!(files.find(b"x/e/f").is_some() && files.is_directory(b"x/e") && !files.is_directory(b"d"));
        assert_eq!(files.rename(b"x", b"x/y"), Err(INVAL));
        assert_eq!(files.children(b"x"), vec![(b"e".to_vec(), None)]);
        assert_eq!(files.remove_directory(b"x"), Err(NOTEMPTY));
    }
}
