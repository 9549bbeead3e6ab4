//! Accepting connections: a thread for each, so many at most.

use std::io::{self, Read};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::request::{PATIENCE, Refusal, Request, read};
use crate::response::Response;

/// Connections at once; those beyond are told to come again.
const MOST: usize = 512;
/// A handler answers from memory.
const STACK: usize = 1 << 20;
/// How often a server that nobody asks looks whether it should end.
const PAUSE: Duration = Duration::from_millis(20);

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

    /// Answers until `stop` is set; what was begun is finished.
    pub fn run(&self, handler: &(dyn Fn(&Request) -> Response + Sync), stop: &AtomicBool) {
        let open = AtomicUsize::new(0);
        thread::scope(|scope| {
            while !stop.load(Ordering::Relaxed) {
                let Ok((stream, _)) = self.listener.accept() else {
                    thread::sleep(PAUSE);
                    continue;
                };
                let full = open.fetch_add(1, Ordering::Relaxed) >= MOST;
                let open = &open;
                let answering = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                    // A client that goes away is its own affair.
                    let _ = attend(stream, handler, full);
                    open.fetch_sub(1, Ordering::Relaxed);
                });
                if answering.is_err() {
                    open.fetch_sub(1, Ordering::Relaxed);
                }
            }
        });
    }
}

fn attend(
    mut stream: TcpStream,
    handler: &(dyn Fn(&Request) -> Response + Sync),
    full: bool,
) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let asked = read(&mut stream, Instant::now() + PATIENCE)?;
    let head = asked.as_ref().is_ok_and(|request| request.head);
    let response = match asked {
        _ if full => Response::with("503 Service Unavailable", "Too many readers at once: try again.\n"),
        Ok(request) => handler(&request),
        Err(Refusal::Malformed) => Response::with("400 Bad Request", "This is not a request.\n"),
        Err(Refusal::Method) => Response::with("405 Method Not Allowed", "Only GET and HEAD are answered.\n"),
        Err(Refusal::Long) => {
            Response::with("431 Request Header Fields Too Large", "The request is too long.\n")
        }
        Err(Refusal::Host) => Response::with(
            "421 Misdirected Request",
            "This server answers to 127.0.0.1 and localhost only.\n",
        ),
    };
    response.write(&mut stream, head)?;
    stream.shutdown(Shutdown::Write)?;
    // What the client still sends is taken, so that the answer is not lost to a reset.
    let mut rest = [0; 1024];
    let until = Instant::now() + Duration::from_secs(1);
    stream.set_read_timeout(Some(Duration::from_millis(500)))?;
    while Instant::now() < until && matches!(stream.read(&mut rest), Ok(1..)) {}
    Ok(())
}
