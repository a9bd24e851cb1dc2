#!/bin/sh
# Prints the commit of the checkout or unpacked release around it, with '-changed' if its files are others: what the build of an
# image is told (docs/operations.md, 'As a container').
set -eu
cd "$(dirname "$0")/.."
if [ -e COMMIT ]; then
  cut -d ' ' -f 1 COMMIT
  exit
fi
commit=$(git rev-parse --short=12 HEAD)
changes=$(git status --porcelain -- contract server scripts web package.json package-lock.json)
[ -z "$changes" ] || commit=$commit-changed
echo "$commit"
