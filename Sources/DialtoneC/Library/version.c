/* SPDX-License-Identifier: Apache-2.0 */

#include <dialtone.h>

const char *dialtone_get_version(void) { return DIALTONE_VERSION; }
