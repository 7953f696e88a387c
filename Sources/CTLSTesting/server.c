// SPDX-License-Identifier: Apache-2.0

#include "COpenSSL.h"
#include "CTLSTesting.h"
#include "functions.h"

#include <pthread.h>
#include <stdio.h>

// OpenSSL's documented constants.
enum {
    sslControlSetMinimumVersion = 123,
    sslControlSetMaximumVersion = 124,
    tls10 = 0x0301,
    tls11 = 0x0302,
    tls12 = 0x0303,
    keyUpdateRequested = 1,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct CTLSTesting_Functions functions;
static char reason[160] = "";

static void load(void) {
    const char *unavailable = COpenSSL_unavailable();
    if (unavailable != NULL) {
        snprintf(reason, sizeof reason, "%s", unavailable);
        return;
    }
#define CTLSTESTING_BIND(result, name, arguments)                                                                      \
    *(void **)(&functions.name) = COpenSSL_function(#name);                                                            \
    if (functions.name == NULL) {                                                                                      \
        snprintf(reason, sizeof reason, "OpenSSL lacks %s", #name);                                                    \
        return;                                                                                                        \
    }
    CTLSTESTING_FUNCTIONS(CTLSTESTING_BIND)
}

const char *CTLSTesting_unavailable(void) {
    pthread_once(&once, load);
    return reason[0] == 0 ? NULL : reason;
}

const struct CTLSTesting_Functions *CTLSTesting_functions(char *error, size_t errorCapacity) {
    if (CTLSTesting_unavailable() == NULL) return &functions;
    snprintf(error, errorCapacity, "%s", reason);
    return NULL;
}

void *CTLSTesting_readPEM(const struct CTLSTesting_Functions *library, const char *text,
                          void *(*read)(void *, void *, void *, void *)) {
    void *bio = text == NULL ? NULL : library->BIO_new_mem_buf(text, -1);
    if (bio == NULL) return NULL;
    void *object = read(bio, NULL, NULL, NULL);
    library->BIO_free(bio);
    return object;
}

void CTLSTesting_popError(const struct CTLSTesting_Functions *library, char *text, size_t capacity,
                          const char *fallback) {
    unsigned long code = library->ERR_get_error();
    const char *words = code == 0 ? NULL : library->ERR_reason_error_string(code);
    snprintf(text, capacity, "%s", words == NULL ? fallback : words);
    library->ERR_clear_error();
}

struct COpenSSL_Session *CTLSTesting_serverCreate(const char *certificate, const char *key, bool isOld, char *error,
                                                  size_t errorCapacity) {
    const struct CTLSTesting_Functions *library = CTLSTesting_functions(error, errorCapacity);
    if (library == NULL) return NULL;
    library->ERR_clear_error();
    void *context = library->SSL_CTX_new(library->TLS_server_method());
    void *leaf = CTLSTesting_readPEM(library, certificate, library->PEM_read_bio_X509);
    void *secret = CTLSTesting_readPEM(library, key, library->PEM_read_bio_PrivateKey);
    // The library refuses TLS 1.1 at its default security level.
    if (context != NULL && isOld) library->SSL_CTX_set_security_level(context, 0);
    bool isSet = context != NULL && leaf != NULL && secret != NULL &&
                 library->SSL_CTX_ctrl(context, sslControlSetMinimumVersion, isOld ? tls10 : tls12, NULL) == 1 &&
                 (!isOld || library->SSL_CTX_ctrl(context, sslControlSetMaximumVersion, tls11, NULL) == 1) &&
                 library->SSL_CTX_use_certificate(context, leaf) == 1 &&
                 library->SSL_CTX_use_PrivateKey(context, secret) == 1;
    COpenSSL_Session *session = NULL;
    if (isSet) {
        session = COpenSSL_sessionCreate(context, error, errorCapacity);
    } else {
        CTLSTesting_popError(library, error, errorCapacity, "the certificate and its key cannot be used");
    }
    if (leaf != NULL) library->X509_free(leaf);
    if (secret != NULL) library->EVP_PKEY_free(secret);
    // The connection object keeps the context.
    if (context != NULL) library->SSL_CTX_free(context);
    if (session != NULL) library->SSL_set_accept_state(COpenSSL_connection(session));
    return session;
}

bool CTLSTesting_requestKeyUpdate(struct COpenSSL_Session *session) {
    void *connection = COpenSSL_connection(session);
    return functions.SSL_key_update(connection, keyUpdateRequested) == 1 && functions.SSL_do_handshake(connection) == 1;
}
