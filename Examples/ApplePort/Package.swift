// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ApplePort",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    dependencies: [
        .package(name: "dialtone", path: "../..", traits: ["Publishers"])
    ],
    targets: [
        .executableTarget(
            name: "ApplePort",
            // The first line of the opt-in: what stands behind the names.
            dependencies: ["OpenNetwork", "OpenSystemConfiguration", "DialtoneCombine"].map {
                .product(name: $0, package: "dialtone")
            },
            // The second: Apple's names, for this target alone, where there is nothing of Apple's behind them.
            swiftSettings: [
                .unsafeFlags(
                    [
                        "-module-alias", "Network=OpenNetwork",
                        "-module-alias", "SystemConfiguration=OpenSystemConfiguration",
                        "-module-alias", "Combine=DialtoneCombine",
                    ], .when(platforms: [.linux]))
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
