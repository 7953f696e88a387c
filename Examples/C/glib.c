// SPDX-License-Identifier: Apache-2.0

// Follows the path in GLib's main loop: the monitor's descriptor is a GSource, so that the callback runs in the thread of the loop.
//   cc glib.c -o glib $(pkg-config --cflags --libs dialtone glib-2.0)

#include <dialtone.h>
#include <glib-unix.h>

static gboolean path_changed(gint descriptor, GIOCondition condition, gpointer context) {
    (void)descriptor;
    (void)condition;
    dialtone_path_t *path = dialtone_path_monitor_copy_path(context);
    const dialtone_interface_t *interface = dialtone_path_get_interface(path, 0);
    if (dialtone_path_get_status(path) == DIALTONE_PATH_STATUS_SATISFIED)
        g_print("There is a path over %s.\n", dialtone_interface_get_name(interface));
    else
        g_print("%s\n", dialtone_path_get_reason(path));
    dialtone_path_release(path);
    return G_SOURCE_CONTINUE;
}

static gboolean terminated(gpointer loop) {
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

int main(void) {
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    dialtone_path_monitor_t *monitor = dialtone_path_monitor_create();
    int descriptor = dialtone_path_monitor_get_fd(monitor);
    if (descriptor < 0 || dialtone_path_monitor_start(monitor) < 0) {
        g_printerr("The network cannot be watched.\n");
        return 1;
    }
    guint source = g_unix_fd_add(descriptor, G_IO_IN, path_changed, monitor);
    g_unix_signal_add(SIGTERM, terminated, loop);
    g_main_loop_run(loop);
    // The source refers to the descriptor, which the last reference to the monitor closes.
    g_source_remove(source);
    dialtone_path_monitor_release(monitor);
    g_main_loop_unref(loop);
    return 0;
}
