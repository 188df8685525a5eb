#!/usr/bin/env bash
# Runs the tests, and a store under stress, under ThreadSanitizer and AddressSanitizer. Fails if either reports anything, in any
# process.
#
#   scripts/check sanitizers                            all of it: twenty minutes, and as many to compile
#   scripts/check thread                                the libraries that have threads: three minutes, and three to compile
#   scripts/check address                               simulated machines: two minutes, and one to compile
#   scripts/checks/sanitize.sh [--short] [--build] [thread|address]     what these run; --build only compiles
#
# Reports go to files, those of the commands that the tests start as well, and one file is a failure: an exit code can
# get lost. Before the tests, a program with a race and one with a use of freed memory must be reported, and a correct
# one must not. Builds go to .build-tsan and .build-asan.
set -euo pipefail
cd "$(dirname "$0")/../.."

declare -A scratches=([thread]=$PWD/.build-tsan [address]=$PWD/.build-asan)
# What the control program is to be reported for.
declare -A planted=([thread]=race [address]=memory)

compile() {
  local kind=$1 scratch=${scratches[$1]}
  mkdir -p "$scratch"
  if [ "$kind" = thread ]; then
    clang -O1 -Wall -Werror -fPIC -shared -o "$scratch/mutex.so" Tests/Sanitizers/mutex.c
  fi
  swiftc -swift-version 6 -parse-as-library -sanitize="$kind" -o "$scratch/control" Tests/Sanitizers/control.swift
  # A product has no tests to compile, which take most of the time.
  local what=(--build-tests)
  [ "$kind$short" != address--short ] || what=(--product simulate)
  [ "$kind$short" != thread--short ] || trimmed_package
  swift build "${what[@]}" --sanitize="$kind" --scratch-path "$scratch" --package-path "$(package "$kind")"
  swift build --product store-stress --sanitize="$kind" --scratch-path "$scratch" --package-path "$(package "$kind")"
}

# The package that is tested: in the short form for threads, one without what that leaves out, since it has half of the code.
package() {
  if [ "$1$short" = thread--short ]; then echo "$PWD/.build-tsan/package"; else echo "$PWD"; fi
}

trimmed_package() {
  local folder=.build-tsan/package name
  mkdir -p "$folder"
  for name in Sources Tests sample-state.json; do ln -sfn "../../$name" "$folder/$name"; done
  cat Package.swift - >"$folder/Package.swift" <<'SWIFT'

let isLeftOut: Set = [
  "ReplicateTests", "ReplicationTests", "ShareSimulation", "Simulation", "SimulatedMachine", "SimulationTests", "StateJSONTests",
  "StoreRecording", "StoreRecordingTests", "StoreTestingTests", "TerminalScreen", "TerminalScreenTests", "file-probe", "journal-probe",
  "json-probe", "replicate", "simulate", "simulate-shares",
]
package.products.removeAll { isLeftOut.contains($0.name) }
package.targets.removeAll { isLeftOut.contains($0.name) }
SWIFT
}

# Environment that makes a sanitizer write its reports to files beginning with the path given.
settings() {
  case $1 in
    thread) echo "LD_PRELOAD=${scratches[thread]}/mutex.so TSAN_OPTIONS=log_path=$2:second_deadlock_stack=1" ;;
    # Swift's runtime keeps metadata for good, which counts as leaked. An allocation is noted with its innermost frames
    # only: whole stacks would take a quarter of the time, and find no more. ASAN_OPTIONS can ask for them.
    address) echo "ASAN_OPTIONS=malloc_context_size=4:${ASAN_OPTIONS:-}:log_path=$2:detect_leaks=0" ;;
  esac
}

reports() { compgen -G "$1*" >/dev/null; }

# Whether the sanitizer reports what a control program does.
finds() {
  local kind=$1 what=$2 logs=$3
  env $(settings "$kind" "$logs/$what") "${scratches[$kind]}/control" "$what" >/dev/null 2>&1 || true
  reports "$logs/$what"
}

# Left out is what has one thread, and so nothing that could race: values and their texts, what devices make of journals, what becomes
# of saves, and the simulation. The short form also leaves out what a command, a recording or a test store does with the libraries,
# whose own tests come to the same code.
leaves_out() {
  local values='StateJSONTests\.|ReplicationTests\.|SimulationTests\.'
  values+='|HotReloadTests\.(SaveMergeTests|HistoryReaderTests|LogThinningTests|ChangedPlacesTests)'
  [ "$1" != thread ] || echo "--skip ^($values)"
}

# Whether the sanitizer finds what is planted, and nothing else; then what it finds in the tests, or in the short form in what all of
# the file layer and its values do on simulated machines, which has as many pointers.
run_tests() {
  local kind=$1 logs failed='' wrong=${planted[$1]} summary
  logs=$(mktemp -d "${TMPDIR:-/tmp}/replicate-sanitize.XXXXXX")
  finds "$kind" "$wrong" "$logs" || { echo "$kind sanitizer: the planted $wrong was not reported"; return 1; }
  ! finds "$kind" clean "$logs" || { echo "$kind sanitizer: a correct program was reported:"; cat "$logs"/clean*; return 1; }
  rm -f "$logs"/*

  # Few tests at once: made slow and all begun together, they would starve each other until one runs out of patience.
  local run=(swift test --skip-build --sanitize="$kind" --scratch-path "${scratches[$kind]}" --package-path "$(package "$kind")"
    --quiet --experimental-maximum-parallelization-width 4 $(leaves_out "$kind"))
  [ "$kind$short" != address--short ] || run=("${scratches[$kind]}/debug/simulate" --runs 250)
  env $(settings "$kind" "$logs/tests") "${run[@]}" \
    >"$logs/output" 2>&1 || { grep -E '✘|↳|error:|reported' "$logs/output" || tail -20 "$logs/output"; failed=1; }
  if reports "$logs/tests"; then
    cat "$logs"/tests*
    failed=1
  fi
  [ -z "$failed" ] || { echo "$kind sanitizer: failed"; return 1; }
  summary=$(grep -E 'Test run with [1-9]|^[1-9][0-9]* runs from seed' "$logs/output" | tail -1) || { echo "$kind sanitizer: no test ran"; return 1; }
  echo "$kind sanitizer: $summary"
  rm -r "$logs"
}

# All that can be done with a store, by eight threads at once; with what is left in memory, which the tests can't be searched for.
run_stress() {
  local kind=$1 logs stress=${scratches[$1]}/debug/store-stress failed=''
  logs=$(mktemp -d "${TMPDIR:-/tmp}/replicate-stress.XXXXXX")
  if [ "$kind" = address ]; then
    ! env ASAN_OPTIONS="log_path=$logs/planted" "$stress" --leak 2>/dev/null || failed='the planted leak was not reported'
    rm -f "$logs"/planted*
    env ASAN_OPTIONS="log_path=$logs/stress" "$stress" --rounds 1000 || failed=${failed:-failed}
  else
    env $(settings "$kind" "$logs/stress") "$stress" --rounds 500 || failed=failed
  fi
  if reports "$logs/stress"; then
    cat "$logs"/stress*
    failed=${failed:-reported}
  fi
  rm -r "$logs"
  [ -z "$failed" ] || { echo "$kind sanitizer, store-stress: $failed"; return 1; }
}

kinds=() only_build= short=
for word; do
  case $word in
    thread | address) kinds+=("$word") ;;
    --build) only_build=1 ;;
    --short) short=--short ;;
    *) sed -n '2,12s/^# \{0,1\}//p' "$0"; [ "$word" = --help ] && exit 0 || exit 2 ;;
  esac
done
[ ${#kinds[@]} -gt 0 ] || kinds=(thread address)

# At the same time, since one build doesn't keep two cores busy; the tests do.
jobs=() status=0
for kind in "${kinds[@]}"; do
  compile "$kind" &
  jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || status=1; done
[ -z "$only_build" ] && [ $status = 0 ] || exit $status
for kind in "${kinds[@]}"; do
  run_stress "$kind" || status=1
  run_tests "$kind" || status=1
done
exit $status
