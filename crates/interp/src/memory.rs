//! Linear memory in copy-on-write pages: a clone shares all pages, and a write copies the one page that it touches.

use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use crate::heap::Heap;
use crate::trap::Trap;

/// Elements of one page.
pub const PAGE: usize = 4096;

/// Bytes of a WebAssembly page.
pub const WASM_PAGE: u64 = 65536;

/// A growing array in shared pages; also good for what a domain keeps beside each byte.
#[derive(Debug)]
pub struct Pages<T> {
    pages: Vec<Arc<[T; PAGE]>>,
    blank: Arc<[T; PAGE]>,
}

impl<T> Clone for Pages<T> {
    fn clone(&self) -> Self {
        Pages { pages: self.pages.clone(), blank: self.blank.clone() }
    }
}

impl<T: Copy> Pages<T> {
    /// No pages yet; new ones are filled with `blank`.
    pub fn new(blank: T) -> Pages<T> {
        Pages { pages: Vec::new(), blank: Arc::new([blank; PAGE]) }
    }

    /// How many elements there are.
    pub fn len(&self) -> u64 {
        (self.pages.len() * PAGE) as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Grows to at least this many elements.
    pub fn grow(&mut self, len: u64) {
        let pages = usize::try_from(len.div_ceil(PAGE as u64)).unwrap_or(usize::MAX);
        if pages > self.pages.len() {
            self.pages.resize(pages, self.blank.clone());
        }
    }

    /// `N` elements from `at` on.
    #[inline(always)]
    pub fn read<const N: usize>(&self, at: u64) -> Option<[T; N]> {
        let (page, offset) = ((at / PAGE as u64) as usize, (at % PAGE as u64) as usize);
        if offset + N <= PAGE {
            let page = self.pages.get(page)?;
            let mut out = [page[offset]; N];
            out.copy_from_slice(&page[offset..offset + N]);
            return Some(out);
        }
        self.read_across(at)
    }

    #[cold]
    fn read_across<const N: usize>(&self, at: u64) -> Option<[T; N]> {
        if at + N as u64 > self.len() {
            return None;
        }
        Some(std::array::from_fn(|i| self.get(at + i as u64)))
    }

    /// One element that is known to be inside.
    #[inline(always)]
    pub fn get(&self, at: u64) -> T {
        self.pages[(at / PAGE as u64) as usize][(at % PAGE as u64) as usize]
    }

    /// The page for writing.
    #[inline(always)]
    fn page_mut(&mut self, page: usize) -> Option<&mut [T; PAGE]> {
        let page = self.pages.get_mut(page)?;
        if Arc::strong_count(page) != 1 {
            unshare(page);
        }
        fence(Ordering::Acquire);
        // SAFETY: the strong count is 1 and no weak reference is ever made, so `page`, which we borrow exclusively, is the only way to this array;
        // the fence orders our write after the last read of whoever let go of the page. (`Arc::get_mut` would lock the weak count on every store.)
        Some(unsafe { &mut *Arc::as_ptr(page).cast_mut() })
    }

    /// Writes `N` elements; false when they do not all lie inside.
    #[inline(always)]
    pub fn write<const N: usize>(&mut self, at: u64, values: [T; N]) -> bool {
        let (page, offset) = ((at / PAGE as u64) as usize, (at % PAGE as u64) as usize);
        if offset + N <= PAGE {
            let Some(page) = self.page_mut(page) else { return false };
            page[offset..offset + N].copy_from_slice(&values);
            return true;
        }
        at + N as u64 <= self.len() && self.write_slice(at, &values)
    }

    /// Writes one element that is known to be inside.
    pub fn set(&mut self, at: u64, value: T) {
        if let Some(page) = self.page_mut((at / PAGE as u64) as usize) {
            page[(at % PAGE as u64) as usize] = value;
        }
    }

    /// Writes a slice; false, and nothing written, when it does not lie inside.
    pub fn write_slice(&mut self, at: u64, values: &[T]) -> bool {
        if at.checked_add(values.len() as u64).is_none_or(|end| end > self.len()) {
            return false;
        }
        let (mut at, mut rest) = (at as usize, values);
        while !rest.is_empty() {
            let offset = at % PAGE;
            let part = rest.len().min(PAGE - offset);
            if let Some(page) = self.page_mut(at / PAGE) {
                page[offset..offset + part].copy_from_slice(&rest[..part]);
            }
            rest = &rest[part..];
            at += part;
        }
        true
    }

    /// Reads a range, or nothing when it does not lie inside.
    pub fn read_vec(&self, at: u64, len: u64) -> Option<Vec<T>> {
        let end = at.checked_add(len).filter(|end| *end <= self.len())? as usize;
        let mut out = Vec::with_capacity(len as usize);
        let mut at = at as usize;
        while at < end {
            let offset = at % PAGE;
            let part = (end - at).min(PAGE - offset);
            out.extend_from_slice(&self.pages[at / PAGE][offset..offset + part]);
            at += part;
        }
        Some(out)
    }

    /// Fills a range; false, and nothing written, when it does not lie inside.
    pub fn fill(&mut self, at: u64, len: u64, value: T) -> bool {
        let Some(end) = at.checked_add(len).filter(|end| *end <= self.len()) else { return false };
        let (mut at, end) = (at as usize, end as usize);
        while at < end {
            let offset = at % PAGE;
            let part = (end - at).min(PAGE - offset);
            if let Some(page) = self.page_mut(at / PAGE) {
                page[offset..offset + part].fill(value);
            }
            at += part;
        }
        true
    }

    /// The indices of the pages that are not shared with `other`: a superset of where the two differ.
    pub fn changed_pages<'a>(&'a self, other: &'a Pages<T>) -> impl Iterator<Item = usize> + 'a {
        let len = self.pages.len().max(other.pages.len());
        (0..len).filter(|&page| match (self.pages.get(page), other.pages.get(page)) {
            (Some(a), Some(b)) => !Arc::ptr_eq(a, b),
            _ => true,
        })
    }

    /// One page's elements.
    pub fn page(&self, page: usize) -> Option<&[T; PAGE]> {
        self.pages.get(page).map(|page| &**page)
    }
}

#[cold]
fn unshare<T: Copy>(page: &mut Arc<[T; PAGE]>) {
    *page = Arc::new(**page);
}

/// A linear memory: concrete bytes and what the domain keeps beside them.
#[derive(Clone, Debug)]
pub struct Memory<S> {
    bytes: Pages<u8>,
    /// What the domain keeps beside the bytes.
    pub shadow: S,
    /// The most WebAssembly pages, as the module declares it.
    pub declared: Option<u64>,
    /// What the heap's bytes may be used for, in a checked build.
    pub heap: Option<Heap>,
}

impl<S: Default> Memory<S> {
    /// A memory of `initial` WebAssembly pages.
    pub fn new(initial: u64, maximum: Option<u64>) -> Memory<S> {
        let mut bytes = Pages::new(0);
        bytes.grow(initial * WASM_PAGE);
        Memory { bytes, shadow: S::default(), declared: maximum, heap: None }
    }
}

impl<S> Memory<S> {
    /// The bytes.
    pub fn bytes(&self) -> &Pages<u8> {
        &self.bytes
    }

    /// The size in bytes.
    pub fn len(&self) -> u64 {
        self.bytes.len()
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Grows by `pages` WebAssembly pages: the old number of pages, or nothing when the module allows no more.
    pub fn grow(&mut self, pages: u64) -> Option<u64> {
        let old = self.len() / WASM_PAGE;
        let new = old + pages;
        if new > self.declared.unwrap_or(65536).min(65536) {
            return None;
        }
        self.bytes.grow(new * WASM_PAGE);
        Some(old)
    }

    /// `N` bytes from `at` on.
    #[inline(always)]
    pub fn load<const N: usize>(&self, at: u64) -> Result<[u8; N], Trap> {
        self.bytes.read(at).ok_or(Trap::MemoryOutOfBounds)
    }

    /// Writes the concrete bytes; what stands beside them is the domain's to keep.
    #[inline(always)]
    pub fn store<const N: usize>(&mut self, at: u64, bytes: [u8; N]) -> Result<(), Trap> {
        if self.bytes.write(at, bytes) { Ok(()) } else { Err(Trap::MemoryOutOfBounds) }
    }

    /// A range of concrete bytes.
    pub fn read(&self, at: u64, len: u64) -> Result<Vec<u8>, Trap> {
        self.bytes.read_vec(at, len).ok_or(Trap::MemoryOutOfBounds)
    }

    /// Writes a range of concrete bytes; what stands beside them is the domain's to keep.
    pub fn write(&mut self, at: u64, bytes: &[u8]) -> Result<(), Trap> {
        if self.bytes.write_slice(at, bytes) { Ok(()) } else { Err(Trap::MemoryOutOfBounds) }
    }

    /// Fills a range with one concrete byte; what stands beside is the domain's to keep.
    pub fn fill(&mut self, at: u64, len: u64, byte: u8) -> Result<(), Trap> {
        if self.bytes.fill(at, len, byte) { Ok(()) } else { Err(Trap::MemoryOutOfBounds) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_its_bytes_when_the_original_is_written() {
        let mut memory: Memory<()> = Memory::new(1, None);
        memory.write(PAGE as u64 - 2, &[1, 2, 3, 4]).unwrap();
        let copy = memory.clone();
        memory.store(PAGE as u64 - 2, [9; 4]).unwrap();
        assert_eq!(copy.load::<4>(PAGE as u64 - 2).unwrap(), [1, 2, 3, 4]);
        assert_eq!(memory.load::<4>(PAGE as u64 - 2).unwrap(), [9; 4]);
        assert_eq!(memory.bytes().changed_pages(copy.bytes()).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn accesses_beyond_the_end_trap_and_write_nothing() {
        let mut memory: Memory<()> = Memory::new(1, Some(2));
        assert_eq!(memory.store(WASM_PAGE - 3, [7; 4]), Err(Trap::MemoryOutOfBounds));
        assert_eq!(memory.load::<1>(WASM_PAGE - 3).unwrap(), [0]);
        assert_eq!(memory.load::<8>(u64::from(u32::MAX) * 2), Err(Trap::MemoryOutOfBounds));
        assert_eq!(memory.grow(1), Some(1));
        assert_eq!(memory.grow(1), None);
        assert_eq!(memory.store(WASM_PAGE - 3, [7; 4]), Ok(()));
    }
}
