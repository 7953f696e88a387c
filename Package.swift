// swift-tools-version: 6.2

import PackageDescription

/// Set by `Scripts/swift`: declares also `dialtone` and `dialtone-server`, the packages that only they need, and their tests.
///
/// Without it, this is a package of libraries, and a package that depends on it fetches nothing else.
let hasCommand = !(Context.environment["DIALTONE_COMMAND"] ?? "").isEmpty

/// This project's own builds treat warnings as errors; builds that depend on it do not.
let treatsWarningsAsErrors = Context.environment["DIALTONE_WARNINGS_AS_ERRORS"] != nil

#if os(macOS)
let isForMac = true
#else
/// Set by `Tests/AppleTypecheck/run`, which type-checks on Linux the targets of a Mac.
let isForMac = Context.environment["DIALTONE_FOR_MAC"] != nil
#endif

// MARK: How a target is declared

/// This package's targets of these names.
///
/// On Apple platforms, Apple's frameworks replace those for `linux`.
func uses(_ names: String, linux: String) -> [Target.Dependency] {
    names.split(separator: " ").map { .target(name: String($0)) }
        + linux.split(separator: " ").map { .target(name: String($0), condition: .when(platforms: [.linux])) }
}

/// A module, in `Sources` unless it has a path.
func module(
    _ name: String, _ names: String = "", linux: String = "", packages: [Target.Dependency] = [], path: String? = nil,
    exclude: [String] = [], resources: [Resource] = [], c: [CSetting] = [], settings: [SwiftSetting] = [],
    linker: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: uses(names, linux: linux) + packages, path: path, exclude: exclude,
        resources: resources, cSettings: c, swiftSettings: settings, linkerSettings: linker)
}

/// A program, in `Sources` unless it has a path.
func program(
    _ name: String, _ names: String = "", linux: String = "", packages: [Target.Dependency] = [], path: String? = nil,
    settings: [SwiftSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: uses(names, linux: linux) + packages, path: path, swiftSettings: settings)
}

/// A program that tests start.
func helper(
    _ name: String, _ names: String, packages: [Target.Dependency] = [], settings: [SwiftSetting] = []
) -> Target {
    program(name, names, packages: packages, path: "Tests/Helpers/\(name)", settings: settings)
}

/// A suite of tests, in `Tests`.
func tests(
    _ name: String, _ names: String = "", linux: String = "", packages: [Target.Dependency] = [],
    exclude: [String] = [], settings: [SwiftSetting] = []
) -> Target {
    .testTarget(
        name: name, dependencies: uses(names, linux: linux) + packages, exclude: exclude, swiftSettings: settings)
}

/// Lets Apple-style source in a target import a module of ours by Apple's name on Linux.
func alias(_ name: String, _ module: String) -> SwiftSetting {
    .unsafeFlags(["-module-alias", "\(name)=\(module)"], .when(platforms: [.linux]))
}

/// The products that the adapter for async-http-client needs.
let asyncHTTPClient: [Target.Dependency] = [
    ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOPosix", "swift-nio"),
    ("NIOHTTP1", "swift-nio"), ("NIOSSL", "swift-nio-ssl"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["AsyncHTTPClient"])) }

/// The product that the Combine modules need.
let openCombine = Target.Dependency.product(
    name: "OpenCombineShim", package: "OpenCombine", condition: .when(platforms: [.linux], traits: ["Publishers"]))

// MARK: The libraries

var products: [Product] = [
    "OpenNetwork", "OpenSystemConfiguration", "Dialtone", "DialtoneURLSession",
    "AppleURLSession", "DialtoneAsyncHTTPClient", "DialtoneNotifications", "DialtoneCombine", "AppleCombine",
    "DialtoneTesting",
].map { .library(name: $0, targets: [$0]) }

var dependencies: [Package.Dependency] = [
    // Each is fetched only with the trait `Publishers` or `AsyncHTTPClient`.
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
]

// ARCHITECTURE.md describes each module. A module depends only on those above it.
var targets = [
    // Layer 0
    module("CLinux"),
    module("COpenSSL", linker: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    module("LibC"),
    module("DispatchConstants"),
    module("NetworkModel", "LibC"),
    module("SystemSupport", "LibC NetworkModel", linux: "CLinux"),
    // Layer 1
    module("Netlink", "LibC NetworkModel SystemSupport", linux: "CLinux"),
    // Layer 2
    module("NetworkState", "LibC Netlink NetworkModel SystemSupport", linux: "CLinux"),
    // Layer 3
    module("OpenNetwork", "LibC NetworkModel SystemSupport", linux: "DispatchConstants Netlink NetworkState"),
    module(
        "OpenSystemConfiguration", "LibC NetworkModel SystemSupport", linux: "DispatchConstants Netlink NetworkState"),
    // Layer 4
    module("Dialtone", "COpenSSL LibC NetworkModel OpenNetwork SystemSupport", linux: "Netlink NetworkState"),
    // Layer 5
    module("DialtoneURLSession", "Dialtone"),
    module("AppleURLSession", "DialtoneURLSession"),
    module("DialtoneAsyncHTTPClient", "Dialtone LibC", packages: asyncHTTPClient),
    module("DialtoneNotifications", "Dialtone OpenNetwork OpenSystemConfiguration SystemSupport"),
    module("AppleCombine", linux: "DispatchConstants", packages: [openCombine]),
    module(
        "DialtoneCombine",
        "AppleCombine Dialtone DialtoneNotifications OpenNetwork OpenSystemConfiguration SystemSupport"),
    module(
        "NetworkSimulation", "Dialtone SystemSupport", linux: "Netlink NetworkState OpenNetwork OpenSystemConfiguration"
    ),
    module("CTLSTesting", "COpenSSL"),
    module("DialtoneTesting", "CTLSTesting Dialtone NetworkSimulation SystemSupport"),
]

/// Apple-style source that imports Foundation alone can use URLSession with this on Linux.
let appleSession = SwiftSetting.unsafeFlags(
    ["-Xfrontend", "-import-module", "-Xfrontend", "AppleURLSession"], .when(platforms: [.linux]))
let appleReachability = alias("SystemConfiguration", "OpenSystemConfiguration")

targets += [
    // Namespaces, changes of the kernel's network, and its events: for the tests and the benchmarks.
    module("NetlinkTesting", "LibC Netlink SystemSupport", linux: "CLinux", path: "Tests/NetlinkTesting"),
    module(
        "TestSupport", "CTestSupport Netlink NetlinkTesting NetworkModel NetworkState SystemSupport", linux: "CLinux",
        path: "Tests/TestSupport"),
    module("CTestSupport", path: "Tests/CTestSupport"),
    tests("SystemSupportTests", "SystemSupport TestSupport"),
    tests("ApplePortTests", "OpenNetwork TestSupport", settings: [alias("Network", "OpenNetwork")]),
    // The same source in both language modes; this one is only compiled.
    module(
        "AppleReachabilitySwift5", "OpenSystemConfiguration", path: "Tests/Helpers/AppleReachabilitySwift5",
        settings: [appleReachability, .swiftLanguageMode(.v5)]),
    tests("AppleReachabilitySwift6Tests", "OpenSystemConfiguration", settings: [appleReachability]),
    tests("CompatibilityTests", "AppleURLSession DialtoneCombine OpenNetwork OpenSystemConfiguration TestSupport"),
    module("StoredFacts", "Dialtone NetworkModel", path: "Tests/Helpers/StoredFacts"),
    tests(
        "DialtoneTests",
        """
        COpenSSL Dialtone DialtoneTesting NetworkModel OpenNetwork OpenSystemConfiguration StoredFacts SystemSupport \
        TestSupport
        """, linux: "CLinux Netlink NetworkState", exclude: ["Cases"]),
    tests(
        "NetworkSimulationTests",
        "Dialtone DialtoneNotifications DialtoneTesting OpenNetwork SystemSupport TestSupport"),
    tests("DialtoneTestingTests", "Dialtone DialtoneTesting SystemSupport TestSupport", linux: "Netlink"),
    helper("SessionClient", "DialtoneURLSession SystemSupport"),
    helper("AppleSessionClient", "AppleURLSession", settings: [appleSession]),
    tests(
        "DialtoneURLSessionTests",
        "AppleSessionClient DialtoneTesting DialtoneURLSession SessionClient TestSupport", linux: "Netlink"),
    helper("AsyncClient", "DialtoneAsyncHTTPClient", packages: asyncHTTPClient),
    tests(
        "DialtoneAsyncHTTPClientTests", "AsyncClient DialtoneAsyncHTTPClient DialtoneTesting TestSupport",
        linux: "Netlink", packages: asyncHTTPClient),
    tests("DialtoneNotificationsTests", "DialtoneNotifications DialtoneTesting Netlink NetworkState TestSupport"),
    tests(
        "DialtoneCombineTests",
        "DialtoneCombine DialtoneTesting Netlink NetworkState OpenNetwork SystemSupport TestSupport"),
    tests("DocumentationTests"),
]

// MARK: What needs Linux's kernel, which a Mac neither builds nor runs

if !isForMac {
    // For programs in C and other languages; `make library` links it into libdialtone.so.
    products.append(.library(name: "dialtone-c", type: .static, targets: ["DialtoneC"]))
    targets += [
        module("DialtoneC", "Dialtone LibC NetworkModel NetworkState SystemSupport", exclude: ["Library"]),
        tests("DialtoneCTests", "DialtoneC NetworkModel"),
        module("CKernelConstants", path: "Tests/CKernelConstants"),
        tests("NetworkModelTests", "Netlink NetworkModel TestSupport"),
        tests(
            "NetlinkTests", "CKernelConstants CLinux Netlink NetlinkTesting SystemSupport TestSupport",
            exclude: ["Captures"]),
        tests("NetlinkKernelTests", "CLinux Netlink TestSupport"),
        tests(
            "NetworkStateTests", "CTestSupport Netlink NetworkState SystemSupport TestSupport", exclude: ["Captures"]),
        helper("ForkedChild", "CTestSupport Dialtone OpenNetwork OpenSystemConfiguration"),
        tests(
            "NamespaceTests",
            "CLinux CTestSupport ForkedChild Netlink NetworkState OpenNetwork SystemSupport TestSupport"),
        tests("OpenNetworkTests", "Netlink NetworkModel NetworkState OpenNetwork TestSupport"),
        helper("TargetCrowd", "CKernelConstants OpenSystemConfiguration"),
        tests(
            "OpenSystemConfigurationTests",
            "CLinux Netlink NetworkState OpenSystemConfiguration SystemSupport TargetCrowd TestSupport"),
        tests("AppleCombineTests", "AppleCombine TestSupport", settings: [alias("Combine", "AppleCombine")]),
        module("AllocationCounting", path: "Tests/Helpers/AllocationCounting"),
        helper("AllocationProbe", "AllocationCounting Netlink NetlinkTesting OpenNetwork"),
        tests("AllocationTests", "AllocationCounting AllocationProbe Netlink TestSupport"),
        program(
            "LabProbe", "CLinux Dialtone Netlink NetlinkTesting NetworkState OpenNetwork SystemSupport",
            path: "Tests/Lab/Probe"),
        program(
            "Soak", "CKernelConstants Dialtone Netlink NetlinkTesting OpenNetwork OpenSystemConfiguration",
            path: "Tests/Soak"),
    ]
}

// MARK: The command and the server

if hasCommand {
    // The kernel half is not part of the public API: it follows the kernel. The benchmarks use these.
    products += ["Netlink", "NetlinkTesting", "NetworkState"].map { .library(name: $0, targets: [$0]) }
    products += [
        .executable(name: "dialtone", targets: ["DialtoneCommand"]),
        // Runs `dialtone serve` and `dialtone history`.
        .executable(name: "dialtone-server", targets: ["DialtoneServerCommand"]),
    ]
    dependencies += [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ]
    let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
    let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
    let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
    let server: [Target.Dependency] = [
        ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("NIOCore", "swift-nio"),
        ("NIOHTTP1", "swift-nio"), ("NIOHTTPTypesHTTP1", "swift-nio-extras"), ("NIOPosix", "swift-nio"),
        ("NIOSSL", "swift-nio-ssl"),
    ].map { .product(name: $0, package: $1) }

    targets += [
        // Layer 5
        module("DialtoneHistory", "Dialtone LibC SystemSupport", packages: [database]),
        // The commit that the programs print with their version.
        module(
            "CBuild",
            c: Context.environment["DIALTONE_COMMIT"].map { [.define("DIALTONE_COMMIT", to: "\"\($0)\"")] } ?? []),
        module("CommandSupport", "CBuild Dialtone LibC SystemSupport", packages: [arguments]),
        module(
            "DialtoneAgent", "CommandSupport Dialtone DialtoneHistory LibC SystemSupport", packages: [logging]),
        module(
            "DialtoneServer", "Dialtone DialtoneAgent DialtoneHistory LibC SystemSupport",
            packages: [logging] + server,
            resources: [.embedInCode("Page/Assets/dashboard.js"), .embedInCode("Page/Assets/style.css")]),
        // Layer 6
        program("DialtoneCommand", "CommandSupport Dialtone LibC SystemSupport", packages: [arguments]),
        program(
            "DialtoneServerCommand",
            "CommandSupport Dialtone DialtoneAgent DialtoneHistory DialtoneServer LibC SystemSupport",
            packages: [arguments, logging]),
        // The demo, for development: it is no product, and is not installed.
        program(
            "DialtoneDemo",
            "CommandSupport Dialtone DialtoneAgent DialtoneHistory DialtoneServer NetworkSimulation SystemSupport",
            packages: [arguments]),
        helper("HistoryWriter", "Dialtone DialtoneHistory"),
        tests(
            "DialtoneHistoryTests", "Dialtone DialtoneHistory HistoryWriter SystemSupport TestSupport",
            packages: [database], exclude: ["Database/release-candidate-1.sqlite"]),
    ]
    if !isForMac {
        targets += [
            helper("ConclusionProbe", "Dialtone"),
            helper("EventWriter", "Dialtone DialtoneAgent DialtoneHistory", packages: [logging]),
            tests(
                "CommandSupportTests",
                """
                CommandSupport Dialtone DialtoneCommand DialtoneHistory DialtoneServerCommand StoredFacts SystemSupport \
                TestSupport
                """),
            tests(
                "DialtoneCommandTests",
                """
                AsyncClient CommandSupport ConclusionProbe Dialtone DialtoneCommand DialtoneHistory \
                DialtoneServerCommand DialtoneTesting Netlink SessionClient StoredFacts SystemSupport TestSupport
                """),
            tests(
                "DialtoneServerCommandTests",
                "CommandSupport Dialtone DialtoneCommand DialtoneHistory DialtoneServerCommand TestSupport",
                packages: [logging]),
            tests(
                "FleetTests",
                """
                Dialtone DialtoneAgent DialtoneCommand DialtoneHistory DialtoneServer DialtoneServerCommand DialtoneTesting \
                Netlink TestSupport
                """),
            tests(
                "DialtoneServerTests",
                """
                CommandSupport Dialtone DialtoneAgent DialtoneCommand DialtoneHistory DialtoneDemo DialtoneServer \
                DialtoneServerCommand DialtoneTesting EventWriter Netlink TestSupport
                """),
            tests(
                "FuzzingTests", "CommandSupport Dialtone DialtoneServer Netlink NetlinkTesting NetworkState TestSupport"
            ),
        ]
    }
} else {
    // `swift run dialtone` prints how to build the command.
    products.append(.executable(name: "dialtone", targets: ["DialtoneHint"]))
    targets.append(program("DialtoneHint", "LibC"))
}

// These compile source as it is written for Apple platforms, with the compiler's default settings.
let appleSource: Set = ["AppleReachabilitySwift5", "AppleReachabilitySwift6Tests", "AppleSessionClient"]

for target in targets where !appleSource.contains(target.name) {
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

let package = Package(
    name: "dialtone",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: products,
    traits: [
        .trait(
            name: "Publishers",
            description: "Combine publishers where there is no Combine, by OpenCombine. Not needed on Apple platforms."),
        .trait(
            name: "AsyncHTTPClient", description: "Waiting requests with async-http-client, and what it depends on."),
    ],
    dependencies: dependencies,
    targets: targets,
    swiftLanguageModes: [.v6]
)
