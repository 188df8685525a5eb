// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "replicate",
  // For StoreCore, StoreTesting and StoreRouting; the rest needs Linux.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "StateJSON", targets: ["StateJSON"]),
    .library(name: "StoreCore", targets: ["StoreCore"]),
    .library(name: "StoreTesting", targets: ["StoreTesting"]),
    .library(name: "StoreRouting", targets: ["StoreRouting"]),
    .library(name: "HotReload", targets: ["HotReload"]),
    .library(name: "StoreRecording", targets: ["StoreRecording"]),
    .library(name: "RemoteControl", targets: ["RemoteControl"]),
    .library(name: "TerminalScreen", targets: ["TerminalScreen"]),
    .executable(name: "replicate", targets: ["replicate"]),
  ],
  targets: [
    .target(name: "CLinux"),
    .target(name: "CXXH3"),
    .target(name: "StateJSON", dependencies: ["CXXH3"]),
    .target(name: "Replication", dependencies: ["StateJSON"]),
    .target(name: "StoreCore"),
    .target(name: "StoreTesting", dependencies: ["StoreCore"]),
    .target(name: "StoreRouting", dependencies: ["StoreCore"]),
    .target(name: "HotReload", dependencies: ["CLinux", "Replication", "StateJSON", "StoreCore"]),
    .target(name: "StoreRecording", dependencies: ["HotReload", "StateJSON", "StoreCore"]),
    .target(name: "RemoteControl", dependencies: ["HotReload", "StateJSON", "StoreCore"]),
    .target(name: "TerminalScreen"),
    .executableTarget(
      name: "replicate",
      dependencies: [
        "CLinux", "HotReload", "RemoteControl", "Replication", "StateJSON", "StoreCore", "StoreRecording",
        "TerminalScreen",
      ]),

    // For Benchmarks/run, which can't reach what is of the package only.
    .executableTarget(name: "file-probe", dependencies: ["HotReload", "StateJSON"], path: "Tests/FileProbe"),
    .executableTarget(
      name: "journal-probe", dependencies: ["Replication", "ShareSimulation", "StateJSON"], path: "Tests/JournalProbe"),
    .executableTarget(name: "json-probe", dependencies: ["StateJSON"], path: "Tests/JSONProbe"),
    .target(name: "TestSupport", dependencies: ["CLinux", "HotReload"], path: "Tests/TestSupport"),
    .target(name: "TestThreads", path: "Tests/TestThreads"),
    .target(
      name: "SimulatedMachine", dependencies: ["CLinux", "HotReload", "TestSupport"], path: "Tests/SimulatedMachine"),
    .target(
      name: "Simulation", dependencies: ["HotReload", "SimulatedMachine", "StateJSON", "StoreCore", "TestSupport"],
      path: "Tests/Simulation"),
    .executableTarget(name: "simulate", dependencies: ["Simulation"], path: "Tests/SimulationRunner"),
    .testTarget(name: "SimulationTests", dependencies: ["SimulatedMachine", "simulate", "TestThreads"]),
    .testTarget(name: "StateJSONTests", dependencies: ["StateJSON", "TestSupport"]),
    .target(
      name: "ShareSimulation", dependencies: ["Replication", "StateJSON", "TestSupport"], path: "Tests/ShareSimulation"),
    .executableTarget(
      name: "simulate-shares", dependencies: ["ShareSimulation"], path: "Tests/ShareSimulationRunner"),
    .testTarget(
      name: "ReplicationTests", dependencies: ["Replication", "ShareSimulation", "StateJSON", "TestSupport"]),
    .testTarget(name: "StoreCoreTests", dependencies: ["StoreCore", "StoreTesting", "TestThreads"]),
    .executableTarget(name: "store-stress", dependencies: ["StoreCore", "TestSupport"], path: "Tests/StoreStress"),
    .testTarget(name: "StoreRoutingTests", dependencies: ["StoreCore", "StoreRouting", "StoreTesting"]),
    .testTarget(name: "StoreTestingTests", dependencies: ["StoreCore", "StoreTesting", "TestThreads"]),
    .testTarget(
      name: "HotReloadTests",
      dependencies: ["CLinux", "HotReload", "Replication", "StateJSON", "StoreCore", "TestSupport", "TestThreads"]),
    .testTarget(
      name: "StoreRecordingTests",
      dependencies: [
        "HotReload", "StateJSON", "StoreCore", "StoreRecording", "StoreTesting", "TestSupport", "TestThreads",
      ]),
    .executableTarget(
      name: "remote-probe", dependencies: ["HotReload", "RemoteControl", "StoreCore"], path: "Tests/RemoteProbe"),
    .testTarget(
      name: "RemoteControlTests",
      dependencies: [
        "CLinux", "HotReload", "RemoteControl", "remote-probe", "StateJSON", "StoreCore", "TestSupport", "TestThreads",
      ]),
    .testTarget(name: "TerminalScreenTests", dependencies: ["TerminalScreen"]),
    .testTarget(
      name: "ReplicateTests",
      dependencies: [
        "HotReload", "RemoteControl", "replicate", "Replication", "StateJSON", "StoreCore", "StoreRecording",
        "TerminalScreen", "TestSupport", "TestThreads",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The toolchains that CI has run: a warning is an error. A newer one may warn of more, and must still build a clone.
#if compiler(<6.4)
  for target in package.targets {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
#endif
