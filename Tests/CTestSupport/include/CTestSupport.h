// SPDX-License-Identifier: Apache-2.0

// C functions for the tests: threads that stay in their namespace, and descriptors that other programs do not inherit.
#pragma once

#include <stdbool.h>

/// Whether this is built with a sanitizer, which has its own allocator and slows everything down.
bool CTest_isSanitized(void);

#ifdef __linux__

/// fork(2); the child ends with its parent.
int CTest_fork(void);

/// accept(2), close-on-exec.
int CTest_accept(int listener);

/// Supervises these system calls of the calling thread, and of those that it starts from now on: see `CTest_nextCall`.
///
/// Returns the descriptor to listen to, or a negative error number.
int CTest_superviseCalls(const int *numbers, int count);

/// A system call that waits for a decision.
struct CTest_Call {
    unsigned long long identifier;
    int thread;
    int number;
    unsigned long long arguments[6];
};

/// Waits for the next call. Returns 0, or a negative error number: `-ESRCH` when no supervised thread is left.
int CTest_nextCall(int listener, struct CTest_Call *call);

/// Lets a call proceed, fail with an error number, or return a value without being made.
int CTest_answerCall(int listener, unsigned long long identifier, int error, long long value, bool goesOn);

/// Copies bytes of the calling thread's memory. Returns whether all could be read.
bool CTest_copyMemory(const struct CTest_Call *call, unsigned long long address, void *bytes, unsigned long count);

extern const int CTest_SYS_setsockopt;
extern const int CTest_SYS_recvfrom, CTest_SYS_recvmmsg, CTest_SYS_sendto, CTest_SYS_socket, CTest_SYS_poll;

#endif
