// SPDX-License-Identifier: Apache-2.0

#include "COpenSSL.h"
#include "library.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Whether the last call failed because the file does not exist, rather than because it cannot be read.
static bool isMissing(void) {
    return errno == ENOENT || errno == ENOTDIR;
}

/// Whether a file holds the beginning of a PEM certificate: OpenSSL skips the text around it.
static bool mayFileHold(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return !isMissing();
    // A pipe may hold one, but cannot be read twice; /dev/null holds none.
    if (!S_ISREG(status.st_mode)) return !S_ISDIR(status.st_mode) && !S_ISCHR(status.st_mode);
    FILE *file = fopen(path, "re");
    if (file == NULL) return true;
    char line[128];
    bool isFound = false;
    while (!isFound && fgets(line, sizeof line, file) != NULL) {
        isFound = strncmp(line, "-----BEGIN ", 11) == 0 && strstr(line, "CERTIFICATE-----") != NULL;
    }
    fclose(file);
    return isFound;
}

/// Whether OpenSSL looks for a certificate under this name: eight hexadecimal digits, a dot and a number.
static bool isHashName(const char *name) {
    for (int index = 0; index < 8; index++) {
        if (!isxdigit((unsigned char)name[index])) return false;
    }
    return name[8] == '.' && name[9] != 0 && name[9 + strspn(name + 9, "0123456789")] == 0;
}

static bool mayFolderHold(const char *folder) {
    DIR *entries = opendir(folder);
    if (entries == NULL) return !isMissing();
    bool isFound = false;
    const struct dirent *entry;
    while (!isFound && (entry = readdir(entries)) != NULL) isFound = isHashName(entry->d_name);
    closedir(entries);
    return isFound;
}

bool COpenSSL_mayHoldCertificates(const char *file, const char *folders) {
    if (file != NULL && mayFileHold(file)) return true;
    while (folders != NULL && *folders != 0) {
        size_t length = strcspn(folders, ":");
        char folder[4096];
        if (length >= sizeof folder) return true;
        memcpy(folder, folders, length);
        folder[length] = 0;
        if (length > 0 && mayFolderHold(folder)) return true;
        folders += length;
        if (*folders == ':') folders++;
    }
    return false;
}

bool COpenSSL_hasTrustStore(void) {
    if (COpenSSL_unavailable() != NULL) return false;
    const char *file = getenv(COpenSSL.X509_get_default_cert_file_env());
    const char *folders = getenv(COpenSSL.X509_get_default_cert_dir_env());
    return COpenSSL_mayHoldCertificates(file != NULL ? file : COpenSSL.X509_get_default_cert_file(),
                                        folders != NULL ? folders : COpenSSL.X509_get_default_cert_dir());
}
