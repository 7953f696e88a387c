// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Foundation
import FoundationNetworking
import Testing

@testable import DialtoneURLSession

/// The private properties of Foundation's objects: if one of these tests fails, this version of Foundation has another
/// layout, and sessions fall back to less information.
struct PrivateLayoutTests {
    private let session = URLSession(configuration: .ephemeral)

    private func task() throws -> URLSessionTask {
        session.dataTask(with: try #require(URL(string: "http://192.0.2.1/")))
    }

    /// Foundation's own loader of a task.
    private func loader() throws -> URLProtocol {
        let task = try task()
        let request = try #require(task.originalRequest)
        let classes = session.configuration.protocolClasses?.compactMap { $0 as? URLProtocol.Type } ?? []
        let inner = try #require(classes.first { $0.canInit(with: request) })
        #expect(String(reflecting: inner).hasPrefix("FoundationNetworking."))
        return inner.init(task: task, cachedResponse: nil, client: nil)
    }

    @Test(arguments: PrivateProperty.allCases)
    func `every private property is found on objects of this Foundation`(property: PrivateProperty) throws {
        switch property {
        case .session: #expect(Mirror.property(property, of: try task()) is URLSession)
        case .workQueue: #expect(Mirror.property(property, of: try task()) is DispatchQueue)
        case .easyHandle: #expect(Mirror.property(property, of: try loader()) != nil)
        case .rawHandle:
            let loader = try loader()
            let transfer = try #require(Mirror.property(.easyHandle, of: loader))
            #expect(Mirror.property(property, of: transfer) is UnsafeMutableRawPointer)
            withExtendedLifetime(loader) {}
        }
    }

    @Test func `the session of a task, and the facts about a transfer, can be read`() throws {
        #expect(try task().owner === session)
        #expect(TransferFacts(of: try loader()) == TransferFacts())
    }

    @Test func `another layout is logged once, and the information is missing`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            /// As a task of a Foundation that has renamed its property.
            struct OtherTask { let owningSession = URLSession.shared }
            let request = URLRequest(url: try #require(URL(string: "http://192.0.2.1/")))
            for _ in 1...2 {
                #expect(URLSessionTask.owner(of: OtherTask()) == nil)
                // Foundation's base class is a loader without the property.
                #expect(TransferFacts(of: URLProtocol(request: request, cachedResponse: nil, client: nil)) == nil)
            }
        }
        let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.contains("The session of a URLSession task cannot be determined") } == 1, "\(lines)")
        #expect(lines.count { $0.contains("The transfer of a URLSession task cannot be inspected") } == 1, "\(lines)")
    }

    @Test func `a loader of the program itself is not logged`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            final class OwnLoader: URLProtocol {}
            let request = URLRequest(url: try #require(URL(string: "http://192.0.2.1/")))
            #expect(TransferFacts(of: OwnLoader(request: request, cachedResponse: nil, client: nil)) == nil)
        }
        #expect(!String(decoding: result.standardErrorContent, as: UTF8.self).contains("cannot be inspected"))
    }
}
#endif
