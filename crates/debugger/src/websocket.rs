//! A small WebSocket client (RFC 6455) for loopback connections: text messages, no extensions.
//!
//! Debuggers answer a request with several small segments; a delayed acknowledgement then costs 40 ms a request. So the
//! socket asks for quick acknowledgements (`TCP_QUICKACK`) before every read, for the kernel forgets the wish.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::os::fd::AsRawFd as _;
use std::time::{Duration, Instant};

use twinrun_base::cut;

use crate::error::{Error, Result};
use crate::process::SLICE;

/// Messages longer than this are nonsense.
const LONGEST_MESSAGE: u64 = 256 << 20;

/// An open connection.
#[derive(Debug)]
pub(crate) struct WebSocket {
    stream: TcpStream,
    buffer: Vec<u8>,
    start: usize,
    mask: u32,
}

impl WebSocket {
    /// Connects to `ws://127.0.0.1:PORT/PATH`.
    ///
    /// # Errors
    /// When nobody listens, or what listens speaks no WebSocket.
    pub(crate) fn connect(port: u16, path: &str, limit: Duration) -> Result<Self> {
        let address = std::net::SocketAddr::from(([127, 0, 0, 1], port));
        let stream = TcpStream::connect_timeout(&address, limit)
            .map_err(Error::io(format!("connect to port {port}")))?;
        stream.set_nodelay(true).map_err(Error::io("set TCP_NODELAY"))?;
        let mut socket =
            WebSocket { stream, buffer: Vec::with_capacity(1 << 16), start: 0, mask: 0x5eed_1e55 };
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dHdpbnJ1bi10d2lucnVuLQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        );
        socket.stream.write_all(request.as_bytes()).map_err(Error::io("send the handshake"))?;
        let deadline = Instant::now() + limit;
        loop {
            if let Some(end) = find(&socket.buffer, b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&socket.buffer[..end]).into_owned();
                if !head.starts_with("HTTP/1.1 101") {
                    return Err(Error::Nonsense(head.lines().next().unwrap_or_default().to_owned()));
                }
                socket.start = end + 4;
                return Ok(socket);
            }
            if socket.buffer.len() > 1 << 16 {
                return Err(Error::Nonsense("an endless handshake".to_owned()));
            }
            socket.fill(deadline, limit)?;
        }
    }

    /// Sends one text message.
    ///
    /// # Errors
    /// When the connection is gone.
    pub(crate) fn send(&mut self, text: &str) -> Result<()> {
        self.send_frame(0x1, text.as_bytes())
    }

    /// Waits for the next text message until the deadline; `limit` is what an error says.
    ///
    /// # Errors
    /// When none comes in time, the connection ends, or the bytes are no WebSocket frame.
    pub(crate) fn receive(&mut self, deadline: Instant, limit: Duration) -> Result<String> {
        let mut message = Vec::new();
        loop {
            let (last, opcode, payload) = self.frame(deadline, limit)?;
            match opcode {
                0x0..=0x2 => {
                    message.extend_from_slice(&payload);
                    if last {
                        return String::from_utf8(message)
                            .map_err(|_| Error::Nonsense("a message that is not UTF-8".to_owned()));
                    }
                }
                0x8 => return Err(Error::Closed),
                0x9 => self.send_frame(0xA, &payload)?,
                0xA => {}
                other => return Err(Error::Nonsense(format!("a frame with opcode {other}"))),
            }
        }
    }

    fn frame(&mut self, deadline: Instant, limit: Duration) -> Result<(bool, u8, Vec<u8>)> {
        self.need(2, deadline, limit)?;
        let (first, second) = (self.buffer[self.start], self.buffer[self.start + 1]);
        if first & 0x70 != 0 || second & 0x80 != 0 {
            return Err(Error::Nonsense("bytes that are no WebSocket frame".to_owned()));
        }
        let (head, length) = match second & 0x7f {
            126 => {
                self.need(4, deadline, limit)?;
                let bytes = &self.buffer[self.start + 2..self.start + 4];
                (4, u64::from(u16::from_be_bytes([bytes[0], bytes[1]])))
            }
            127 => {
                self.need(10, deadline, limit)?;
                let bytes = self.buffer[self.start + 2..self.start + 10].try_into().expect("eight bytes");
                (10, u64::from_be_bytes(bytes))
            }
            short => (2, u64::from(short)),
        };
        if length > LONGEST_MESSAGE {
            return Err(Error::Nonsense(format!("a message of {length} bytes")));
        }
        let whole = head + length as usize;
        self.need(whole, deadline, limit)?;
        let payload = self.buffer[self.start + head..self.start + whole].to_vec();
        self.start += whole;
        Ok((first & 0x80 != 0, first & 0x0f, payload))
    }

    fn need(&mut self, count: usize, deadline: Instant, limit: Duration) -> Result<()> {
        while self.buffer.len() - self.start < count {
            self.fill(deadline, limit)?;
        }
        Ok(())
    }

    fn fill(&mut self, deadline: Instant, limit: Duration) -> Result<()> {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
        } else if self.start > 1 << 20 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Error::Silent(limit.as_millis() as u64));
        }
        if cut::is_requested() {
            return Err(Error::Cut);
        }
        // Woken now and then, for a cut may come from outside.
        let slice = left.min(SLICE);
        self.stream.set_read_timeout(Some(slice)).map_err(Error::io("set a time limit"))?;
        self.quick_acknowledgements();
        let mut chunk = [0; 1 << 16];
        match self.stream.read(&mut chunk) {
            Ok(0) => Err(Error::Closed),
            Ok(count) => {
                self.buffer.extend_from_slice(&chunk[..count]);
                Ok(())
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => Ok(()),
                io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Err(Error::Closed),
                _ => Err(Error::io("read from the debugger")(error)),
            },
        }
    }

    fn send_frame(&mut self, opcode: u8, payload: &[u8]) -> Result<()> {
        self.mask = self.mask.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mask = self.mask.to_be_bytes();
        let mut frame = vec![0x80 | opcode];
        match payload.len() {
            length @ 0..=125 => frame.push(0x80 | length as u8),
            length @ 126..=0xffff => {
                frame.push(0x80 | 126);
                frame.extend_from_slice(&(length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend_from_slice(&(length as u64).to_be_bytes());
            }
        }
        frame.extend_from_slice(&mask);
        frame.extend(payload.iter().enumerate().map(|(at, byte)| byte ^ mask[at % 4]));
        self.stream.write_all(&frame).map_err(|error| match error.kind() {
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Error::Closed,
            _ => Error::io("write to the debugger")(error),
        })
    }

    fn quick_acknowledgements(&self) {
        let on: libc::c_int = 1;
        // SAFETY: the descriptor is open for the life of `self.stream`, and the kernel reads one `c_int` at the given address.
        // A refusal only costs speed, so the result is not looked at.
        unsafe {
            libc::setsockopt(
                self.stream.as_raw_fd(),
                libc::IPPROTO_TCP,
                libc::TCP_QUICKACK,
                (&raw const on).cast(),
                size_of::<libc::c_int>() as libc::socklen_t,
            );
        }
    }
}

fn find(bytes: &[u8], pattern: &[u8]) -> Option<usize> {
    bytes.windows(pattern.len()).position(|window| window == pattern)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// A server that answers the handshake and then sends the given bytes.
    fn server(answer: &'static [u8], then: Vec<u8>) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).unwrap();
            stream.write_all(answer).unwrap();
            stream.write_all(&then).unwrap();
        });
        port
    }

    const WELCOME: &[u8] = b"HTTP/1.1 101 Switching Protocols\r\n\r\n";
    const LIMIT: Duration = Duration::from_secs(10);

    fn receive(then: Vec<u8>) -> Result<String> {
        let mut socket = WebSocket::connect(server(WELCOME, then), "/", LIMIT)?;
        socket.receive(Instant::now() + LIMIT, LIMIT)
    }

    #[test]
    fn a_message_in_two_fragments_is_joined() {
        assert_eq!(receive(b"\x01\x02he\x89\x00\x80\x03llo".to_vec()).unwrap(), "hello");
    }

    #[test]
    fn a_long_message_arrives_whole() {
        let mut frame = vec![0x81, 127];
        frame.extend_from_slice(&70_000u64.to_be_bytes());
        frame.extend(std::iter::repeat_n(b'x', 70_000));
        assert_eq!(receive(frame).unwrap().len(), 70_000);
    }

    #[test]
    fn nonsense_and_a_closed_connection_are_told_apart() {
        assert!(matches!(receive(b"\xff\xff\xff\xff".to_vec()), Err(Error::Nonsense(_))));
        assert!(matches!(receive(b"\x81\xff".to_vec()), Err(Error::Nonsense(_))));
        assert!(matches!(receive(Vec::new()), Err(Error::Closed)));
        assert!(matches!(receive(b"\x88\x00".to_vec()), Err(Error::Closed)));
        let port = server(b"SSH-2.0-OpenSSH\r\n\r\n", Vec::new());
        assert!(matches!(WebSocket::connect(port, "/", LIMIT), Err(Error::Nonsense(_))));
    }
}
