// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer as a function (compiler-rt, FuzzerInterface.h): calls back with inputs until it finds a crash or is done.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
