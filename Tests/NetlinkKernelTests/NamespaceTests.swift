// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc
import Netlink
import TestSupport
import Testing

@Suite(.requires(.networkNamespaces), .timeLimit(.minutes(5)))
struct NamespaceTests {
    @Test func `a new namespace contains only a loopback link`() async throws {
        let first = try await NetworkNamespace().run {
            var kernel = try RouteNetlink()
            return try kernel.links().map(\.name).first
        }
        #expect(first == "lo")
    }

    @Test func `work runs in the namespace, and the caller's thread stays outside`() async throws {
        let outside = try RouteNetlink().namespaceCookie
        let namespace = try NetworkNamespace()
        let inside = try await namespace.run { try RouteNetlink().namespaceCookie }
        let again = try RouteNetlink(in: namespace).namespaceCookie
        let blocking = try Self.cookieWaiting(in: namespace)
        let after = try RouteNetlink().namespaceCookie
        #expect(inside != outside)
        #expect([again, blocking] == [inside, inside])
        #expect(after == outside)
    }

    private static func cookieWaiting(in namespace: NetworkNamespace) throws -> UInt64? {
        try namespace.run { try RouteNetlink().namespaceCookie }
    }

    @Test func `a namespace opens by its path, and is the current one inside`() async throws {
        let namespace = try NetworkNamespace()
        let path = "/proc/self/fd/\(namespace.descriptorNumber)"
        let expected = try RouteNetlink(in: namespace).namespaceCookie
        let opened = try RouteNetlink(in: NetworkNamespace(path: path)).namespaceCookie
        let current = try await namespace.run {
            try RouteNetlink(in: NetworkNamespace.current()).namespaceCookie
        }
        #expect(opened == expected)
        #expect(current == expected)
    }

    @Test func `a missing path, or one that is not a namespace, is a typed error`() async throws {
        let missing = try #require(throws: NetlinkError.self) { try NetworkNamespace(path: "/run/netns/no-such-one") }
        #expect((missing.code, missing.errno) == (.system, .noSuchEntry))
        let file = try NetworkNamespace(path: "/dev/null")
        let error = try await #require(throws: NetlinkError.self) { try await file.run {} }
        #expect(error.errno == .invalidArgument)
        #expect(throws: NetlinkError.self) { _ = try RouteNetlink(in: file) }
    }

    @Test func `an error of the work is thrown`() async throws {
        struct Failure: Error {}
        let namespace = try NetworkNamespace()
        await #expect(throws: Failure.self) { try await namespace.run { throw Failure() } }
    }

    @Test func `every descriptor is closed`() async {
        await #expect(processExitsWith: .success) {
            func cycle() async throws {
                let namespace = try NetworkNamespace()
                var kernel = try RouteNetlink(in: namespace)
                _ = try kernel.link(index: 1)
                _ = try NetlinkSubscription([.link], in: namespace)
                _ = try? await NetworkNamespace(path: "/dev/null").run {}
                _ = try? RouteNetlink(in: NetworkNamespace(path: "/dev/null"))
                try await namespace.run { _ = try NetworkNamespace.current() }
            }
            for _ in 0..<10 { try await cycle() }
            let before = try openDescriptors()
            for _ in 0..<1000 { try await cycle() }
            let after = try openDescriptors()
            guard after == before else { exit(Int32(after - before)) }
        }
    }
}

/// These tests need no namespace: they are about being refused one.
struct RefusedNamespaceTests {
    @Test func `without the capability the error names what is missing`() async {
        await #expect(processExitsWith: .success) {
            // In a user namespace there may be no other user to switch to; then the capability must be missing already.
            _ = setuid(65534)
            do {
                _ = try NetworkNamespace()
                if geteuid() != 0 { fatalError("a namespace was made") }
            } catch let error as NetlinkError {
                guard error.code == .system, error.errno == .notPermitted,
                    error.message?.contains("CAP_SYS_ADMIN") == true
                else { fatalError("\(error)") }
            }
        }
    }

    @Test func `a process with several threads cannot enter a user namespace, and the error says why`() {
        let error = #expect(throws: NetlinkError.self) { try NetworkNamespace.enterUserNamespace() }
        #expect(error?.errno == .invalidArgument)
        #expect(error?.message?.contains("single thread") == true)
    }

    @Test func `reading needs no privilege`() async {
        await #expect(processExitsWith: .success) {
            _ = setuid(65534)
            var kernel = try RouteNetlink()
            _ = try kernel.links()
            _ = try kernel.addresses()
            _ = try kernel.routes(.ipv4)
            _ = try kernel.rules()
            let subscription = try NetlinkSubscription(MulticastGroup.routing)
            guard subscription.refused.isEmpty else { fatalError("\(subscription.refused)") }
        }
    }

    // The root of a user namespace cannot become another user.
    @Test(.requires(.fileOwners)) func `changing without privilege is a typed error`() async {
        await #expect(processExitsWith: .success) {
            guard setuid(65534) == 0 else { fatalError("\(errno)") }
            var kernel = try RouteNetlink()
            do {
                try kernel.createLink(.bridge(name: "never"))
                fatalError("the change was allowed")
            } catch let error as NetlinkError {
                guard error.code == .kernel, error.errno == .notPermitted else { fatalError("\(error)") }
            }
        }
    }
}
#endif
