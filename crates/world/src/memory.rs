//! Access to the subject's memory, as an engine gives it to the world.

use crate::errno::{Answer, FAULT};

/// The subject's linear memory. An access beyond its end changes nothing and answers `false`.
pub trait Memory {
    /// Copies bytes out of memory.
    fn read(&self, address: u32, out: &mut [u8]) -> bool;
    /// Copies concrete bytes into memory.
    fn write(&mut self, address: u32, bytes: &[u8]) -> bool;
}

impl Memory for [u8] {
    fn read(&self, address: u32, out: &mut [u8]) -> bool {
        let from = address as usize;
        match self.get(from..from + out.len()) {
            Some(bytes) => {
                out.copy_from_slice(bytes);
                true
            }
            None => false,
        }
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        let from = address as usize;
        match self.get_mut(from..from + bytes.len()) {
            Some(place) => {
                place.copy_from_slice(bytes);
                true
            }
            None => false,
        }
    }
}

/// Typed accesses over [`Memory`] that end a call with `EFAULT` when they fail.
pub(crate) struct Access<'a>(pub(crate) &'a mut dyn Memory);

impl Access<'_> {
    pub(crate) fn bytes(&self, address: u32, length: u32) -> Answer<Vec<u8>> {
        // A length beyond any memory is a fault; reading one byte at its end first avoids a huge allocation.
        if length > 0 {
            let last = address.checked_add(length - 1).ok_or(FAULT)?;
            if !self.0.read(last, &mut [0]) {
                return Err(FAULT);
            }
        }
        let mut bytes = vec![0; length as usize];
        if self.0.read(address, &mut bytes) { Ok(bytes) } else { Err(FAULT) }
    }

    pub(crate) fn put(&mut self, address: u32, bytes: &[u8]) -> Answer {
        if self.0.write(address, bytes) { Ok(()) } else { Err(FAULT) }
    }

    pub(crate) fn u32(&self, address: u32) -> Answer<u32> {
        let mut bytes = [0; 4];
        if self.0.read(address, &mut bytes) { Ok(u32::from_le_bytes(bytes)) } else { Err(FAULT) }
    }

    pub(crate) fn put_u32(&mut self, address: u32, value: u32) -> Answer {
        self.put(address, &value.to_le_bytes())
    }

    pub(crate) fn put_u64(&mut self, address: u32, value: u64) -> Answer {
        self.put(address, &value.to_le_bytes())
    }

    /// The (address, length) pairs of a vector of buffers.
    pub(crate) fn vectors(&self, address: u32, count: u32) -> Answer<Vec<(u32, u32)>> {
        let mut vectors = Vec::new();
        for index in 0..count {
            let at = index.checked_mul(8).and_then(|offset| address.checked_add(offset)).ok_or(FAULT)?;
            vectors.push((self.u32(at)?, self.u32(at.checked_add(4).ok_or(FAULT)?)?));
        }
        Ok(vectors)
    }
}
