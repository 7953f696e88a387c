// SPDX-License-Identifier: Apache-2.0

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

static void *makeKey(const struct CTLSTesting_Functions *library) {
    void *context = library->EVP_PKEY_CTX_new_id(keyTypeEllipticCurve, NULL);
    void *key = NULL;
    if (context == NULL) return NULL;
    if (library->EVP_PKEY_keygen_init(context) != 1 ||
        library->EVP_PKEY_CTX_ctrl_str(context, "ec_paramgen_curve", "P-256") != 1 ||
        library->EVP_PKEY_keygen(context, &key) != 1) {
        key = NULL;
    }
    library->EVP_PKEY_CTX_free(context);
    return key;
}

static bool addExtension(const struct CTLSTesting_Functions *library, void *certificate, int kind, const char *value) {
    void *extension = library->X509V3_EXT_nconf_nid(NULL, NULL, kind, value);
    if (extension == NULL) return false;
    bool isAdded = library->X509_add_ext(certificate, extension, -1) == 1;
    library->X509_EXTENSION_free(extension);
    return isAdded;
}

/// Fills in a certificate and signs it.
static bool fill(const struct CTLSTesting_Functions *library, void *certificate, void *key, void *issuer, void *issuerKey,
                 const char *commonName, const char *alternativeNames, long validFrom, long validTo) {
    unsigned char serial[4];
    if (library->RAND_bytes(serial, sizeof serial) != 1) return false;
    long number = 1 + (((long)(serial[0] & 0x7f) << 24) | (serial[1] << 16) | (serial[2] << 8) | serial[3]) / 2;
    void *name = library->X509_get_subject_name(certificate);
    bool isSelfSigned = issuer == NULL;
    bool isAuthority = isSelfSigned && alternativeNames == NULL;
    return library->X509_set_version(certificate, versionThree) == 1 &&
           library->ASN1_INTEGER_set(library->X509_get_serialNumber(certificate), number) == 1 &&
           library->X509_gmtime_adj(library->X509_getm_notBefore(certificate), validFrom) != NULL &&
           library->X509_gmtime_adj(library->X509_getm_notAfter(certificate), validTo) != NULL &&
           library->X509_set_pubkey(certificate, key) == 1 &&
           library->X509_NAME_add_entry_by_txt(name, "CN", textIsUTF8, (const unsigned char *)commonName, -1, -1, 0) ==
               1 &&
           library->X509_set_issuer_name(certificate, isSelfSigned ? name : library->X509_get_subject_name(issuer)) ==
               1 &&
           addExtension(library, certificate, extensionBasicConstraints,
                        isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE") &&
           addExtension(library, certificate, extensionKeyUsage,
                        isAuthority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature") &&
           (alternativeNames == NULL || addExtension(library, certificate, extensionAlternativeName, alternativeNames)) &&
           library->X509_sign(certificate, isSelfSigned ? key : issuerKey, library->EVP_sha256()) > 0;
}

/// Copies a memory BIO's text, with a NUL after it.
static bool copyText(const struct CTLSTesting_Functions *library, void *bio, char *text, size_t capacity) {
    int count = capacity == 0 ? -1 : library->BIO_read(bio, text, (int)capacity - 1);
    if (count <= 0) return false;
    text[count] = 0;
    return true;
}

int CTLSTesting_makeCertificate(const char *commonName, const char *alternativeNames, const char *issuerCertificate,
                         const char *issuerKey, long validFrom, long validTo, char *certificate,
                         size_t certificateCapacity, char *key, size_t keyCapacity, char *error,
                         size_t errorCapacity) {
    const struct CTLSTesting_Functions *library = CTLSTesting_functions(error, errorCapacity);
    if (library == NULL) return -1;
    library->ERR_clear_error();
    void *issuer = CTLSTesting_readPEM(library, issuerCertificate, library->PEM_read_bio_X509);
    void *signer = CTLSTesting_readPEM(library, issuerKey, library->PEM_read_bio_PrivateKey);
    void *secret = makeKey(library);
    void *subject = library->X509_new();
    void *certificateText = library->BIO_new(library->BIO_s_mem());
    void *keyText = library->BIO_new(library->BIO_s_mem());
    bool hasIssuer = issuerCertificate == NULL || (issuer != NULL && signer != NULL);
    bool isMade = hasIssuer && secret != NULL && subject != NULL && certificateText != NULL && keyText != NULL &&
                  fill(library, subject, secret, issuer, signer, commonName, alternativeNames, validFrom, validTo) &&
                  library->PEM_write_bio_X509(certificateText, subject) == 1 &&
                  library->PEM_write_bio_PrivateKey(keyText, secret, NULL, NULL, 0, NULL, NULL) == 1 &&
                  copyText(library, certificateText, certificate, certificateCapacity) &&
                  copyText(library, keyText, key, keyCapacity);
    if (!isMade) CTLSTesting_popError(library, error, errorCapacity, "the certificate could not be created");
    if (issuer != NULL) library->X509_free(issuer);
    if (signer != NULL) library->EVP_PKEY_free(signer);
    if (secret != NULL) library->EVP_PKEY_free(secret);
    if (subject != NULL) library->X509_free(subject);
    if (certificateText != NULL) library->BIO_free(certificateText);
    if (keyText != NULL) library->BIO_free(keyText);
    return isMade ? 0 : -1;
}
