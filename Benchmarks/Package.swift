// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Benchmarks",
  products: [
    .executable(name: "dispatch", targets: ["DispatchCost"]),
    .executable(name: "guard", targets: ["GuardedWork"]),
    .executable(name: "instance", targets: ["Instance"]),
    .executable(name: "json", targets: ["JSONCost"]),
  ],
  dependencies: [
    // By path and name, so that a clone of the repository may be called anything.
    .package(name: "replicate", path: "..")
  ],
  targets: [
    .target(name: "Measuring"),
    .target(name: "CAllocator"),
    .target(name: "Documents"),
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
    .executableTarget(
      name: "GuardedWork",
      dependencies: [
        "Documents",
        .product(name: "HotReload", package: "replicate"),
        .product(name: "StateJSON", package: "replicate"),
        .product(name: "StoreCore", package: "replicate"),
      ]),
    .executableTarget(
      name: "Instance",
      dependencies: [
        "Documents",
        .product(name: "HotReload", package: "replicate"),
        .product(name: "StateJSON", package: "replicate"),
        .product(name: "StoreCore", package: "replicate"),
      ]),
    .executableTarget(
      name: "JSONCost",
      dependencies: ["CAllocator", "Documents", "Measuring", .product(name: "StateJSON", package: "replicate")]),
  ],
  swiftLanguageModes: [.v6]
)
