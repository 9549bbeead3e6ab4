//! Paths: opening, creating, renaming and removing virtual files and directories.

use crate::descriptors::{Descriptor, put_filestat};
use crate::errno::{Answer, BADF, EXIST, INVAL, ISDIR, NOENT, NOTDIR};
use crate::files::normal;
use crate::memory::Access;
use crate::world::World;

const CREATE: u32 = 1;
const DIRECTORY: u32 = 2;
const EXCLUSIVE: u32 = 4;
const TRUNCATE: u32 = 8;

impl World {
    /// The normal path that (directory descriptor, pointer, length) name.
    fn path(&self, descriptor: u64, pointer: u64, length: u64, memory: &Access<'_>) -> Answer<Vec<u8>> {
        let Descriptor::Directory(directory) = self.descriptor(descriptor)? else { return Err(NOTDIR) };
        let path = memory.bytes(pointer as u32, length as u32)?;
        if path.is_empty() { Err(NOENT) } else { normal(directory, &path) }
    }

    pub(crate) fn path_open(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let path = self.path(arguments[0], arguments[2], arguments[3], memory)?;
        let (how, append) = (arguments[4] as u32, arguments[7] & 1 != 0);
        let descriptor = if self.files.is_directory(&path) {
            match how {
                how if how & (CREATE | EXCLUSIVE) == CREATE | EXCLUSIVE => return Err(EXIST),
                how if how & TRUNCATE != 0 => return Err(ISDIR),
                _ => Descriptor::Directory(path),
            }
        } else {
            let number = match self.files.find(&path) {
                Some(_) if how & DIRECTORY != 0 => return Err(NOTDIR),
                Some(_) if how & (CREATE | EXCLUSIVE) == CREATE | EXCLUSIVE => return Err(EXIST),
                Some(number) => number,
                None if how & CREATE != 0 && how & DIRECTORY == 0 => self.files.create(&path)?,
                None => return Err(NOENT),
            };
            if how & TRUNCATE != 0 {
                self.resize(number, 0)?;
            }
            Descriptor::File { number, offset: 0, append }
        };
        let number = self.open(descriptor);
        memory.put_u32(arguments[8] as u32, number)
    }

    pub(crate) fn path_filestat_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let path = self.path(arguments[0], arguments[2], arguments[3], memory)?;
        put_filestat(memory, arguments[4] as u32, self.stat(&path)?)
    }

    pub(crate) fn path_filestat_set_times(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let path = self.path(arguments[0], arguments[2], arguments[3], memory)?;
        self.stat(&path).map(drop)
    }

    /// There are no links, so a path that exists is not one.
    pub(crate) fn path_readlink(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let path = self.path(arguments[0], arguments[1], arguments[2], memory)?;
        self.stat(&path)?;
        Err(INVAL)
    }

    pub(crate) fn path_create_directory(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let path = self.path(arguments[0], arguments[1], arguments[2], memory)?;
        self.files.create_directory(&path)
    }

    pub(crate) fn path_remove_directory(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let path = self.path(arguments[0], arguments[1], arguments[2], memory)?;
        self.files.remove_directory(&path)
    }

    pub(crate) fn path_unlink_file(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let path = self.path(arguments[0], arguments[1], arguments[2], memory)?;
        self.files.remove(&path)
    }

    pub(crate) fn path_rename(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let from = self.path(arguments[0], arguments[1], arguments[2], memory)?;
        let to = self.path(arguments[3], arguments[4], arguments[5], memory)?;
        if from.is_empty() || to.is_empty() {
            return Err(BADF);
        }
        self.files.rename(&from, &to)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Effect, Outcome, Setup, Stream, World, find};

    /// A world with one file, and a memory with the path `f` at 0 and an iovec (address 64, 4 bytes) at 8.
    fn start() -> (World, Vec<u8>) {
        let files = [(b"f".to_vec(), b"abcdef".to_vec())].into();
        let mut memory = vec![0; 256];
        memory[..3].copy_from_slice(b"f/g");
        memory[8..16].copy_from_slice(&[64, 0, 0, 0, 4, 0, 0, 0]);
        (World::new(Setup { files, output: 10, ..Setup::default() }), memory)
    }

    fn call(world: &mut World, memory: &mut [u8], name: &str, arguments: &[u64]) -> Outcome {
        world.call(find(name).unwrap(), arguments, memory)
    }

    #[test]
    fn reading_a_file_reports_where_its_bytes_went() {
        let (mut world, mut memory) = start();
        let open = [3, 0, 0, 1, 0, 0, 0, 0, 32];
        assert_eq!(call(&mut world, &mut memory, "path_open", &open), Outcome::Errno(0));
        let descriptor = u64::from(memory[32]);
        for (from, length) in [(0, 4), (4, 2)] {
            assert_eq!(call(&mut world, &mut memory, "fd_read", &[descriptor, 8, 1, 36]), Outcome::Errno(0));
            let stream = Stream::File(world.file_number(b"/f").unwrap());
            assert_eq!(world.effects(), [Effect::ToMemory { stream, from, address: 64, length }]);
        }
        assert_eq!(&memory[64..68], b"efcd");
    }

    #[test]
    fn writing_is_captured_until_the_limit() {
        let (mut world, mut memory) = start();
        memory[64..68].copy_from_slice(b"wxyz");
        for _ in 0..2 {
            assert_eq!(call(&mut world, &mut memory, "fd_write", &[1, 8, 1, 36]), Outcome::Errno(0));
        }
        assert_eq!(
            world.effects(),
            [Effect::FromMemory { address: 64, stream: Stream::Stdout, to: 4, length: 4 }]
        );
        assert_eq!(world.stdout(), b"wxyzwxyz");
        assert_eq!(call(&mut world, &mut memory, "fd_write", &[2, 8, 1, 36]), Outcome::OutputLimit);
        world.reset();
        assert_eq!(world.stdout(), b"");
    }

    #[test]
    fn what_is_absent_answers_with_an_error_number() {
        let (mut world, mut memory) = start();
        assert_eq!(
            call(&mut world, &mut memory, "path_open", &[3, 0, 0, 3, 0, 0, 0, 0, 32]),
            Outcome::Errno(44)
        );
        assert_eq!(call(&mut world, &mut memory, "fd_read", &[9, 8, 1, 36]), Outcome::Errno(8));
        assert_eq!(call(&mut world, &mut memory, "sock_recv", &[0; 6]), Outcome::Errno(57));
        assert_eq!(call(&mut world, &mut memory, "fd_write", &[1, 250, 1, 36]), Outcome::Errno(21));
        assert_eq!(
            call(&mut world, &mut memory, "random_get", &[64, u64::from(u32::MAX)]),
            Outcome::Errno(21)
        );
        assert_eq!(call(&mut world, &mut memory, "proc_exit", &[7]), Outcome::Exit(7));
    }
}
