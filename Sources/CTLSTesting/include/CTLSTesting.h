// SPDX-License-Identifier: Apache-2.0

// The parts of OpenSSL that tests need besides the client: certificates, good and bad, and the server side of TLS.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct COpenSSL_Session;

/// Creates a server session with a certificate and its key, both PEM. NULL on failure, with the reason in `error`.
///
/// With `isOld` it speaks TLS 1.1 at most.
struct COpenSSL_Session *CTLSTesting_serverCreate(const char *certificate, const char *key, bool isOld, char *error,
                                                  size_t errorCapacity);

/// Requests a key update from the peer (TLS 1.3) and adds the message to the bytes to send. Returns whether it was added.
bool CTLSTesting_requestKeyUpdate(struct COpenSSL_Session *session);

/// Creates a certificate with a new P-256 key, valid from `validFrom` to `validTo` seconds from now.
///
/// - With an issuer (both PEM) it is a server's; without one it is signed with its own key.
/// - `alternativeNames` are the names that it is valid for, such as `DNS:example.org,IP:127.0.0.1`; NULL for none.
/// - Without an issuer and without names it is an authority's.
///
/// The PEM texts end with NUL. Returns 0, or -1 with the reason in `error`.
int CTLSTesting_makeCertificate(const char *commonName, const char *alternativeNames, const char *issuerCertificate,
                                const char *issuerKey, long validFrom, long validTo, char *certificate,
                                size_t certificateCapacity, char *key, size_t keyCapacity, char *error,
                                size_t errorCapacity);
