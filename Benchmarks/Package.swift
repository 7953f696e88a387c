// swift-tools-version: 6.2

import PackageDescription

/// What Dialtone costs, compared with similar tools: `make bench` in the folder above.
let package = Package(
    name: "dialtone-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "dialtone", path: "..", traits: ["CommandLine"])],
    targets: [
        // Programs to measure: one with only the path API, one with the whole library.
        .executableTarget(
            name: "PathContender", dependencies: ["ContenderLine", .product(name: "OpenNetwork", package: "dialtone")]),
        .executableTarget(
            name: "DialtoneContender", dependencies: ["ContenderLine", .product(name: "Dialtone", package: "dialtone")]),
        // The least that a program in Swift takes that makes the same system calls.
        .executableTarget(name: "CallsContender", dependencies: ["ContenderLine"]),
        .target(name: "ContenderLine"),
        // The driver that measures them.
        .target(name: "CBench"),
        .executableTarget(
            name: "bench", dependencies: ["CBench", .product(name: "Netlink", package: "dialtone")],
            path: "Sources/Bench"),
    ],
    swiftLanguageModes: [.v6]
)
