// SPDX-License-Identifier: Apache-2.0

// System calls whose results another thread decides: seccomp_unotify(2).

#ifdef __linux__

#include "CTestSupport.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int CTest_superviseCalls(const int *numbers, int count) {
    struct sock_filter program[2 * 16 + 2];
    int length = 0;
    if (count > 16) return -E2BIG;
    program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int index = 0; index < count; index++) {
        program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[index], 0, 1);
        program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {(unsigned short)length, program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
    return listener < 0 ? -errno : (int)listener;
}

int CTest_nextCall(int listener, struct CTest_Call *call) {
    for (;;) {
        struct pollfd descriptor = {listener, POLLIN, 0};
        if (poll(&descriptor, 1, -1) < 0 && errno != EINTR) return -errno;
        if (descriptor.revents & POLLHUP) return -ESRCH;
        if (!(descriptor.revents & POLLIN)) continue;
        struct seccomp_notif notification;
        memset(&notification, 0, sizeof notification);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) {
            // A signal has woken the thread, or it has ended.
            if (errno == EINTR || errno == ENOENT) continue;
            return -errno;
        }
        call->identifier = notification.id;
        call->thread = (int)notification.pid;
        call->number = notification.data.nr;
        for (int index = 0; index < 6; index++) call->arguments[index] = notification.data.args[index];
        return 0;
    }
}

int CTest_answerCall(int listener, unsigned long long identifier, int error, long long value, bool goesOn) {
    struct seccomp_notif_resp response;
    memset(&response, 0, sizeof response);
    response.id = identifier;
    response.error = -error;
    response.val = value;
    response.flags = goesOn ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) == 0 ? 0 : -errno;
}

bool CTest_copyMemory(const struct CTest_Call *call, unsigned long long address, void *bytes, unsigned long count) {
    struct iovec local = {bytes, count}, remote = {(void *)address, count};
    return syscall(SYS_process_vm_readv, call->thread, &local, 1UL, &remote, 1UL, 0UL) == (long)count;
}

const int CTest_SYS_setsockopt = SYS_setsockopt;
const int CTest_SYS_recvfrom = SYS_recvfrom, CTest_SYS_recvmmsg = SYS_recvmmsg, CTest_SYS_sendto = SYS_sendto, CTest_SYS_socket = SYS_socket;
#ifdef SYS_poll
const int CTest_SYS_poll = SYS_poll;
#else
const int CTest_SYS_poll = SYS_ppoll;
#endif

#endif
