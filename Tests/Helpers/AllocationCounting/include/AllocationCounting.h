// SPDX-License-Identifier: Apache-2.0

// Counts allocations: this target's malloc and related functions replace the C library's in a program that links it.

#ifndef ALLOCATION_COUNTING_H
#define ALLOCATION_COUNTING_H

/// Whether allocations can be counted with this C library.
extern const int AllocationCounting_works;

/// The number of blocks that all threads have allocated since the first call, except those that are left out.
long AllocationCounting_total(void);

/// Leaves out the calling thread's allocations from now on, or counts them again.
void AllocationCounting_leaveOutThisThread(int leaveOut);

#endif
