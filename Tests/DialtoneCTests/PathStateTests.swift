// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import NetworkModel
import Testing

@testable import DialtoneC

struct PathStateTests {
    private static let path = NetworkPath(
        status: .satisfied, interfaces: [.init(name: "wlan0", index: 2, type: .wifi)], supportsIPv4: true)

    static let changes: [(String, Bool, @Sendable (inout NetworkPath) -> Void)] = [
        ("quality", false, { $0.linkQuality = .good }), ("ultra-constrained", false, { $0.isUltraConstrained = true }),
        ("network", false, { $0.interfaces[0].networkName = "Train" }),
        ("constrained", true, { $0.isConstrained = true }), ("name", true, { $0.interfaces[0].name = "wlan1" }),
        ("IPv6", true, { $0.supportsIPv6 = true }),
    ]

    @Test(arguments: changes)
    func `only what C shows is a change`(
        name: String, isShown: Bool, change: @Sendable (inout NetworkPath) -> Void
    ) {
        var path = Self.path
        change(&path)
        #expect((PathState(path) != PathState(Self.path)) == isShown, "\(name)")
    }
}
#endif
