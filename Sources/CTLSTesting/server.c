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
struct CTLSTesting_Functions CTLSTesting;
static char reason[160] = "";

static void load(void) {
    const char *unavailable = COpenSSL_unavailable();
    if (unavailable != NULL) {
        snprintf(reason, sizeof reason, "%s", unavailable);
        return;
    }
#define CTLSTESTING_BIND(result, name, arguments)                                                                      \
    *(void **)(&CTLSTesting.name) = COpenSSL_function(#name);                                                          \
    if (CTLSTesting.name == NULL) {                                                                                    \
        snprintf(reason, sizeof reason, "OpenSSL lacks %s", #name);                                                    \
        return;                                                                                                        \
    }
    CTLSTESTING_FUNCTIONS(CTLSTESTING_BIND)
}

bool CTLSTesting_isAvailable(char *error, size_t errorCapacity) {
    pthread_once(&once, load);
    snprintf(error, errorCapacity, "%s", reason);
    return reason[0] == 0;
}

void *CTLSTesting_readPEM(const char *text, void *(*read)(void *, void *, void *, void *)) {
    void *bio = text == NULL ? NULL : CTLSTesting.BIO_new_mem_buf(text, -1);
    if (bio == NULL) return NULL;
    void *object = read(bio, NULL, NULL, NULL);
    CTLSTesting.BIO_free(bio);
    return object;
}

struct COpenSSL_Session *CTLSTesting_serverCreate(const char *certificate, const char *key, bool isOld, char *error,
                                                  size_t errorCapacity) {
    if (!CTLSTesting_isAvailable(error, errorCapacity)) return NULL;
    CTLSTesting.ERR_clear_error();
    void *context = CTLSTesting.SSL_CTX_new(CTLSTesting.TLS_server_method());
    void *leaf = CTLSTesting_readPEM(certificate, CTLSTesting.PEM_read_bio_X509);
    void *secret = CTLSTesting_readPEM(key, CTLSTesting.PEM_read_bio_PrivateKey);
    // The library refuses TLS 1.1 at its default security level.
    if (context != NULL && isOld) CTLSTesting.SSL_CTX_set_security_level(context, 0);
    bool isSet = context != NULL && leaf != NULL && secret != NULL &&
                 CTLSTesting.SSL_CTX_ctrl(context, sslControlSetMinimumVersion, isOld ? tls10 : tls12, NULL) == 1 &&
                 (!isOld || CTLSTesting.SSL_CTX_ctrl(context, sslControlSetMaximumVersion, tls11, NULL) == 1) &&
                 CTLSTesting.SSL_CTX_use_certificate(context, leaf) == 1 &&
                 CTLSTesting.SSL_CTX_use_PrivateKey(context, secret) == 1;
    COpenSSL_Session *session = NULL;
    if (isSet) {
        session = COpenSSL_sessionCreate(context, error, errorCapacity);
    } else {
        COpenSSL_popError(error, errorCapacity, "the certificate and its key cannot be used");
    }
    CTLSTesting.X509_free(leaf);
    CTLSTesting.EVP_PKEY_free(secret);
    // The connection object keeps the context.
    CTLSTesting.SSL_CTX_free(context);
    if (session != NULL) CTLSTesting.SSL_set_accept_state(COpenSSL_connection(session));
    return session;
}

bool CTLSTesting_requestKeyUpdate(struct COpenSSL_Session *session) {
    void *connection = COpenSSL_connection(session);
    return CTLSTesting.SSL_key_update(connection, keyUpdateRequested) == 1 &&
           CTLSTesting.SSL_do_handshake(connection) == 1;
}
