//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifdef __linux__

#include "CKernelConstants.h"

#include <linux/if.h>
#include <linux/if_arp.h>

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

long CKernel_bytesInUse(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    struct mallinfo2 facts = mallinfo2();
    return (long)(facts.uordblks + facts.hblkhd);
#else
    return -1;
#endif
}

#endif
