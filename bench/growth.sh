#!/usr/bin/env bash
# Measures time and peak memory of this module at sizes from a thousand triples
# to a million (three millions to validate), and draws docs/growth.svg:
#
#     bash bench/growth.sh             # 3 rounds of 1,200 ms each
#     ROUNDS=1 BUDGET=300 bash bench/growth.sh
#
# The workloads come from the folder $DATA, else from where bench/compare.sh
# installs the other implementations.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${DATA:-}" ]; then
	installed="${TMPDIR:-/tmp}/rdfproto-peers"
	if [ ! -f "$installed/env" ]; then
		echo "no workloads: set DATA, or run bench/compare.sh first" >&2
		exit 2
	fi
	# shellcheck disable=SC1091
	source "$installed/env"
fi
export DATA

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
CGO_ENABLED=0 go build -o "$work/bench" ./internal/cmd/bench
go build -o "$work/ratios" ./internal/cmd/ratios

for ((i = 0; i < ${ROUNDS:-3}; i++)); do
	for size in 1k 10k 100k 1m; do
		"$work/bench" parse "doc-$size.ttl" "${BUDGET:-1200}"
		"$work/bench" hash "doc-$size.ttl" "${BUDGET:-1200}"
		"$work/bench" c14n "doc-$size.nt" "${BUDGET:-1200}"
	done
	for size in 10 1k 10k 100k; do # focus nodes, of about 30 triples each
		"$work/bench" shacl "shapes.ttl+shacl-$size.ttl" "${BUDGET:-1200}"
	done
done | tee "${OUT:-$work/growth.jsonl}"

"$work/ratios" -chart "${OUT:-$work/growth.jsonl}" >"$work/growth.svg"
cp "$work/growth.svg" docs/growth.svg
echo "wrote docs/growth.svg" >&2
