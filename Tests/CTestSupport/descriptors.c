// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CTestSupport.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define WITH_SANITIZER 1
#endif
#endif

bool CTest_isSanitized(void) {
#ifdef WITH_SANITIZER
    return true;
#else
    return false;
#endif
}

#ifdef __linux__

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

int CTest_fork(void) {
    int child = fork();
    if (child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
    return child;
}

int CTest_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

#endif
