// SPDX-License-Identifier: Apache-2.0

// The kernel's own headers as a module, and the few calls that Swift cannot import.
#pragma once

#ifdef __linux__

#include <stdbool.h>

#include <linux/fib_rules.h>
#include <linux/genetlink.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <linux/neighbour.h>
#include <linux/netconf.h>
#include <linux/netlink.h>
#include <linux/nexthop.h>
#include <linux/nl80211.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// setns(2). Swift's libc module hides it behind a feature macro.
int CLinux_setns(int namespaceDescriptor, int namespaceType);

/// unshare(2). Swift's libc module hides it behind a feature macro.
int CLinux_unshare(int flags);

/// The calling thread's kernel identifier, gettid(2).
int CLinux_gettid(void);

/// Whether this process is a fork of the one that loaded the library, without an exec since then.
bool CLinux_isForkedChild(void);

/// Names the calling thread, prctl(PR_SET_NAME); only the first 15 bytes are used.
void CLinux_nameThread(const char *name);

/// ioctl(TUNSETIFF): ioctl(2) is variadic, which Swift cannot call. `name` takes IFNAMSIZ bytes.
int CLinux_tunSetInterface(int descriptor, const char *name, short flags);

/// One classic BPF instruction: the layout of `struct sock_filter` (linux/filter.h).
struct CLinux_FilterInstruction {
    uint16_t code;
    uint8_t jumpTrue;
    uint8_t jumpFalse;
    uint32_t operand;
};

/// setsockopt(SO_ATTACH_FILTER) with a classic BPF program of `count` instructions.
int CLinux_attachFilter(int descriptor, const struct CLinux_FilterInstruction *instructions, unsigned short count);

/// The most datagrams that CLinux_receive receives at once.
#define CLinux_MOST_AT_ONCE 8

/// Receives up to `count` datagrams with recvmmsg(2), each into a slot of `size` bytes of the buffer; it waits for the first
/// only. Stores their true lengths, which may exceed the slot; 0 for a datagram that does not come from the kernel. Returns
/// their number, or -1 with errno.
int CLinux_receive(int descriptor, void *buffer, size_t size, unsigned count, uint32_t *lengths);

/// The source address that the kernel chooses for a UDP socket that is not bound to an address: connect(2) and getsockname(2), which
/// send no packet. `destination` and `source` have 4 bytes, or 16 for IPv6. A positive `interface` binds the socket to that link.
/// Returns 0, or -1 with errno.
int CLinux_chooseSource(bool isIPv6, const uint8_t *destination, int interface, uint8_t *source);

/// pipe2(2), closed on exec; `ends` has two elements. Returns 0, or -1 with errno.
int CLinux_pipe(int *ends, int flags);

/// accept4(2), closed on exec and never blocking. Returns the descriptor, or -1 with errno.
int CLinux_accept(int listener);

/// Makes a program that is started close all descriptors from `lowest` on, after the actions that were added before:
/// posix_spawn_file_actions_addclosefrom_np(3) of glibc 2.34. Other C libraries lack it. There this marks the descriptors that are open
/// now to be closed on exec, with close_range(2) of Linux 5.11; the program inherits what another thread opens after that. `actions` is a
/// `posix_spawn_file_actions_t *`. Returns 0, or an error number.
int CLinux_closeFrom(void *actions, int lowest);

/// eventfd(2), closed on exec and never blocking.
int CLinux_eventfd(void);

/// A timerfd(2) of the wall clock that becomes readable when the time comes, when the clock is set, and when the
/// machine wakes (TFD_TIMER_CANCEL_ON_SET); closed on exec and never blocking; -1 with errno.
int CLinux_clockTimer(int64_t seconds, int64_t nanoseconds);

/// inotify_init1(2), closed on exec and never blocking.
int CLinux_inotify(void);

/// The network namespace's identity, unique until the system restarts: SO_NETNS_COOKIE (Linux 5.14). Returns 0, or -1 with errno.
int CLinux_namespaceCookie(int descriptor, uint64_t *cookie);

/// An error that the kernel has queued for a socket: `struct sock_extended_err` (linux/errqueue.h).
struct CLinux_QueuedError {
    /// The number that a call would return.
    int32_t number;
    /// SO_EE_ORIGIN_…: whether this machine or a packet of ICMP is the origin.
    uint8_t origin;
    /// The type and code of the ICMP packet.
    uint8_t type;
    uint8_t code;
    /// The sender of the ICMP packet: 4 or 16 bytes, or 0 if it is unknown.
    uint8_t offenderLength;
    uint8_t offender[16];
    /// The link of a link-local sender.
    uint32_t scope;
};

/// Takes the next error from a socket's queue, recvmsg(MSG_ERRQUEUE). Returns 0, or -1 with errno; EAGAIN means an empty queue.
int CLinux_receiveError(int descriptor, struct CLinux_QueuedError *error);

/// The packets of a TCP connection that needed an answer.
struct CLinux_TCPCounts {
    /// Packets that were answered.
    uint32_t delivered;
    /// Packets that were sent again.
    uint32_t repeated;
    /// Those sent again since the last answer.
    uint32_t pending;
    /// Packets that arrived twice, since they were sent again too early (RFC 2883); 0 before Linux 4.19.
    uint32_t duplicated;
    /// The shortest time from a packet to its answer, in microseconds.
    uint32_t roundTrip;
};

/// getsockopt(TCP_INFO). Returns 0, or -1 with errno; ENOPROTOOPT before Linux 4.18, which does not count answers.
int CLinux_tcpCounts(int descriptor, struct CLinux_TCPCounts *counts);

/// ioctl(TUNSETPERSIST, 1): the link stays when the descriptor is closed.
int CLinux_tunSetPersistent(int descriptor);

// Constants that the C libraries declare as enumerations or macros, differently from one another.
extern const int CLinux_SOCK_RAW_CLOEXEC;
extern const int CLinux_MSG_TRUNC;
extern const int CLinux_MSG_DONTWAIT;
extern const int CLinux_CLONE_NEWNET;
extern const int CLinux_CLONE_NEWUSER;

#endif
