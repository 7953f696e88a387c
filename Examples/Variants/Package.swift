// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Variants",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .visionOS(.v1)],
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
