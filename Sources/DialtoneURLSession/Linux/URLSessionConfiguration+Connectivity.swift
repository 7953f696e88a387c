// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

public import FoundationEssentials
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
    /// A task whose connection cannot be established also waits if the network cannot carry it: there is no route to the
    /// host or its proxy, the router does not answer, or the name servers do not answer or answer with an error. A host
    /// that does not answer, or that a router reports as unreachable, is an error only if the Internet answers: otherwise
    /// the router's uplink may be down. A check decides that, with the checker of
    /// `ConnectivityMonitor.configureShared(_:checker:)`. The task tries again when the path changes, and after waits that
    /// grow to 10 seconds. A host that refuses, a name that does not exist, and a bad certificate are errors at once.
    ///
    /// A path does not mean Internet access: behind a login page, a task gets that page. To wait until Internet access
    /// is verified, make the request in `withConnectivity(WaitingPolicy(request, .verified))`.
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

    /// Whether tasks may use a network that carries very little data, such as a satellite's; true by default.
    ///
    /// A task that finds only such networks waits, or fails with `notConnectedToInternet` and the
    /// `networkUnavailableReason` `ultraConstrained`. See `waitsForConnectivity` for how the setting is stored.
    public var allowsUltraConstrainedNetworkAccess: Bool {
        get { connectivitySettings.allowsUltraConstrained }
        set { connectivitySettings.allowsUltraConstrained = newValue }
    }

    /// The time in seconds after which a request in flight ends with `networkConnectionLost` because packets of its
    /// connection can no longer leave this machine; 10 by default, 0 for at once, infinity for never.
    ///
    /// It is rounded to two digits.
    ///
    /// The time counts while the connection's local address is gone, or there is no route from it to the host or the
    /// proxy, without interruption: on Linux a connection survives a shorter loss, such as a change of the cable. It
    /// applies to a request that has been sent, until the response is complete, but not to hosts on this machine.
    /// Apple platforms have no such setting.
    ///
    /// It applies in sessions whose configuration has this or another setting of this module. See `waitsForConnectivity`
    /// for how it is stored.
    public var timeoutIntervalForNetworkLoss: TimeInterval {
        get { connectivitySettings.lossInterval }
        set { connectivitySettings.lossInterval = newValue }
    }

    package var connectivitySettings: ConnectivitySettings {
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
    /// Lets the tasks of this session fail at once without a path.
    ///
    /// It sets `URLSessionConfiguration.failsWithoutConnectivity`.
    ///
    /// Use it for sessions that the program does not configure, such as `URLSession.shared`, before the session's first
    /// task.
    public func failWithoutConnectivity() { configuration.failsWithoutConnectivity = true }
}

// For the module `AppleURLSession`: it declares Foundation's own names, and so cannot use them.

extension URLSessionConfiguration {
    /// Foundation's configuration, with tasks that fail at once without a path.
    package static func makeFailing(ephemeral: Bool) -> URLSessionConfiguration {
        let configuration: URLSessionConfiguration = ephemeral ? .ephemeral : .default
        configuration.failsWithoutConnectivity = true
        return configuration
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
