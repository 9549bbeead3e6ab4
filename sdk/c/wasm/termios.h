/* termios.h for WebAssembly: there is no terminal. */
#ifndef TWINRUN_TERMIOS_H
#define TWINRUN_TERMIOS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned char cc_t;
typedef unsigned speed_t, tcflag_t;
#define NCCS 32
struct termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_line, c_cc[NCCS];
};
#define VINTR 0
#define VQUIT 1
#define VERASE 2
#define VEOF 4
#define VTIME 5
#define VMIN 6
#define BRKINT 2
#define ICRNL 0x100
#define INPCK 0x10
#define ISTRIP 0x20
#define IXON 0x400
#define OPOST 1
#define CS8 0x30
#define ISIG 1
#define ICANON 2
#define ECHO 8
#define IEXTEN 0x8000
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
int tcgetattr(int file, struct termios *settings);
int tcsetattr(int file, int when, const struct termios *settings);

#ifdef __cplusplus
}
#endif
#endif
