// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Netlink
package import NetlinkTesting
package import SystemSupport

extension ThreadStarter {
    /// Starts threads in a network namespace.
    package static func inside(_ namespace: NetworkNamespace) -> ThreadStarter {
        ThreadStarter { name, work in
            try namespace.run { try DedicatedThread.start(name: name, work) }
        }
    }
}
#endif
