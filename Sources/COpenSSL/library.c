// SPDX-License-Identifier: Apache-2.0

#include "library.h"
#include "COpenSSL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// In the order of preference. Only libssl is opened: its handle also finds the functions of the libcrypto that it was linked
// with, so that two versions are never mixed.
static const char *const names[] = {
#ifdef __APPLE__
    "/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib",
    "/usr/local/opt/openssl@3/lib/libssl.3.dylib",
#else
    "libssl.so.3",
    "libssl.so.4",
    "libssl.so.1.1",
    "libssl.so",
#endif
};

// Without this, the library frees its state at exit while other threads may still use it.
#define OPENSSL_INIT_NO_ATEXIT 0x00080000ull

static pthread_once_t once = PTHREAD_ONCE_INIT;
struct COpenSSL_Library COpenSSL;
static void *loaded = NULL;
static char reason[160] = "OpenSSL (libssl.so.3, .4 or .1.1) is not installed";

#if defined(__linux__) && !defined(__GLIBC__)
/// Whether this program loads no libraries at all, because it is linked statically: musl's dlopen then always fails.
static bool isStatic(void) {
    void *program = dlopen(NULL, RTLD_NOW);
    if (program == NULL) return true;
    dlclose(program);
    return false;
}
#else
static bool isStatic(void) { return false; }
#endif

/// Binds every function; returns the name of the first one that is missing, or NULL.
static const char *bindAll(void *handle) {
#define COPENSSL_BIND(result, name, arguments)                                                                         \
    *(void **)(&COpenSSL.name) = dlsym(handle, #name);                                                                 \
    if (COpenSSL.name == NULL) return #name;
    COPENSSL_FUNCTIONS(COPENSSL_BIND)
    return NULL;
}

static void load(void) {
    bool isReasonSet = false;
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
        void *handle = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (handle == NULL) continue;
        const char *missing = bindAll(handle);
        if (missing == NULL && COpenSSL.OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, NULL) == 1) {
            loaded = handle;
            return;
        }
        // The library that is preferred explains the failure.
        if (isReasonSet) continue;
        isReasonSet = true;
        if (missing != NULL) {
            snprintf(reason, sizeof reason, "%s lacks %s", names[index], missing);
        } else {
            snprintf(reason, sizeof reason, "%s does not initialize", names[index]);
        }
    }
    if (!isReasonSet && isStatic()) {
        snprintf(reason, sizeof reason, "OpenSSL cannot be loaded: this program is linked statically");
    }
}

const char *COpenSSL_unavailable(void) {
    pthread_once(&once, load);
    return loaded == NULL ? reason : NULL;
}

void *COpenSSL_function(const char *name) {
    return COpenSSL_unavailable() == NULL ? dlsym(loaded, name) : NULL;
}

void COpenSSL_popError(char *text, size_t capacity, const char *fallback) {
    unsigned long code = COpenSSL.ERR_get_error();
    const char *words = code == 0 ? NULL : COpenSSL.ERR_reason_error_string(code);
    snprintf(text, capacity, "%s", words == NULL ? fallback : words);
    COpenSSL.ERR_clear_error();
}
