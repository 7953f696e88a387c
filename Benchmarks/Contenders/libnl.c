// SPDX-License-Identifier: Apache-2.0

// libnl's managed caches of links, addresses and routes.

#include "line.h"

#include <netlink/cache.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/route.h>

static int defaults;

static int is_default(struct nl_object *object) {
    struct rtnl_route *route = (struct rtnl_route *)object;
    struct nl_addr *to = rtnl_route_get_dst(route);
    return rtnl_route_get_table(route) == 254 && rtnl_route_get_family(route) == AF_INET
        && (!to || nl_addr_get_prefixlen(to) == 0);
}

static void count(struct nl_object *object, void *unused) {
    (void)unused;
    if (is_default(object)) defaults++;
}

static void route_changed(struct nl_cache *cache, struct nl_object *object, int action, void *unused) {
    (void)cache;
    (void)unused;
    if (!is_default(object)) return;
    if (action == NL_ACT_NEW) defaults++;
    if (action == NL_ACT_DEL) defaults--;
    line_write(line_now(), "change", defaults > 0 ? "up" : "down");
}

static void changed(struct nl_cache *cache, struct nl_object *object, int action, void *unused) {
    (void)cache;
    (void)object;
    (void)action;
    (void)unused;
    line_write(line_now(), "change", "-");
}

/// Reads everything into new caches.
static struct nl_cache_mngr *begin(void) {
    struct nl_cache_mngr *manager;
    struct nl_cache *routes, *others;
    if (nl_cache_mngr_alloc(NULL, NETLINK_ROUTE, NL_AUTO_PROVIDE, &manager) < 0) return NULL;
    if (nl_cache_mngr_add(manager, "route/link", changed, NULL, &others) < 0) return NULL;
    if (nl_cache_mngr_add(manager, "route/addr", changed, NULL, &others) < 0) return NULL;
    if (nl_cache_mngr_add(manager, "route/route", route_changed, NULL, &routes) < 0) return NULL;
    defaults = 0;
    nl_cache_foreach(routes, count, NULL);
    return manager;
}

int main(void) {
    struct nl_cache_mngr *manager = begin();
    if (!manager) return 1;
    line_write(line_now(), "first", defaults > 0 ? "up" : "down");
    while (1) {
        if (nl_cache_mngr_poll(manager, -1) >= 0) continue;
        // Events were lost, which makes libnl's caches unusable.
        nl_cache_mngr_free(manager);
        while (!(manager = begin())) usleep(1000);
        line_write(line_now(), "change", defaults > 0 ? "up" : "down");
    }
}
