#!/bin/sh
# Removes backups that are too old to be kept: prune-backups.sh <folder>
# Kept are the newest of each of 7 days, of 5 weeks and of 12 months that have one. Names in another form than
# 2026-11-20T0200, such as of what is unfinished or was made by hand, are left alone.
set -eu
cd "$1"

names=$(ls -1r | grep -E '^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9]{4}$' || true)
[ -n "$names" ] || exit 0

kept() { # how many, and what of a day makes its period
  periods=$(echo "$names" | cut -c1-10 | date -u -f - "$2")
  printf '%s\n%s\n' "$periods" "$names" | awk -v many="$1" -v all="$(echo "$names" | wc -l)" '
    NR <= all { period[NR] = $0; next }
    !(period[NR - all] in seen) { seen[period[NR - all]] = 1; if (++count <= many) print }'
}

keep=$(kept 7 +%F && kept 5 +%G-%V && kept 12 +%Y-%m)
for name in $names; do
  echo "$keep" | grep -qxF "$name" || { echo "too old: $name"; rm -rf -- "$name"; }
done
