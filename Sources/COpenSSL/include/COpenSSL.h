// SPDX-License-Identifier: Apache-2.0

// The client side of TLS with the system's OpenSSL, loaded when the program runs: neither building nor starting needs it.
//
// A session turns bytes into bytes and uses no socket, so it cannot block and raises no SIGPIPE. One thread uses a session
// at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Why TLS is not available; NULL when it is. The first call loads the library.
const char *COpenSSL_unavailable(void);

/// The function of the loaded library with this name; NULL if the library lacks it or TLS is not available.
void *COpenSSL_function(const char *name);

/// Copies the text for OpenSSL's oldest error and clears its queue; `fallback` without an error. TLS must be available.
void COpenSSL_popError(char *text, size_t capacity, const char *fallback);

typedef struct COpenSSL_Session COpenSSL_Session;

/// The result of a step of a session. Counts of bytes are zero or more.
enum {
    /// More bytes from the peer are needed.
    COpenSSL_wantsMore = -1,
    /// The peer closed the session properly.
    COpenSSL_closed = -2,
    /// The session failed; see COpenSSL_failure and COpenSSL_verifyResult.
    COpenSSL_failed = -3,
};

typedef struct COpenSSL_Trust COpenSSL_Trust;

/// Reads the system's trust store and adds `anchors` (PEM, may be empty). NULL on failure, with the reason in `error`.
///
/// Reading takes up to 100 ms. Any number of threads may use the result at the same time.
COpenSSL_Trust *COpenSSL_trustCreate(const char *anchors, size_t anchorsLength, char *error, size_t errorCapacity);

/// Whether the system's trust store may hold a certificate; true for an unreadable store.
bool COpenSSL_hasTrustStore(void);

/// The same for one file and for folders separated by colons; either may be NULL.
bool COpenSSL_mayHoldCertificates(const char *file, const char *folders);

/// Releases the trust store. Sessions that were created with it stay valid.
void COpenSSL_trustDestroy(COpenSSL_Trust *trust);

/// Creates a client session: TLS 1.2 or later, SNI, chain and name verified.
///
/// `host` is a name without a trailing dot, or a numeric address without a zone when `isAddress`. NULL on failure, with the
/// reason in `error`.
COpenSSL_Session *COpenSSL_clientCreate(const COpenSSL_Trust *trust, const char *host, bool isAddress, char *error,
                                        size_t errorCapacity);

/// Completes the handshake of a client session with any certificate, to inspect it; the result of verifying it stays available.
/// Call it before the handshake, and exchange no data in the session.
void COpenSSL_acceptAnyCertificate(COpenSSL_Session *session);

/// The time until which the peer's certificate is valid, in seconds since 1970. Returns false without a certificate.
bool COpenSSL_certificateExpiry(const COpenSSL_Session *session, long long *seconds);

/// Creates a session of a context (`SSL_CTX`), which the caller keeps. NULL on failure, with the reason in `error`.
COpenSSL_Session *COpenSSL_sessionCreate(void *context, char *error, size_t errorCapacity);

/// The session's connection object (`SSL`).
void *COpenSSL_connection(const COpenSSL_Session *session);

void COpenSSL_destroy(COpenSSL_Session *session);

/// Adds bytes received from the peer. Returns the number of bytes added, or COpenSSL_failed.
int COpenSSL_feed(COpenSSL_Session *session, const void *bytes, size_t count);

/// Removes bytes to send to the peer. Returns their number, 0 when there are none.
int COpenSSL_drain(COpenSSL_Session *session, void *bytes, size_t capacity);

/// Continues the handshake. Returns 0 when it is complete, or one of the negative results.
int COpenSSL_handshake(COpenSSL_Session *session);

/// Decrypts bytes. Returns their number, at least one, or one of the negative results.
int COpenSSL_read(COpenSSL_Session *session, void *bytes, size_t capacity);

/// Encrypts bytes. Returns the number consumed, or one of the negative results.
int COpenSSL_write(COpenSSL_Session *session, const void *bytes, size_t count);

/// Adds the closing alert to the bytes to send.
void COpenSSL_close(COpenSSL_Session *session);

/// OpenSSL's result of verifying the certificate (X509_V_…), 0 when it is valid, and its text.
long COpenSSL_verifyResult(const COpenSSL_Session *session);
void COpenSSL_verifyText(const COpenSSL_Session *session, char *text, size_t capacity);

/// OpenSSL's text for the last failure.
void COpenSSL_failure(const COpenSSL_Session *session, char *text, size_t capacity);
