// SPDX-License-Identifier: Apache-2.0

// The functions of OpenSSL that only tests use, bound apart from the client's.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CTLSTESTING_FUNCTIONS(FUNCTION)                                                                                \
    FUNCTION(const void *, TLS_server_method, (void))                                                                  \
    FUNCTION(void *, SSL_CTX_new, (const void *))                                                                      \
    FUNCTION(void, SSL_CTX_free, (void *))                                                                             \
    FUNCTION(long, SSL_CTX_ctrl, (void *, int, long, void *))                                                          \
    FUNCTION(void, SSL_CTX_set_security_level, (void *, int))                                                          \
    FUNCTION(int, SSL_CTX_use_certificate, (void *, void *))                                                           \
    FUNCTION(int, SSL_CTX_use_PrivateKey, (void *, void *))                                                            \
    FUNCTION(void, SSL_set_accept_state, (void *))                                                                     \
    FUNCTION(int, SSL_key_update, (void *, int))                                                                       \
    FUNCTION(int, SSL_do_handshake, (void *))                                                                          \
    FUNCTION(const void *, BIO_s_mem, (void))                                                                          \
    FUNCTION(void *, BIO_new, (const void *))                                                                          \
    FUNCTION(void *, BIO_new_mem_buf, (const void *, int))                                                             \
    FUNCTION(int, BIO_free, (void *))                                                                                  \
    FUNCTION(int, BIO_read, (void *, void *, int))                                                                     \
    FUNCTION(void, ERR_clear_error, (void))                                                                            \
    FUNCTION(void *, PEM_read_bio_X509, (void *, void *, void *, void *))                                              \
    FUNCTION(void *, PEM_read_bio_PrivateKey, (void *, void *, void *, void *))                                        \
    FUNCTION(int, PEM_write_bio_X509, (void *, void *))                                                                \
    FUNCTION(int, PEM_write_bio_PrivateKey, (void *, void *, void *, void *, int, void *, void *))                     \
    FUNCTION(void *, EVP_PKEY_CTX_new_id, (int, void *))                                                               \
    FUNCTION(void, EVP_PKEY_CTX_free, (void *))                                                                        \
    FUNCTION(int, EVP_PKEY_keygen_init, (void *))                                                                      \
    FUNCTION(int, EVP_PKEY_CTX_ctrl_str, (void *, const char *, const char *))                                         \
    FUNCTION(int, EVP_PKEY_keygen, (void *, void **))                                                                  \
    FUNCTION(void, EVP_PKEY_free, (void *))                                                                            \
    FUNCTION(const void *, EVP_sha256, (void))                                                                         \
    FUNCTION(int, RAND_bytes, (unsigned char *, int))                                                                  \
    FUNCTION(void *, X509_new, (void))                                                                                 \
    FUNCTION(void, X509_free, (void *))                                                                                \
    FUNCTION(int, X509_set_version, (void *, long))                                                                    \
    FUNCTION(void *, X509_get_serialNumber, (void *))                                                                  \
    FUNCTION(int, ASN1_INTEGER_set, (void *, long))                                                                    \
    FUNCTION(void *, X509_getm_notBefore, (const void *))                                                              \
    FUNCTION(void *, X509_getm_notAfter, (const void *))                                                               \
    FUNCTION(void *, X509_gmtime_adj, (void *, long))                                                                  \
    FUNCTION(int, X509_set_pubkey, (void *, void *))                                                                   \
    FUNCTION(void *, X509_get_subject_name, (const void *))                                                            \
    FUNCTION(int, X509_set_issuer_name, (void *, void *))                                                              \
    FUNCTION(int, X509_NAME_add_entry_by_txt, (void *, const char *, int, const unsigned char *, int, int, int))       \
    FUNCTION(void *, X509V3_EXT_nconf_nid, (void *, void *, int, const char *))                                        \
    FUNCTION(int, X509_add_ext, (void *, void *, int))                                                                 \
    FUNCTION(void, X509_EXTENSION_free, (void *))                                                                      \
    FUNCTION(int, X509_sign, (void *, void *, const void *))

struct CTLSTesting_Functions {
#define CTLSTESTING_MEMBER(result, name, arguments) result(*name) arguments;
    CTLSTESTING_FUNCTIONS(CTLSTESTING_MEMBER)
#undef CTLSTESTING_MEMBER
};

/// The functions; only after `CTLSTesting_isAvailable`.
extern struct CTLSTesting_Functions CTLSTesting;

/// Returns false when TLS is not available or a function is missing, with the reason in `error`.
bool CTLSTesting_isAvailable(char *error, size_t errorCapacity);

/// Reads a PEM object with one of OpenSSL's functions; NULL for no text or an invalid one.
void *CTLSTesting_readPEM(const char *text, void *(*read)(void *, void *, void *, void *));
