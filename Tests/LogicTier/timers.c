// SPDX-License-Identifier: Apache-2.0

// Ends the process with a message when it arms a timer of the system, or waits with a time limit.
//
// Scripts/test-logic preloads this. A test of the logic tier has a virtual clock, so that it is fast, and so that a slow machine
// cannot change its result. A test that needs the system's timers has the trait `.real` of TestSupport.
//
// A use of libdispatch ends the process in the public function, where the stack has the caller: a thread of libdispatch arms the timer
// later. What libdispatch itself calls is exempt. Besides that timer, these are waits that change no result: a thread without work
// ends after five seconds, a source checks the thread pool every second, and threads that contend for a queue pause.

#define _GNU_SOURCE
#include <dispatch/dispatch.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int is_dispatch(void *caller) {
    Dl_info place;
    return dladdr(caller, &place) && place.dli_fname && strstr(place.dli_fname, "/libdispatch.so");
}

// Unless libdispatch is the caller, prints the function that was called and the stack, and ends the process.
static void trap(const char *function, void *caller) {
    if (is_dispatch(caller)) return;
    // Printed in one write, because other threads print too.
    char text[16384];
    size_t length = snprintf(text, sizeof text, "A test of the logic tier waits in real time: %s.\n"
        "Give it a virtual clock, or mark it with `.real`. It was called by:\n", function);
    void *stack[32];
    int depth = backtrace(stack, 32);
    for (int index = 2; index < depth && length < sizeof text; index++) {
        Dl_info place = {0};
        dladdr(stack[index], &place);
        const char *object = place.dli_fname ? strrchr(place.dli_fname, '/') : NULL;
        length += snprintf(text + length, sizeof text - length, "  %s 0x%zx %s\n", object ? object + 1 : "?",
            (size_t)stack[index] - (size_t)place.dli_fbase - 1, place.dli_sname ? place.dli_sname : "");
    }
    (void)!write(STDERR_FILENO, text, length < sizeof text ? length : sizeof text - 1);
    // Without the backtrace that the Swift runtime's handler prints.
    signal(SIGABRT, SIG_DFL);
    abort();
}

static int is_wait(const struct timespec *limit) {
    return limit && (limit->tv_sec > 0 || limit->tv_nsec > 0);
}

// Defines the function of a library that comes after this one as `next`.
#define NEXT(function) static __typeof__(&function) next; if (!next) next = (__typeof__(&function))dlsym(RTLD_NEXT, #function)

// Dispatch

// Whether a timer only guards against something that hangs, as those of Swift Testing's `.timeLimit`, of a `Recorder` and of
// `TestClock.sleepers` do, which are a minute or more; a `Recorder` waits for a third of its limit three times. The process's one timer
// for all calls is set to what is left of one.
static int is_guard(dispatch_time_t when) {
    return when >= dispatch_time(DISPATCH_TIME_NOW, 15 * (int64_t)NSEC_PER_SEC);
}

// Whether the process's one timer for all calls (`ContinuousTimer`) has fired, and is set to the next of them, which was looked at when
// it was added.
static int is_timer_again(void) {
    const char *label = dispatch_queue_get_label(DISPATCH_CURRENT_QUEUE_LABEL);
    return label && !strcmp(label, "dialtone.timer");
}

void dispatch_source_set_timer(dispatch_source_t source, dispatch_time_t start, uint64_t interval, uint64_t leeway) {
    NEXT(dispatch_source_set_timer);
    if (!is_guard(start) && !is_timer_again()) trap("dispatch_source_set_timer", __builtin_return_address(0));
    next(source, start, interval, leeway);
}

void dispatch_after(dispatch_time_t when, dispatch_queue_t queue, dispatch_block_t block) {
    NEXT(dispatch_after);
    if (when != DISPATCH_TIME_NOW) trap("dispatch_after", __builtin_return_address(0));
    next(when, queue, block);
}

// The Swift runtime calls it for `Task.sleep`.
void dispatch_after_f(dispatch_time_t when, dispatch_queue_t queue, void *context, dispatch_function_t work) {
    NEXT(dispatch_after_f);
    if (!is_guard(when)) trap("Task.sleep", __builtin_return_address(0));
    next(when, queue, context, work);
}

static int is_limit(dispatch_time_t timeout) { return timeout != DISPATCH_TIME_NOW && !is_guard(timeout); }

intptr_t dispatch_semaphore_wait(dispatch_semaphore_t semaphore, dispatch_time_t timeout) {
    NEXT(dispatch_semaphore_wait);
    if (is_limit(timeout)) trap("dispatch_semaphore_wait", __builtin_return_address(0));
    return next(semaphore, timeout);
}

intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t timeout) {
    NEXT(dispatch_group_wait);
    if (is_limit(timeout)) trap("dispatch_group_wait", __builtin_return_address(0));
    return next(group, timeout);
}

intptr_t dispatch_block_wait(dispatch_block_t block, dispatch_time_t timeout) {
    NEXT(dispatch_block_wait);
    if (is_limit(timeout)) trap("dispatch_block_wait", __builtin_return_address(0));
    return next(block, timeout);
}

// Pauses

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
    NEXT(nanosleep);
    if (is_wait(duration)) trap("nanosleep", __builtin_return_address(0));
    return next(duration, remaining);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *remaining) {
    NEXT(clock_nanosleep);
    if (is_wait(time)) trap("clock_nanosleep", __builtin_return_address(0));
    return next(clock, flags, time, remaining);
}

int usleep(useconds_t duration) {
    NEXT(usleep);
    if (duration) trap("usleep", __builtin_return_address(0));
    return next(duration);
}

unsigned int sleep(unsigned int seconds) {
    NEXT(sleep);
    if (seconds) trap("sleep", __builtin_return_address(0));
    return next(seconds);
}

// Timers and waits of the C library

int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
    NEXT(timerfd_settime);
    // `ClockJumps` arms a timer in the far future, which the kernel cancels when the wall clock is set.
    if (is_wait(&value->it_value) && !(flags & TFD_TIMER_CANCEL_ON_SET)) trap("timerfd_settime", __builtin_return_address(0));
    return next(timer, flags, value, old);
}

unsigned int alarm(unsigned int seconds) {
    NEXT(alarm);
    if (seconds) trap("alarm", __builtin_return_address(0));
    return next(seconds);
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout) {
    NEXT(poll);
    if (timeout > 0) trap("poll", __builtin_return_address(0));
    return next(descriptors, count, timeout);
}

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *signals) {
    NEXT(ppoll);
    if (is_wait(timeout)) trap("ppoll", __builtin_return_address(0));
    return next(descriptors, count, timeout, signals);
}

int epoll_wait(int queue, struct epoll_event *events, int count, int timeout) {
    NEXT(epoll_wait);
    if (timeout > 0) trap("epoll_wait", __builtin_return_address(0));
    return next(queue, events, count, timeout);
}

int select(int count, fd_set *readable, fd_set *writable, fd_set *failed, struct timeval *timeout) {
    NEXT(select);
    if (timeout && (timeout->tv_sec > 0 || timeout->tv_usec > 0)) trap("select", __builtin_return_address(0));
    return next(count, readable, writable, failed, timeout);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
    NEXT(pthread_cond_timedwait);
    trap("pthread_cond_timedwait", __builtin_return_address(0));
    return next(condition, mutex, deadline);
}
