// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "FlightRecorder",
  dependencies: [
    // By path and name, so that a clone of the repository may be called anything.
    .package(name: "replicate", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "FlightRecorder",
      dependencies: [
        .product(name: "StoreCore", package: "replicate"),
        .product(name: "StoreRecording", package: "replicate"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
