//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the tests need of C: threads that stay in their namespace, and descriptors that other programs do not inherit.
#pragma once

#include <stdbool.h>

/// Whether Dispatch's threads are kept in the network namespace of the process: not with a sanitizer, and on Linux only.
bool CTest_isNurseryOpen(void);

/// Whether this is built with a sanitizer, which has an allocator of its own and makes everything slower.
bool CTest_isSanitized(void);

#ifdef __linux__

/// accept(2), closed on exec.
int CTest_accept(int listener);

/// Has a program that is started get no descriptor from this one upwards, where the C library can do that.
///
/// The actions are a `posix_spawn_file_actions_t`.
int CTest_addCloseFrom(void *actions, int lowest);

/// From now on the calling thread, and those it starts, ask before these system calls: see `CTest_nextCall`.
///
/// Returns the descriptor to listen to, or a negative error number.
int CTest_superviseCalls(const int *numbers, int count);

/// A system call that waits to be decided about.
struct CTest_Call {
    unsigned long long identifier;
    int number;
    unsigned long long arguments[6];
};

/// Waits for the next call; 0, or a negative error number: `-ESRCH` when no supervised thread is left.
int CTest_nextCall(int listener, struct CTest_Call *call);

/// Lets a call go on, fail with an error number, or return a value without having been made.
int CTest_answerCall(int listener, unsigned long long identifier, int error, long long value, bool goesOn);

extern const int CTest_SYS_recvfrom, CTest_SYS_sendto, CTest_SYS_socket, CTest_SYS_poll;

#endif
