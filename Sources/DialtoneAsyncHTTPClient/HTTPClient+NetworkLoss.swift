// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
public import AsyncHTTPClient
import Dialtone
public import NIOCore

extension HTTPClient {
    /// The default client of `NetworkRequester`: as `shared`, but its connections end when the network is lost, and a request
    /// fails with its first attempt to connect, which `shared` repeats until the time limit.
    public static let forRequesters: HTTPClient = {
        var configuration = Configuration.singletonConfiguration
        configuration.connectionPool.retryConnectionEstablishment = false
        #if os(Linux) || os(Android)
        configuration.closeConnectionsWithoutNetwork()
        #endif
        return HTTPClient(eventLoopGroup: defaultEventLoopGroup, configuration: configuration)
    }()

    /// Whether the client is known to use no proxy and to validate certificates: others do not reveal their configuration.
    var isOfDefaultConfiguration: Bool { self === HTTPClient.shared || self === HTTPClient.forRequesters }
}

#if os(Linux) || os(Android)
import Synchronization

extension HTTPClient.Configuration {
    /// Makes a connection end because its packets can no longer leave this machine.
    ///
    /// A request in flight over it then fails, instead of waiting for a response that cannot arrive. The time counts
    /// while the connection's local address is gone, or there is no route from it to the server or the proxy, without
    /// interruption: on Linux a connection survives a shorter loss. Connections to this machine are not concerned.
    ///
    /// - Parameter limit: the time after which a connection ends.
    public mutating func closeConnectionsWithoutNetwork(after limit: TimeAmount = .seconds(10)) {
        for property in [\Self.http1_1ConnectionDebugInitializer, \Self.http2ConnectionDebugInitializer] {
            let other = self[keyPath: property]
            self[keyPath: property] = { channel in
                let isInitialized = other?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
                return isInitialized.map { NetworkLossWatch(limit: limit).watch(channel) }
            }
        }
    }
}

/// Closes a channel when its packets have been unable to leave this machine for a time.
private final class NetworkLossWatch: Sendable {
    private let limit: TimeAmount
    private let closing = Mutex<Scheduled<Void>?>(nil)

    init(limit: TimeAmount) { self.limit = limit }

    func watch(_ channel: any Channel) {
        guard let local = channel.localAddress?.networkAddress, let remote = channel.remoteAddress?.networkAddress,
            HostEnvironment.canWatchConnection(from: local, to: remote)
        else { return }
        let subscription = HostEnvironment.watchConnection(from: local, to: remote) { self.update(channel, $0) }
        channel.closeFuture.whenComplete { _ in
            subscription.cancel()
            self.closing.withLock { $0?.cancel() }
        }
    }

    private func update(_ channel: any Channel, _ isCarried: Bool) {
        closing.withLock { closing in
            if isCarried {
                closing?.cancel()
                closing = nil
            } else if closing == nil {
                closing = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
            }
        }
    }
}

extension SocketAddress {
    fileprivate var networkAddress: NetworkAddress? { ipAddress.flatMap(NetworkAddress.init) }
}
#endif
#endif
