#include <dialtone.h>
#include <poll.h>
#include <stdio.h>

int main(void) {
    dialtone_path_monitor_t *monitor = dialtone_path_monitor_create();
    struct pollfd changed = {.fd = dialtone_path_monitor_get_fd(monitor), .events = POLLIN};
    if (dialtone_path_monitor_start(monitor) < 0) return 1;
    while (poll(&changed, 1, -1) > 0) {
        dialtone_path_t *path = dialtone_path_monitor_copy_path(monitor);
        const char *reason = dialtone_path_get_reason(path);
        puts(reason ? reason : "There is a path.");
        fflush(stdout);
        dialtone_path_release(path);
    }
}
