/* sys/socket.h for WebAssembly: what opens a connection fails with an error code. */
#ifndef TWINRUN_SYS_SOCKET_H
#define TWINRUN_SYS_SOCKET_H

#include_next <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PF_UNSPEC
#define PF_UNSPEC 0
#endif
#ifndef PF_INET
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#endif
#ifndef PF_UNIX
#define PF_UNIX AF_UNIX
#endif
#ifndef SOMAXCONN
#define SOMAXCONN 128
#endif
#ifndef SO_REUSEADDR
#define SO_REUSEADDR 2
#define SO_ERROR 4
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0x4000
#endif
#ifndef MSG_DONTWAIT
#define MSG_DONTWAIT 0x40
#endif

int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int sockets[2]);
int bind(int socket, const struct sockaddr *address, socklen_t length);
int connect(int socket, const struct sockaddr *address, socklen_t length);
int listen(int socket, int waiting);
int getsockname(int socket, struct sockaddr *__restrict address, socklen_t *__restrict length);
int getpeername(int socket, struct sockaddr *__restrict address, socklen_t *__restrict length);
int setsockopt(int socket, int level, int option, const void *value, socklen_t length);
ssize_t sendto(int socket, const void *data, size_t length, int flags, const struct sockaddr *to, socklen_t to_length);
ssize_t recvfrom(int socket, void *__restrict data, size_t length, int flags, struct sockaddr *__restrict from, socklen_t *__restrict from_length);
ssize_t sendmsg(int socket, const struct msghdr *message, int flags);
ssize_t recvmsg(int socket, struct msghdr *message, int flags);

#ifdef __cplusplus
}
#endif
#endif
