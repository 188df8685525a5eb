#!/usr/bin/env bash
# Checks that each target imports only what docs/architecture.md allows, and that only Platform folders call the system.
# Takes 10 seconds.
set -euo pipefail
cd "$(dirname "$0")/../.."

while read -r target allowed; do
  found=$(grep -rhE '^[^/]*\bimport ' "Sources/$target" | awk '{ print $NF }' | sort -u)
  for module in $found; do
    [[ " $allowed " == *" $module "* ]] || { echo "$target imports $module"; exit 1; }
  done
done <<'TABLE'
StateJSON CXXH3 Foundation FoundationEssentials Synchronization
Replication StateJSON
StoreCore Darwin FoundationEssentials Glibc Musl Observation Synchronization
StoreTesting StoreCore Synchronization
StoreRouting StoreCore Synchronization
HotReload CLinux Glibc Replication StateJSON StoreCore Synchronization
StoreRecording HotReload StateJSON StoreCore Synchronization
RemoteControl Glibc HotReload StateJSON StoreCore Synchronization
TerminalScreen Glibc Synchronization
replicate CLinux Glibc HotReload RemoteControl Replication StateJSON StoreCore StoreRecording Synchronization TerminalScreen
TABLE
if found=$(grep -rlE '^[^/]*\bimport (CLinux|Darwin|Glibc|Musl)' Sources | grep -v /Platform/); then
  echo "the system is known outside of Platform: $found"
  exit 1
fi
# What decides knows the system by two values alone, which file it is and what that looks like.
platform=$(grep -ohE '^(public |package |private |final |@[a-z]+ )*(struct|class|enum|protocol) [A-Za-z]+' \
  Sources/HotReload/{,*/}Platform/*.swift | awk '{ print $NF }' | grep -vxE 'FileStatus|FileIdentity' | sort -u | paste -sd '|')
if found=$(grep -rnE "^[^/]*\b($platform|ProcessState|SharedFile|FileWatcher|VersionLog)\b" \
  Sources/HotReload/{Replica,History,LogText}); then
  echo "what decides knows the system: $found"
  exit 1
fi
if found=$(grep -rlE '^[^/]*\bimport RemoteControl' Sources/replicate/CommandLine); then
  echo "the parser of the command line knows what is served: $found"
  exit 1
fi
# What wraps the system for whoever needs it knows nothing of a shared file: it compiles without the rest of its target.
swiftc -typecheck -swift-version 6 -package-name replicate -module-name Platform -I Sources/CLinux/include \
  Sources/HotReload/Platform/*.swift || { echo "HotReload/Platform knows what is above it"; exit 1; }
# What is simulated is called by the table alone. Names that methods have as well can't be told apart, but for those with a prefix.
table=Sources/HotReload/Platform/SystemCalls.swift
calls=$(grep -oE '(Glibc|CLinux)\.[a-z_0-9]+\(|linux_[a-z_]+\(' "$table" | sed -E 's/^(Glibc|CLinux)\.//; s/\(//' | sort -u |
  grep -vxE 'accept4|bind|close|connect|listen|read|send|socket|write' | paste -sd '|')
if found=$(grep -nE "(^|[^.[:alnum:]_\`])($calls)\(|Glibc\.(close|read|write|send|recv)\(" \
  $(ls Sources/HotReload/{,*/}Platform/*.swift | grep -vxF -e "$table" -e Sources/HotReload/Platform/StandardError.swift)); then
  echo "a system call that goes round the table in $table: $found"
  exit 1
fi
