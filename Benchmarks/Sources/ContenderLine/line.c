// SPDX-License-Identifier: Apache-2.0

#include "../../Contenders/exchange.h"
#include "ContenderLine.h"

int calls_open_events(void) { return open_events(); }

int calls_open_requests(void) { return open_netlink(0); }

void calls_await(int events) { await_events(events); }

bool calls_ask(int events, int requests) { return exchange_all(events, requests); }
