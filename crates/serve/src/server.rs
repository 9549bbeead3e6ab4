//! Accepting and answering: one thread for all connections, so that idle ones cost a file descriptor and nothing else.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::connection::Connection;
use crate::request::Request;
use crate::response::Response;

/// Connections at once. For one beyond them, the oldest that has said nothing makes room; if all have, it is told to come again.
const MOST: usize = 256;
/// How often a server that nobody asks looks whether it should end, in milliseconds.
const PAUSE: i32 = 20;

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The port is taken, or not ours to take.
    #[error("cannot listen on 127.0.0.1:{port}: {source}; choose another with --port (0 takes any)")]
    Listen {
        /// The port.
        port: u16,
        /// Why.
        source: io::Error,
    },
}

/// What answers a request.
pub(crate) type Handler<'a> = &'a (dyn Fn(&Request) -> Response + Sync);

/// A server on loopback.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Listens on a port of 127.0.0.1; 0 takes any.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn bind(port: u16) -> Result<Server, Error> {
        let failed = |source| Error::Listen { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Server { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` is set; answers that were begun are finished.
    pub fn run(&self, handler: Handler<'_>, stop: &AtomicBool) {
        let mut connections: Vec<Connection> = Vec::new();
        loop {
            let stopping = stop.load(Ordering::Relaxed);
            if stopping {
                connections.retain(Connection::is_answering);
                if connections.is_empty() {
                    return;
                }
            }
            let ready = wait(&self.listener, &connections);
            let now = Instant::now();
            let mut place = 0;
            connections.retain_mut(|connection| {
                place += 1;
                // A client that goes away is its own affair: an error only ends its connection.
                let alive = !ready[place] || connection.advance(handler, now).unwrap_or(false);
                alive && connection.until() > now
            });
            if ready[0] && !stopping {
                self.accept(&mut connections, now);
            }
        }
    }

    fn accept(&self, connections: &mut Vec<Connection>, now: Instant) {
        while let Ok((stream, _)) = self.listener.accept() {
            let Ok(mut connection) = Connection::new(stream, now) else { continue };
            if connections.len() >= MOST {
                match connections.iter().position(Connection::is_idle) {
                    // The oldest comes first.
                    Some(idle) => drop(connections.remove(idle)),
                    None => connection.refuse(),
                }
            }
            connections.push(connection);
            if connections.len() >= 2 * MOST {
                // Those that are told to come again are not without a limit either: the rest wait in the backlog.
                return;
            }
        }
    }
}

/// Waits until somebody can be attended to, or for a pause: of the listener first, then of each connection, whether it is ready.
fn wait(listener: &TcpListener, connections: &[Connection]) -> Vec<bool> {
    let entry = |fd: RawFd, events| libc::pollfd { fd, events, revents: 0 };
    let mut entries = vec![entry(listener.as_raw_fd(), libc::POLLIN)];
    entries.extend(connections.iter().map(|it| {
        entry(it.stream().as_raw_fd(), if it.is_answering() { libc::POLLOUT } else { libc::POLLIN })
    }));
    // SAFETY: `entries` is an array of that many `pollfd`, alive and exclusively ours during the call; the descriptors belong to sockets that are borrowed.
    let count = unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, PAUSE) };
    // A signal interrupts the wait; then nobody is ready.
    entries.iter().map(|it| count > 0 && it.revents != 0).collect()
}
