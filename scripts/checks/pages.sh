#!/usr/bin/env bash
# Compiles the programs in the README, docs/store.md and docs/recording.md as a package of their own, and compares what they
# print with what the page says. Then checks the doc comments of all public symbols. Takes two minutes after a debug build.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d "${TMPDIR:-/tmp}/replicate-pages.XXXXXX")
mkdir -p "$folder/Sources/Readme" "$folder/Sources/StorePage" "$folder/Sources/RecordingPage"
# The README goes on with pieces of other files; the page is one program.
awk '/^```swift$/ { n++; next } /^```$/ { if (n == 1) exit } n == 1' README.md >"$folder/Sources/Readme/main.swift"
awk '/^```swift$/ { on = 1; next } /^```$/ { on = 0 } on' docs/store.md >"$folder/Sources/StorePage/main.swift"
awk '/^```swift$/ { on = 1; next } /^```$/ { on = 0 } on' docs/recording.md >"$folder/Sources/RecordingPage/main.swift"
cat >"$folder/Package.swift" <<SWIFT
// swift-tools-version: 6.3
import PackageDescription

let libraries: [Target.Dependency] = [
  "HotReload", "RemoteControl", "StateJSON", "StoreCore", "StoreRecording", "StoreRouting", "StoreTesting",
  "TerminalScreen",
].map {
  .product(name: \$0, package: "replicate")
}

let package = Package(
  name: "Pages",
  dependencies: [.package(name: "replicate", path: "$PWD")],
  targets: [
    .executableTarget(name: "Readme", dependencies: libraries),
    .executableTarget(name: "StorePage", dependencies: libraries),
    .executableTarget(name: "RecordingPage", dependencies: libraries),
  ])
SWIFT
scripts/checks/build.sh packages --package-path "$folder"
programs=$PWD/.build-packages/debug
(cd "$folder" && "$programs/Readme") | diff - <(printf '%s\n' 'Sheep: 0  (start)' 'Sheep: 5  (action)')
# On a busy machine what the search finds comes before the sheet's subscription ends: then that says the same once more.
(cd "$folder" && "$programs/StorePage") | uniq | diff - <(
  printf '%s\n' '["Fog", "Foghorn"] action' '1 ["Sheep"]' '["Sheep"]' 'Sheep true action' \
    '2 Sheep false' '2 Fog false' '3 Fog true')
(cd "$folder" && "$programs/RecordingPage") | diff - <(
  printf '%s\n' '1 action {"logIn":{"_0":"ann","token":"•"}}' '2 action {"add":{"_0":"milk"}}' \
    '3 action {"add":{"_0":"bread"}}' '["milk"]')
scripts/check documents
rm -r "$folder"
