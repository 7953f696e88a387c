// swift-tools-version: 6.2

import PackageDescription

/// What Dialtone costs, compared with similar tools: `make bench` in the folder above.
let package = Package(
    name: "dialtone-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "dialtone", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        // Programs to measure: one with only the path API, one with the whole library.
        .executableTarget(
            name: "PathContender", dependencies: ["ContenderLine", .product(name: "OpenNetwork", package: "dialtone")]),
        .executableTarget(
            name: "DialtoneContender", dependencies: ["ContenderLine", .product(name: "Dialtone", package: "dialtone")]),
        // The least that a program in Swift takes that makes the same system calls.
        .executableTarget(name: "CallsContender", dependencies: ["ContenderLine"]),
        // The least that a command takes in Swift: it parses its options, and prints one line of JSON.
        .executableTarget(
            name: "OptionsContender",
            dependencies: ["ContenderLine", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        // The least that a server takes: one route of the library that ours stands on.
        .executableTarget(
            name: "RouteContender", dependencies: [.product(name: "Hummingbird", package: "hummingbird")]),
        .target(name: "ContenderLine"),
        // The driver that measures them.
        .target(name: "CBench"),
        .executableTarget(
            name: "bench",
            dependencies: [
                "CBench", .product(name: "Dialtone", package: "dialtone"),
                .product(name: "DialtoneTesting", package: "dialtone"), .product(name: "Netlink", package: "dialtone"),
                .product(name: "NetlinkTesting", package: "dialtone"),
            ],
            path: "Sources/Bench"),
    ],
    swiftLanguageModes: [.v6]
)
