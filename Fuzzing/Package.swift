// swift-tools-version: 6.2

import PackageDescription

/// What reads strangers' bytes, built for libFuzzer: `make fuzz` in the folder above.
///
/// The modules are those of the package above, by symbolic links, so that they can be instrumented and nothing else need be.
let instrumented: [SwiftSetting] = [
    .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// A module of the package above; of the server and the command only the files that read.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Modules/\(name)",
        swiftSettings: name == "Netlink" ? instrumented + [.strictMemorySafety()] : instrumented)
}

let package = Package(
    name: "dialtone-fuzzing",
    dependencies: [.package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: [])],
    targets: [
        .target(name: "CNetlinkShims", path: "Modules/CNetlinkShims"),
        .target(name: "CTLSLoader", path: "Modules/CTLSLoader", linkerSettings: [.linkedLibrary("dl")]),
        module("OrderedDelivery"),
        module("SystemResolution"),
        module("Netlink", ["CNetlinkShims"]),
        module("NetworkState", ["CNetlinkShims", "Netlink", "OrderedDelivery"]),
        module("OpenNetwork", ["Netlink", "NetworkState", "OrderedDelivery"]),
        module(
            "Dialtone",
            ["CTLSLoader", "Netlink", "NetworkState", "OpenNetwork", "OrderedDelivery", "SystemResolution"]),
        module("DialtoneServer", ["Dialtone"]),
        module("DialtoneCLI", ["Dialtone", .product(name: "Configuration", package: "swift-configuration")]),
        .target(name: "CFuzz"),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CFuzz", "Dialtone", "DialtoneCLI", "DialtoneServer", "Netlink", "NetworkState"],
            swiftSettings: instrumented,
            // Gold cannot link what is instrumented.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6]
)
