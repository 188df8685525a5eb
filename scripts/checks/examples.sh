#!/usr/bin/env bash
# Builds the examples, runs their tests, and uses Counter and FlightRecorder as their pages say. Takes two minutes after a debug
# build.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$(mktemp -d "${TMPDIR:-/tmp}/replicate-example.XXXXXX")
scripts/checks/build.sh packages --package-path Examples --build-tests
programs=$PWD/.build-packages/debug

printf '%s\n' 5 Lambs 2 | "$programs/Counter" "$folder/counter.json"
diff "$folder/counter.json" - <<'JSON'
{
  "title": "Lambs",
  "count": 7
}
JSON
echo '{"jsonrpc":"2.0","id":1,"method":"dispatch","params":{"action":{"add":{"_0":-2}}}}' |
  "$programs/Counter" "$folder/counter.json" --attach |
  grep -x '{"jsonrpc":"2.0","result":{"version":"[0-9]*"},"id":1}'
grep -q '"count": 5' "$folder/counter.json"
[ "$(ls -A "$folder")" = counter.json ] || { echo "the example left something behind:"; ls -A "$folder"; exit 1; }
rm -r "$folder"

swift test --package-path Examples --scratch-path .build-packages --disable-build-manifest-caching --quiet

# The last actions of a program are in its recording after a trap and after SIGKILL, without what is redacted.
folder=$(mktemp -d "${TMPDIR:-/tmp}/replicate-flight.XXXXXX")
app=$programs/FlightRecorder
export SWIFT_BACKTRACE=enable=no
if printf '%s\n' 'ann s3cret' 3 8 | "$app" "$folder/trap" >/dev/null 2>&1; then echo 'it survived a trap'; exit 1; fi

mkfifo "$folder/input"
"$app" "$folder/kill" <"$folder/input" >"$folder/output" &
pid=$!
exec 9>"$folder/input"
printf '%s\n' 'ann s3cret' 3 >&9
grep -q -m 1 '"/coins","value":7' < <(timeout 60 tail -n +1 -F --pid=$pid "$folder/kill" 2>/dev/null)
kill -9 $pid
wait $pid 2>/dev/null || true
exec 9>&-

recorded() {
  .build/debug/replicate show "$1" | sed '1d; s/ [0-9.]*s / TIME /; s/  */ /g'
  if grep -q s3cret "$1"; then echo 'the token is told'; fi
}
diff <(recorded "$folder/trap") - <<'TEXT'
1 TIME action {"logIn":{"owner":"ann","token":"•"}}
2 TIME action {"spend":{"_0":3}}
- TIME dispatched FlightRecorder.Action {"spend":{"_0":8}}, and nothing followed: the program ended here
not ended: it is still being recorded, or was cut short
TEXT
diff <(recorded "$folder/kill") - <<'TEXT'
1 TIME action {"logIn":{"owner":"ann","token":"•"}}
2 TIME action {"spend":{"_0":3}}
not ended: it is still being recorded, or was cut short
TEXT
rm -r "$folder"
