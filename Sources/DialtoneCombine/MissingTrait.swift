// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if !canImport(Darwin) && !Publishers

@_exported public import AppleCombine
@_exported public import Dialtone
public import OpenNetwork

// Stand-ins for the names that source files use first, as in AppleCombine.

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
extension NWPathMonitor {
    public var publisher: AnyPublisher<NWPath, Never> { AnyPublisher() }
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
extension NetworkPath {
    public static func publisher(_ filter: PathFilter = PathFilter()) -> AnyPublisher<NetworkPath, Never> {
        AnyPublisher()
    }
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
extension HostReachability {
    public var publisher: AnyPublisher<HostReport, Never> { AnyPublisher() }
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
extension ConnectivityMonitor {
    public var publisher: AnyPublisher<Connectivity, Never> { AnyPublisher() }
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
extension NetworkRequester {
    public var publisher: AnyPublisher<NetworkRequester.Status, Never> { AnyPublisher() }
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public final class NetworkReachability {
    public init?() {}
    public init?(host: String) {}
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public final class NetworkMonitor {
    public init() {}
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public final class CallbackReachabilityProvider {
    public init(_ reachability: any CallbackReachability) {}
}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public protocol CallbackReachability {}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public protocol NetworkReachabilityProvider: AnyObject {}

@available(*, unavailable, message: "needs the trait Publishers: .package(url: …, traits: [\"Publishers\"])")
public enum NetworkReachabilityStatus {}

#endif
