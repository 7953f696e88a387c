// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
public import DialtoneURLSession
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
