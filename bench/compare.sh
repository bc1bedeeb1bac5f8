#!/usr/bin/env bash
# Times this module and other implementations of the same operations in one
# run, interleaved, and writes the ratios to docs/performance.md:
#
#     bash bench/compare.sh            # 5 rounds of 400 ms each
#     ROUNDS=3 BUDGET=1200 bash bench/compare.sh
#
# The other implementations and the workloads come from the folder that PEERS
# names, which installs them; without that folder there is nothing to compare
# with.
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
go build -o "$own/bench" ./internal/cmd/bench
go build -o "$own/rdfproto" ./cmd/rdfproto

cd "$BENCH"
OWN="$own/bench" bash key.sh
RDFPROTO_BIN="$own/rdfproto" bash cli.sh >"$RESULTS/key/cli.jsonl"

cd "$root"
go run ./internal/cmd/ratios "$RESULTS/key/all.jsonl" "$RESULTS/key/cli.jsonl" >"$own/performance.md"
cp "$own/performance.md" docs/performance.md
echo "wrote docs/performance.md"
