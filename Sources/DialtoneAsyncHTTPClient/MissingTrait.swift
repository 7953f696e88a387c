// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if !AsyncHTTPClient

@_exported public import Dialtone

// Stand-ins for the names that source files use first, with the members that make a first line compile. In a file that also imports
// AsyncHTTPClient, the compiler prefers its declarations, because they are available.

@available(*, unavailable, message: "needs the trait AsyncHTTPClient: .package(url: …, traits: [\"AsyncHTTPClient\"])")
public struct HTTPClientRequest {
    public init(url: String) {}
}

@available(*, unavailable, message: "needs the trait AsyncHTTPClient: .package(url: …, traits: [\"AsyncHTTPClient\"])")
public final class HTTPClient {
    public struct Configuration {
        public init() {}
    }
    public static var shared: HTTPClient { HTTPClient() }
    public init(configuration: Configuration = Configuration()) {}
}

#endif
