#!/usr/bin/env bash
# Builds one configuration in the folder that all checks take it from, with whatever options of `swift build` follow.
#
#   scripts/checks/build.sh debug|release|packages [OPTION…]
#
# Packages that need the same libraries share a folder, where they find them compiled. So each build describes anew what it
# consists of. The examples and the pages have one beside that of the tests: there `swift test` would take theirs for this package's.
set -euo pipefail
cd "$(dirname "$0")/../.."

case $1 in
  debug) configuration=(--scratch-path .build) ;;
  packages) configuration=(--scratch-path .build-packages) ;;
  release) configuration=(--scratch-path .build-release -c release) ;;
  *) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
shift
swift build "${configuration[@]}" --disable-build-manifest-caching "$@"
