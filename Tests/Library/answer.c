// SPDX-License-Identifier: Apache-2.0

// Prints what the library says about the network, as JSON lines.
//   answer once                 the current path
//   answer watch                the path and each change, by the descriptor; "end" on standard input ends it
//   answer handler              the same by a handler
//   answer verify [ENDPOINT…]   the result of a check
//   answer wait MILLISECONDS [ENDPOINT…]  waits for a path, and prints the error number
//   answer wait-internet MILLISECONDS ENDPOINT…
//   answer run PROGRAM [ARGUMENT…]  becomes another program
// `expensive=NAME` before these sets the cost of an interface; `sandbox` forbids netlink, as a sandbox does.

#include <dialtone.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void print_text(const char *name, const char *text) {
    if (text)
        printf("\"%s\":\"%s\",", name, text);
    else
        printf("\"%s\":null,", name);
}

static void print_path(const dialtone_path_t *path) {
    printf("{\"status\":%d,\"connectivity\":%d,", dialtone_path_get_status(path), dialtone_path_get_connectivity(path));
    print_text("reason", dialtone_path_get_reason(path));
    print_text("cause", dialtone_path_get_cause(path));
    print_text("portal", dialtone_path_get_portal_url(path));
    printf("\"ipv4\":%d,\"ipv6\":%d,\"expensive\":%d,\"constrained\":%d,\"wired\":%d,\"interfaces\":[", dialtone_path_has_ipv4(path),
           dialtone_path_has_ipv6(path), dialtone_path_is_expensive(path), dialtone_path_is_constrained(path),
           dialtone_path_uses_interface_type(path, DIALTONE_INTERFACE_TYPE_WIRED));
    const dialtone_interface_t *interface;
    for (size_t i = 0; (interface = dialtone_path_get_interface(path, i)); i++)
        printf("%s\"%s\"", i ? "," : "", dialtone_interface_get_name(interface));
    printf("],\"gateways\":[");
    const char *gateway;
    for (size_t i = 0; (gateway = dialtone_path_get_gateway(path, i)); i++) printf("%s\"%s\"", i ? "," : "", gateway);
    puts("]}");
    fflush(stdout);
}

static void print_and_release(dialtone_path_t *path) {
    if (!path) {
        perror("answer");
        exit(1);
    }
    print_path(path);
    dialtone_path_release(path);
}

static void handle(dialtone_path_t *path, void *context) {
    (void)context;
    print_path(path);
}

static void cancelled(void *context) {
    ssize_t written = write(*(int *)context, "", 1);
    (void)written;
}

static int watch(bool by_handler) {
    dialtone_path_monitor_t *monitor = dialtone_path_monitor_create();
    struct pollfd events[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    int ended[2];
    if (pipe(ended)) return 1;
    if (by_handler) {
        dialtone_path_monitor_set_update_handler(monitor, handle, NULL);
        dialtone_path_monitor_set_cancel_handler(monitor, cancelled, &ended[1]);
    } else {
        events[1].fd = dialtone_path_monitor_get_fd(monitor);
    }
    if (dialtone_path_monitor_start(monitor) < 0) return 1;
    while (poll(events, 2, -1) > 0 && !events[0].revents)
        if (events[1].revents) print_and_release(dialtone_path_monitor_copy_path(monitor));
    dialtone_path_monitor_cancel(monitor);
    char end;
    if (by_handler && read(ended[0], &end, 1) != 1) return 1;
    dialtone_path_monitor_release(monitor);
    close(ended[0]);
    close(ended[1]);
    return 0;
}

// Lets the kernel refuse netlink sockets with EPERM: seccomp(2).
static int forbid_netlink(void) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(int count, char **arguments) {
    while (count > 1 && (!strncmp(arguments[1], "expensive=", 10) || !strcmp(arguments[1], "sandbox"))) {
        if (!strcmp(arguments[1], "sandbox") ? forbid_netlink() : dialtone_set_interface_cost(arguments[1] + 10, true, true))
            return 1;
        count--;
        arguments++;
    }
    const char *mode = count > 1 ? arguments[1] : "once";
    bool waits_for_internet = !strcmp(mode, "wait-internet"), waits = waits_for_internet || !strcmp(mode, "wait");
    int first = waits ? 3 : 2;
    if ((waits || !strcmp(mode, "verify")) && count > first &&
        dialtone_set_endpoints((const char *const *)arguments + first, (size_t)(count - first)))
        return 1;
    if (!strcmp(mode, "run")) return execvp(arguments[2], arguments + 2);
    if (!strcmp(mode, "watch")) return watch(false);
    if (!strcmp(mode, "handler")) return watch(true);
    if (!strcmp(mode, "verify"))
        print_and_release(dialtone_path_copy_verified(-1));
    else if (waits_for_internet)
        printf("%d\n", -dialtone_wait_for_internet(atoi(arguments[2])));
    else if (!strcmp(mode, "wait") && count > 2)
        printf("%d\n", -dialtone_wait_for_path(atoi(arguments[2])));
    else
        print_and_release(dialtone_path_copy_current());
    return 0;
}
