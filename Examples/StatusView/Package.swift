// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "StatusView",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "StatusView", targets: ["StatusView"])],
    dependencies: [.package(name: "dialtone", path: "../..", traits: [])],
    targets: [
        .target(
            name: "StatusView",
            dependencies: ["Dialtone", "DialtoneURLSession"].map { .product(name: $0, package: "dialtone") })
    ],
    swiftLanguageModes: [.v6]
)
