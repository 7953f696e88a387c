//===----------------------------------------------------------------------===//
// This source file is part of the Dialtone project.
// Copyright (c) 2026 the Dialtone project authors.
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "CTLSLoader.h"
#include "library.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// Whether the last call failed because there is nothing, and not because it could not look.
static bool isNothingThere(void) {
    return errno == ENOENT || errno == ENOTDIR;
}

static bool mayFileHold(const char *file) {
    struct stat status;
    if (stat(file, &status) != 0) return !isNothingThere();
    return !S_ISREG(status.st_mode) || status.st_size > 0;
}

static bool mayFolderHold(const char *folder) {
    DIR *entries = opendir(folder);
    if (entries == NULL) return !isNothingThere();
    bool isFound = false;
    const struct dirent *entry;
    while (!isFound && (entry = readdir(entries)) != NULL) isFound = entry->d_name[0] != '.';
    closedir(entries);
    return isFound;
}

bool CTLS_mayHoldCertificates(const char *file, const char *folders) {
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

bool CTLS_hasTrustStore(void) {
    const struct CTLS_Library *library = CTLS_library();
    if (library == NULL) return false;
    const char *file = getenv(library->X509_get_default_cert_file_env());
    const char *folders = getenv(library->X509_get_default_cert_dir_env());
    return CTLS_mayHoldCertificates(file != NULL ? file : library->X509_get_default_cert_file(),
                                    folders != NULL ? folders : library->X509_get_default_cert_dir());
}
