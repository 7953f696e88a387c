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
    void *ssl;
    // Both belong to `ssl`.
    void *incoming;
    void *outgoing;
    char failure[160];
};

static int clamp(size_t count) {
    return count > INT_MAX ? INT_MAX : (int)count;
}

static COpenSSL_Session *fail(COpenSSL_Session *session, char *error, size_t capacity, const char *fallback) {
    COpenSSL_popError(error, capacity, fallback);
    COpenSSL_destroy(session);
    return NULL;
}

COpenSSL_Session *COpenSSL_sessionCreate(void *context, char *error, size_t capacity) {
    COpenSSL_Session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        snprintf(error, capacity, "out of memory");
        return NULL;
    }
    session->ssl = COpenSSL.SSL_new(context);
    void *incoming = COpenSSL.BIO_new(COpenSSL.BIO_s_mem());
    void *outgoing = COpenSSL.BIO_new(COpenSSL.BIO_s_mem());
    if (session->ssl == NULL || incoming == NULL || outgoing == NULL) {
        if (incoming != NULL) COpenSSL.BIO_free(incoming);
        if (outgoing != NULL) COpenSSL.BIO_free(outgoing);
        return fail(session, error, capacity, "no session");
    }
    COpenSSL.SSL_set_bio(session->ssl, incoming, outgoing);
    session->incoming = incoming;
    session->outgoing = outgoing;
    return session;
}

static bool addAnchors(void *context, const char *anchors, size_t length) {
    if (length == 0) return true;
    void *pem = COpenSSL.BIO_new_mem_buf(anchors, clamp(length));
    if (pem == NULL) return false;
    void *store = COpenSSL.SSL_CTX_get_cert_store(context);
    int count = 0;
    void *certificate;
    while ((certificate = COpenSSL.PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL) {
        count += COpenSSL.X509_STORE_add_cert(store, certificate);
        COpenSSL.X509_free(certificate);
    }
    COpenSSL.BIO_free(pem);
    // The end of the text is reported as an error, too.
    COpenSSL.ERR_clear_error();
    return count > 0;
}

COpenSSL_Trust *COpenSSL_trustCreate(const char *anchors, size_t anchorsLength, char *error, size_t errorCapacity) {
    COpenSSL.ERR_clear_error();
    void *context = COpenSSL.SSL_CTX_new(COpenSSL.TLS_client_method());
    if (context == NULL || COpenSSL.SSL_CTX_ctrl(context, sslControlSetMinimumVersion, tls12, NULL) != 1) {
        COpenSSL_popError(error, errorCapacity, "no context for TLS 1.2");
        COpenSSL.SSL_CTX_free(context);
        return NULL;
    }
    // An unreadable store trusts no certificate, which the verification then reports.
    COpenSSL.SSL_CTX_set_default_verify_paths(context);
    COpenSSL.ERR_clear_error();
    COpenSSL.SSL_CTX_set_verify(context, verifyPeer, NULL);
    if (addAnchors(context, anchors, anchorsLength)) return context;
    snprintf(error, errorCapacity, "the additional trust anchors are not PEM certificates");
    COpenSSL.SSL_CTX_free(context);
    return NULL;
}

void COpenSSL_trustDestroy(COpenSSL_Trust *trust) { COpenSSL.SSL_CTX_free(trust); }

COpenSSL_Session *COpenSSL_clientCreate(const COpenSSL_Trust *trust, const char *host, bool isAddress, char *error,
                                size_t errorCapacity) {
    COpenSSL.ERR_clear_error();
    COpenSSL_Session *session = COpenSSL_sessionCreate((void *)trust, error, errorCapacity);
    if (session == NULL) return NULL;
    int isNamed;
    if (isAddress) {
        isNamed = COpenSSL.X509_VERIFY_PARAM_set1_ip_asc(COpenSSL.SSL_get0_param(session->ssl), host);
    } else {
        COpenSSL.SSL_set_hostflags(session->ssl, checkNoPartialWildcards | checkNeverSubject);
        isNamed = COpenSSL.SSL_set1_host(session->ssl, host) == 1 &&
                  COpenSSL.SSL_ctrl(session->ssl, sslControlSetHostName, 0, (void *)host) == 1;
    }
    if (isNamed != 1) return fail(session, error, errorCapacity, "invalid host name");
    COpenSSL.SSL_set_connect_state(session->ssl);
    return session;
}

void COpenSSL_acceptAnyCertificate(COpenSSL_Session *session) {
    COpenSSL.SSL_set_verify(session->ssl, verifyNothing, NULL);
}

bool COpenSSL_certificateExpiry(const COpenSSL_Session *session, long long *seconds) {
    // The first of the chain is the server's own. The chain belongs to the session.
    void *chain = COpenSSL.SSL_get_peer_cert_chain(session->ssl);
    const void *certificate = chain == NULL ? NULL : COpenSSL.OPENSSL_sk_value(chain, 0);
    if (certificate == NULL) return false;
    // OpenSSL 1.1.0 has no conversion to a number, but subtracts times.
    void *origin = COpenSSL.ASN1_TIME_set(NULL, 0);
    int days = 0, rest = 0;
    bool isRead = origin != NULL &&
                  COpenSSL.ASN1_TIME_diff(&days, &rest, origin, COpenSSL.X509_get0_notAfter(certificate)) == 1;
    if (origin != NULL) COpenSSL.ASN1_STRING_free(origin);
    COpenSSL.ERR_clear_error();
    *seconds = days * 86400LL + rest;
    return isRead;
}

void *COpenSSL_connection(const COpenSSL_Session *session) {
    return session->ssl;
}

void COpenSSL_destroy(COpenSSL_Session *session) {
    if (session == NULL) return;
    if (session->ssl != NULL) COpenSSL.SSL_free(session->ssl);
    COpenSSL.ERR_clear_error();
    free(session);
}

int COpenSSL_feed(COpenSSL_Session *session, const void *bytes, size_t count) {
    int added = COpenSSL.BIO_write(session->incoming, bytes, clamp(count));
    return added < 0 ? COpenSSL_failed : added;
}

int COpenSSL_drain(COpenSSL_Session *session, void *bytes, size_t capacity) {
    int count = COpenSSL.BIO_read(session->outgoing, bytes, clamp(capacity));
    return count < 0 ? 0 : count;
}

/// The result of a call on the session that did not return a positive number.
static int outcome(COpenSSL_Session *session, int result) {
    switch (COpenSSL.SSL_get_error(session->ssl, result)) {
    case errorWantRead:
    case errorWantWrite: return COpenSSL_wantsMore;
    case errorZeroReturn: return COpenSSL_closed;
    default:
        COpenSSL_popError(session->failure, sizeof session->failure, "the session failed");
        return COpenSSL_failed;
    }
}

int COpenSSL_handshake(COpenSSL_Session *session) {
    COpenSSL.ERR_clear_error();
    int result = COpenSSL.SSL_do_handshake(session->ssl);
    return result == 1 ? 0 : outcome(session, result);
}

int COpenSSL_read(COpenSSL_Session *session, void *bytes, size_t capacity) {
    COpenSSL.ERR_clear_error();
    int count = COpenSSL.SSL_read(session->ssl, bytes, clamp(capacity));
    return count > 0 ? count : outcome(session, count);
}

int COpenSSL_write(COpenSSL_Session *session, const void *bytes, size_t count) {
    if (count == 0) return 0;
    COpenSSL.ERR_clear_error();
    int written = COpenSSL.SSL_write(session->ssl, bytes, clamp(count));
    return written > 0 ? written : outcome(session, written);
}

void COpenSSL_close(COpenSSL_Session *session) {
    COpenSSL.SSL_shutdown(session->ssl);
    COpenSSL.ERR_clear_error();
}

long COpenSSL_verifyResult(const COpenSSL_Session *session) {
    return COpenSSL.SSL_get_verify_result(session->ssl);
}

void COpenSSL_verifyText(const COpenSSL_Session *session, char *text, size_t capacity) {
    snprintf(text, capacity, "%s", COpenSSL.X509_verify_cert_error_string(COpenSSL_verifyResult(session)));
}

void COpenSSL_failure(const COpenSSL_Session *session, char *text, size_t capacity) {
    snprintf(text, capacity, "%s", session->failure);
}
