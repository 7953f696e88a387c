// SPDX-License-Identifier: Apache-2.0

// The lines that every contender prints on its standard output:
//   <nanoseconds of CLOCK_MONOTONIC> first|change up|down|-
// "-" is an event without an answer.

#ifndef LINE_H
#define LINE_H

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long line_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void line_write(long long when, const char *event, const char *state) {
    char text[96];
    int length = snprintf(text, sizeof text, "%lld %s %s\n", when, event, state);
    if (write(STDOUT_FILENO, text, length) != length) _exit(1);
}

#endif
