// SPDX-License-Identifier: Apache-2.0

// A thread starts in the network namespace of the thread that creates it, and Dispatch creates its workers on whatever thread
// submits work. In a process with a single namespace this does not matter. The tests enter many: a worker created inside
// one of them would run later tests in that namespace.
//
// So a single thread, the nursery, creates the threads of Dispatch; it never leaves the process's namespace. All other callers
// use the C library's pthread_create, or the sanitizer's.

#define _GNU_SOURCE
#include "CTestSupport.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define WITH_SANITIZER 1
#endif
#endif

#if defined(__linux__)

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

typedef int creation(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

#ifdef WITH_SANITIZER
creation __interceptor_pthread_create;
static creation *find_system_create(void) { return __interceptor_pthread_create; }
#else
static creation *find_system_create(void) { return (creation *)dlsym(RTLD_NEXT, "pthread_create"); }
#endif

static creation *system_create;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int has_nursery;

// One order at a time: `turn` serializes the callers, `lock` guards the order itself.
static struct {
    enum { NONE, GIVEN, DONE } state;
    pthread_t *thread;
    const pthread_attr_t *attributes;
    void *(*body)(void *);
    void *argument;
    int result;
} order;

static void *tend(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (order.state != GIVEN) pthread_cond_wait(&changed, &lock);
        order.result = system_create(order.thread, order.attributes, order.body, order.argument);
        order.state = DONE;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

__attribute__((constructor)) static void open_nursery(void) {
    system_create = find_system_create();
    pthread_t thread;
    has_nursery = system_create != NULL && system_create(&thread, NULL, tend, NULL) == 0;
}

static int is_dispatch(void *caller) {
    Dl_info place;
    return dladdr(caller, &place) != 0 && place.dli_fname != NULL && strstr(place.dli_fname, "libdispatch") != NULL;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    if (!has_nursery || !is_dispatch(__builtin_return_address(0))) {
        // Also before the constructor has run.
        if (system_create == NULL) system_create = find_system_create();
        return system_create == NULL ? EAGAIN : system_create(thread, attributes, body, argument);
    }
    pthread_mutex_lock(&turn);
    pthread_mutex_lock(&lock);
    order.thread = thread;
    order.attributes = attributes;
    order.body = body;
    order.argument = argument;
    order.state = GIVEN;
    pthread_cond_broadcast(&changed);
    while (order.state != DONE) pthread_cond_wait(&changed, &lock);
    order.state = NONE;
    int result = order.result;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&turn);
    return result;
}

#endif
