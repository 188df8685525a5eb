#!/usr/bin/env bash
# Checks the format of all Swift files. Takes 20 seconds.
set -euo pipefail
cd "$(dirname "$0")/../.."
swift format lint --strict --recursive --parallel --configuration .swift-format \
  Package.swift Sources Tests Examples Benchmarks
