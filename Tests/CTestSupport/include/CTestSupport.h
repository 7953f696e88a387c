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

#ifdef __linux__

/// accept(2), closed on exec.
int CTest_accept(int listener);

/// Has a program that is started get no descriptor from this one upwards, where the C library can do that.
///
/// The actions are a `posix_spawn_file_actions_t`.
int CTest_addCloseFrom(void *actions, int lowest);

#endif
