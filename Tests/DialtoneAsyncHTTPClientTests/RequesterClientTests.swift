// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && AsyncHTTPClient
import AsyncHTTPClient
import DialtoneAsyncHTTPClient
import Testing

/// The default client of requesters.
struct RequesterClientTests {
    @Test func `its connections end when the network is lost, and its attempts to connect are not repeated`() throws {
        let stored = Mirror(reflecting: HTTPClient.forRequesters).descendant("configuration")
        let configuration = try #require(stored as? HTTPClient.Configuration)
        #expect(configuration.http1_1ConnectionDebugInitializer != nil)
        #expect(configuration.http2ConnectionDebugInitializer != nil)
        #expect(!configuration.connectionPool.retryConnectionEstablishment)
    }
}
#endif
