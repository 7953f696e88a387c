// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
@testable import DialtoneURLSession
import Testing

/// The settings that Foundation's configurations lack on Linux.
struct ConfigurationTests {
    @Test func `the defaults are Apple's`() {
        for configuration in [URLSessionConfiguration.default, .ephemeral, URLSession.shared.configuration] {
            #expect(!configuration.waitsForConnectivity)
            #expect(configuration.allowsExpensiveNetworkAccess)
            #expect(configuration.allowsConstrainedNetworkAccess)
            #expect(!configuration.failsWithoutConnectivity)
        }
    }

    @Test(arguments: [nil, "http://192.0.2.1/page?a=b"])
    func `a request carries its own settings, beside its main document`(document: String?) throws {
        let plain = try #require(URL(string: "http://192.0.2.1/"))
        for number in 0..<8 {
            var request = URLRequest(url: plain)
            request.mainDocumentURL = document.flatMap(URL.init)
            let before = request
            request.allowsExpensiveNetworkAccess = number & 1 == 0
            request.allowsConstrainedNetworkAccess = number & 2 == 0
            request.allowsUltraConstrainedNetworkAccess = number & 4 == 0
            var copy = request
            copy.httpMethod = "POST"
            #expect(copy.allowsExpensiveNetworkAccess == (number & 1 == 0))
            #expect(copy.allowsConstrainedNetworkAccess == (number & 2 == 0))
            #expect(copy.allowsUltraConstrainedNetworkAccess == (number & 4 == 0))
            let policy = WaitingPolicy(copy)
            #expect(policy.interfaces.allowsExpensive == (number & 1 == 0))
            #expect(policy.interfaces.allowsConstrained == (number & 2 == 0))
            #expect(policy.interfaces.allowsUltraConstrained == (number & 4 == 0))
            if document != nil { #expect(copy.mainDocumentURL?.query == "a=b") }
            request.allowsExpensiveNetworkAccess = true
            request.allowsConstrainedNetworkAccess = true
            request.allowsUltraConstrainedNetworkAccess = true
            #expect(request == before && request.mainDocumentURL == before.mainDocumentURL)
        }
    }

    /// If this fails, Foundation has learned to keep them, and the settings of a request can be stored there.
    @Test func `a request loses the properties of URL protocols when it is bridged`() throws {
        let url = try #require(URL(string: "http://192.0.2.1/"))
        let original = NSMutableURLRequest(url: url)
        URLProtocol.setProperty("value", forKey: "key", in: original)
        let bridged = URLRequest._unconditionallyBridgeFromObjectiveC(original)
        #expect(URLProtocol.property(forKey: "key", in: bridged) == nil)
        let task = URLSession.shared.dataTask(with: bridged)
        #expect(task.originalRequest.flatMap { URLProtocol.property(forKey: "key", in: $0) } == nil)
    }

    @Test func `every combination survives copies and sessions`() throws {
        for number in 0..<32 {
            let configuration = URLSessionConfiguration.default
            let usual = configuration.protocolClasses?.count
            configuration.waitsForConnectivity = number & 1 != 0
            configuration.allowsExpensiveNetworkAccess = number & 2 == 0
            configuration.allowsConstrainedNetworkAccess = number & 4 == 0
            configuration.failsWithoutConnectivity = number & 8 != 0
            configuration.allowsUltraConstrainedNetworkAccess = number & 16 == 0
            let copy = try #require(configuration.copy() as? URLSessionConfiguration)
            for one in [configuration, copy, URLSession(configuration: copy).configuration] {
                #expect(one.waitsForConnectivity == (number & 1 != 0))
                #expect(one.allowsExpensiveNetworkAccess == (number & 2 == 0))
                #expect(one.allowsConstrainedNetworkAccess == (number & 4 == 0))
                #expect(one.failsWithoutConnectivity == (number & 8 != 0))
                #expect(one.allowsUltraConstrainedNetworkAccess == (number & 16 == 0))
            }
            configuration.waitsForConnectivity = false
            configuration.allowsExpensiveNetworkAccess = true
            configuration.allowsConstrainedNetworkAccess = true
            configuration.failsWithoutConnectivity = false
            configuration.allowsUltraConstrainedNetworkAccess = true
            #expect(configuration.protocolClasses?.count == usual)
        }
    }

    static let limits: [Double] = [0, 0.001, 1.5, 10, 3600, 1e9, .infinity]

    @Test(arguments: limits)
    func `the limit for a lost network survives copies and sessions, beside the other settings`(seconds: Double)
        throws
    {
        let configuration = URLSessionConfiguration.default
        #expect(configuration.timeoutIntervalForNetworkLoss == 10)
        configuration.waitsForConnectivity = true
        configuration.timeoutIntervalForNetworkLoss = seconds
        let copy = try #require(configuration.copy() as? URLSessionConfiguration)
        for one in [configuration, copy, URLSession(configuration: copy).configuration] {
            #expect(one.timeoutIntervalForNetworkLoss == seconds)
            #expect(one.waitsForConnectivity)
            #expect(one.allowsExpensiveNetworkAccess && one.allowsConstrainedNetworkAccess)
        }
    }

    static let impossibleLimits: [(Double, Double)] = [
        (-1, 0), (-.infinity, 0), (.nan, .infinity), (1e300, .infinity),
    ]

    @Test(arguments: impossibleLimits)
    func `an impossible limit for a lost network is at once, or never`(seconds: Double, expected: Double) {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForNetworkLoss = seconds
        #expect(configuration.timeoutIntervalForNetworkLoss == expected)
    }

    @Test(arguments: [(12.345, 12), (0.1234, 0.12), (0.099, 0.099), (9.96, 10), (604_800, 600_000)])
    func `a limit for a lost network is rounded to two digits`(seconds: Double, expected: Double) {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForNetworkLoss = seconds
        #expect(configuration.timeoutIntervalForNetworkLoss == expected)
    }

    /// `URLSession.failWithoutConnectivity()` relies on this behaviour.
    @Test func `the protocol classes of a live session can be changed`() {
        let session = URLSession(configuration: .default)
        session.failWithoutConnectivity()
        #expect(session.configuration.failsWithoutConnectivity)
    }

    @Test func `configurations are independent of each other`() {
        let (first, second) = (URLSessionConfiguration.default, URLSessionConfiguration.default)
        first.waitsForConnectivity = true
        #expect(!second.waitsForConnectivity)
        let session = URLSession(configuration: first)
        first.waitsForConnectivity = false
        #expect(session.configuration.waitsForConnectivity)
    }

    @Test func `the session of a task can be determined`() {
        let session = URLSession(configuration: .ephemeral)
        guard let url = URL(string: "http://127.0.0.1/") else { return }
        for task in [session.dataTask(with: url), session.downloadTask(with: url)] {
            #expect(task.owner === session)
        }
    }
}
#endif
