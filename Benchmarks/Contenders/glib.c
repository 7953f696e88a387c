// SPDX-License-Identifier: Apache-2.0

// GLib's GNetworkMonitor, as a program would use it.

#include "line.h"

#include <gio/gio.h>

static const char *state(GNetworkMonitor *monitor) {
    return g_network_monitor_get_network_available(monitor) ? "up" : "down";
}

static void changed(GNetworkMonitor *monitor, gboolean available, gpointer unused) {
    (void)available;
    (void)unused;
    long long when = line_now();
    line_write(when, "change", state(monitor));
}

int main(void) {
    GNetworkMonitor *monitor = g_network_monitor_get_default();
    g_signal_connect(monitor, "network-changed", G_CALLBACK(changed), NULL);
    const char *first = state(monitor);
    line_write(line_now(), "first", first);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
}
