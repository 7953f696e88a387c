// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AllocationCounting
import Foundation
import Netlink
import TestSupport
import Testing

/// Times vary on a busy machine; the number of allocations does not.
///
/// A limit is the value measured when it was set, plus a fifth. Raise one only with a reason.
@Suite("Allocations")
struct AllocationTests {
    /// The limits of a build without optimization, which allocates more often than one with it.
    private static let limits = ["lookup": 52, "event": 890, "irrelevant": 50]

    @Test(
        "An event to its handler, an irrelevant event, and a lookup allocate no more than their limits",
        .requires(.networkNamespaces), .requires(.linkKind("veth")), .requires(.allocationCounts))
    func counts() async throws {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let folder = own.deletingLastPathComponent()
        let probe = CommandRun.Program(path: folder.appendingPathComponent("AllocationProbe").path)
        let run = try await CommandRun.start(probe, [], in: NetworkNamespace())
        #expect(try await run.exitStatus(timeout: .seconds(120)) == 0)
        var counts: [String: Int] = [:]
        for line in run.output.values {
            let words = line.split(separator: " ")
            if words.count == 2 { counts[String(words[0])] = Int(words[1]) }
        }
        for (name, limit) in Self.limits {
            let count = try #require(counts[name], "the probe did not count \(name): \(run.errors.values)")
            #expect(count > 0 || name == "irrelevant", "\(name) must allocate at least once")
            #expect(count <= limit, "\(name): \(count) allocations, at most \(limit) are allowed")
        }
    }
}

extension Capability {
    /// Counts of allocations: glibc, without a sanitizer's allocator.
    fileprivate static let allocationCounts = Capability("counts of allocations") {
        struct Missing: Error {}
        if AllocationCounting_works != 1 { throw Missing() }
    }
}
#endif
