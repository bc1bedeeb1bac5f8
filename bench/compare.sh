#!/usr/bin/env bash
# Times this module and other implementations of the same operations in one
# run, interleaved, and writes the ratios to docs/performance.md:
#
#     bash bench/compare.sh                   # about an hour
#     PARTS="" POISON="" bash bench/compare.sh # the short part, about ten minutes
#     ROUNDS=3 BUDGET=1200 bash bench/compare.sh
#
# The machine has to be quiet. The other implementations and the workloads come
# from the folder that PEERS names, which installs them; without that folder
# there is nothing to compare with.
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD"

peers="${PEERS:-../shared/bench}"
if [ ! -d "$peers" ]; then
	echo "no implementations to compare with: set PEERS" >&2
	exit 2
fi
installed="${TMPDIR:-/tmp}/rdfproto-peers"
[ -f "$installed/env" ] || bash "$peers/setup.sh"
# shellcheck disable=SC1091
source "$installed/env" # DATA, RESULTS, BENCH

own="$(mktemp -d)"
trap 'rm -rf "$own"' EXIT
export CGO_ENABLED=0 # as releases are built: one file that needs no other
go build -o "$own/bench" ./internal/cmd/bench
go build -o "$own/ratios" ./internal/cmd/ratios
go build -o "$own/rdfproto" ./cmd/rdfproto
files=()

cd "$BENCH"
OWN="$own/bench" bash key.sh
files+=("$RESULTS/key/all.jsonl")
RDFPROTO_BIN="$own/rdfproto" bash cli.sh >"$RESULTS/key/cli.jsonl"
files+=("$RESULTS/key/cli.jsonl")
parts="${PARTS-parse parse2 c14n shacl}"
if [ -n "$parts" ]; then
	: >"$RESULTS/sweep.jsonl"
	# The parts are words to be split.
	# shellcheck disable=SC2086
	R="$RESULTS/sweep.jsonl" OWN="$own/bench" bash run.sh $parts >/dev/null
	files+=("$RESULTS/sweep.jsonl")
fi
if [ -n "${POISON-yes}" ]; then
	CAP="${CAP:-60}" OWN="$own/bench" bash poison.sh
	files+=("$RESULTS/poison.jsonl")
fi

cd "$root"
OUT="$RESULTS/growth.jsonl" bash bench/growth.sh >/dev/null

# The processor's name, its cores and the memory, as far as they can be told.
machine="$(awk -F': *' '/^model name/ { n++; name = $2 } END { if (n) print name ", " n " cores" }' /proc/cpuinfo 2>/dev/null || true)"
memory="$(awk '/^MemTotal/ { printf "%.0f GB of memory", $2 / 1e6 }' /proc/meminfo 2>/dev/null || true)"
"$own/ratios" -date "$(date -u +%F)" -machine "${machine:-$(uname -sm)}${memory:+, $memory}, $(uname -s)" "${files[@]}" >"$own/performance.md"
cp "$own/performance.md" docs/performance.md
echo "wrote docs/performance.md and docs/growth.svg"
