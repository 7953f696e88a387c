// SPDX-License-Identifier: Apache-2.0

// OpenSSL's functions by pointer. The declarations are OpenSSL's documented interface, the same since version 1.1.
#pragma once

#include <stddef.h>

#define COPENSSL_FUNCTIONS(FUNCTION)                                                                                   \
    FUNCTION(int, OPENSSL_init_ssl, (unsigned long long, const void *))                                                \
    FUNCTION(const void *, TLS_client_method, (void))                                                                  \
    FUNCTION(void *, SSL_CTX_new, (const void *))                                                                      \
    FUNCTION(void, SSL_CTX_free, (void *))                                                                             \
    FUNCTION(long, SSL_CTX_ctrl, (void *, int, long, void *))                                                          \
    FUNCTION(int, SSL_CTX_set_default_verify_paths, (void *))                                                          \
    FUNCTION(void, SSL_CTX_set_verify, (void *, int, void *))                                                          \
    FUNCTION(void *, SSL_CTX_get_cert_store, (const void *))                                                           \
    FUNCTION(void *, SSL_new, (void *))                                                                                \
    FUNCTION(void, SSL_free, (void *))                                                                                 \
    FUNCTION(void, SSL_set_bio, (void *, void *, void *))                                                              \
    FUNCTION(long, SSL_ctrl, (void *, int, long, void *))                                                              \
    FUNCTION(int, SSL_set1_host, (void *, const char *))                                                               \
    FUNCTION(void, SSL_set_hostflags, (void *, unsigned int))                                                          \
    FUNCTION(void *, SSL_get0_param, (void *))                                                                         \
    FUNCTION(void, SSL_set_verify, (void *, int, void *))                                                              \
    FUNCTION(void, SSL_set_connect_state, (void *))                                                                    \
    FUNCTION(int, SSL_do_handshake, (void *))                                                                          \
    FUNCTION(int, SSL_read, (void *, void *, int))                                                                     \
    FUNCTION(int, SSL_write, (void *, const void *, int))                                                              \
    FUNCTION(int, SSL_shutdown, (void *))                                                                              \
    FUNCTION(int, SSL_get_error, (const void *, int))                                                                  \
    FUNCTION(long, SSL_get_verify_result, (const void *))                                                              \
    FUNCTION(void *, SSL_get_peer_cert_chain, (const void *))                                                          \
    FUNCTION(void *, OPENSSL_sk_value, (const void *, int))                                                            \
    FUNCTION(const void *, X509_get0_notAfter, (const void *))                                                         \
    FUNCTION(void *, ASN1_TIME_set, (void *, long))                                                                    \
    FUNCTION(int, ASN1_TIME_diff, (int *, int *, const void *, const void *))                                          \
    FUNCTION(void, ASN1_STRING_free, (void *))                                                                         \
    FUNCTION(int, X509_VERIFY_PARAM_set1_ip_asc, (void *, const char *))                                               \
    FUNCTION(const char *, X509_verify_cert_error_string, (long))                                                      \
    FUNCTION(int, X509_STORE_add_cert, (void *, void *))                                                               \
    FUNCTION(const char *, X509_get_default_cert_file, (void))                                                         \
    FUNCTION(const char *, X509_get_default_cert_file_env, (void))                                                     \
    FUNCTION(const char *, X509_get_default_cert_dir, (void))                                                          \
    FUNCTION(const char *, X509_get_default_cert_dir_env, (void))                                                      \
    FUNCTION(void, X509_free, (void *))                                                                                \
    FUNCTION(void *, PEM_read_bio_X509, (void *, void *, void *, void *))                                              \
    FUNCTION(const void *, BIO_s_mem, (void))                                                                          \
    FUNCTION(void *, BIO_new, (const void *))                                                                          \
    FUNCTION(void *, BIO_new_mem_buf, (const void *, int))                                                             \
    FUNCTION(int, BIO_free, (void *))                                                                                  \
    FUNCTION(int, BIO_read, (void *, void *, int))                                                                     \
    FUNCTION(int, BIO_write, (void *, const void *, int))                                                              \
    FUNCTION(unsigned long, ERR_get_error, (void))                                                                     \
    FUNCTION(void, ERR_clear_error, (void))                                                                            \
    FUNCTION(const char *, ERR_reason_error_string, (unsigned long))

struct COpenSSL_Library {
#define COPENSSL_MEMBER(result, name, arguments) result(*name) arguments;
    COPENSSL_FUNCTIONS(COPENSSL_MEMBER)
#undef COPENSSL_MEMBER
};

/// The functions; only after `COpenSSL_unavailable` has returned NULL.
extern struct COpenSSL_Library COpenSSL;
