// SPDX-License-Identifier: Apache-2.0

import LibC

/// The environment variables of this process.
package enum ProcessEnvironment {
    /// Returns the value of a variable; nil if it is not set.
    package static func value(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
