#!/usr/bin/env bash
# Times this module and other implementations of the same operations in one
# run, interleaved, and writes the ratios to docs/performance.md:
#
#     bash bench/compare.sh                       # what has a goal, half an hour
#     ROUNDS=1 BUDGET=400 bash bench/compare.sh   # a first look, ten minutes
#     PARTS="parse parse2 c14n shacl" bash bench/compare.sh # and every other there is, an hour more
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
: >"$RESULTS/key/cli.jsonl"
for ((i = 0; i < 3 * ${ROUNDS:-3}; i++)); do # short rounds, some of which are disturbed
	RDFPROTO_BIN="$own/rdfproto" bash cli.sh >>"$RESULTS/key/cli.jsonl"
done
files+=("$RESULTS/key/cli.jsonl")

# What key.sh leaves out of the goals: large inputs and poison graphs.
goals="$RESULTS/goals.jsonl"
: >"$goals"
java=(java -Xmx8g -cp "$(cat java/cp.txt):java:java/fix" Bench)
# measure PEER OP WORKLOAD appends one line; a peer without an answer in time has none.
measure() {
	local peer=$1 op=$2 workload=$3 budget=${BUDGET:-1200} command
	case $peer in
	own) command=("$own/bench" "$op" "$workload" "$budget") ;;
	serd) command=(c/cpeers "$op" serd "$workload" "$budget") ;;
	jena) command=("${java[@]}" "$op" jena "$workload" $((budget * 3))) ;;
	json-gold) command=(go/peersgo "$op" json-gold "$workload" "$budget") ;;
	*) command=(node --max-old-space-size=12000 --stack-size=4000 bench.mjs "$op" "$peer" "$workload" "$budget") ;;
	esac
	{ timeout "${CAP:-120}" "${command[@]}" 2>/dev/null || true; } | tail -1 >>"$goals"
}
# versus OP WORKLOAD PEER... measures the peers and then this module.
versus() {
	local op=$1 workload=$2 peer
	shift 2
	for peer in "$@" own; do
		measure "$peer" "$op" "$workload"
	done
}
for ((i = 0; i < ${ROUNDS:-3}; i++)); do
	versus parse doc-100k.ttl serd
	versus parse doc-1m.ttl serd
	versus parse doc-1m.nt serd
	versus parse doc-10k.jsonld jsonld-toRDF oxigraph-parse json-gold
	for blank in nobn uniq lists; do
		versus c14n "c14n-$blank-10k.nq" # beside its tenfold: growth
		versus c14n "c14n-$blank-100k.nq"
	done
	versus shacl shapes.ttl+shacl-10k.ttl jena
	versus shacl shapes.ttl+shacl-100k.ttl jena
	for graph in K6 K7 petersen torus2x8 chain200; do
		measure json-gold c14n "poison-$graph.nq"
		measure own c14n-raised "poison-$graph.nq"
	done
	measure own c14n poison-K8.nq # refused: how soon
	measure own c14n poison-chain1000.nq
done
files+=("$goals")
if [ -n "${PARTS:-}" ]; then
	: >"$RESULTS/sweep.jsonl"
	# The parts are words to be split.
	# shellcheck disable=SC2086
	R="$RESULTS/sweep.jsonl" OWN="$own/bench" bash run.sh $PARTS >/dev/null
	files+=("$RESULTS/sweep.jsonl")
fi

cd "$root"
OUT="$RESULTS/growth.jsonl" bash bench/growth.sh >/dev/null

# The processor's name, its cores and the memory, as far as they can be told.
machine="$(awk -F': *' '/^model name/ { n++; name = $2 } END { if (n) print name ", " n " cores" }' /proc/cpuinfo 2>/dev/null || true)"
memory="$(awk '/^MemTotal/ { printf "%.0f GB of memory", $2 / 1e6 }' /proc/meminfo 2>/dev/null || true)"
"$own/ratios" -date "$(date -u +%F)" -machine "${machine:-$(uname -sm)}${memory:+, $memory}, $(uname -s)" "${files[@]}" >"$own/performance.md"
cp "$own/performance.md" docs/performance.md
echo "wrote docs/performance.md and docs/growth.svg"
