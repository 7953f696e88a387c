// SPDX-License-Identifier: Apache-2.0

#pragma once

/// The commit that this build was made from, such as "722a2e2"; NULL if the build did not get it.
const char *CBuild_commit(void);
