// SPDX-License-Identifier: Apache-2.0

#include "CBuild.h"

#include <stddef.h>

// Package.swift defines it from the environment variable of the same name. Only this file is compiled again for another commit.
#ifndef DIALTONE_COMMIT
#define DIALTONE_COMMIT NULL
#endif

const char *CBuild_commit(void) { return DIALTONE_COMMIT; }
