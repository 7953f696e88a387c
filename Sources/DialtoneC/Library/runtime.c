/* SPDX-License-Identifier: Apache-2.0 */

/* What libdialtone.so changes in the Swift runtime inside it. */

#include <pthread.h>

/*
 * These replace libdispatch's workqueue.c, which the linker then leaves out. It would read /proc/THREAD/stat of each thread in
 * libdispatch's pool every second, and start another thread if all of them are blocked. It would end the process if it cannot
 * open such a file: where /proc is not mounted, or while the program has no free descriptor. The library's work never blocks a
 * thread of the pool. If a future libdispatch has more functions in that file, the link fails with duplicate symbols.
 */
void _dispatch_workq_worker_register(void *queue);
void _dispatch_workq_worker_unregister(void *queue);

void _dispatch_workq_worker_register(void *queue) { (void)queue; }
void _dispatch_workq_worker_unregister(void *queue) { (void)queue; }

/* The linker's --wrap lets libdispatch call this. It would name its threads "-qos.overcommit", which no user could attribute. */
int __real_pthread_setname_np(pthread_t thread, const char *name);
int __wrap_pthread_setname_np(pthread_t thread, const char *name);

int __wrap_pthread_setname_np(pthread_t thread, const char *name) {
    (void)name;
    return __real_pthread_setname_np(thread, "dialtone");
}
