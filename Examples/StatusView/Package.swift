// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "StatusView",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [.library(name: "StatusView", targets: ["StatusView"])],
    dependencies: [.package(name: "dialtone", path: "../..", traits: [])],
    targets: [
        .target(
            name: "StatusView",
            dependencies: ["Dialtone", "DialtoneURLSession"].map { .product(name: $0, package: "dialtone") })
    ],
    swiftLanguageModes: [.v6]
)
