//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "CTLSLoader.h"
#include "library.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

// OpenSSL's documented constants.
enum {
    sslControlSetHostName = 55,
    sslControlSetMinimumVersion = 123,
    tls12 = 0x0303,
    verifyPeer = 1,
    errorWantRead = 2,
    errorWantWrite = 3,
    errorZeroReturn = 6,
};

struct CTLS_Session {
    const struct CTLS_Library *library;
    void *ssl;
    // Both belong to `ssl`.
    void *incoming;
    void *outgoing;
    char failure[160];
};

static int clamp(size_t count) {
    return count > INT_MAX ? INT_MAX : (int)count;
}

struct CTLS_Trust {
    const struct CTLS_Library *library;
    void *context;
};

/// A context for TLS 1.2 and later; NULL on failure, with words in `error`.
static void *makeContext(bool isServer, char *error, size_t capacity) {
    const struct CTLS_Library *library = CTLS_library();
    if (library == NULL) {
        snprintf(error, capacity, "%s", CTLS_unavailable());
        return NULL;
    }
    library->ERR_clear_error();
    void *context = library->SSL_CTX_new(isServer ? library->TLS_server_method() : library->TLS_client_method());
    if (context == NULL) {
        CTLS_takeError(library, error, capacity, "no context");
        return NULL;
    }
    library->SSL_CTX_ctrl(context, sslControlSetMinimumVersion, tls12, NULL);
    return context;
}

static CTLS_Session *fail(CTLS_Session *session, char *error, size_t capacity, const char *fallback) {
    CTLS_takeError(session->library, error, capacity, fallback);
    CTLS_destroy(session);
    return NULL;
}

/// Makes the connection object of a prepared context, which the caller keeps.
static CTLS_Session *openSession(const struct CTLS_Library *library, void *context, char *error, size_t capacity) {
    CTLS_Session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        snprintf(error, capacity, "out of memory");
        return NULL;
    }
    session->library = library;
    session->ssl = library->SSL_new(context);
    void *incoming = library->BIO_new(library->BIO_s_mem());
    void *outgoing = library->BIO_new(library->BIO_s_mem());
    if (session->ssl == NULL || incoming == NULL || outgoing == NULL) {
        if (incoming != NULL) library->BIO_free(incoming);
        if (outgoing != NULL) library->BIO_free(outgoing);
        return fail(session, error, capacity, "no session");
    }
    library->SSL_set_bio(session->ssl, incoming, outgoing);
    session->incoming = incoming;
    session->outgoing = outgoing;
    return session;
}

static bool addAnchors(const struct CTLS_Library *library, void *context, const char *anchors, size_t length) {
    if (length == 0) return true;
    void *pem = library->BIO_new_mem_buf(anchors, clamp(length));
    if (pem == NULL) return false;
    void *store = library->SSL_CTX_get_cert_store(context);
    int count = 0;
    void *certificate;
    while ((certificate = library->PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL) {
        count += library->X509_STORE_add_cert(store, certificate);
        library->X509_free(certificate);
    }
    library->BIO_free(pem);
    // The end of the text is reported as an error, too.
    library->ERR_clear_error();
    return count > 0;
}

CTLS_Trust *CTLS_trustCreate(const char *anchors, size_t anchorsLength, char *error, size_t errorCapacity) {
    void *context = makeContext(false, error, errorCapacity);
    if (context == NULL) return NULL;
    const struct CTLS_Library *library = CTLS_library();
    // With a store that cannot be read nobody is trusted, which the verification then says.
    library->SSL_CTX_set_default_verify_paths(context);
    library->ERR_clear_error();
    library->SSL_CTX_set_verify(context, verifyPeer, NULL);
    CTLS_Trust *trust = calloc(1, sizeof *trust);
    if (trust == NULL || !addAnchors(library, context, anchors, anchorsLength)) {
        snprintf(error, errorCapacity, "the additional trust anchors are not PEM certificates");
        library->SSL_CTX_free(context);
        free(trust);
        return NULL;
    }
    trust->library = library;
    trust->context = context;
    return trust;
}

void CTLS_trustDestroy(CTLS_Trust *trust) {
    if (trust == NULL) return;
    trust->library->SSL_CTX_free(trust->context);
    free(trust);
}

CTLS_Session *CTLS_clientCreate(const CTLS_Trust *trust, const char *host, bool isAddress, char *error,
                                size_t errorCapacity) {
    const struct CTLS_Library *library = trust->library;
    library->ERR_clear_error();
    CTLS_Session *session = openSession(library, trust->context, error, errorCapacity);
    if (session == NULL) return NULL;
    int isNamed;
    if (isAddress) {
        isNamed = library->X509_VERIFY_PARAM_set1_ip_asc(library->SSL_get0_param(session->ssl), host);
    } else {
        isNamed = library->SSL_set1_host(session->ssl, host) == 1 &&
                  library->SSL_ctrl(session->ssl, sslControlSetHostName, 0, (void *)host) == 1;
    }
    if (isNamed != 1) return fail(session, error, errorCapacity, "the host's name cannot be used");
    library->SSL_set_connect_state(session->ssl);
    return session;
}

CTLS_Session *CTLS_serverCreate(const char *certificate, size_t certificateLength, const char *key, size_t keyLength,
                                char *error, size_t errorCapacity) {
    void *context = makeContext(true, error, errorCapacity);
    if (context == NULL) return NULL;
    const struct CTLS_Library *library = CTLS_library();
    void *certificatePEM = library->BIO_new_mem_buf(certificate, clamp(certificateLength));
    void *keyPEM = library->BIO_new_mem_buf(key, clamp(keyLength));
    void *leaf = certificatePEM == NULL ? NULL : library->PEM_read_bio_X509(certificatePEM, NULL, NULL, NULL);
    void *secret = keyPEM == NULL ? NULL : library->PEM_read_bio_PrivateKey(keyPEM, NULL, NULL, NULL);
    bool isSet = leaf != NULL && secret != NULL && library->SSL_CTX_use_certificate(context, leaf) == 1 &&
                 library->SSL_CTX_use_PrivateKey(context, secret) == 1;
    if (leaf != NULL) library->X509_free(leaf);
    if (secret != NULL) library->EVP_PKEY_free(secret);
    if (certificatePEM != NULL) library->BIO_free(certificatePEM);
    if (keyPEM != NULL) library->BIO_free(keyPEM);
    CTLS_Session *session = NULL;
    if (isSet) {
        session = openSession(library, context, error, errorCapacity);
    } else {
        CTLS_takeError(library, error, errorCapacity, "the certificate and its key cannot be used");
    }
    // The connection object holds the context.
    library->SSL_CTX_free(context);
    if (session != NULL) library->SSL_set_accept_state(session->ssl);
    return session;
}

void CTLS_destroy(CTLS_Session *session) {
    if (session == NULL) return;
    if (session->ssl != NULL) session->library->SSL_free(session->ssl);
    session->library->ERR_clear_error();
    free(session);
}

int CTLS_feed(CTLS_Session *session, const void *bytes, size_t count) {
    int taken = session->library->BIO_write(session->incoming, bytes, clamp(count));
    return taken < 0 ? CTLS_failed : taken;
}

int CTLS_drain(CTLS_Session *session, void *bytes, size_t capacity) {
    int count = session->library->BIO_read(session->outgoing, bytes, clamp(capacity));
    return count < 0 ? 0 : count;
}

/// Reads what a call on the session came to; its result was not positive.
static int outcome(CTLS_Session *session, int result) {
    switch (session->library->SSL_get_error(session->ssl, result)) {
    case errorWantRead:
    case errorWantWrite: return CTLS_wantsMore;
    case errorZeroReturn: return CTLS_closed;
    default:
        CTLS_takeError(session->library, session->failure, sizeof session->failure, "the session failed");
        return CTLS_failed;
    }
}

int CTLS_handshake(CTLS_Session *session) {
    session->library->ERR_clear_error();
    int result = session->library->SSL_do_handshake(session->ssl);
    return result == 1 ? 0 : outcome(session, result);
}

int CTLS_read(CTLS_Session *session, void *bytes, size_t capacity) {
    session->library->ERR_clear_error();
    int count = session->library->SSL_read(session->ssl, bytes, clamp(capacity));
    return count > 0 ? count : outcome(session, count);
}

int CTLS_write(CTLS_Session *session, const void *bytes, size_t count) {
    if (count == 0) return 0;
    session->library->ERR_clear_error();
    int taken = session->library->SSL_write(session->ssl, bytes, clamp(count));
    return taken > 0 ? taken : outcome(session, taken);
}

void CTLS_close(CTLS_Session *session) {
    session->library->SSL_shutdown(session->ssl);
    session->library->ERR_clear_error();
}

long CTLS_verifyResult(const CTLS_Session *session) {
    return session->library->SSL_get_verify_result(session->ssl);
}

void CTLS_verifyText(const CTLS_Session *session, char *text, size_t capacity) {
    snprintf(text, capacity, "%s", session->library->X509_verify_cert_error_string(CTLS_verifyResult(session)));
}

void CTLS_failure(const CTLS_Session *session, char *text, size_t capacity) {
    snprintf(text, capacity, "%s", session->failure);
}
