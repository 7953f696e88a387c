//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "library.h"
#include "CTLSLoader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// Each pair belongs together: mixing versions would crash.
static const char *const pairs[][2] = {
#ifdef __APPLE__
    {"/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib", "/opt/homebrew/opt/openssl@3/lib/libssl.3.dylib"},
    {"/usr/local/opt/openssl@3/lib/libcrypto.3.dylib", "/usr/local/opt/openssl@3/lib/libssl.3.dylib"},
#else
    {"libcrypto.so.3", "libssl.so.3"},
    {"libcrypto.so.1.1", "libssl.so.1.1"},
#endif
};

// The library would otherwise tear itself down at exit, under the feet of threads that still use it.
#define OPENSSL_INIT_NO_ATEXIT 0x00080000ull

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct CTLS_Library library;
static char reason[160] = "";

static const char *bindAll(void *crypto, void *ssl) {
#define CTLS_BIND_SSL(result, name, arguments)                                                                         \
    *(void **)(&library.name) = dlsym(ssl, #name);                                                                     \
    if (library.name == NULL) return #name;
#define CTLS_BIND_CRYPTO(result, name, arguments)                                                                      \
    *(void **)(&library.name) = dlsym(crypto, #name);                                                                  \
    if (library.name == NULL) return #name;
    CTLS_FUNCTIONS(CTLS_BIND_SSL, CTLS_BIND_CRYPTO)
    return NULL;
}

static void load(void) {
    snprintf(reason, sizeof reason, "OpenSSL (libssl.so.3 or libssl.so.1.1) is not installed");
    for (size_t index = 0; index < sizeof pairs / sizeof pairs[0]; index++) {
        void *crypto = dlopen(pairs[index][0], RTLD_NOW | RTLD_LOCAL);
        void *ssl = crypto == NULL ? NULL : dlopen(pairs[index][1], RTLD_NOW | RTLD_LOCAL);
        if (ssl == NULL) continue;
        const char *missing = bindAll(crypto, ssl);
        if (missing != NULL) {
            snprintf(reason, sizeof reason, "%s lacks %s", pairs[index][1], missing);
        } else if (library.OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, NULL) != 1) {
            snprintf(reason, sizeof reason, "%s does not start", pairs[index][1]);
        } else {
            reason[0] = 0;
            return;
        }
    }
}

const struct CTLS_Library *CTLS_library(void) {
    pthread_once(&once, load);
    return reason[0] == 0 ? &library : NULL;
}

const char *CTLS_unavailable(void) {
    return CTLS_library() == NULL ? reason : NULL;
}

void CTLS_takeError(const struct CTLS_Library *library, char *text, size_t capacity, const char *fallback) {
    unsigned long code = library->ERR_get_error();
    const char *words = code == 0 ? NULL : library->ERR_reason_error_string(code);
    snprintf(text, capacity, "%s", words == NULL ? fallback : words);
    library->ERR_clear_error();
}
