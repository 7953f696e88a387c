// SPDX-License-Identifier: Apache-2.0

#include "COpenSSL.h"
#include "library.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

// OpenSSL's documented constants.
enum {
    sslControlSetHostName = 55,
    sslControlSetMinimumVersion = 123,
    tls12 = 0x0303,
    verifyNothing = 0,
    verifyPeer = 1,
    // A wildcard is a whole label, and a common name is not a host name (RFC 9525).
    checkNoPartialWildcards = 0x4,
    checkNeverSubject = 0x20,
    errorWantRead = 2,
    errorWantWrite = 3,
    errorZeroReturn = 6,
};

struct COpenSSL_Session {
    const struct COpenSSL_Library *library;
    void *ssl;
    // Both belong to `ssl`.
    void *incoming;
    void *outgoing;
    char failure[160];
};

static int clamp(size_t count) {
    return count > INT_MAX ? INT_MAX : (int)count;
}

struct COpenSSL_Trust {
    const struct COpenSSL_Library *library;
    void *context;
};

/// A client context for TLS 1.2 and later; NULL on failure, with the reason in `error`.
static void *makeContext(char *error, size_t capacity) {
    const struct COpenSSL_Library *library = COpenSSL_library();
    if (library == NULL) {
        snprintf(error, capacity, "%s", COpenSSL_unavailable());
        return NULL;
    }
    library->ERR_clear_error();
    void *context = library->SSL_CTX_new(library->TLS_client_method());
    if (context != NULL && library->SSL_CTX_ctrl(context, sslControlSetMinimumVersion, tls12, NULL) == 1) return context;
    COpenSSL_popError(library, error, capacity, "no context for TLS 1.2");
    if (context != NULL) library->SSL_CTX_free(context);
    return NULL;
}

static COpenSSL_Session *fail(COpenSSL_Session *session, char *error, size_t capacity, const char *fallback) {
    COpenSSL_popError(session->library, error, capacity, fallback);
    COpenSSL_destroy(session);
    return NULL;
}

COpenSSL_Session *COpenSSL_sessionCreate(void *context, char *error, size_t capacity) {
    const struct COpenSSL_Library *library = COpenSSL_library();
    COpenSSL_Session *session = calloc(1, sizeof *session);
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

static bool addAnchors(const struct COpenSSL_Library *library, void *context, const char *anchors, size_t length) {
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

COpenSSL_Trust *COpenSSL_trustCreate(const char *anchors, size_t anchorsLength, char *error, size_t errorCapacity) {
    void *context = makeContext(error, errorCapacity);
    if (context == NULL) return NULL;
    const struct COpenSSL_Library *library = COpenSSL_library();
    // An unreadable store trusts no certificate, which the verification then reports.
    library->SSL_CTX_set_default_verify_paths(context);
    library->ERR_clear_error();
    library->SSL_CTX_set_verify(context, verifyPeer, NULL);
    COpenSSL_Trust *trust = calloc(1, sizeof *trust);
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

void COpenSSL_trustDestroy(COpenSSL_Trust *trust) {
    if (trust == NULL) return;
    trust->library->SSL_CTX_free(trust->context);
    free(trust);
}

COpenSSL_Session *COpenSSL_clientCreate(const COpenSSL_Trust *trust, const char *host, bool isAddress, char *error,
                                size_t errorCapacity) {
    const struct COpenSSL_Library *library = trust->library;
    library->ERR_clear_error();
    COpenSSL_Session *session = COpenSSL_sessionCreate(trust->context, error, errorCapacity);
    if (session == NULL) return NULL;
    int isNamed;
    if (isAddress) {
        isNamed = library->X509_VERIFY_PARAM_set1_ip_asc(library->SSL_get0_param(session->ssl), host);
    } else {
        library->SSL_set_hostflags(session->ssl, checkNoPartialWildcards | checkNeverSubject);
        isNamed = library->SSL_set1_host(session->ssl, host) == 1 &&
                  library->SSL_ctrl(session->ssl, sslControlSetHostName, 0, (void *)host) == 1;
    }
    if (isNamed != 1) return fail(session, error, errorCapacity, "invalid host name");
    library->SSL_set_connect_state(session->ssl);
    return session;
}

void COpenSSL_acceptAnyCertificate(COpenSSL_Session *session) {
    session->library->SSL_set_verify(session->ssl, verifyNothing, NULL);
}

bool COpenSSL_certificateExpiry(const COpenSSL_Session *session, long long *seconds) {
    const struct COpenSSL_Library *library = session->library;
    // The first of the chain is the server's own. The chain belongs to the session.
    void *chain = library->SSL_get_peer_cert_chain(session->ssl);
    const void *certificate = chain == NULL ? NULL : library->OPENSSL_sk_value(chain, 0);
    if (certificate == NULL) return false;
    // OpenSSL 1.1.0 has no conversion to a number, but subtracts times.
    void *origin = library->ASN1_TIME_set(NULL, 0);
    int days = 0, rest = 0;
    bool isRead = origin != NULL &&
                  library->ASN1_TIME_diff(&days, &rest, origin, library->X509_get0_notAfter(certificate)) == 1;
    if (origin != NULL) library->ASN1_STRING_free(origin);
    library->ERR_clear_error();
    *seconds = days * 86400LL + rest;
    return isRead;
}

void *COpenSSL_connection(const COpenSSL_Session *session) {
    return session->ssl;
}

void COpenSSL_destroy(COpenSSL_Session *session) {
    if (session == NULL) return;
    if (session->ssl != NULL) session->library->SSL_free(session->ssl);
    session->library->ERR_clear_error();
    free(session);
}

int COpenSSL_feed(COpenSSL_Session *session, const void *bytes, size_t count) {
    int added = session->library->BIO_write(session->incoming, bytes, clamp(count));
    return added < 0 ? COpenSSL_failed : added;
}

int COpenSSL_drain(COpenSSL_Session *session, void *bytes, size_t capacity) {
    int count = session->library->BIO_read(session->outgoing, bytes, clamp(capacity));
    return count < 0 ? 0 : count;
}

/// The result of a call on the session that did not return a positive number.
static int outcome(COpenSSL_Session *session, int result) {
    switch (session->library->SSL_get_error(session->ssl, result)) {
    case errorWantRead:
    case errorWantWrite: return COpenSSL_wantsMore;
    case errorZeroReturn: return COpenSSL_closed;
    default:
        COpenSSL_popError(session->library, session->failure, sizeof session->failure, "the session failed");
        return COpenSSL_failed;
    }
}

int COpenSSL_handshake(COpenSSL_Session *session) {
    session->library->ERR_clear_error();
    int result = session->library->SSL_do_handshake(session->ssl);
    return result == 1 ? 0 : outcome(session, result);
}

int COpenSSL_read(COpenSSL_Session *session, void *bytes, size_t capacity) {
    session->library->ERR_clear_error();
    int count = session->library->SSL_read(session->ssl, bytes, clamp(capacity));
    return count > 0 ? count : outcome(session, count);
}

int COpenSSL_write(COpenSSL_Session *session, const void *bytes, size_t count) {
    if (count == 0) return 0;
    session->library->ERR_clear_error();
    int written = session->library->SSL_write(session->ssl, bytes, clamp(count));
    return written > 0 ? written : outcome(session, written);
}

void COpenSSL_close(COpenSSL_Session *session) {
    session->library->SSL_shutdown(session->ssl);
    session->library->ERR_clear_error();
}

long COpenSSL_verifyResult(const COpenSSL_Session *session) {
    return session->library->SSL_get_verify_result(session->ssl);
}

void COpenSSL_verifyText(const COpenSSL_Session *session, char *text, size_t capacity) {
    snprintf(text, capacity, "%s", session->library->X509_verify_cert_error_string(COpenSSL_verifyResult(session)));
}

void COpenSSL_failure(const COpenSSL_Session *session, char *text, size_t capacity) {
    snprintf(text, capacity, "%s", session->failure);
}
