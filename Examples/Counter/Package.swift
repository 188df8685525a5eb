// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Counter",
  dependencies: [
    // By path and name, so that a clone of the repository may be called anything.
    .package(name: "replicate", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Counter",
      dependencies: [
        .product(name: "HotReload", package: "replicate"),
        .product(name: "StoreCore", package: "replicate"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
