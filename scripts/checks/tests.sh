#!/usr/bin/env bash
# Runs all tests by the command of the README, and fails unless as many were run as are written. Takes two to three minutes after a
# debug build.
set -euo pipefail
cd "$(dirname "$0")/../.."

log=$(mktemp "${TMPDIR:-/tmp}/replicate-tests.XXXXXX")
trap 'rm "$log"' EXIT
swift test --quiet 2>&1 | tee "$log"
written=$(grep -rhow '@Test' Tests/*Tests --include='*.swift' | wc -l)
grep -q "Test run with $written tests " "$log" || { echo "$written tests are written, and others were run"; exit 1; }
