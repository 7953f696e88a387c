// SPDX-License-Identifier: Apache-2.0

// Informs the thread sanitizer of the ordering of a continuation that is resumed before its task awaits it.
//
// swift_continuation_resume releases the task to the sanitizer. If the task has already suspended, it is scheduled, and the thread
// that then runs it acquires it. If not, swift_continuation_await finds the continuation resumed and goes on at once, and there
// Swift 6.3.1 omits the acquisition: the sanitizer sees a task that reads what was stored before the resumption, without any
// ordering, and reports a false race. The function cannot be wrapped, because the runtime calls it within its own library. But a
// caller frees the memory of an asynchronous call as soon as the call returns, in code that is compiled into the caller. When preloaded,
// this library acquires the current task there. It hides nothing else: what a task acquires was released by those that scheduled it,
// or resumed the continuation that it awaits. Tests/Sanitizers/Continuations.swift has a race that must still be found.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

// Absent in programs without the sanitizer, such as those that a test starts.
__attribute__((weak)) void __tsan_acquire(void *address);

typedef __attribute__((swiftcall)) void (*deallocate_function)(void *memory);
typedef __attribute__((swiftcall)) void *(*current_function)(void);

static deallocate_function next_deallocate;
static current_function current_task;

__attribute__((constructor)) static void find_runtime(void) {
    next_deallocate = (deallocate_function)dlsym(RTLD_NEXT, "swift_task_dealloc");
    current_task = (current_function)dlsym(RTLD_NEXT, "swift_task_getCurrent");
    // Both are in the same library.
    if (next_deallocate && !current_task) {
        abort();
    }
}

__attribute__((swiftcall)) void swift_task_dealloc(void *memory) {
    next_deallocate(memory);
    if (__tsan_acquire) {
        __tsan_acquire(current_task());
    }
}
