// SPDX-License-Identifier: Apache-2.0

// libdialtone, as a program with an event loop would use it.

#include "line.h"

#include <dialtone.h>
#include <poll.h>

int main(void) {
    dialtone_path_monitor_t *monitor = dialtone_path_monitor_create();
    struct pollfd changed = {.fd = dialtone_path_monitor_get_fd(monitor), .events = POLLIN};
    if (dialtone_path_monitor_start(monitor) < 0) return 1;
    const char *event = "first";
    while (poll(&changed, 1, -1) > 0) {
        long long when = line_now();
        dialtone_path_t *path = dialtone_path_monitor_copy_path(monitor);
        line_write(when, event, dialtone_path_get_status(path) == DIALTONE_PATH_STATUS_SATISFIED ? "up" : "down");
        dialtone_path_release(path);
        event = "change";
    }
}
