// SPDX-License-Identifier: Apache-2.0

// The number of tests that run in parallel: most use separate network namespaces, which contend for one kernel lock, and a program
// or a server each. Swift Testing takes it from the environment, where a value that the caller has set counts.

#define _POSIX_C_SOURCE 200112L
#include <stdlib.h>

__attribute__((constructor)) static void limit_width(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "6", 0);
}
