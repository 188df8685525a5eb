#!/usr/bin/env bash
# Runs each benchmark for a moment, and measures what a commit and a dispatch cost in instructions. Takes two minutes after a
# release build.
set -euo pipefail
cd "$(dirname "$0")/../.."

products=.build-release/release
allowance=()
[ "${UNAVAILABLE:-fail}" = fail ] || allowance=(--skip-unavailable)

scripts/checks/build.sh release --package-path Benchmarks
rows=$("$products/dispatch" --rounds 1 | grep -cE '^\|.*\| [0-9]+ \| [0-9.]+ \|')
[ "$rows" -ge 48 ] || { echo "the benchmark of dispatches has $rows rows"; exit 1; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/replicate-results.XXXXXX")
Benchmarks/run --quick --products "$products" --no-install --only propagation --only commit --only contention --only growth \
  --only idle --only json --only dispatch --only inspector --output "$folder"
rm -r "$folder"
# Instructions and system calls are the same however busy the machine is.
Benchmarks/guard --products "$products" "${allowance[@]}"
