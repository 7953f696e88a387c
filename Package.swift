// swift-tools-version: 6.2

import PackageDescription

/// Layers 0 to 2 use the Linux kernel.
///
/// On Apple platforms layer 3 consists of Apple's own frameworks and needs none of them.
let kernel: [Platform] = [.linux]

/// Dependencies on Linux only.
func onLinux(_ names: String...) -> [Target.Dependency] {
    names.map { .target(name: $0, condition: .when(platforms: kernel)) }
}

/// The dependencies of the adapter for async-http-client, with its trait.
let asyncHTTPClient: [Target.Dependency] = [
    ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"),
    ("NIOHTTP1", "swift-nio"), ("NIOSSL", "swift-nio-ssl"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["AsyncHTTPClient"])) }

/// The dependencies of the server.
let server: [Target.Dependency] = [
    ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("NIOCore", "swift-nio"),
    ("NIOEmbedded", "swift-nio"), ("NIOHTTP1", "swift-nio"), ("NIOHTTPCompression", "swift-nio-extras"),
    ("NIOHTTPTypesHTTP1", "swift-nio-extras"), ("NIOPosix", "swift-nio"), ("NIOSSL", "swift-nio-ssl"),
    ("Logging", "swift-log"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["CommandLine"])) }

/// Makes `import Network` work on Linux in a target with Apple-style source.
let appleNames: [SwiftSetting] = [
    .unsafeFlags(["-module-alias", "Network=OpenNetwork"], .when(platforms: kernel))
]

/// The same for `import SystemConfiguration`.
let appleReachabilityNames: [SwiftSetting] = [
    .unsafeFlags(["-module-alias", "SystemConfiguration=OpenSystemConfiguration"], .when(platforms: kernel))
]

/// The same for `import Combine`.
let appleCombineNames: [SwiftSetting] = [
    .unsafeFlags(["-module-alias", "Combine=AppleCombine"], .when(platforms: kernel))
]

/// Lets Apple-style source that imports Foundation alone use URLSession on Linux.
let appleSessionNames: [SwiftSetting] = [
    .unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "AppleURLSession"], .when(platforms: kernel))
]

let package = Package(
    name: "dialtone",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Netlink", targets: ["Netlink"]),
        .library(name: "NetworkState", targets: ["NetworkState"]),
        .library(name: "OpenNetwork", targets: ["OpenNetwork"]),
        .library(name: "OpenSystemConfiguration", targets: ["OpenSystemConfiguration"]),
        .library(name: "Dialtone", targets: ["Dialtone"]),
        .library(name: "DialtoneURLSession", targets: ["DialtoneURLSession"]),
        .library(name: "AppleURLSession", targets: ["AppleURLSession"]),
        .library(name: "DialtoneAsyncHTTPClient", targets: ["DialtoneAsyncHTTPClient"]),
        .library(name: "DialtoneNotifications", targets: ["DialtoneNotifications"]),
        .library(name: "DialtoneCombine", targets: ["DialtoneCombine"]),
        .library(name: "AppleCombine", targets: ["AppleCombine"]),
        .library(name: "DialtoneTesting", targets: ["DialtoneTesting"]),
        .executable(name: "dialtone", targets: ["DialtoneCommand"]),
        // For programs in C and other languages; `make library` links it into libdialtone.so.
        .library(name: "dialtone-c", type: .static, targets: ["DialtoneC"]),
        // Runs `dialtone serve` and `dialtone history`.
        .executable(name: "dialtone-server", targets: ["DialtoneServerCommand"]),
    ],
    traits: [
        .trait(name: "CommandLine", description: "The `dialtone` command, and what it depends on."),
        .trait(
            name: "Publishers",
            description: "Combine publishers where there is no Combine, by OpenCombine. Not needed on Apple platforms."),
        .trait(
            name: "AsyncHTTPClient", description: "Waiting requests with async-http-client, and what it depends on."),
        .default(enabledTraits: ["CommandLine"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        // With the trait `AsyncHTTPClient` only; NIO and NIOSSL also for the server.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        // Layer 0
        .target(name: "CLinux"),
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("dl", .when(platforms: kernel))]),
        .target(name: "LibC"),
        .target(name: "DispatchConstants"),
        .target(name: "NetworkModel", dependencies: ["LibC"]),
        .target(
            name: "SystemSupport", dependencies: ["LibC", "NetworkModel"] + onLinux("CLinux")),
        // Layer 1
        .target(
            name: "Netlink", dependencies: ["LibC", "NetworkModel", "SystemSupport"] + onLinux("CLinux")),
        // Layer 2
        .target(
            name: "NetworkState",
            dependencies: ["LibC", "Netlink", "NetworkModel", "SystemSupport"] + onLinux("CLinux")),
        // Layer 3
        .target(
            name: "OpenNetwork",
            dependencies: ["LibC", "NetworkModel", "SystemSupport"]
                + onLinux("DispatchConstants", "Netlink", "NetworkState")),
        .target(
            name: "OpenSystemConfiguration",
            dependencies: ["LibC", "NetworkModel", "SystemSupport"]
                + onLinux("DispatchConstants", "Netlink", "NetworkState")),
        // Layer 4
        .target(
            name: "Dialtone",
            dependencies: ["COpenSSL", "LibC", "NetworkModel", "OpenNetwork", "SystemSupport"]
                + onLinux("Netlink", "NetworkState")),
        // Layer 5
        .target(name: "DialtoneURLSession", dependencies: ["Dialtone"]),
        .target(name: "AppleURLSession", dependencies: ["DialtoneURLSession"]),
        .target(name: "DialtoneAsyncHTTPClient", dependencies: ["LibC", "Dialtone"] + asyncHTTPClient),
        .target(
            name: "DialtoneNotifications",
            dependencies: ["Dialtone", "OpenNetwork", "OpenSystemConfiguration", "SystemSupport"]),
        .target(
            name: "AppleCombine",
            dependencies: [
                .product(
                    name: "OpenCombineShim", package: "OpenCombine",
                    condition: .when(platforms: kernel, traits: ["Publishers"]))
            ] + onLinux("DispatchConstants")),
        .target(
            name: "DialtoneCombine",
            dependencies: [
                "AppleCombine", "Dialtone", "DialtoneNotifications", "OpenNetwork", "SystemSupport",
                "OpenSystemConfiguration",
            ]
        ),
        .target(
            name: "NetworkSimulation",
            dependencies: ["Dialtone", "SystemSupport"]
                + onLinux("Netlink", "NetworkState", "OpenNetwork", "OpenSystemConfiguration")),
        .target(name: "CTLSTesting", dependencies: ["COpenSSL"]),
        .target(
            name: "DialtoneTesting",
            dependencies: ["CTLSTesting", "Dialtone", "NetworkSimulation", "SystemSupport"]),
        .target(
            name: "DialtoneHistory",
            dependencies: [
                "LibC", "Dialtone", "SystemSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["CommandLine"])),
            ]
        ),
        .target(
            name: "DialtoneServer",
            dependencies: [
                "LibC", "Dialtone", "DialtoneHistory", "DialtoneNotifications", "NetworkSimulation", "SystemSupport",
                .target(name: "DialtoneCombine", condition: .when(traits: ["Publishers"])),
            ] + server,
            resources: [.embedInCode("Page/Assets/dashboard.js"), .embedInCode("Page/Assets/style.css")]
        ),
        // The commit that the programs print with their version.
        .target(
            name: "CBuild",
            cSettings: Context.environment["DIALTONE_COMMIT"].map { [.define("DIALTONE_COMMIT", to: "\"\($0)\"")] }),
        .target(
            name: "CommandSupport",
            dependencies: [
                "CBuild", "LibC", "Dialtone", "SystemSupport",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLine"])),
            ]
        ),
        .target(
            name: "DialtoneC",
            dependencies: ["Dialtone", "LibC", "NetworkModel", "NetworkState", "SystemSupport"],
            exclude: ["Library"]),
        // Layer 6
        .executableTarget(
            name: "DialtoneCommand",
            dependencies: [
                "CommandSupport", "Dialtone", "LibC", "SystemSupport",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLine"])),
            ]
        ),
        .executableTarget(
            name: "DialtoneServerCommand",
            dependencies: [
                "CommandSupport", "Dialtone", "DialtoneHistory", "DialtoneServer", "LibC",
                "SystemSupport",
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLine"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["CommandLine"])),
            ]
        ),
        // Tests
        .target(
            name: "TestSupport",
            dependencies: ["CTestSupport", "Netlink", "NetworkModel", "NetworkState", "SystemSupport"]
                + onLinux("CLinux"),
            path: "Tests/TestSupport"),
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "CKernelConstants", path: "Tests/CKernelConstants"),
        .executableTarget(
            name: "LabProbe",
            dependencies: ["Dialtone", "OpenNetwork", "SystemSupport"] + onLinux("CLinux", "Netlink", "NetworkState"),
            path: "Tests/Lab/Probe"),
        .target(name: "AllocationCounting", path: "Tests/Helpers/AllocationCounting"),
        .executableTarget(
            name: "AllocationProbe", dependencies: ["OpenNetwork"] + onLinux("AllocationCounting", "Netlink"),
            path: "Tests/Helpers/AllocationProbe"),
        .executableTarget(
            name: "Soak",
            dependencies: ["Dialtone", "OpenNetwork", "OpenSystemConfiguration"]
                + onLinux("CKernelConstants", "Netlink"),
            path: "Tests/Soak"),
        .executableTarget(
            name: "ForkedChild",
            dependencies: ["CTestSupport", "Dialtone", "OpenNetwork", "OpenSystemConfiguration"],
            path: "Tests/Helpers/ForkedChild"),
        .executableTarget(
            name: "SessionClient", dependencies: ["DialtoneURLSession", "SystemSupport"],
            path: "Tests/Helpers/SessionClient"),
        .executableTarget(
            name: "AsyncClient", dependencies: ["DialtoneAsyncHTTPClient"] + asyncHTTPClient,
            path: "Tests/Helpers/AsyncClient"),
        .executableTarget(
            name: "AppleSessionClient", dependencies: ["AppleURLSession"], path: "Tests/Helpers/AppleSessionClient",
            swiftSettings: appleSessionNames),
        .testTarget(name: "NetworkModelTests", dependencies: ["Netlink", "NetworkModel", "TestSupport"]),
        .testTarget(name: "SystemSupportTests", dependencies: ["SystemSupport", "TestSupport"]),
        .testTarget(
            name: "NetlinkTests",
            dependencies: ["Netlink", "SystemSupport", "TestSupport"] + onLinux("CLinux", "CKernelConstants"),
            exclude: ["Captures"]),
        .testTarget(
            name: "NetlinkKernelTests",
            dependencies: ["CTestSupport", "Netlink", "TestSupport"] + onLinux("CLinux")),
        .testTarget(
            name: "NetworkStateTests",
            dependencies: ["CTestSupport", "NetworkState", "Netlink", "SystemSupport", "TestSupport"],
            exclude: ["Captures"]),
        .testTarget(
            name: "NamespaceTests",
            dependencies: [
                "CTestSupport", "ForkedChild", "Netlink", "NetworkState", "OpenNetwork", "SystemSupport", "TestSupport",
            ]
                + onLinux("CLinux")),
        .testTarget(
            name: "OpenNetworkTests",
            dependencies: ["NetworkModel", "OpenNetwork", "TestSupport"] + onLinux("Netlink", "NetworkState")),
        .testTarget(name: "ApplePortTests", dependencies: ["OpenNetwork", "TestSupport"], swiftSettings: appleNames),
        .executableTarget(
            name: "TargetCrowd", dependencies: ["OpenSystemConfiguration"] + onLinux("CKernelConstants"),
            path: "Tests/Helpers/TargetCrowd"),
        .testTarget(
            name: "OpenSystemConfigurationTests",
            dependencies: [
                "OpenSystemConfiguration", "NetworkState", "Netlink", "SystemSupport", "TargetCrowd", "TestSupport",
            ]
                + onLinux("CLinux")),
        // The same source as in the tests below, to compile in Swift 5 mode only.
        .target(
            name: "AppleReachabilitySwift5", dependencies: ["OpenSystemConfiguration"],
            path: "Tests/Helpers/AppleReachabilitySwift5",
            swiftSettings: appleReachabilityNames + [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "AppleReachabilitySwift6Tests", dependencies: ["OpenSystemConfiguration"],
            swiftSettings: appleReachabilityNames),
        .testTarget(
            name: "AppleCombineTests", dependencies: ["AppleCombine", "TestSupport"], swiftSettings: appleCombineNames),
        .testTarget(
            name: "CompatibilityTests",
            dependencies: [
                "AppleURLSession", "DialtoneCombine", "OpenNetwork", "OpenSystemConfiguration", "TestSupport",
            ]),
        .testTarget(
            name: "DialtoneTests",
            dependencies: [
                "COpenSSL", "Dialtone", "DialtoneTesting", "NetworkModel", "OpenNetwork", "OpenSystemConfiguration",
                "SystemSupport", "TestSupport",
            ]
                + onLinux("CLinux", "Netlink", "NetworkState")),
        .testTarget(
            name: "NetworkSimulationTests",
            dependencies: [
                "Dialtone", "DialtoneNotifications", "DialtoneTesting", "OpenNetwork", "SystemSupport", "TestSupport",
            ]),
        .testTarget(
            name: "DialtoneTestingTests",
            dependencies: ["Dialtone", "DialtoneTesting", "SystemSupport", "TestSupport"]
                + onLinux("Netlink")),
        .testTarget(
            name: "DialtoneURLSessionTests",
            dependencies: [
                "AppleSessionClient", "DialtoneURLSession", "DialtoneTesting", "SessionClient", "TestSupport",
            ]
                + onLinux("Netlink")),
        .testTarget(
            name: "DialtoneAsyncHTTPClientTests",
            dependencies: ["AsyncClient", "DialtoneAsyncHTTPClient", "DialtoneTesting", "TestSupport"] + asyncHTTPClient
                + onLinux("Netlink")),
        .testTarget(
            name: "DialtoneNotificationsTests",
            dependencies: ["DialtoneNotifications", "DialtoneTesting", "Netlink", "NetworkState", "TestSupport"]),
        .testTarget(
            name: "DialtoneCombineTests",
            dependencies: [
                "DialtoneCombine", "DialtoneTesting", "Netlink", "NetworkState", "OpenNetwork", "SystemSupport",
                "TestSupport",
            ]),
        .executableTarget(
            name: "ConclusionProbe", dependencies: ["Dialtone"], path: "Tests/Helpers/ConclusionProbe"),
        .testTarget(
            name: "DialtoneCommandTests",
            dependencies: [
                "AsyncClient", "ConclusionProbe", "DialtoneCommand", "CommandSupport", "DialtoneHistory",
                "DialtoneServerCommand", "DialtoneTesting", "Netlink", "SessionClient",
                "SystemSupport", "TestSupport",
            ]),
        .testTarget(
            name: "CommandSupportTests",
            dependencies: [
                "CommandSupport", "Dialtone", "DialtoneHistory", "DialtoneServerCommand", "SystemSupport", "TestSupport",
            ]),
        .testTarget(
            name: "DialtoneServerCommandTests",
            dependencies: [
                "CommandSupport", "Dialtone", "DialtoneCommand", "DialtoneHistory", "DialtoneServerCommand",
                "TestSupport",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["CommandLine"])),
            ]),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "DialtoneCommand", "DialtoneHistory", "DialtoneServer", "DialtoneServerCommand", "TestSupport",
            ]
                + onLinux("Netlink")),
        .executableTarget(
            name: "HistoryWriter", dependencies: ["DialtoneHistory"], path: "Tests/Helpers/HistoryWriter"),
        .executableTarget(
            name: "EventWriter",
            dependencies: [
                "Dialtone", "DialtoneHistory", "DialtoneServer", .product(name: "Logging", package: "swift-log", condition: .when(traits: ["CommandLine"])),
            ],
            path: "Tests/Helpers/EventWriter"),
        .testTarget(
            name: "DialtoneHistoryTests",
            dependencies: [
                "Dialtone", "DialtoneHistory", "HistoryWriter", "SystemSupport", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["CommandLine"])),
            ]),
        .testTarget(
            name: "DialtoneServerTests",
            dependencies: [
                "CommandSupport", "Dialtone", "DialtoneCommand", "DialtoneHistory",
                "DialtoneNotifications", "DialtoneServer", "DialtoneServerCommand", "DialtoneTesting",
                "EventWriter", "TestSupport",
            ] + onLinux("Netlink")),
        .testTarget(
            name: "AllocationTests", dependencies: ["AllocationProbe", "TestSupport"] + onLinux("Netlink")),
        .testTarget(name: "DocumentationTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "FuzzingTests",
            dependencies: ["CommandSupport", "Dialtone", "DialtoneServer", "TestSupport"]
                + onLinux("Netlink", "NetworkState")),
    ],
    swiftLanguageModes: [.v6]
)

/// Tests of the targets that need Linux's kernel, and the helpers of these tests.
///
/// A Mac neither builds nor runs them.
let kernelTests: Set = [
    "AllocationCounting", "AllocationProbe", "AllocationTests", "AppleCombineTests", "CKernelConstants",
    "CommandSupportTests", "DialtoneCommandTests", "DialtoneServerCommandTests", "DialtoneServerTests", "EventWriter",
    "FleetTests", "ForkedChild", "FuzzingTests", "LabProbe", "NamespaceTests", "NetlinkKernelTests", "NetlinkTests",
    "NetworkModelTests", "NetworkStateTests", "OpenNetworkTests", "OpenSystemConfigurationTests", "Soak", "TargetCrowd",
]

#if os(macOS)
let isForMac = true
#else
/// Set by `Tests/AppleTypecheck/run`, which type-checks on Linux the targets of a Mac.
let isForMac = Context.environment["DIALTONE_FOR_MAC"] != nil
#endif

if isForMac {
    // On a Mac, programs in C call Apple's own functions.
    package.targets.removeAll { kernelTests.contains($0.name) || $0.name == "DialtoneC" }
    package.products.removeAll { $0.name == "dialtone-c" }
}

/// The project's own builds treat warnings as errors; builds that depend on it do not.
let treatsWarningsAsErrors = Context.environment["DIALTONE_WARNINGS_AS_ERRORS"] != nil

/// Targets in C, and targets with source for Apple platforms, which use the compiler's default settings.
let plainTargets: Set = [
    "CBuild", "CLinux", "COpenSSL", "CTLSTesting", "CKernelConstants", "CTestSupport", "AllocationCounting",
    "AppleReachabilitySwift5", "AppleReachabilitySwift6Tests", "AppleSessionClient",
]

for target in package.targets where target.type != .plugin && !plainTargets.contains(target.name) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("ImmutableWeakCaptures"),
        ]
        // Every target in `Sources`: the others have a path or are tests.
        + (target.path == nil && target.type != .test ? [.strictMemorySafety()] : [])
        + (treatsWarningsAsErrors ? [.treatAllWarnings(as: .error)] : [])
}
