// SPDX-License-Identifier: Apache-2.0

#ifdef __linux__

#include "CKernelConstants.h"

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_tunnel.h>
#include <linux/wireguard.h>

#define EXPORT(name) const long CKernel_##name = name

EXPORT(IFF_UP);
EXPORT(IFF_BROADCAST);
EXPORT(IFF_LOOPBACK);
EXPORT(IFF_POINTOPOINT);
EXPORT(IFF_RUNNING);
EXPORT(IFF_NOARP);
EXPORT(IFF_MULTICAST);
EXPORT(IFF_LOWER_UP);
EXPORT(IFF_DORMANT);

EXPORT(IF_OPER_UNKNOWN);
EXPORT(IF_OPER_NOTPRESENT);
EXPORT(IF_OPER_DOWN);
EXPORT(IF_OPER_LOWERLAYERDOWN);
EXPORT(IF_OPER_TESTING);
EXPORT(IF_OPER_DORMANT);
EXPORT(IF_OPER_UP);

EXPORT(ARPHRD_ETHER);
EXPORT(ARPHRD_PPP);
EXPORT(ARPHRD_RAWIP);
EXPORT(ARPHRD_TUNNEL);
EXPORT(ARPHRD_TUNNEL6);
EXPORT(ARPHRD_LOOPBACK);
EXPORT(ARPHRD_SIT);
EXPORT(ARPHRD_IPGRE);
EXPORT(ARPHRD_NONE);

#include <malloc.h>

// A sanitizer's allocator replaces the C library's, and has its own counter.
__attribute__((weak)) size_t __sanitizer_get_current_allocated_bytes(void);

long CKernel_bytesInUse(void) {
    if (__sanitizer_get_current_allocated_bytes) return (long)__sanitizer_get_current_allocated_bytes();
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    struct mallinfo2 facts = mallinfo2();
    return (long)(facts.uordblks + facts.hblkhd);
#else
    return -1;
#endif
}
EXPORT(IFLA_IPTUN_LINK);
EXPORT(IFLA_IPTUN_LOCAL);
EXPORT(IFLA_IPTUN_REMOTE);
EXPORT(IFLA_IPTUN_FWMARK);

EXPORT(IFLA_GRE_LINK);
EXPORT(IFLA_GRE_LOCAL);
EXPORT(IFLA_GRE_REMOTE);
EXPORT(IFLA_GRE_FWMARK);

EXPORT(IFLA_VTI_LINK);
EXPORT(IFLA_VTI_LOCAL);
EXPORT(IFLA_VTI_REMOTE);
EXPORT(IFLA_VTI_FWMARK);

EXPORT(WG_CMD_GET_DEVICE);
EXPORT(WGDEVICE_A_IFINDEX);
EXPORT(WGDEVICE_A_FWMARK);
EXPORT(WGDEVICE_A_PEERS);
EXPORT(WGPEER_A_ENDPOINT);
EXPORT(WGPEER_A_RX_BYTES);
EXPORT(WGPEER_A_ALLOWEDIPS);
EXPORT(WGALLOWEDIP_A_IPADDR);
EXPORT(WGALLOWEDIP_A_CIDR_MASK);

#endif
