// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import FoundationNetworking

extension URLSessionConfiguration {
    /// Whether tasks fail at once with `notConnectedToInternet` (-1009) if there is no path to the host they contact.
    ///
    /// It is false by default, and true on Apple platforms.
    ///
    /// Without it, Foundation on Linux reports that the host was not found (-1003), or hangs until a timeout. A task
    /// contacts its proxy (`http_proxy` and so on) if one applies, else its host. Hosts on this machine's own links
    /// remain reachable, and so do isolated networks with their own DNS: a name is resolved first, for at most one
    /// second.
    ///
    /// The setting is stored like `waitsForConnectivity`, which takes precedence.
    public var failsWithoutConnectivity: Bool {
        get { connectivitySettings.fails }
        set { connectivitySettings.fails = newValue }
    }

    /// Whether tasks wait for connectivity instead of failing at once; false by default.
    ///
    /// It works as on Apple platforms: a task that finds no network, or only one that it may not use, waits and then
    /// continues automatically. While it waits, `timeoutIntervalForRequest` does not run, but
    /// `timeoutIntervalForResource` does, and ends the task with `timedOut`. A connection that breaks later is an error
    /// as before. The session's delegate is notified of the wait once, if it is a `URLSessionConnectivityDelegate`.
    ///
    /// All tasks for `http` and `https` of sessions that are created with the configuration respect it. Tasks for hosts
    /// or proxies that have their own route, such as hosts on this machine's links, do not wait for a path.
    ///
    /// The settings are stored in `protocolClasses`, which a session copies: to use your own protocol classes, set them
    /// first, or insert them after the first element.
    public var waitsForConnectivity: Bool {
        get { connectivitySettings.waits }
        set { connectivitySettings.waits = newValue }
    }

    /// Whether tasks may use a network that charges by volume; true by default.
    ///
    /// A task that finds only such networks waits, or fails with `notConnectedToInternet` and the
    /// `networkUnavailableReason` `expensive`. See `waitsForConnectivity` for how the setting is stored.
    public var allowsExpensiveNetworkAccess: Bool {
        get { connectivitySettings.allowsExpensive }
        set { connectivitySettings.allowsExpensive = newValue }
    }

    /// Whether tasks may use a network in low data mode; true by default.
    ///
    /// A task that finds only such networks waits, or fails with `notConnectedToInternet` and the
    /// `networkUnavailableReason` `constrained`. See `waitsForConnectivity` for how the setting is stored.
    public var allowsConstrainedNetworkAccess: Bool {
        get { connectivitySettings.allowsConstrained }
        set { connectivitySettings.allowsConstrained = newValue }
    }

    var connectivitySettings: ConnectivitySettings {
        get {
            let protocolClass = protocolClasses?.lazy.compactMap { $0 as? ConnectivityURLProtocol.Type }.first
            return protocolClass?.settings ?? ConnectivitySettings()
        }
        set {
            let others = (protocolClasses ?? []).filter { !($0 is ConnectivityURLProtocol.Type) }
            protocolClasses = (newValue.protocolClass.map { [$0] } ?? []) + others
        }
    }
}

extension URLSession {
    /// Makes the tasks of this session fail at once without a path.
    ///
    /// It sets `URLSessionConfiguration.failsWithoutConnectivity`.
    ///
    /// Use it for sessions that the program does not configure, such as `URLSession.shared`, before the session's first
    /// task.
    public func failWithoutConnectivity() { configuration.failsWithoutConnectivity = true }
}

/// The part of a session's configuration that concerns connectivity.
struct ConnectivitySettings: Hashable, Sendable {
    /// Whether tasks fail at once without connectivity, unless they are set to wait.
    var fails = false
    var waits = false
    var allowsExpensive = true
    var allowsConstrained = true
}

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
