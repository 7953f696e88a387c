//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// OpenSSL's functions by pointer. The declarations are OpenSSL's documented interface, the same in 1.1 and 3.
#pragma once

#include <stddef.h>

#define CTLS_FUNCTIONS(SSL_, CRYPTO_)                                                                                  \
    SSL_(int, OPENSSL_init_ssl, (unsigned long long, const void *))                                                    \
    SSL_(const void *, TLS_client_method, (void))                                                                      \
    SSL_(const void *, TLS_server_method, (void))                                                                      \
    SSL_(void *, SSL_CTX_new, (const void *))                                                                          \
    SSL_(void, SSL_CTX_free, (void *))                                                                                 \
    SSL_(long, SSL_CTX_ctrl, (void *, int, long, void *))                                                              \
    SSL_(int, SSL_CTX_set_default_verify_paths, (void *))                                                              \
    SSL_(void, SSL_CTX_set_verify, (void *, int, void *))                                                              \
    SSL_(void *, SSL_CTX_get_cert_store, (const void *))                                                               \
    SSL_(int, SSL_CTX_use_certificate, (void *, void *))                                                               \
    SSL_(int, SSL_CTX_use_PrivateKey, (void *, void *))                                                                \
    SSL_(void *, SSL_new, (void *))                                                                                    \
    SSL_(void, SSL_free, (void *))                                                                                     \
    SSL_(void, SSL_set_bio, (void *, void *, void *))                                                                  \
    SSL_(long, SSL_ctrl, (void *, int, long, void *))                                                                  \
    SSL_(int, SSL_set1_host, (void *, const char *))                                                                   \
    SSL_(void *, SSL_get0_param, (void *))                                                                             \
    SSL_(void, SSL_set_connect_state, (void *))                                                                        \
    SSL_(void, SSL_set_accept_state, (void *))                                                                         \
    SSL_(int, SSL_do_handshake, (void *))                                                                              \
    SSL_(int, SSL_read, (void *, void *, int))                                                                         \
    SSL_(int, SSL_write, (void *, const void *, int))                                                                  \
    SSL_(int, SSL_shutdown, (void *))                                                                                  \
    SSL_(int, SSL_get_error, (const void *, int))                                                                      \
    SSL_(long, SSL_get_verify_result, (const void *))                                                                  \
    CRYPTO_(int, X509_VERIFY_PARAM_set1_ip_asc, (void *, const char *))                                                \
    CRYPTO_(const char *, X509_verify_cert_error_string, (long))                                                       \
    CRYPTO_(int, X509_STORE_add_cert, (void *, void *))                                                                \
    CRYPTO_(const char *, X509_get_default_cert_file, (void))                                                          \
    CRYPTO_(const char *, X509_get_default_cert_file_env, (void))                                                      \
    CRYPTO_(const char *, X509_get_default_cert_dir, (void))                                                           \
    CRYPTO_(const char *, X509_get_default_cert_dir_env, (void))                                                       \
    CRYPTO_(const void *, BIO_s_mem, (void))                                                                           \
    CRYPTO_(void *, BIO_new, (const void *))                                                                           \
    CRYPTO_(void *, BIO_new_mem_buf, (const void *, int))                                                              \
    CRYPTO_(int, BIO_free, (void *))                                                                                   \
    CRYPTO_(int, BIO_read, (void *, void *, int))                                                                      \
    CRYPTO_(int, BIO_write, (void *, const void *, int))                                                               \
    CRYPTO_(unsigned long, ERR_get_error, (void))                                                                      \
    CRYPTO_(void, ERR_clear_error, (void))                                                                             \
    CRYPTO_(const char *, ERR_reason_error_string, (unsigned long))                                                    \
    CRYPTO_(void *, PEM_read_bio_X509, (void *, void *, void *, void *))                                               \
    CRYPTO_(void *, PEM_read_bio_PrivateKey, (void *, void *, void *, void *))                                         \
    CRYPTO_(int, PEM_write_bio_X509, (void *, void *))                                                                 \
    CRYPTO_(int, PEM_write_bio_PrivateKey, (void *, void *, void *, void *, int, void *, void *))                      \
    CRYPTO_(void *, EVP_PKEY_CTX_new_id, (int, void *))                                                                \
    CRYPTO_(void, EVP_PKEY_CTX_free, (void *))                                                                         \
    CRYPTO_(int, EVP_PKEY_keygen_init, (void *))                                                                       \
    CRYPTO_(int, EVP_PKEY_CTX_ctrl_str, (void *, const char *, const char *))                                          \
    CRYPTO_(int, EVP_PKEY_keygen, (void *, void **))                                                                   \
    CRYPTO_(void, EVP_PKEY_free, (void *))                                                                             \
    CRYPTO_(const void *, EVP_sha256, (void))                                                                          \
    CRYPTO_(int, RAND_bytes, (unsigned char *, int))                                                                   \
    CRYPTO_(void *, X509_new, (void))                                                                                  \
    CRYPTO_(void, X509_free, (void *))                                                                                 \
    CRYPTO_(int, X509_set_version, (void *, long))                                                                     \
    CRYPTO_(void *, X509_get_serialNumber, (void *))                                                                   \
    CRYPTO_(int, ASN1_INTEGER_set, (void *, long))                                                                     \
    CRYPTO_(void *, X509_getm_notBefore, (const void *))                                                               \
    CRYPTO_(void *, X509_getm_notAfter, (const void *))                                                                \
    CRYPTO_(void *, X509_gmtime_adj, (void *, long))                                                                   \
    CRYPTO_(int, X509_set_pubkey, (void *, void *))                                                                    \
    CRYPTO_(void *, X509_get_subject_name, (const void *))                                                             \
    CRYPTO_(int, X509_set_issuer_name, (void *, void *))                                                               \
    CRYPTO_(int, X509_NAME_add_entry_by_txt, (void *, const char *, int, const unsigned char *, int, int, int))        \
    CRYPTO_(void *, X509V3_EXT_nconf_nid, (void *, void *, int, const char *))                                         \
    CRYPTO_(int, X509_add_ext, (void *, void *, int))                                                                  \
    CRYPTO_(void, X509_EXTENSION_free, (void *))                                                                       \
    CRYPTO_(int, X509_sign, (void *, void *, const void *))

struct CTLS_Library {
#define CTLS_MEMBER(result, name, arguments) result(*name) arguments;
    CTLS_FUNCTIONS(CTLS_MEMBER, CTLS_MEMBER)
#undef CTLS_MEMBER
};

/// The functions, or NULL; `CTLS_unavailable` says why.
const struct CTLS_Library *CTLS_library(void);

/// Copies the words for OpenSSL's oldest error and forgets the rest; `fallback` when there is none.
void CTLS_takeError(const struct CTLS_Library *library, char *text, size_t capacity, const char *fallback);
