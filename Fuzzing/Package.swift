// swift-tools-version: 6.2

import PackageDescription

/// Every parser of untrusted bytes, built for libFuzzer: `make fuzz` in the folder above.
///
/// The modules are symbolic links to those of the package above, so that only they are instrumented.
let instrumented: [SwiftSetting] = [
    .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// A module of the package above; of the agent, the server and the command only the files that parse.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Modules/\(name)",
        swiftSettings: ["Netlink", "SystemSupport"].contains(name)
            ? instrumented + [.strictMemorySafety()] : instrumented)
}

let package = Package(
    name: "dialtone-fuzzing",
    targets: [
        .target(name: "CLinux", path: "Modules/CLinux"),
        .target(name: "COpenSSL", path: "Modules/COpenSSL", linkerSettings: [.linkedLibrary("dl")]),
        module("LibC"),
        module("DispatchConstants"),
        module("NetworkModel", ["LibC"]),
        module("SystemSupport", ["LibC", "CLinux", "NetworkModel"]),
        module("Netlink", ["LibC", "CLinux", "NetworkModel", "SystemSupport"]),
        module("NetlinkTesting", ["LibC", "CLinux", "Netlink", "SystemSupport"]),
        module("NetworkState", ["LibC", "CLinux", "Netlink", "NetworkModel", "SystemSupport"]),
        module(
            "OpenNetwork",
            ["LibC", "DispatchConstants", "Netlink", "NetworkModel", "NetworkState", "SystemSupport"]),
        module(
            "Dialtone",
            ["LibC", "COpenSSL", "Netlink", "NetworkModel", "NetworkState", "OpenNetwork", "SystemSupport"]),
        module("DialtoneAgent"),
        module("DialtoneServer", ["LibC", "Dialtone", "DialtoneAgent"]),
        module("CommandSupport", ["Dialtone"]),
        .target(name: "CFuzz"),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CFuzz", "Dialtone", "CommandSupport", "DialtoneServer", "Netlink", "NetlinkTesting", "NetworkState",
            ],
            swiftSettings: instrumented,
            // Gold cannot link instrumented code.
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6]
)
