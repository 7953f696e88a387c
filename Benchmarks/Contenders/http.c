// SPDX-License-Identifier: Apache-2.0

// A server that answers every request with an empty 204, and the least that a client must do to get that answer.
//   http serve PORT         writes a line for each request; closes every connection after its answer
//   http get PORT COUNT     makes COUNT requests, one after another, and writes a line for each answer

#include "line.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>

static struct sockaddr_in local(const char *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int serve(const char *port) {
    static const char reply[] = "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    struct sockaddr_in address = local(port);
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), poller = epoll_create1(0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 4096) < 0) {
        perror("http");
        return 1;
    }
    struct epoll_event event = {EPOLLIN, {.fd = listener}};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    line_write(line_now(), "first", "-");
    while (1) {
        if (epoll_wait(poller, &event, 1, -1) < 1) continue;
        int fd = event.data.fd;
        if (fd == listener) {
            struct epoll_event new = {EPOLLIN, {.fd = accept(listener, NULL, NULL)}};
            if (new.data.fd >= 0) epoll_ctl(poller, EPOLL_CTL_ADD, new.data.fd, &new);
            continue;
        }
        char request[4096];
        if (recv(fd, request, sizeof request, 0) > 0) {
            line_write(line_now(), "request", "-");
            send(fd, reply, sizeof reply - 1, MSG_NOSIGNAL);
        }
        close(fd);
    }
}

static int get(const char *port, int count) {
    static const char request[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    struct sockaddr_in address = local(port);
    line_write(line_now(), "first", "-");
    for (int i = 0; i < count; i++) {
        long long start = line_now();
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        char reply[4096];
        if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) return 1;
        send(fd, request, sizeof request - 1, MSG_NOSIGNAL);
        while (recv(fd, reply, sizeof reply, 0) > 0) {}
        close(fd);
        line_write(line_now() - start, "took", "-");
    }
    return 0;
}

int main(int count, char **arguments) {
    if (count == 3 && !strcmp(arguments[1], "serve")) return serve(arguments[2]);
    if (count == 4 && !strcmp(arguments[1], "get")) return get(arguments[2], atoi(arguments[3]));
    fprintf(stderr, "usage: http serve PORT | http get PORT COUNT\n");
    return 64;
}
