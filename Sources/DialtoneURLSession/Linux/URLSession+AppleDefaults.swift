// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
package import FoundationNetworking

// For the module `AppleURLSession`: it declares Foundation's own names, and so cannot use them.

extension URLSessionConfiguration {
    /// Foundation's configuration, with tasks that fail at once without a path.
    package static func makeFailing(ephemeral: Bool) -> URLSessionConfiguration {
        let configuration: URLSessionConfiguration = ephemeral ? .ephemeral : .default
        configuration.failsWithoutConnectivity = true
        return configuration
    }

    package var isWaiting: Bool {
        get { waitsForConnectivity }
        set { waitsForConnectivity = newValue }
    }

    package var isExpensiveAllowed: Bool {
        get { allowsExpensiveNetworkAccess }
        set { allowsExpensiveNetworkAccess = newValue }
    }

    package var isConstrainedAllowed: Bool {
        get { allowsConstrainedNetworkAccess }
        set { allowsConstrainedNetworkAccess = newValue }
    }
}

extension URLSession {
    /// Foundation's shared session, with tasks that fail at once without a path.
    package static let sharedFailing: URLSession = {
        shared.failWithoutConnectivity()
        return shared
    }()
}
#endif
