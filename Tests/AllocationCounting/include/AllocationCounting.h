//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Counts allocations: this target's malloc and its kin take the place of the C library's in a program that links it.

#ifndef ALLOCATION_COUNTING_H
#define ALLOCATION_COUNTING_H

/// Whether allocations can be counted with this C library.
extern const int AllocationCounting_works;

/// How many blocks have been asked for, by all threads that are not left out.
long AllocationCounting_total(void);

/// Leaves out what the calling thread asks for from now on, or counts it again.
void AllocationCounting_leaveOutThisThread(int leaveOut);

#endif
