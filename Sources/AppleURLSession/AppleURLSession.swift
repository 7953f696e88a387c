// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
public import DialtoneURLSession
public import FoundationEssentials
public import FoundationNetworking

// Source written for Apple platforms imports only Foundation. On Linux, URLSession is in FoundationNetworking, without
// connectivity. If such source is compiled with `-Xfrontend -import-module -Xfrontend AppleURLSession`, it gets
// URLSession from this module, and the declarations below hide Foundation's. A file that imports FoundationNetworking
// itself finds both, which is ambiguous.

extension URLSessionConfiguration {
    /// A default configuration: as on Apple platforms, its tasks fail at once without a path, unless they wait.
    public class var `default`: URLSessionConfiguration { makeFailing(ephemeral: false) }

    /// A configuration without persistent storage, whose tasks fail at once without a path, unless they wait.
    public class var ephemeral: URLSessionConfiguration { makeFailing(ephemeral: true) }

    /// Whether tasks wait for connectivity instead of failing at once; false by default.
    public var waitsForConnectivity: Bool {
        get { connectivitySettings.waits }
        set { connectivitySettings.waits = newValue }
    }

    /// Whether tasks may use a network that charges by volume; true by default.
    public var allowsExpensiveNetworkAccess: Bool {
        get { connectivitySettings.allowsExpensive }
        set { connectivitySettings.allowsExpensive = newValue }
    }

    /// Whether tasks may use a network in low data mode; true by default.
    public var allowsConstrainedNetworkAccess: Bool {
        get { connectivitySettings.allowsConstrained }
        set { connectivitySettings.allowsConstrained = newValue }
    }

    /// Whether tasks may use a network that carries very little data, such as a satellite's; true by default.
    public var allowsUltraConstrainedNetworkAccess: Bool {
        get { connectivitySettings.allowsUltraConstrained }
        set { connectivitySettings.allowsUltraConstrained = newValue }
    }

    /// The time in seconds without a route after which a request in flight ends with `networkConnectionLost`.
    ///
    /// It is 10 by default; infinity means never. Apple platforms have no such setting.
    public var timeoutIntervalForNetworkLoss: TimeInterval {
        get { connectivitySettings.lossInterval }
        set { connectivitySettings.lossInterval = newValue }
    }
}

extension URLRequest {
    /// Whether the request may use a network that charges by volume; true by default.
    public var allowsExpensiveNetworkAccess: Bool {
        get { !isForbidden(.expensive) }
        set { forbid(.expensive, !newValue) }
    }

    /// Whether the request may use a network in low data mode; true by default.
    public var allowsConstrainedNetworkAccess: Bool {
        get { !isForbidden(.constrained) }
        set { forbid(.constrained, !newValue) }
    }

    /// Whether the request may use a network that carries very little data, such as a satellite's; true by default.
    public var allowsUltraConstrainedNetworkAccess: Bool {
        get { !isForbidden(.ultraConstrained) }
        set { forbid(.ultraConstrained, !newValue) }
    }
}

extension URLSession {
    /// The shared session, whose tasks fail at once without a path.
    public class var shared: URLSession { sharedFailing }
}

/// A delegate of a task, with Apple's method for tasks that wait.
public protocol URLSessionTaskDelegate: URLSessionConnectivityDelegate {}

extension URLSessionTaskDelegate {
    /// Does nothing: the method is optional.
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}
}

/// A delegate of a data task, with Apple's method for tasks that wait.
public protocol URLSessionDataDelegate: FoundationNetworking.URLSessionDataDelegate, URLSessionTaskDelegate {}

/// A delegate of a download, with Apple's method for tasks that wait.
public protocol URLSessionDownloadDelegate: FoundationNetworking.URLSessionDownloadDelegate, URLSessionTaskDelegate {}
#endif
