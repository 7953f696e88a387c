// SPDX-License-Identifier: Apache-2.0

#include "AllocationCounting.h"

#include <features.h>
#include <stdlib.h>

// A sanitizer has its own allocator.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WITH_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__) && !defined(WITH_SANITIZER)

#include <errno.h>
#include <stdatomic.h>

const int AllocationCounting_works = 1;

// The C library's internal names for its allocator, which it provides to programs that replace malloc (see "Replacing malloc" in
// its manual).
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_long total;
// The tests' program links this too, and its threads would share the counter at each allocation.
static atomic_int isCounting;
static _Thread_local int isLeftOut;

static void count(void) {
    if (atomic_load_explicit(&isCounting, memory_order_relaxed) && !isLeftOut) atomic_fetch_add_explicit(&total, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    count();
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void free(void *block) { __libc_free(block); }

long AllocationCounting_total(void) {
    atomic_store(&isCounting, 1);
    return atomic_load(&total);
}

void AllocationCounting_leaveOutThisThread(int leaveOut) { isLeftOut = leaveOut; }

#else

const int AllocationCounting_works = 0;

long AllocationCounting_total(void) { return 0; }

void AllocationCounting_leaveOutThisThread(int leaveOut) { (void)leaveOut; }

#endif
