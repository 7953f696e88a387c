// SPDX-License-Identifier: Apache-2.0

#include "COpenSSL.h"
#include "CTLSTesting.h"
#include "functions.h"

#include <stdio.h>

// OpenSSL's documented constants.
enum {
    keyTypeEllipticCurve = 408,
    textIsUTF8 = 0x1000 | 1,
    versionThree = 2,
    extensionKeyUsage = 83,
    extensionAlternativeName = 85,
    extensionBasicConstraints = 87,
};

static void *makeKey(void) {
    void *context = CTLSTesting.EVP_PKEY_CTX_new_id(keyTypeEllipticCurve, NULL);
    void *key = NULL;
    if (context == NULL) return NULL;
    if (CTLSTesting.EVP_PKEY_keygen_init(context) != 1 ||
        CTLSTesting.EVP_PKEY_CTX_ctrl_str(context, "ec_paramgen_curve", "P-256") != 1 ||
        CTLSTesting.EVP_PKEY_keygen(context, &key) != 1) {
        key = NULL;
    }
    CTLSTesting.EVP_PKEY_CTX_free(context);
    return key;
}

static bool addExtension(void *certificate, int kind, const char *value) {
    void *extension = CTLSTesting.X509V3_EXT_nconf_nid(NULL, NULL, kind, value);
    if (extension == NULL) return false;
    bool isAdded = CTLSTesting.X509_add_ext(certificate, extension, -1) == 1;
    CTLSTesting.X509_EXTENSION_free(extension);
    return isAdded;
}

/// Fills in a certificate and signs it.
static bool fill(void *certificate, void *key, void *issuer, void *issuerKey, const char *commonName,
                 const char *alternativeNames, long validFrom, long validTo) {
    unsigned char serial[4];
    if (CTLSTesting.RAND_bytes(serial, sizeof serial) != 1) return false;
    long number = 1 + (((long)(serial[0] & 0x7f) << 24) | (serial[1] << 16) | (serial[2] << 8) | serial[3]) / 2;
    void *name = CTLSTesting.X509_get_subject_name(certificate);
    bool isSelfSigned = issuer == NULL;
    const unsigned char *text = (const unsigned char *)commonName;
    void *issuerName = isSelfSigned ? name : CTLSTesting.X509_get_subject_name(issuer);
    bool isAuthority = isSelfSigned && alternativeNames == NULL;
    return CTLSTesting.X509_set_version(certificate, versionThree) == 1 &&
           CTLSTesting.ASN1_INTEGER_set(CTLSTesting.X509_get_serialNumber(certificate), number) == 1 &&
           CTLSTesting.X509_gmtime_adj(CTLSTesting.X509_getm_notBefore(certificate), validFrom) != NULL &&
           CTLSTesting.X509_gmtime_adj(CTLSTesting.X509_getm_notAfter(certificate), validTo) != NULL &&
           CTLSTesting.X509_set_pubkey(certificate, key) == 1 &&
           CTLSTesting.X509_NAME_add_entry_by_txt(name, "CN", textIsUTF8, text, -1, -1, 0) == 1 &&
           CTLSTesting.X509_set_issuer_name(certificate, issuerName) == 1 &&
           addExtension(certificate, extensionBasicConstraints,
                        isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE") &&
           addExtension(certificate, extensionKeyUsage,
                        isAuthority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature") &&
           (alternativeNames == NULL || addExtension(certificate, extensionAlternativeName, alternativeNames)) &&
           CTLSTesting.X509_sign(certificate, isSelfSigned ? key : issuerKey, CTLSTesting.EVP_sha256()) > 0;
}

/// Copies a memory BIO's text, with a NUL after it.
static bool copyText(void *bio, char *text, size_t capacity) {
    int count = capacity == 0 ? -1 : CTLSTesting.BIO_read(bio, text, (int)capacity - 1);
    if (count <= 0) return false;
    text[count] = 0;
    return true;
}

int CTLSTesting_makeCertificate(const char *commonName, const char *alternativeNames, const char *issuerCertificate,
                         const char *issuerKey, long validFrom, long validTo, char *certificate,
                         size_t certificateCapacity, char *key, size_t keyCapacity, char *error,
                         size_t errorCapacity) {
    if (!CTLSTesting_isAvailable(error, errorCapacity)) return -1;
    CTLSTesting.ERR_clear_error();
    void *issuer = CTLSTesting_readPEM(issuerCertificate, CTLSTesting.PEM_read_bio_X509);
    void *signer = CTLSTesting_readPEM(issuerKey, CTLSTesting.PEM_read_bio_PrivateKey);
    void *secret = makeKey();
    void *subject = CTLSTesting.X509_new();
    void *certificateText = CTLSTesting.BIO_new(CTLSTesting.BIO_s_mem());
    void *keyText = CTLSTesting.BIO_new(CTLSTesting.BIO_s_mem());
    bool hasIssuer = issuerCertificate == NULL || (issuer != NULL && signer != NULL);
    bool isMade = hasIssuer && secret != NULL && subject != NULL && certificateText != NULL && keyText != NULL &&
                  fill(subject, secret, issuer, signer, commonName, alternativeNames, validFrom, validTo) &&
                  CTLSTesting.PEM_write_bio_X509(certificateText, subject) == 1 &&
                  CTLSTesting.PEM_write_bio_PrivateKey(keyText, secret, NULL, NULL, 0, NULL, NULL) == 1 &&
                  copyText(certificateText, certificate, certificateCapacity) &&
                  copyText(keyText, key, keyCapacity);
    if (!isMade) COpenSSL_popError(error, errorCapacity, "the certificate could not be created");
    CTLSTesting.X509_free(issuer);
    CTLSTesting.EVP_PKEY_free(signer);
    CTLSTesting.EVP_PKEY_free(secret);
    CTLSTesting.X509_free(subject);
    CTLSTesting.BIO_free(certificateText);
    CTLSTesting.BIO_free(keyText);
    return isMade ? 0 : -1;
}
