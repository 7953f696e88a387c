// SPDX-License-Identifier: Apache-2.0

#ifdef __linux__

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <linux/errqueue.h>
#include <linux/filter.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/tcp.h>

#include "CLinux.h"

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif
#ifndef SO_BINDTOIFINDEX
#define SO_BINDTOIFINDEX 62
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4
#endif

_Static_assert(sizeof(struct CLinux_FilterInstruction) == sizeof(struct sock_filter),
               "the mirrored BPF instruction must have the kernel's layout");

const int CLinux_SOCK_RAW_CLOEXEC = SOCK_RAW | SOCK_CLOEXEC;
const int CLinux_MSG_TRUNC = MSG_TRUNC;
const int CLinux_MSG_DONTWAIT = MSG_DONTWAIT;
const int CLinux_CLONE_NEWNET = CLONE_NEWNET;
const int CLinux_CLONE_NEWUSER = CLONE_NEWUSER;

int CLinux_setns(int namespaceDescriptor, int namespaceType) {
    return setns(namespaceDescriptor, namespaceType);
}

int CLinux_unshare(int flags) {
    return unshare(flags);
}

int CLinux_gettid(void) {
    return (int)syscall(SYS_gettid);
}

static pid_t loadingProcess;

__attribute__((constructor)) static void rememberLoadingProcess(void) {
    loadingProcess = getpid();
}

bool CLinux_isForkedChild(void) {
    return getpid() != loadingProcess;
}

void CLinux_nameThread(const char *name) {
    prctl(PR_SET_NAME, name);
}

int CLinux_chooseSource(bool isIPv6, const uint8_t *destination, int interface, uint8_t *source) {
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    struct sockaddr *address = isIPv6 ? (struct sockaddr *)&ipv6 : (struct sockaddr *)&ipv4;
    void *bytes = isIPv6 ? (void *)&ipv6.sin6_addr : (void *)&ipv4.sin_addr;
    socklen_t length = isIPv6 ? sizeof ipv6 : sizeof ipv4;
    size_t size = isIPv6 ? sizeof ipv6.sin6_addr : sizeof ipv4.sin_addr;
    // The discard port (RFC 863); nothing is sent to it.
    ipv6.sin6_port = ipv4.sin_port = htons(9);
    memcpy(bytes, destination, size);
    int descriptor = socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    int result = 0;
    if (interface > 0)
        result = setsockopt(descriptor, SOL_SOCKET, SO_BINDTOIFINDEX, &interface, sizeof interface);
    if (result == 0) result = connect(descriptor, address, length);
    if (result == 0) result = getsockname(descriptor, address, &length);
    int error = errno;
    close(descriptor);
    errno = error;
    if (result == 0) memcpy(source, bytes, size);
    return result;
}

int CLinux_tunSetInterface(int descriptor, const char *name, short flags) {
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    request.ifr_flags = flags;
    return ioctl(descriptor, TUNSETIFF, &request);
}

int CLinux_tunSetPersistent(int descriptor) {
    return ioctl(descriptor, TUNSETPERSIST, 1);
}

int CLinux_attachFilter(int descriptor, const struct CLinux_FilterInstruction *instructions, unsigned short count) {
    struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
    return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

int CLinux_receive(int descriptor, void *buffer, size_t size, unsigned count, uint32_t *lengths) {
    struct mmsghdr messages[CLinux_MOST_AT_ONCE];
    struct iovec slots[CLinux_MOST_AT_ONCE];
    struct sockaddr_nl senders[CLinux_MOST_AT_ONCE];
    if (count > CLinux_MOST_AT_ONCE) count = CLinux_MOST_AT_ONCE;
    for (unsigned i = 0; i < count; i++) {
        slots[i] = (struct iovec){.iov_base = (char *)buffer + i * size, .iov_len = size};
        messages[i].msg_hdr = (struct msghdr){
            .msg_name = &senders[i], .msg_namelen = sizeof senders[i], .msg_iov = &slots[i], .msg_iovlen = 1};
    }
    int received = recvmmsg(descriptor, messages, count, MSG_WAITFORONE | MSG_TRUNC, NULL);
    // Port 0 is the kernel. A privileged process may also send to this port.
    for (int i = 0; i < received; i++) lengths[i] = senders[i].nl_pid == 0 ? messages[i].msg_len : 0;
    return received;
}

int CLinux_pipe(int *ends, int flags) {
    return pipe2(ends, flags | O_CLOEXEC);
}

int CLinux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

#ifdef __GLIBC_PREREQ
#define HAS_CLOSE_FROM __GLIBC_PREREQ(2, 34)
#endif

int CLinux_closeFrom(void *actions, int lowest) {
#if HAS_CLOSE_FROM
    return posix_spawn_file_actions_addclosefrom_np(actions, lowest);
#else
    (void)actions;
    return syscall(SYS_close_range, lowest, ~0U, CLOSE_RANGE_CLOEXEC) == 0 ? 0 : errno;
#endif
}

int CLinux_receiveError(int descriptor, struct CLinux_QueuedError *error) {
    char control[256];
    struct msghdr message = {.msg_control = control, .msg_controllen = sizeof control};
    if (recvmsg(descriptor, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return -1;
    memset(error, 0, sizeof *error);
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        int is4 = header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_RECVERR;
        int is6 = header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_RECVERR;
        if (!is4 && !is6) continue;
        struct { struct sock_extended_err error; union { struct sockaddr_in v4; struct sockaddr_in6 v6; } offender; } found;
        memset(&found, 0, sizeof found);
        size_t length = header->cmsg_len - CMSG_LEN(0);
        memcpy(&found, CMSG_DATA(header), length < sizeof found ? length : sizeof found);
        error->number = (int32_t)found.error.ee_errno;
        error->origin = found.error.ee_origin;
        error->type = found.error.ee_type;
        error->code = found.error.ee_code;
        if (found.offender.v4.sin_family == AF_INET) {
            error->offenderLength = 4;
            memcpy(error->offender, &found.offender.v4.sin_addr, 4);
        } else if (found.offender.v6.sin6_family == AF_INET6) {
            error->offenderLength = 16;
            memcpy(error->offender, &found.offender.v6.sin6_addr, 16);
            error->scope = found.offender.v6.sin6_scope_id;
        }
    }
    return 0;
}

int CLinux_tcpCounts(int descriptor, struct CLinux_TCPCounts *counts) {
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) < 0) return -1;
    if (length < offsetof(struct tcp_info, tcpi_delivered) + sizeof info.tcpi_delivered) {
        errno = ENOPROTOOPT;
        return -1;
    }
    counts->delivered = info.tcpi_delivered;
    counts->repeated = info.tcpi_total_retrans;
    counts->pending = info.tcpi_retransmits;
    counts->duplicated = info.tcpi_dsack_dups;
    counts->roundTrip = info.tcpi_min_rtt;
    return 0;
}

int CLinux_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int CLinux_clockTimer(int64_t seconds, int64_t nanoseconds) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (descriptor < 0) {
        return -1;
    }
    struct itimerspec time = {.it_value = {.tv_sec = (time_t)seconds, .tv_nsec = (long)nanoseconds}};
    if (timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL) == 0) {
        return descriptor;
    }
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int CLinux_inotify(void) {
    return inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
}

int CLinux_namespaceCookie(int descriptor, uint64_t *cookie) {
    socklen_t length = sizeof *cookie;
    return getsockopt(descriptor, SOL_SOCKET, SO_NETNS_COOKIE, cookie, &length);
}

#endif
