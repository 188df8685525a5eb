// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  products: [
    .executable(name: "dispatch", targets: ["DispatchCost"])
  ],
  dependencies: [
    // By path and name, so that a clone of the repository may be called anything.
    .package(name: "replicate", path: "..")
  ],
  targets: [
    .target(name: "Measuring"),
    .executableTarget(
      // As a module called `dispatch` it would take the place of libdispatch's `dispatch_main`.
      name: "DispatchCost",
      dependencies: [
        "Measuring",
        .product(name: "HotReload", package: "replicate"),
        .product(name: "RemoteControl", package: "replicate"),
        .product(name: "StoreCore", package: "replicate"),
        .product(name: "StoreRecording", package: "replicate"),
        .product(name: "StoreRouting", package: "replicate"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
