// SPDX-License-Identifier: Apache-2.0

// Go's vishvananda/netlink: subscriptions to routes, links and addresses, as a program would use them. A subscription that
// fails is replaced, and the default route is read again. Prints the lines described in line.h.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

func now() int64 {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &t)
	return t.Nano()
}

func line(event, state string) {
	fmt.Fprintf(os.Stdout, "%d %s %s\n", now(), event, state)
}

func isDefault(route *netlink.Route) bool {
	return route.Table == unix.RT_TABLE_MAIN && (route.Dst == nil || route.Dst.IP.IsUnspecified())
}

func hasDefault() bool {
	routes, err := netlink.RouteList(nil, netlink.FAMILY_V4)
	if err != nil {
		return false
	}
	for i := range routes {
		if isDefault(&routes[i]) {
			return true
		}
	}
	return false
}

func state(isUp bool) string {
	if isUp {
		return "up"
	}
	return "down"
}

func subscribe(routes chan netlink.RouteUpdate, failed chan error) error {
	return netlink.RouteSubscribeWithOptions(routes, nil, netlink.RouteSubscribeOptions{
		ErrorCallback: func(err error) {
			select {
			case failed <- err:
			default:
			}
		},
	})
}

func main() {
	routes := make(chan netlink.RouteUpdate, 64)
	links := make(chan netlink.LinkUpdate, 64)
	addresses := make(chan netlink.AddrUpdate, 64)
	failed := make(chan error, 1)
	if err := subscribe(routes, failed); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	netlink.LinkSubscribe(links, nil)
	netlink.AddrSubscribe(addresses, nil)
	isUp := hasDefault()
	line("first", state(isUp))
	for {
		select {
		case update, ok := <-routes:
			if !ok {
				// The subscription has ended: subscribe again, and read what was missed.
				routes = make(chan netlink.RouteUpdate, 64)
				if subscribe(routes, failed) != nil {
					time.Sleep(10 * time.Millisecond)
				}
				isUp = hasDefault()
				line("change", state(isUp))
				continue
			}
			if isDefault(&update.Route) {
				isUp = update.Type == unix.RTM_NEWROUTE
				line("change", state(isUp))
			}
		case <-links:
			line("change", "-")
		case <-addresses:
			line("change", "-")
		case <-failed:
		}
	}
}
