// swift-tools-version: 6.3

import PackageDescription

func library(_ name: String) -> Target.Dependency { .product(name: name, package: "replicate") }

let package = Package(
  name: "Examples",
  dependencies: [
    // By path and name, so that a clone of the repository may be called anything, but not as this folder is.
    .package(name: "replicate", path: "..")
  ],
  targets: [
    .executableTarget(
      name: "Counter", dependencies: [library("HotReload"), library("RemoteControl"), library("StoreCore")],
      path: "Counter"),
    .executableTarget(
      name: "FlightRecorder", dependencies: [library("StoreCore"), library("StoreRecording")], path: "FlightRecorder"),
    .executableTarget(
      name: "Episodes",
      dependencies: [
        library("HotReload"), library("StoreCore"), library("StoreRecording"), library("StoreRouting"),
        library("TerminalScreen"),
      ],
      path: "Episodes/Sources"),
    .testTarget(
      name: "EpisodesTests",
      dependencies: [
        "Episodes", library("StateJSON"), library("StoreRecording"), library("StoreTesting"), library("TerminalScreen"),
      ],
      path: "Episodes/Tests",
      // Read where it stands.
      exclude: ["Recordings"]),
  ],
  swiftLanguageModes: [.v6]
)
