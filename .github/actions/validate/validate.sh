#!/usr/bin/env bash
# Validates the files DATA against SHAPES, both patterns separated by spaces, and writes
# one report of all of them to the file SARIF. It ends with the worst status of any file:
# 1 does not conform, 2 a call that is wrong, 3 refused. It needs rdfproto and jq.
set -euo pipefail
# A pattern that nothing matches is a mistake, not nothing to do.
shopt -s globstar failglob
# shellcheck disable=SC2206 # they are patterns
shapes=($SHAPES) data=($DATA)
if [ ${#shapes[@]} = 0 ] || [ ${#data[@]} = 0 ]; then
	echo "rdfproto: error: no shapes or no data are named" >&2
	exit 2
fi
flags=(--report sarif)
for file in "${shapes[@]}"; do
	flags+=("--shape=$file")
done
if [ -n "${FAIL_ON:-}" ]; then
	flags+=("--fail-on=$FAIL_ON")
fi
reports="$(mktemp -d)"
trap 'rm -rf "$reports"' EXIT
worst=0 n=0
for file in "${data[@]}"; do
	n=$((n + 1))
	status=0
	rdfproto validate "${flags[@]}" -- "$file" >"$reports/$(printf %06d "$n").json" || status=$?
	if [ "$status" -gt "$worst" ]; then
		worst=$status
	fi
done
# One run: code scanning takes one of a category. A file that was refused has no report.
# The indexes of rules are those of the single reports, and identifiers do without.
jq -s '
	.[0] as $first
	| [.[].runs[0]] as $runs
	| if $first == null then empty else
		$first
		| .runs = [$first.runs[0]
			| .tool.driver.rules = ([$runs[].tool.driver.rules[]] | unique_by(.id))
			| .results = [$runs[].results[] | del(.ruleIndex)]]
	  end' "$reports"/*.json >"$reports/all"
if [ -s "$reports/all" ]; then
	mv "$reports/all" "$SARIF"
	jq -r '.runs[0].results | "\(length) results"' "$SARIF"
fi
exit "$worst"
