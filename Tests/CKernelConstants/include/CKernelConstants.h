// SPDX-License-Identifier: Apache-2.0

// Constants from kernel headers that conflict with those of the C library's headers, for the tests.
#pragma once

#ifdef __linux__

#include <linux/filter.h>

// linux/if.h
extern const long CKernel_IFF_UP, CKernel_IFF_BROADCAST, CKernel_IFF_LOOPBACK, CKernel_IFF_POINTOPOINT,
    CKernel_IFF_RUNNING, CKernel_IFF_NOARP, CKernel_IFF_MULTICAST, CKernel_IFF_LOWER_UP, CKernel_IFF_DORMANT;
extern const long CKernel_IF_OPER_UNKNOWN, CKernel_IF_OPER_NOTPRESENT, CKernel_IF_OPER_DOWN,
    CKernel_IF_OPER_LOWERLAYERDOWN, CKernel_IF_OPER_TESTING, CKernel_IF_OPER_DORMANT, CKernel_IF_OPER_UP;
// linux/if_arp.h
extern const long CKernel_ARPHRD_ETHER, CKernel_ARPHRD_PPP, CKernel_ARPHRD_RAWIP, CKernel_ARPHRD_TUNNEL,
    CKernel_ARPHRD_TUNNEL6, CKernel_ARPHRD_LOOPBACK, CKernel_ARPHRD_SIT, CKernel_ARPHRD_IPGRE, CKernel_ARPHRD_NONE;

/// The bytes that this process has allocated and not freed, mallinfo2(3); -1 where the C library does not report it.
long CKernel_bytesInUse(void);
// linux/if_tunnel.h
extern const long CKernel_IFLA_IPTUN_LINK, CKernel_IFLA_IPTUN_LOCAL, CKernel_IFLA_IPTUN_REMOTE, CKernel_IFLA_IPTUN_FWMARK;
extern const long CKernel_IFLA_GRE_LINK, CKernel_IFLA_GRE_LOCAL, CKernel_IFLA_GRE_REMOTE, CKernel_IFLA_GRE_FWMARK;
extern const long CKernel_IFLA_VTI_LINK, CKernel_IFLA_VTI_LOCAL, CKernel_IFLA_VTI_REMOTE, CKernel_IFLA_VTI_FWMARK;
// linux/wireguard.h
extern const long CKernel_WG_CMD_GET_DEVICE, CKernel_WGDEVICE_A_IFINDEX, CKernel_WGDEVICE_A_FWMARK,
    CKernel_WGDEVICE_A_PEERS, CKernel_WGPEER_A_ENDPOINT, CKernel_WGPEER_A_RX_BYTES, CKernel_WGPEER_A_ALLOWEDIPS,
    CKernel_WGALLOWEDIP_A_IPADDR, CKernel_WGALLOWEDIP_A_CIDR_MASK;

#endif
