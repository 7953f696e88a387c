// SPDX-License-Identifier: Apache-2.0

import LibC

// The product `dialtone` where `DIALTONE_COMMAND` is not set: see Package.swift.
print("dialtone: this build has only the libraries; to build the command: DIALTONE_COMMAND=1 swift run dialtone")
exit(64)
