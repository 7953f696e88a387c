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

/// eventfd(2), closed on exec and never blocking.
int CLinux_eventfd(void);

/// A timerfd(2) of the wall clock that becomes readable when the time comes, when the clock is set, and when the
/// machine wakes (TFD_TIMER_CANCEL_ON_SET); closed on exec and never blocking; -1 with errno.
int CLinux_clockTimer(int64_t seconds, int64_t nanoseconds);

/// inotify_init1(2), closed on exec and never blocking.
int CLinux_inotify(void);

/// The network namespace's identity, unique until the system restarts: SO_NETNS_COOKIE (Linux 5.14). Returns 0, or -1 with errno.
int CLinux_namespaceCookie(int descriptor, uint64_t *cookie);

/// ioctl(TUNSETPERSIST, 1): the link stays when the descriptor is closed.
int CLinux_tunSetPersistent(int descriptor);

// Constants that the C libraries declare as enumerations or macros, differently from one another.
extern const int CLinux_SOCK_RAW_CLOEXEC;
extern const int CLinux_MSG_TRUNC;
extern const int CLinux_MSG_DONTWAIT;
extern const int CLinux_CLONE_NEWNET;
extern const int CLinux_CLONE_NEWUSER;

#endif
