//! Many readers at once, and requests that a server should refuse.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use twinrun_serve::{Response, Server};

fn ask(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Runs a server with one page while `visit` uses it.
fn with_server(visit: impl FnOnce(SocketAddr)) {
    let server = Server::bind(0).unwrap();
    let address = server.address();
    let stop = AtomicBool::new(false);
    let page: Arc<[u8]> = "x".repeat(300_000).into_bytes().into();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let handler = |request: &twinrun_serve::Request| match request.path.as_str() {
                "/" => Response::html(page.clone()),
                _ => Response::not_found(),
            };
            server.run(&handler, &stop);
        });
        visit(address);
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn two_hundred_readers_at_once_lose_nothing() {
    with_server(|address| {
        let whole = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..200 {
                scope.spawn(|| {
                    let answer = ask(address, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
                    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
                    assert!(
                        head.starts_with("HTTP/1.1 200 OK") && head.contains("Content-Length: 300000"),
                        "{head}"
                    );
                    assert_eq!(body.len(), 300_000);
                    whole.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(whole.into_inner(), 200);
    });
}

#[test]
fn paths_methods_and_hosts_that_are_not_ours_are_refused() {
    with_server(|address| {
        for (request, status) in [
            ("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
            ("GET /%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"),
            ("DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
            ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"),
            ("nonsense\r\n\r\n", "400"),
        ] {
            let answer = ask(address, request);
            assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{request}: {answer}");
        }
        let head = ask(address, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(head.contains("Content-Length: 300000") && head.ends_with("\r\n\r\n"));
    });
}
