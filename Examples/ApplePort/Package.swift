// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ApplePort",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
    dependencies: [
        .package(name: "dialtone", path: "../..", traits: ["Publishers"])
    ],
    targets: [
        .executableTarget(
            name: "ApplePort",
            // The first line of the opt-in: the libraries behind the names.
            dependencies: ["OpenNetwork", "OpenSystemConfiguration", "AppleCombine"].map {
                .product(name: $0, package: "dialtone")
            },
            // The second: Apple's names, for this target only, on platforms without Apple's frameworks.
            swiftSettings: [
                .unsafeFlags(
                    [
                        "-module-alias", "Network=OpenNetwork",
                        "-module-alias", "SystemConfiguration=OpenSystemConfiguration",
                        "-module-alias", "Combine=AppleCombine",
                    ], .when(platforms: [.linux]))
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
