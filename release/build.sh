#!/usr/bin/env bash
# Builds the release of the commit that is checked out, for all targets or for those
# that are named, into a folder that is empty or not there:
#
#     bash release/build.sh VERSION OUT [OS/ARCH...]
#
# VERSION is a tag of the commit, such as v1.2.3, or has a pre-release part, such as
# v0.0.0-try, and is then no release. What is built is the commit: changes that are not
# committed have no part in it. The same commit, VERSION and release of Go give the same
# bytes on any machine.
set -euo pipefail
if [ $# -lt 2 ]; then
	echo "usage: bash release/build.sh VERSION OUT [OS/ARCH...]" >&2
	exit 2
fi
version="$1"
mkdir -p "$2"
out="$(cd "$2" && pwd)"
shift 2
cd "$(dirname "$0")/.."
if ! [[ "$version" =~ ^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?$ ]]; then
	echo "release: expected a version such as v1.2.3, found $version" >&2
	exit 2
fi
commit="$(git rev-parse HEAD)"
tagged="$(git rev-parse -q --verify "refs/tags/$version^{commit}" || true)"
if [ "${tagged:-$commit}" != "$commit" ]; then
	echo "release: $version is the tag of another commit, $tagged" >&2
	exit 1
fi
if [ -z "$tagged" ] && [[ "$version" != *-* ]]; then
	echo "release: the commit does not have the tag $version" >&2
	exit 1
fi
clone="$(mktemp -d)"
trap 'rm -rf "$clone"' EXIT
git clone -q --no-tags --no-checkout . "$clone"
cd "$clone"
git -c advice.detachedHead=false checkout -q "$commit"
git tag "$version" # which alone is there, so that the programs say it
# Built as the programs are, it shares what is compiled with them.
GOFLAGS='' CGO_ENABLED=0 go run -trimpath -buildvcs=false ./internal/cmd/release -version "$version" -out "$out" "$@"
