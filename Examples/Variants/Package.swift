// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Variants",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    dependencies: [
        .package(name: "dialtone", path: "../..", traits: ["Publishers"])
    ],
    targets: [
        .executableTarget(
            name: "Variants",
            dependencies: [
                "AppleCombine", "Dialtone", "DialtoneCombine", "DialtoneNotifications", "DialtoneURLSession",
                "OpenNetwork", "OpenSystemConfiguration",
            ].map { .product(name: $0, package: "dialtone") },
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
