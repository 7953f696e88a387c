// SPDX-License-Identifier: Apache-2.0

// The lower bound: a loop on rtnetlink(7) and nothing else.
//   raw                 parses every message's header; its answer is the last default route that was announced
//   raw hop             the same, and passes the result to a second thread, as a library with handlers must
//   raw careful         after each change queries the kernel, behind its lock, for the route of packets and for the link's carrier
//   raw same-calls-hop  makes the system calls that Dialtone makes, and passes the result to a second thread
//   raw filtered        raw with a socket filter that drops all routes but defaults

#include "exchange.h"
#include "line.h"

#include <errno.h>
#include <linux/filter.h>
#include <pthread.h>

static char buffer[32768];
static bool hops, careful, same_calls, has_default;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static const char *found;

static void *second_thread(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    while (true) {
        while (!found) pthread_cond_wait(&came, &lock);
        const char *state = found;
        found = NULL;
        pthread_mutex_unlock(&lock);
        line_write(line_now(), "change", state);
        pthread_mutex_lock(&lock);
    }
    return NULL;
}

static void tell(const char *state) {
    if (!hops) {
        line_write(line_now(), "change", state);
        return;
    }
    pthread_mutex_lock(&lock);
    found = state;
    pthread_cond_signal(&came);
    pthread_mutex_unlock(&lock);
}

static void drop_specific_routes(int fd) {
    // Accepts messages other than routes, and routes with a prefix of at most 3 bits.
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htons(RTM_NEWROUTE), 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htons(RTM_DELROUTE), 0, 2),
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 17),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 3, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, ~0u),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    struct sock_fprog filter = {sizeof program / sizeof *program, program};
    setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}

static bool is_default(const struct nlmsghdr *message) {
    const struct rtmsg *route = NLMSG_DATA(message);
    return route->rtm_dst_len == 0 && route->rtm_table == RT_TABLE_MAIN && route->rtm_type == RTN_UNICAST;
}

/// Reads the whole table to find a default route.
static void dump(void) {
    int fd = open_netlink(0);
    struct {
        struct nlmsghdr header;
        struct rtmsg route;
    } request = {
        {sizeof request, RTM_GETROUTE, NLM_F_REQUEST | NLM_F_DUMP, 1, 0}, {.rtm_family = AF_INET}};
    has_default = false;
    send(fd, &request, sizeof request, 0);
    while (true) {
        int count = recv(fd, buffer, sizeof buffer, 0);
        if (count <= 0) break;
        for (struct nlmsghdr *m = (void *)buffer; NLMSG_OK(m, count); m = NLMSG_NEXT(m, count)) {
            if (m->nlmsg_type == NLMSG_DONE || m->nlmsg_type == NLMSG_ERROR) {
                close(fd);
                return;
            }
            if (is_default(m)) has_default = true;
        }
    }
    close(fd);
}

/// Queries the kernel: a request that waits for its configuration lock, then two lookups, then the carrier.
static bool answer(int fd) {
    struct link {
        struct nlmsghdr header;
        struct ifinfomsg info;
    };
    struct lookup {
        struct nlmsghdr header;
        struct rtmsg route;
        struct rtattr attribute;
        struct in_addr address;
    };
    static const char *const places[] = {"24.48.0.1", "203.104.0.1"};
    struct {
        struct link settle;
        struct lookup lookups[2];
    } request = {{{sizeof(struct link), RTM_GETLINK, NLM_F_REQUEST, 0, 0}, {.ifi_index = 1}}, {{{0}}}};
    for (int i = 0; i < 2; i++) {
        struct lookup *l = &request.lookups[i];
        l->header = (struct nlmsghdr){sizeof *l, RTM_GETROUTE, NLM_F_REQUEST, i + 1, 0};
        l->route = (struct rtmsg){.rtm_family = AF_INET, .rtm_dst_len = 32};
        l->attribute = (struct rtattr){8, RTA_DST};
        inet_pton(AF_INET, places[i], &l->address);
    }
    send(fd, &request, sizeof request, 0);
    int interface[2] = {0, 0};
    for (int awaited = 3; awaited > 0;) {
        int count = recv(fd, buffer, sizeof buffer, 0);
        for (struct nlmsghdr *m = (void *)buffer; NLMSG_OK(m, count); m = NLMSG_NEXT(m, count), awaited--) {
            if (m->nlmsg_type != RTM_NEWROUTE) continue;
            struct rtmsg *route = NLMSG_DATA(m);
            int length = RTM_PAYLOAD(m);
            for (struct rtattr *a = RTM_RTA(route); RTA_OK(a, length); a = RTA_NEXT(a, length))
                if (a->rta_type == RTA_OIF) interface[m->nlmsg_seq - 1] = *(int *)RTA_DATA(a);
        }
    }
    if (!interface[0] || !interface[1]) return false;
    struct link carrier = {{sizeof carrier, RTM_GETLINK, NLM_F_REQUEST, 9, 0}, {.ifi_index = interface[0]}};
    send(fd, &carrier, sizeof carrier, 0);
    recv(fd, buffer, sizeof buffer, 0);
    struct nlmsghdr *m = (void *)buffer;
    return m->nlmsg_type == RTM_NEWLINK && (((struct ifinfomsg *)NLMSG_DATA(m))->ifi_flags & IFF_RUNNING);
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "";
    hops = strstr(mode, "hop");
    careful = strstr(mode, "careful");
    same_calls = strstr(mode, "same-calls");
    int fd = open_events();
    int questions = open_netlink(0);
    pthread_t thread;
    if (hops) pthread_create(&thread, NULL, second_thread, NULL);
    if (!strcmp(mode, "filtered") || careful) drop_specific_routes(fd);
    if (same_calls) has_default = exchange_all(fd, questions);
    else if (careful) has_default = answer(questions);
    else dump();
    line_write(line_now(), "first", has_default ? "up" : "down");
    while (same_calls) {
        await_events(fd);
        tell(exchange_all(fd, questions) ? "up" : "down");
    }
    while (true) {
        int length = recv(fd, buffer, sizeof buffer, 0);
        bool told = false;
        if (length < 0) {
            if (errno == EINTR) continue;
            if (errno != ENOBUFS) return 1;
            // Messages were lost: drop what is queued, and read the state again.
            while (recv(fd, buffer, sizeof buffer, MSG_DONTWAIT) > 0) {}
            if (!careful) dump();
            told = true;
            length = 0;
        }
        for (struct nlmsghdr *m = (void *)buffer; NLMSG_OK(m, length); m = NLMSG_NEXT(m, length)) {
            switch (m->nlmsg_type) {
            case RTM_NEWROUTE:
            case RTM_DELROUTE:
                if (!is_default(m)) break;
                has_default = m->nlmsg_type == RTM_NEWROUTE;
                told = true;
                break;
            default: told = true;
            }
        }
        if (!told) continue;
        if (careful) {
            while (recv(fd, buffer, sizeof buffer, MSG_DONTWAIT) > 0) {}
            has_default = answer(questions);
        }
        tell(has_default ? "up" : "down");
    }
}
