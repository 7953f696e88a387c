// SPDX-License-Identifier: Apache-2.0

// Informs the thread sanitizer of the ordering of a contended Synchronization.Mutex.
//
// The mutex's fast path is compiled into its user and therefore instrumented. Its slow paths, in which a thread waits in the
// kernel, are in the Swift runtime, which is not: the sanitizer sees two threads in a critical section without any ordering between
// them, and reports a false race. When preloaded, this library wraps the slow paths and reports their ordering. It hides
// nothing else: Tests/Sanitizers/Races.swift has a race that must still be found.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Absent in programs without the sanitizer, such as those that a test starts.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SELF __attribute__((swift_context)) void *self

typedef __attribute__((swiftcall)) void (*lock_function)(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) bool (*try_lock_function)(SELF);
typedef __attribute__((swiftcall)) void (*unlock_function)(SELF);

static lock_function next_lock;
static try_lock_function next_try_lock;
static unlock_function next_unlock;

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    // Only the runtime calls these functions, so they exist.
    return found ? found : (abort(), NULL);
}

__attribute__((constructor)) static void find_runtime(void) {
    if (dlsym(RTLD_NEXT, LOCK)) {
        next_lock = (lock_function)next(LOCK);
        next_try_lock = (try_lock_function)next(TRY_LOCK);
        next_unlock = (unlock_function)next(UNLOCK);
    }
}

__attribute__((swiftcall)) void mutex_lock(uint32_t thread, SELF) __asm__(LOCK);
__attribute__((swiftcall)) bool mutex_try_lock(SELF) __asm__(TRY_LOCK);
__attribute__((swiftcall)) void mutex_unlock(SELF) __asm__(UNLOCK);

__attribute__((swiftcall)) void mutex_lock(uint32_t thread, SELF) {
    next_lock(thread, self);
    if (__tsan_acquire) {
        __tsan_acquire(self);
    }
}

__attribute__((swiftcall)) bool mutex_try_lock(SELF) {
    bool locked = next_try_lock(self);
    if (locked && __tsan_acquire) {
        __tsan_acquire(self);
    }
    return locked;
}

__attribute__((swiftcall)) void mutex_unlock(SELF) {
    if (__tsan_release) {
        __tsan_release(self);
    }
    next_unlock(self);
}
