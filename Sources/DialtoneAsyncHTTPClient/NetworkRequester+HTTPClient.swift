// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
public import AsyncHTTPClient
public import Dialtone
public import FoundationEssentials
public import NIOCore
import NIOHTTP1
import NIOSSL

extension NetworkRequester {
    /// Requests JSON.
    ///
    /// With the default client, or `HTTPClient.shared`, a request fails at once if there is no path to its host. With the
    /// default client, and others that `HTTPClient.Configuration.closeConnectionsWithoutNetwork(after:)` has configured, it
    /// also ends when the network is lost.
    ///
    /// A response over HTTPS proves to the monitor that the Internet is reachable if the certificate was validated. A client
    /// does not reveal its configuration: that is known only of these two, and of a request with a `tlsConfiguration` of its
    /// own.
    ///
    /// - Parameters:
    ///   - type: the type to decode from the body of a successful response.
    ///   - request: the request.
    ///   - client: the client that makes it.
    ///   - timeout: the time limit for the response's head.
    ///   - maximumBodySize: the maximum size of the body in bytes; a larger one is an error of the request.
    ///   - decoder: decodes the body.
    /// - Returns: the decoded body.
    /// - Throws: the request's failure.
    public func request<Value: Decodable>(
        _ type: Value.Type, for request: HTTPClientRequest, client: HTTPClient = .forRequesters,
        timeout: TimeAmount = .seconds(60), maximumBodySize: Int = 16 << 20, decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkRequester.RequestError) -> Value {
        let server = try? HostTarget(request.url)
        return try await self.request(type, to: server, decoder: decoder) {
            if client.isOfDefaultConfiguration, let server,
                case .blocked(let error) = await HostEnvironment.system.outlook(on: [server.host])
            {
                throw error
            }
            let response = try await client.execute(request, timeout: timeout)
            let body = try await response.body.collect(upTo: maximumBodySize)
            let isSecure = response.url?.scheme?.lowercased() == "https"
            return NetworkRequester.Reply(
                status: Int(response.status.code), body: Data(body.readableBytesView),
                isAuthenticated: isSecure && client.isKnownToValidate(request))
        }
    }
}

extension HTTPClient {
    /// Whether it is known that the certificate of a server that this request reaches is validated.
    func isKnownToValidate(_ request: HTTPClientRequest) -> Bool {
        request.tlsConfiguration.map { $0.certificateVerification == .fullVerification } ?? isOfDefaultConfiguration
    }
}
#endif
