// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension HostTarget {
    /// The host that a request for a URL contacts first: the proxy from the environment if one applies, else the URL's
    /// host.
    ///
    /// - Returns: nil for a URL without a host, and for a proxy that is not an HTTP proxy.
    package static func contact(
        for url: URL, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> HostTarget? {
        do {
            guard let target = try? ProbeTarget(url.absoluteString),
                let proxy = try ProxySettings(environment: environment).proxy(for: target)
            else { return try HostTarget(url) }
            return try HostTarget(proxy.host)
        } catch {
            return nil
        }
    }
}
