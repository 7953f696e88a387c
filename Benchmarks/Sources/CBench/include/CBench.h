// SPDX-License-Identifier: Apache-2.0

// The system calls of the driver that are awkward to make from Swift.

#ifndef CBENCH_H
#define CBENCH_H

#include <sys/resource.h>
#include <sys/types.h>

/// Switches standard output to line buffering, also in a pipe.
void bench_buffer_lines(void);

/// Moves the calling thread to a new network namespace; children inherit it. Returns 0, or an errno.
int bench_new_namespace(void);

/// The calling thread's network namespace, as a descriptor; negative on failure.
int bench_namespace(void);

/// Moves the calling thread into a network namespace.
void bench_enter(int namespace);

/// Starts a program with its standard output in a pipe, whose reading end does not block, or in /dev/null (NULL).
/// Returns 0, or an errno.
int bench_spawn(char *const arguments[], int *output, pid_t *process);

/// Adds or deletes `count` IPv4 routes to 24-bit networks from 1.0.0.0 up, over a gateway, as fast as the kernel accepts them.
/// Returns 0, or an errno.
int bench_flood(int add, unsigned first, unsigned count, unsigned gateway, int interface);

#endif
