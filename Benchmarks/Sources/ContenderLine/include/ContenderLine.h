// SPDX-License-Identifier: Apache-2.0

// What the contenders in C do, for those in Swift: printing a line must cost every contender the same.

#ifndef CONTENDER_LINE_H
#define CONTENDER_LINE_H

#include <stdbool.h>

#include "../../../Contenders/line.h"

/// Writes a line about a path. Swift would first copy the strings.
static inline void line_write_path(long long when, bool is_first, bool is_up) {
    line_write(when, is_first ? "first" : "change", is_up ? "up" : "down");
}

// The system calls of Contenders/exchange.h, in a file of their own: they need a definition that Swift's import of C lacks.
int calls_open_events(void);
int calls_open_requests(void);
void calls_await(int events);
bool calls_ask(int events, int requests);

#endif
