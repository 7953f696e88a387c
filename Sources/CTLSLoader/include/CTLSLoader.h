//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The system's OpenSSL (3 or 1.1), found when the program runs: neither building nor starting needs it.
//
// A session turns bytes into bytes and touches no socket, so that it cannot block and raises no SIGPIPE. It belongs to
// one thread at a time.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Why TLS is not available; NULL when it is. Loads the libraries at the first call.
const char *CTLS_unavailable(void);

typedef struct CTLS_Session CTLS_Session;

/// What a step of a session came to. Counts of bytes are zero or more.
enum {
    /// More bytes are needed from the other side, or must be taken to it.
    CTLS_wantsMore = -1,
    /// The other side has closed the session properly.
    CTLS_closed = -2,
    /// It failed; CTLS_failure and CTLS_verifyResult say how.
    CTLS_failed = -3,
};

typedef struct CTLS_Trust CTLS_Trust;

/// Reads the system's trust store, and `anchors` (PEM, may be empty) besides. NULL on failure, with words in `error`.
///
/// Reading takes up to a tenth of a second. Any thread may use the result, several at a time.
CTLS_Trust *CTLS_trustCreate(const char *anchors, size_t anchorsLength, char *error, size_t errorCapacity);

/// Whether the system's trust store may hold a certificate. What cannot be looked into may.
bool CTLS_hasTrustStore(void);

/// The same of one file and of folders, separated by colons; either may be NULL.
bool CTLS_mayHoldCertificates(const char *file, const char *folders);

/// Sessions that were made with it live on.
void CTLS_trustDestroy(CTLS_Trust *trust);

/// Makes the client's side: TLS 1.2 or later, SNI, the chain and the name verified.
///
/// `host` is a name, or a numeric address when `isAddress`. NULL on failure, with words in `error`.
CTLS_Session *CTLS_clientCreate(const CTLS_Trust *trust, const char *host, bool isAddress, char *error,
                                size_t errorCapacity);

/// Makes the server's side with a certificate and its key, both PEM. NULL on failure, with words in `error`.
CTLS_Session *CTLS_serverCreate(const char *certificate, size_t certificateLength, const char *key, size_t keyLength,
                                char *error, size_t errorCapacity);

void CTLS_destroy(CTLS_Session *session);

/// Takes bytes that came from the other side. The number taken, or CTLS_failed.
int CTLS_feed(CTLS_Session *session, const void *bytes, size_t count);

/// Gives bytes that must go to the other side: their number, 0 when there are none.
int CTLS_drain(CTLS_Session *session, void *bytes, size_t capacity);

/// Goes on with the handshake: 0 when it is done.
int CTLS_handshake(CTLS_Session *session);

/// Decrypts: the number of bytes, at least one, or one of the negative answers.
int CTLS_read(CTLS_Session *session, void *bytes, size_t capacity);

/// Encrypts: the number of bytes taken, or one of the negative answers.
int CTLS_write(CTLS_Session *session, const void *bytes, size_t count);

/// Says goodbye; the bytes are to be drained.
void CTLS_close(CTLS_Session *session);

/// OpenSSL's verdict on the certificate (X509_V_…), 0 when it is good, and its words.
long CTLS_verifyResult(const CTLS_Session *session);
void CTLS_verifyText(const CTLS_Session *session, char *text, size_t capacity);

/// OpenSSL's words for the last failure.
void CTLS_failure(const CTLS_Session *session, char *text, size_t capacity);

/// Makes a certificate with a new P-256 key, valid from `validFrom` to `validTo` seconds from now.
///
/// With an issuer (both PEM) it is a server's, for `alternativeNames` such as `DNS:example.org,IP:127.0.0.1`; without,
/// it is an authority's, signed by itself. The PEM texts end with NUL. 0, or -1 with words in `error`.
int CTLS_makeCertificate(const char *commonName, const char *alternativeNames, const char *issuerCertificate,
                         const char *issuerKey, long validFrom, long validTo, char *certificate,
                         size_t certificateCapacity, char *key, size_t keyCapacity, char *error, size_t errorCapacity);
