#!/usr/bin/env bash
# Hostile input, made by libFuzzer, for all that reads what others wrote: see Tests/Fuzz.
#
#   scripts/check fuzz                          each of the twelve targets for two minutes, after six to compile
#   scripts/check fuzz --seconds N [TARGET…]    so long each; only some: json, splice, patch, merge, number, rpc, arguments, history, names,
#                                         recording, journal, inspector
#   scripts/check fuzz --reduce [TARGET…]       afterwards keeps of what was found what covers more than the corpus in the repository
#   scripts/check fuzz --debug …                without optimisation, which compiles in a minute and tries a third as many inputs
#   scripts/check fuzz --build                  only compiles
#
# An input that crashes, hangs, takes too much memory or breaks a law stays in .build-fuzz/found; once that is mended, it belongs
# in Tests/Fuzz/Corpus/TARGET, with a unit test. What is found to be interesting stays in .build-fuzz/corpus for the next run.
set -euo pipefail
cd "$(dirname "$0")/../.."
found=$PWD/.build-fuzz build=$PWD/.build-fuzz seconds=120 reduce= only_build= optimisation=-O
# Per input: how long it may be, how long it may take, and how much memory the process may have then.
length=4096 timeout=20 memory=1024

names=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --reduce) reduce=1; shift ;;
    --debug) build=$PWD/.build-fuzz/debug optimisation=-Onone; shift ;;
    --build) only_build=1; shift ;;
    --help) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "unknown option '$1'; see --help" >&2; exit 2 ;;
    *) names+=("$1"); shift ;;
  esac
done
[ ${#names[@]} -gt 0 ] || names=(json splice patch merge number rpc arguments history names recording journal inspector)

# SwiftPM links no program whose main function is libFuzzer's: so the compiler is called for each module. Their interfaces
# come first, so that the modules, with the fuzzer's probes in them, can be compiled at the same time.
mkdir -p "$build" "$found/found"
flags=($optimisation -wmo -swift-version 6 -sanitize=fuzzer -enable-testing -package-name replicate -I "$build" -I Sources/CLinux/include
  -I Sources/CXXH3/include)
modules=(StateJSON Replication StoreCore HotReload StoreRecording RemoteControl TerminalScreen replicate)
stale=()
for name in "${modules[@]}"; do
  [ -e "$build/$name.o" ] && [ -z "$(find Sources -newer "$build/$name.o" -name '*.[sh]*' -print -quit)" ] || stale+=("$name")
done
compile() {
  local name=$1
  shift
  swiftc "${flags[@]}" -parse-as-library -module-name "$name" "$@" $(find "Sources/$name" -name '*.swift' ! -name main.swift)
}
jobs=()
for name in "${stale[@]}"; do
  compile "$name" -emit-module -emit-module-path "$build/$name.swiftmodule"
  compile "$name" -emit-object -o "$build/$name.o" &
  jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job"; done
objects=("${modules[@]/#/$build/}")
swiftc "${flags[@]}" -parse-as-library -module-name Fuzz -o "$build/fuzz" Tests/Fuzz/*.swift "${objects[@]/%/.o}"

[ -z "$only_build" ] || exit 0
export SWIFT_BACKTRACE=enable=no

fuzz() {
  local name=$1 seeds=Tests/Fuzz/Corpus/$1 log=$build/$1.log status=0
  mkdir -p "$found/corpus/$name" "$seeds"
  if "$build/fuzz" "--target=$name" "$found/corpus/$name" "$seeds" -max_total_time="$seconds" -max_len=$length \
    -timeout=$timeout -rss_limit_mb=$memory -artifact_prefix="$found/found/$name-" -use_value_profile=1 \
    -print_final_stats=1 -seed="${REPLICATE_FUZZ_SEED:-0}" >"$log" 2>&1
  then
    printf '%-10s %9s inputs, %5s a second, %5s kept, %4s MB at most\n' "$name" \
      $(awk '/number_of_executed_units/ { n = $2 } /average_exec_per_sec/ { s = $2 } /peak_rss_mb/ { m = $2 }
        / corp: / { split($0, a, "corp: "); split(a[2], b, "/"); c = b[1] } END { print n, s, c, m }' "$log")
  else
    status=1
    printf '%-10s FAILED\n' "$name"
    grep -E '^(Fuzz/|.*[Ff]atal error|==[0-9]+== ERROR|SUMMARY|artifact_prefix|Base64)' "$log" || tail -20 "$log"
  fi
  [ -z "$reduce" ] || "$build/fuzz" "--target=$name" -merge=1 "$seeds" "$found/corpus/$name" >>"$log" 2>&1
  return $status
}

# As many targets at a time as there are cores: each takes one.
status=0 jobs=()
for name in "${names[@]}"; do
  if [ ${#jobs[@]} -ge "$(nproc)" ]; then
    wait "${jobs[0]}" || status=1
    jobs=("${jobs[@]:1}")
  fi
  fuzz "$name" &
  jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || status=1; done
exit $status
