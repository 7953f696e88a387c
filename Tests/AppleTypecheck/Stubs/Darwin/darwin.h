// Declarations of macOS's C library, as far as the package uses them: its types, order of fields and numbers, from the manual pages
// in developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS and the open-source XNU and Libc headers.
//
// SWIFT_NAME represents what Swift's own overlay of Darwin adds: `errno`, variadic functions, typed constants.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdarg.h>

#define SWIFT_NAME(name) __attribute__((swift_name(name)))

// For Swift's own modules.
unsigned _swift_stdlib_gettid(void);

// sys/types.h
typedef long ssize_t;
typedef int32_t pid_t;
typedef uint32_t uid_t, gid_t, id_t;
typedef uint16_t mode_t, nlink_t;
typedef int32_t dev_t, blksize_t, suseconds_t;
typedef uint64_t ino_t, rlim_t;
typedef int64_t off_t, blkcnt_t;
typedef long time_t;
typedef unsigned long nfds_raw_t;
typedef uint32_t socklen_t, in_addr_t;
typedef uint16_t in_port_t;
typedef uint8_t sa_family_t;

// errno(2)
int __errno_get(void) SWIFT_NAME("getter:errno()");
void __errno_set(int value) SWIFT_NAME("setter:errno(_:)");
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define ECHILD 10
#define ENOMEM 12
#define EACCES 13
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define EFAULT 14
#define ENFILE 23
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define EALREADY 37
#define ENOTSOCK 38
#define EMSGSIZE 40
#define EPROTONOSUPPORT 43
#define ENOTSUP 45
#define EAFNOSUPPORT 47
#define EADDRINUSE 48
#define EADDRNOTAVAIL 49
#define ENETDOWN 50
#define ENETUNREACH 51
#define ENETRESET 52
#define ECONNABORTED 53
#define ECONNRESET 54
#define EOPNOTSUPP 102
#define ENOBUFS 55
#define EISCONN 56
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define ENAMETOOLONG 63
#define EHOSTDOWN 64
#define EHOSTUNREACH 65
#define EDQUOT 69
#define ENOSYS 78
#define EOVERFLOW 84
#define ECANCELED 89
#define EPROTO 100

// string.h, stdlib.h, stdio.h
char *strerror(int number);
int strerror_r(int number, char *text, size_t length);
size_t strlen(const char *text);
void *memcpy(void *to, const void *from, size_t count);
int memcmp(const void *a, const void *b, size_t count);
void *memset(void *to, int value, size_t count);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
char *realpath(const char *path, char *resolved);
int mkstemp(char *path);
char *mkdtemp(char *path);
void exit(int status) __attribute__((noreturn));
void _exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
int atexit(void (*function)(void));
void free(void *pointer);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
long strtol(const char *text, char **end, int base);
double strtod(const char *text, char **end);
char *strdup(const char *text);
char *strchr(const char *text, int character);
void arc4random_buf(void *buffer, size_t count);
int rename(const char *from, const char *to);
typedef struct __sFILE FILE;
FILE *__stdout_get(void) SWIFT_NAME("getter:stdout()");
FILE *__stderr_get(void) SWIFT_NAME("getter:stderr()");
int fflush(FILE *stream);
int fputs(const char *text, FILE *stream);
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream);

// math.h
double floor(double), ceil(double), round(double), pow(double, double), log(double), log2(double), log10(double), sqrt(double),
    exp(double), fabs(double), fmod(double, double), sin(double), cos(double);

// unistd.h
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int close(int descriptor);
ssize_t read(int descriptor, void *buffer, size_t count);
ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset);
ssize_t write(int descriptor, const void *buffer, size_t count);
int pipe(int descriptors[2]);
int dup(int descriptor);
int dup2(int from, int to);
int access(const char *path, int mode);
int unlink(const char *path);
int rmdir(const char *path);
int symlink(const char *to, const char *path);
int link(const char *from, const char *to);
int execv(const char *path, char *const _Nullable *arguments);
ssize_t readlink(const char *path, char *buffer, size_t size);
int isatty(int descriptor);
pid_t getpid(void), getppid(void), getpgrp(void), setsid(void);
pid_t getpgid(pid_t process);
int setpgid(pid_t process, pid_t group);
uid_t getuid(void), geteuid(void);
gid_t getgid(void), getegid(void);
int gethostname(char *name, size_t length);
int ftruncate(int descriptor, off_t length);
int truncate(const char *path, off_t length);
off_t lseek(int descriptor, off_t offset, int whence);
int fsync(int descriptor);
int chdir(const char *path);
char *getcwd(char *buffer, size_t size);
int chown(const char *path, uid_t owner, gid_t group);
int usleep(uint32_t microseconds);
int sched_yield(void);
unsigned sleep(unsigned seconds);
unsigned alarm(unsigned seconds);
long sysconf(int name);
int getdtablesize(void);
int tcsetpgrp(int descriptor, pid_t group);
pid_t tcgetpgrp(int descriptor);
char *ttyname(int descriptor);
char ***_NSGetEnviron(void);

// fcntl.h
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_NOCTTY 0x20000
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETPATH 50
#define F_FULLFSYNC 51
#define F_DUPFD_CLOEXEC 67
#define FD_CLOEXEC 1
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
int __open2(const char *path, int flags) SWIFT_NAME("open(_:_:)");
int __open3(const char *path, int flags, mode_t mode) SWIFT_NAME("open(_:_:_:)");
int __fcntl2(int descriptor, int command) SWIFT_NAME("fcntl(_:_:)");
int __fcntl3(int descriptor, int command, int value) SWIFT_NAME("fcntl(_:_:_:)");
int flock(int descriptor, int operation) SWIFT_NAME("flock(_:_:)");
struct flock {
    off_t l_start, l_len;
    pid_t l_pid;
    short l_type, l_whence;
};

// time.h, sys/time.h
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    char *tm_zone;
};
typedef enum {
    _CLOCK_REALTIME = 0, _CLOCK_MONOTONIC = 6, _CLOCK_MONOTONIC_RAW = 4, _CLOCK_MONOTONIC_RAW_APPROX = 5,
    _CLOCK_UPTIME_RAW = 8, _CLOCK_UPTIME_RAW_APPROX = 9, _CLOCK_PROCESS_CPUTIME_ID = 12, _CLOCK_THREAD_CPUTIME_ID = 16
} clockid_t;
static const clockid_t CLOCK_REALTIME = _CLOCK_REALTIME, CLOCK_MONOTONIC = _CLOCK_MONOTONIC,
                       CLOCK_MONOTONIC_RAW = _CLOCK_MONOTONIC_RAW, CLOCK_UPTIME_RAW = _CLOCK_UPTIME_RAW,
                       CLOCK_PROCESS_CPUTIME_ID = _CLOCK_PROCESS_CPUTIME_ID;
int clock_gettime(clockid_t clock, struct timespec *time);
time_t time(time_t *time);
struct tm *localtime_r(const time_t *time, struct tm *parts);
struct tm *gmtime_r(const time_t *time, struct tm *parts);
time_t mktime(struct tm *parts);
time_t timegm(struct tm *parts);
void tzset(void);
size_t strftime(char *text, size_t size, const char *format, const struct tm *parts);
int utimes(const char *path, const struct timeval times[2]);
int futimens(int fd, const struct timespec times[2]);
int nanosleep(const struct timespec *wanted, struct timespec *rest);

// sys/stat.h
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    uint32_t st_flags, st_gen;
    int32_t st_lspare;
    int64_t st_qspare[2];
};
static const mode_t S_IFMT = 0170000, S_IFIFO = 0010000, S_IFCHR = 0020000, S_IFDIR = 0040000, S_IFBLK = 0060000,
                    S_IFREG = 0100000, S_IFLNK = 0120000, S_IFSOCK = 0140000, S_IRWXU = 0000700, S_IRUSR = 0000400,
                    S_IWUSR = 0000200, S_IXUSR = 0000100, S_IRWXG = 0000070, S_IWGRP = 0000020, S_IRWXO = 0000007,
                    S_IWOTH = 0000002, S_ISVTX = 0001000;
int stat(const char *path, struct stat *result) SWIFT_NAME("stat(_:_:)");
int lstat(const char *path, struct stat *result);
int fstat(int descriptor, struct stat *result);
int mkdir(const char *path, mode_t mode);
int chmod(const char *path, mode_t mode);
int fchmod(int descriptor, mode_t mode);
int mkfifo(const char *path, mode_t mode);
mode_t umask(mode_t mask);

// sys/mount.h
struct statfs {
    uint32_t f_bsize;
    int32_t f_iosize;
    uint64_t f_blocks, f_bfree, f_bavail;
};
int statfs(const char *path, struct statfs *result) SWIFT_NAME("statfs(_:_:)");

// sys/statvfs.h
struct statvfs {
    unsigned long f_bsize, f_frsize;
    uint32_t f_blocks, f_bfree, f_bavail, f_files, f_ffree, f_favail;
    unsigned long f_fsid, f_flag, f_namemax;
};
#define ST_RDONLY 0x00000001
int statvfs(const char *path, struct statvfs *result) SWIFT_NAME("statvfs(_:_:)");

// dirent.h
typedef struct __dirstream { int field; } DIR;
struct dirent { ino_t d_ino; uint64_t d_seekoff; uint16_t d_reclen, d_namlen; uint8_t d_type; char d_name[1024]; };
DIR *opendir(const char *path);
#define PATH_MAX 1024
struct dirent *readdir(DIR *directory);
int closedir(DIR *directory);

// sys/socket.h, sys/un.h, netinet/in.h, netinet/tcp.h, arpa/inet.h
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in {
    uint8_t sin_len;
    sa_family_t sin_family;
    in_port_t sin_port;
    struct in_addr sin_addr;
    char sin_zero[8];
};
struct in6_addr {
    union { uint8_t __u6_addr8[16]; uint16_t __u6_addr16[8]; uint32_t __u6_addr32[4]; } __u6_addr;
};
struct sockaddr_in6 {
    uint8_t sin6_len;
    sa_family_t sin6_family;
    in_port_t sin6_port;
    uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr;
    uint32_t sin6_scope_id;
};
struct sockaddr_un { uint8_t sun_len; sa_family_t sun_family; char sun_path[104]; };
struct sockaddr_storage {
    uint8_t ss_len;
    sa_family_t ss_family;
    char __ss_pad1[6];
    int64_t __ss_align;
    char __ss_pad2[112];
};
struct linger { int l_onoff, l_linger; };
struct iovec { void *iov_base; size_t iov_len; };
struct msghdr {
    void *msg_name;
    socklen_t msg_namelen;
    struct iovec *msg_iov;
    int msg_iovlen;
    void *msg_control;
    socklen_t msg_controllen;
    int msg_flags;
};
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_LINGER 0x0080
#define SO_SNDBUF 0x1001
#define SO_RCVBUF 0x1002
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_ERROR 0x1007
#define SO_NOSIGPIPE 0x1022
#define SOMAXCONN 128
#define MSG_PEEK 0x2
#define MSG_DONTWAIT 0x80
#define MSG_NOSIGNAL 0x80000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define IPPROTO_IP 0
#define IPPROTO_ICMP 1
#define IPPROTO_TCP 6
#define IPPROTO_ICMPV6 58
#define IP_TTL 4
#define IPV6_UNICAST_HOPS 4
#define IPPROTO_UDP 17
#define IPPROTO_IPV6 41
#define IPV6_V6ONLY 27
#define TCP_NODELAY 0x01
#define TCP_MAXSEG 0x02
#define INADDR_ANY ((uint32_t)0)
#define INADDR_LOOPBACK ((uint32_t)0x7f000001)
#define INET_ADDRSTRLEN 16
#define INET6_ADDRSTRLEN 46
int socket(int family, int type, int protocol);
int socketpair(int family, int type, int protocol, int *descriptors);
int connect(int descriptor, const struct sockaddr *address, socklen_t length);
int bind(int descriptor, const struct sockaddr *address, socklen_t length);
int listen(int descriptor, int backlog);
int accept(int descriptor, struct sockaddr *address, socklen_t *length);
int shutdown(int descriptor, int how);
ssize_t recv(int descriptor, void *buffer, size_t count, int flags);
ssize_t send(int descriptor, const void *buffer, size_t count, int flags);
ssize_t recvfrom(int descriptor, void *buffer, size_t count, int flags, struct sockaddr *from, socklen_t *length);
ssize_t sendto(int descriptor, const void *buffer, size_t count, int flags, const struct sockaddr *to, socklen_t length);
int getsockopt(int descriptor, int level, int name, void *value, socklen_t *length);
int setsockopt(int descriptor, int level, int name, const void *value, socklen_t length);
int getsockname(int descriptor, struct sockaddr *address, socklen_t *length);
int getpeername(int descriptor, struct sockaddr *address, socklen_t *length);
int inet_aton(const char *text, struct in_addr *address);
int inet_pton(int family, const char *text, void *address);
const char *inet_ntop(int family, const void *address, char *text, socklen_t size);

// net/if.h
struct if_nameindex { unsigned if_index; char *if_name; };
unsigned if_nametoindex(const char *name);
char *if_indextoname(unsigned index, char *name);
struct if_nameindex *if_nameindex(void) SWIFT_NAME("if_nameindex()");
void if_freenameindex(struct if_nameindex *list);

#define IF_NAMESIZE 16

// ifaddrs.h
struct ifaddrs {
    struct ifaddrs *ifa_next;
    char *ifa_name;
    unsigned int ifa_flags;
    struct sockaddr *ifa_addr, *ifa_netmask, *ifa_dstaddr;
    void *ifa_data;
};
int getifaddrs(struct ifaddrs **list);
void freeifaddrs(struct ifaddrs *list);

// netdb.h
struct addrinfo {
    int ai_flags, ai_family, ai_socktype, ai_protocol;
    socklen_t ai_addrlen;
    char *ai_canonname;
    struct sockaddr *ai_addr;
    struct addrinfo *ai_next;
};
#define AI_PASSIVE 0x1
#define AI_NUMERICHOST 0x4
#define EAI_ADDRFAMILY 1
#define EAI_AGAIN 2
#define EAI_BADFLAGS 3
#define EAI_FAIL 4
#define EAI_FAMILY 5
#define EAI_MEMORY 6
#define EAI_NODATA 7
#define EAI_NONAME 8
#define EAI_SERVICE 9
#define EAI_SOCKTYPE 10
#define EAI_SYSTEM 11
#define NI_MAXHOST 1025
#define NI_NUMERICHOST 0x2
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result);
void freeaddrinfo(struct addrinfo *list);
const char *gai_strerror(int code);
int getnameinfo(const struct sockaddr *address, socklen_t length, char *host, socklen_t hostLength, char *service,
                socklen_t serviceLength, int flags);

// poll.h
typedef unsigned int nfds_t;
struct pollfd { int fd; short events, revents; };
#define POLLIN 0x0001
#define POLLPRI 0x0002
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020
int poll(struct pollfd *descriptors, nfds_t count, int timeout);

// signal.h
typedef void (*sig_t)(int);
typedef uint32_t sigset_t;
typedef struct __siginfo { int si_signo, si_errno, si_code; pid_t si_pid; uid_t si_uid; int si_status; void *si_addr; } siginfo_t;
union __sigaction_u { void (*__sa_handler)(int); void (*__sa_sigaction)(int, struct __siginfo *, void *); };
struct sigaction { union __sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; };
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGABRT 6
#define SIGKILL 9
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTOP 17
#define SIGTSTP 18
#define SIGCONT 19
#define SIGCHLD 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGWINCH 28
#define SIGUSR1 30
#define SIGUSR2 31
#define SA_RESTART 0x0002
#define SA_SIGINFO 0x0040
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
_Nullable sig_t __sig_dfl(void) SWIFT_NAME("getter:SIG_DFL()");
_Nonnull sig_t __sig_ign(void) SWIFT_NAME("getter:SIG_IGN()");
_Nonnull sig_t __sig_err(void) SWIFT_NAME("getter:SIG_ERR()");
sig_t signal(int number, sig_t handler);
int sigaction(int number, const struct sigaction *action, struct sigaction *old) SWIFT_NAME("sigaction(_:_:_:)");
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigismember(const sigset_t *set, int number);
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int kill(pid_t process, int number);
int killpg(pid_t group, int number);
int raise(int number);

// sys/wait.h, spawn.h
#define WNOHANG 1
#define WUNTRACED 2
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
#define POSIX_SPAWN_SETSID 0x0400
#define NSIG 32
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
#define WEXITED 0x00000004
#define WNOWAIT 0x00000020
typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
int waitid(idtype_t kind, id_t identifier, siginfo_t *information, int options);
pid_t waitpid(pid_t process, int *status, int options);
int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const arguments[], char *const environment[]);
int posix_spawnp(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                 char *const arguments[], char *const environment[]);
int posix_spawnattr_init(posix_spawnattr_t *attributes);
int posix_spawnattr_destroy(posix_spawnattr_t *attributes);
int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *attributes, const sigset_t *set);
int posix_spawnattr_setsigmask(posix_spawnattr_t *attributes, const sigset_t *set);
int posix_spawnattr_setpgroup(posix_spawnattr_t *attributes, pid_t group);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions, int descriptor, const char *path, int flags, mode_t mode);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from, int to);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int descriptor);

// sys/resource.h
struct rlimit { rlim_t rlim_cur, rlim_max; };
struct rusage {
    struct timeval ru_utime, ru_stime;
    long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock, ru_msgsnd, ru_msgrcv,
        ru_nsignals, ru_nvcsw, ru_nivcsw;
};
#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_AS 5
#define RLIMIT_NOFILE 8
#define RUSAGE_SELF 0
int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);
int getrusage(int who, struct rusage *usage);

// sys/sysctl.h
int sysctlbyname(const char *name, void *old, size_t *oldLength, void *new_, size_t newLength);

// sys/ioctl.h, termios.h
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TIOCGWINSZ 0x40087468UL
int __ioctl3(int descriptor, unsigned long request, void *argument) SWIFT_NAME("ioctl(_:_:_:)");

// pwd.h
struct passwd { char *pw_name, *pw_passwd; uid_t pw_uid; gid_t pw_gid; time_t pw_change; char *pw_class, *pw_gecos, *pw_dir, *pw_shell; time_t pw_expire; };
struct passwd *getpwuid(uid_t user);

// pthread.h
struct _opaque_pthread_t { long __sig; void *__cleanup_stack; char __opaque[8176]; };
struct _opaque_pthread_attr_t { long __sig; char __opaque[56]; };
typedef struct _opaque_pthread_t *pthread_t;
typedef struct _opaque_pthread_attr_t pthread_attr_t;
int pthread_create(pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
                   void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nullable argument);
int pthread_join(pthread_t _Nonnull thread, void *_Nullable *_Nullable result);
int pthread_detach(pthread_t _Nonnull thread);
pthread_t _Nonnull pthread_self(void);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int pthread_setname_np(const char *name);
int pthread_threadid_np(pthread_t _Nullable thread, uint64_t *_Nullable identifier);

// sys/uio.h, sys/xattr.h, malloc/malloc.h
ssize_t writev(int descriptor, const struct iovec *vectors, int count);

// locale.h
#define LC_ALL 0
char *setlocale(int category, const char *locale);

// dlfcn.h
#define RTLD_LAZY 0x1
#define RTLD_NOW 0x2
void *dlopen(const char *path, int mode);
void *dlsym(void *handle, const char *name);
