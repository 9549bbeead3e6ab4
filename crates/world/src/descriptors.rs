//! Open descriptors: reading, writing, seeking and what they say about themselves.

use crate::errno::{Answer, BADF, FAULT, INVAL, ISDIR, NAMETOOLONG, NOTDIR, NOTSUP, SPIPE};
use crate::memory::Access;
use crate::process::NOW;
use crate::world::{Effect, Stream, World};

/// What an open descriptor refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Descriptor {
    Stdin,
    Stdout,
    Stderr,
    /// A directory by its normal path.
    Directory(Vec<u8>),
    File {
        number: u32,
        offset: u64,
        append: bool,
    },
}

const DIRECTORY: u8 = 3;
const REGULAR: u8 = 4;

/// The one directory that is open from the start.
const ROOT: u32 = 3;

impl Descriptor {
    /// stdin, stdout, stderr and the root directory.
    pub(crate) fn initial() -> Vec<Option<Descriptor>> {
        vec![
            Some(Descriptor::Stdin),
            Some(Descriptor::Stdout),
            Some(Descriptor::Stderr),
            Some(Descriptor::Directory(Vec::new())),
        ]
    }
}

impl World {
    pub(crate) fn descriptor(&self, number: u64) -> Answer<&Descriptor> {
        self.descriptors.get(number as u32 as usize).and_then(Option::as_ref).ok_or(BADF)
    }

    pub(crate) fn open(&mut self, descriptor: Descriptor) -> u32 {
        let free = self.descriptors.iter().skip(ROOT as usize + 1).position(Option::is_none);
        let index = free.map_or(self.descriptors.len(), |free| free + ROOT as usize + 1);
        if index == self.descriptors.len() {
            self.descriptors.push(None);
        }
        self.descriptors[index] = Some(descriptor);
        index as u32
    }

    /// For calls that change nothing here: only the descriptor must exist.
    pub(crate) fn fd_check(&mut self, arguments: &[u64], _: &mut Access<'_>) -> Answer {
        self.descriptor(arguments[0]).map(drop)
    }

    pub(crate) fn fd_close(&mut self, arguments: &[u64], _: &mut Access<'_>) -> Answer {
        self.descriptor(arguments[0])?;
        self.descriptors[arguments[0] as u32 as usize] = None;
        Ok(())
    }

    pub(crate) fn fd_renumber(&mut self, arguments: &[u64], _: &mut Access<'_>) -> Answer {
        let from = self.descriptor(arguments[0])?.clone();
        self.descriptor(arguments[1])?;
        if arguments[0] as u32 != arguments[1] as u32 {
            self.descriptors[arguments[0] as u32 as usize] = None;
            self.descriptors[arguments[1] as u32 as usize] = Some(from);
        }
        Ok(())
    }

    /// The standard streams look like regular files, so that the C library buffers them whole and never asks for a terminal.
    pub(crate) fn fd_fdstat_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let (kind, append) = match self.descriptor(arguments[0])? {
            Descriptor::Directory(_) => (DIRECTORY, false),
            Descriptor::File { append, .. } => (REGULAR, *append),
            _ => (REGULAR, false),
        };
        let mut stat = [0; 24];
        stat[0] = kind;
        stat[2] = u8::from(append);
        stat[8..24].fill(0xff);
        memory.put(arguments[1] as u32, &stat)
    }

    pub(crate) fn fd_fdstat_set_flags(&mut self, arguments: &[u64], _: &mut Access<'_>) -> Answer {
        self.descriptor(arguments[0])?;
        if let Some(Descriptor::File { append, .. }) = &mut self.descriptors[arguments[0] as u32 as usize] {
            *append = arguments[1] & 1 != 0;
        }
        Ok(())
    }

    pub(crate) fn fd_filestat_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let (kind, inode, size) = match self.descriptor(arguments[0])? {
            Descriptor::Stdin => (REGULAR, 1, self.setup.stdin.len() as u64),
            Descriptor::Stdout => (REGULAR, 2, self.stdout.len() as u64),
            Descriptor::Stderr => (REGULAR, 3, self.stderr.len() as u64),
            Descriptor::Directory(path) => {
                return put_filestat(memory, arguments[1] as u32, self.stat(path)?);
            }
            Descriptor::File { number, .. } => file_stat(*number, self.files.content(*number)),
        };
        put_filestat(memory, arguments[1] as u32, (kind, inode, size))
    }

    /// The type, number and size of what a path names.
    pub(crate) fn stat(&self, path: &[u8]) -> Answer<(u8, u64, u64)> {
        match self.files.find(path) {
            Some(number) => Ok(file_stat(number, self.files.content(number))),
            None if self.files.is_directory(path) => {
                let inode =
                    path.iter().fold(1u64 << 40, |hash, byte| hash.wrapping_mul(31) + u64::from(*byte));
                Ok((DIRECTORY, inode, 0))
            }
            None => Err(crate::errno::NOENT),
        }
    }

    pub(crate) fn fd_filestat_set_size(&mut self, arguments: &[u64], _: &mut Access<'_>) -> Answer {
        let Descriptor::File { number, .. } = *self.descriptor(arguments[0])? else { return Err(INVAL) };
        self.resize(number, arguments[1])
    }

    pub(crate) fn fd_allocate(&mut self, arguments: &[u64], _: &mut Access<'_>) -> Answer {
        let Descriptor::File { number, .. } = *self.descriptor(arguments[0])? else { return Err(NOTSUP) };
        let end = arguments[1].checked_add(arguments[2]).ok_or(INVAL)?;
        if end > self.files.content(number).len() as u64 { self.resize(number, end) } else { Ok(()) }
    }

    pub(crate) fn resize(&mut self, number: u32, length: u64) -> Answer {
        self.spend(length.saturating_sub(self.files.content(number).len() as u64))?;
        self.files.content_mut(number).resize(length as usize, 0);
        self.effects.push(Effect::Resize { stream: Stream::File(number), length });
        Ok(())
    }

    pub(crate) fn fd_prestat_get(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        if arguments[0] as u32 != ROOT {
            return Err(BADF);
        }
        self.descriptor(arguments[0])?;
        memory.put_u32(arguments[1] as u32, 0)?;
        memory.put_u32((arguments[1] as u32).checked_add(4).ok_or(FAULT)?, 1)
    }

    pub(crate) fn fd_prestat_dir_name(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        if arguments[0] as u32 != ROOT {
            return Err(BADF);
        }
        if (arguments[2] as u32) < 1 {
            return Err(NAMETOOLONG);
        }
        memory.put(arguments[1] as u32, b"/")
    }

    pub(crate) fn fd_read(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let (stream, offset) = match *self.descriptor(arguments[0])? {
            Descriptor::Stdin => (Stream::Stdin, self.stdin_read),
            Descriptor::File { number, offset, .. } => (Stream::File(number), offset),
            Descriptor::Directory(_) => return Err(ISDIR),
            _ => return Err(BADF),
        };
        let count = self.read(stream, offset, arguments, arguments[3] as u32, memory)?;
        self.move_to(arguments[0], offset + count);
        Ok(())
    }

    pub(crate) fn fd_pread(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let stream = match *self.descriptor(arguments[0])? {
            Descriptor::Stdin => Stream::Stdin,
            Descriptor::File { number, .. } => Stream::File(number),
            Descriptor::Directory(_) => return Err(ISDIR),
            _ => return Err(SPIPE),
        };
        self.read(stream, arguments[3], arguments, arguments[4] as u32, memory).map(drop)
    }

    /// Copies from a stream into buffers and says how many bytes.
    fn read(
        &mut self,
        stream: Stream,
        mut from: u64,
        arguments: &[u64],
        count_at: u32,
        memory: &mut Access<'_>,
    ) -> Answer<u64> {
        let mut total = 0u64;
        for (address, length) in memory.vectors(arguments[1] as u32, arguments[2] as u32)? {
            let content: &[u8] = match stream {
                Stream::File(number) => self.files.content(number),
                _ => &self.setup.stdin,
            };
            let rest = content.get(usize::try_from(from).unwrap_or(usize::MAX)..).unwrap_or_default();
            let bytes = &rest[..rest.len().min(length as usize)];
            if bytes.is_empty() {
                continue;
            }
            memory.put(address, bytes)?;
            let length = bytes.len() as u32;
            self.effects.push(Effect::ToMemory { stream, from, address, length });
            from += u64::from(length);
            total += u64::from(length);
        }
        memory.put_u32(count_at, total as u32)?;
        Ok(total)
    }

    pub(crate) fn fd_write(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let (stream, offset) = match *self.descriptor(arguments[0])? {
            Descriptor::Stdout => (Stream::Stdout, self.stdout.len() as u64),
            Descriptor::Stderr => (Stream::Stderr, self.stderr.len() as u64),
            Descriptor::File { number, append: true, .. } => {
                (Stream::File(number), self.files.content(number).len() as u64)
            }
            Descriptor::File { number, offset, .. } => (Stream::File(number), offset),
            Descriptor::Directory(_) => return Err(ISDIR),
            Descriptor::Stdin => return Err(BADF),
        };
        let count = self.write(stream, offset, arguments, arguments[3] as u32, memory)?;
        self.move_to(arguments[0], offset + count);
        Ok(())
    }

    pub(crate) fn fd_pwrite(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let Descriptor::File { number, .. } = *self.descriptor(arguments[0])? else { return Err(SPIPE) };
        let (offset, count_at) = (arguments[3], arguments[4] as u32);
        self.write(Stream::File(number), offset, arguments, count_at, memory).map(drop)
    }

    /// Copies buffers into a stream and says how many bytes.
    fn write(
        &mut self,
        stream: Stream,
        mut to: u64,
        arguments: &[u64],
        count_at: u32,
        memory: &mut Access<'_>,
    ) -> Answer<u64> {
        let mut total = 0u64;
        for (address, length) in memory.vectors(arguments[1] as u32, arguments[2] as u32)? {
            if length == 0 {
                continue;
            }
            let bytes = memory.bytes(address, length)?;
            // A write far beyond the end fills the gap with zeros, which count as output too.
            let gap = to.saturating_sub(self.length(stream));
            self.spend(gap.saturating_add(u64::from(length)))?;
            let content = match stream {
                Stream::Stdout => &mut self.stdout,
                Stream::Stderr => &mut self.stderr,
                Stream::File(number) => self.files.content_mut(number),
                _ => return Err(BADF),
            };
            let (start, end) = (to as usize, to as usize + bytes.len());
            if content.len() < end {
                content.resize(end, 0);
            }
            content[start..end].copy_from_slice(&bytes);
            self.effects.push(Effect::FromMemory { address, stream, to, length });
            to += u64::from(length);
            total += u64::from(length);
        }
        memory.put_u32(count_at, total as u32)?;
        Ok(total)
    }

    fn length(&self, stream: Stream) -> u64 {
        match stream {
            Stream::Stdout => self.stdout.len() as u64,
            Stream::Stderr => self.stderr.len() as u64,
            Stream::File(number) => self.files.content(number).len() as u64,
            _ => self.setup.stdin.len() as u64,
        }
    }

    fn move_to(&mut self, descriptor: u64, position: u64) {
        match &mut self.descriptors[descriptor as u32 as usize] {
            Some(Descriptor::File { offset, .. }) => *offset = position,
            Some(Descriptor::Stdin) => self.stdin_read = position,
            _ => {}
        }
    }

    pub(crate) fn fd_seek(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let (length, current) = match *self.descriptor(arguments[0])? {
            Descriptor::Stdin => (self.setup.stdin.len() as u64, self.stdin_read),
            Descriptor::File { number, offset, .. } => (self.files.content(number).len() as u64, offset),
            _ => return Err(SPIPE),
        };
        let base = match arguments[2] as u32 {
            0 => 0,
            1 => current,
            2 => length,
            _ => return Err(INVAL),
        };
        let position = (base as i64).checked_add(arguments[1] as i64).filter(|position| *position >= 0);
        let position = position.ok_or(INVAL)? as u64;
        memory.put_u64(arguments[3] as u32, position)?;
        self.move_to(arguments[0], position);
        Ok(())
    }

    pub(crate) fn fd_tell(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let position = match *self.descriptor(arguments[0])? {
            Descriptor::Stdin => self.stdin_read,
            Descriptor::File { offset, .. } => offset,
            _ => return Err(SPIPE),
        };
        memory.put_u64(arguments[1] as u32, position)
    }

    pub(crate) fn fd_readdir(&mut self, arguments: &[u64], memory: &mut Access<'_>) -> Answer {
        let Descriptor::Directory(path) = self.descriptor(arguments[0])? else { return Err(NOTDIR) };
        let mut entries = vec![(b".".to_vec(), None), (b"..".to_vec(), None)];
        entries.extend(self.files.children(path));
        let (address, capacity) = (arguments[1] as u32, arguments[2] as u32 as usize);
        let mut bytes = Vec::new();
        for (index, (name, number)) in entries.iter().enumerate().skip(arguments[3] as usize) {
            if bytes.len() >= capacity {
                break;
            }
            bytes.extend((index as u64 + 1).to_le_bytes());
            bytes.extend(number.map_or(0, |number| u64::from(number) + 16).to_le_bytes());
            bytes.extend((name.len() as u32).to_le_bytes());
            bytes.extend([if number.is_some() { REGULAR } else { DIRECTORY }, 0, 0, 0]);
            bytes.extend(name);
        }
        bytes.truncate(capacity);
        memory.put(address, &bytes)?;
        memory.put_u32(arguments[4] as u32, bytes.len() as u32)
    }
}

fn file_stat(number: u32, content: &[u8]) -> (u8, u64, u64) {
    (REGULAR, u64::from(number) + 16, content.len() as u64)
}

pub(crate) fn put_filestat(
    memory: &mut Access<'_>,
    address: u32,
    (kind, inode, size): (u8, u64, u64),
) -> Answer {
    let mut stat = [0; 64];
    stat[8..16].copy_from_slice(&inode.to_le_bytes());
    stat[16] = kind;
    stat[24] = 1;
    stat[32..40].copy_from_slice(&size.to_le_bytes());
    for time in [40, 48, 56] {
        stat[time..time + 8].copy_from_slice(&NOW.to_le_bytes());
    }
    memory.put(address, &stat)
}
