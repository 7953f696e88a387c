// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CBench.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

void bench_buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

int bench_new_namespace(void) { return unshare(CLONE_NEWNET) == 0 ? 0 : errno; }

int bench_namespace(void) { return open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC); }

void bench_enter(int namespace) { setns(namespace, CLONE_NEWNET); }

int bench_spawn(char *const arguments[], int *output, pid_t *process) {
    int ends[2];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output) {
        if (pipe2(ends, O_CLOEXEC) < 0) return errno;
        fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    } else {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    }
    int error = posix_spawnp(process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (output) {
        close(ends[1]);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        *output = ends[0];
    }
    return error;
}

struct change {
    struct nlmsghdr header;
    struct rtmsg route;
    struct rtattr to;
    struct in_addr destination;
    struct rtattr via;
    struct in_addr gateway;
    struct rtattr over;
    int interface;
};

int bench_flood(int add, unsigned first, unsigned count, unsigned gateway, int interface) {
    enum { together = 100 };
    struct change batch[together];
    char answers[32768];
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), error = 0;
    if (fd < 0) return errno;
    for (unsigned done = 0; done < count && !error;) {
        unsigned size = count - done < together ? count - done : together;
        for (unsigned i = 0; i < size; i++) {
            int isLast = i == size - 1;
            batch[i] = (struct change){
                .header = {sizeof(struct change), add ? RTM_NEWROUTE : RTM_DELROUTE,
                           NLM_F_REQUEST | (add ? NLM_F_CREATE | NLM_F_EXCL : 0) | (isLast ? NLM_F_ACK : 0), done + i, 0},
                .route = {.rtm_family = AF_INET, .rtm_dst_len = 24, .rtm_table = RT_TABLE_MAIN,
                          .rtm_protocol = RTPROT_BGP, .rtm_type = RTN_UNICAST},
                .to = {8, RTA_DST},
                .destination = {htonl(0x01000000u + ((first + done + i) << 8))},
                .via = {8, RTA_GATEWAY},
                .gateway = {htonl(gateway)},
                .over = {8, RTA_OIF},
                .interface = interface,
            };
        }
        if (send(fd, batch, size * sizeof *batch, 0) < 0) error = errno;
        done += size;
        // Only the last request of each batch is acknowledged; for the others the kernel answers only with errors.
        for (int isDone = 0; !isDone && !error;) {
            int length = recv(fd, answers, sizeof answers, 0);
            if (length < 0) error = errno;
            for (struct nlmsghdr *m = (void *)answers; NLMSG_OK(m, length); m = NLMSG_NEXT(m, length)) {
                if (m->nlmsg_type != NLMSG_ERROR) continue;
                struct nlmsgerr *e = NLMSG_DATA(m);
                if (e->error) error = -e->error;
                if (m->nlmsg_seq == done - 1) isDone = 1;
            }
        }
    }
    close(fd);
    return error;
}
