#!/bin/sh
# Upgrades what deploy/install-debian.sh made, as root, or goes back (docs/upgrading.md):
#
#   sh /srv/kasente/deploy/upgrade.sh v1.2.0                    a tag of the checkout's origin
#   sh /srv/kasente/deploy/upgrade.sh /root/kasente-1.2.0.tar.gz  a release's tarball, which needs no tools to build
#   sh /srv/kasente/deploy/upgrade.sh --back                    the release before
#
# The new release is made ready beside the running one, and its doctor looks at the settings, before anything changes. It stops
# at the first failure and can be run again.
set -eu

release=${1:?which release: a tag such as v1.2.0, the path of a tarball, or --back}
here=${KASENTE_FOLDER:-/srv/kasente}
settings=${KASENTE_SETTINGS:-/etc/kasente/kasente.env}
backups=${KASENTE_BACKUPS:-/var/backups/kasente}
units=${KASENTE_UNITS:-/etc/systemd/system}
by_newer=$units/kasente-backup.service.d/newer-release.conf

say() { printf '\n== %s\n' "$1"; }

# Runs a release's tool with the server's settings, as the server's user: as_server <folder> <script> [arguments]
as_server() (
  cd "$1"
  shift
  set -a
  # shellcheck source=/dev/null
  . "$settings"
  set +a
  exec runuser -u kasente -- node_modules/.bin/node "$@"
)

# Each command says what follows its failure: set -e does not hold in a function that an if asks.
restart() {
  cp "$here"/deploy/systemd/* "$units/" && systemctl daemon-reload || return 1
  for unit in $(systemctl list-units --all --plain --no-legend 'kasente@*' | cut -d ' ' -f 1); do
    port=${unit#kasente@}
    port=${port%.service}
    systemctl restart "$unit" || return 1
    curl --silent --show-error --fail --retry 60 --retry-delay 1 --retry-all-errors "http://127.0.0.1:$port/readyz" || return 1
    echo " $unit is ready"
  done
}

if [ "$release" = --back ]; then
  if [ -d "$here.previous" ]; then
    rm -rf "$here.newer"
    mv "$here" "$here.newer"
    mv "$here.previous" "$here"
  elif [ ! -d "$here.newer" ]; then
    echo "There is no release before: $here.previous is missing." >&2
    exit 1
  fi
  say 'The nightly backup stays with the newer release, which knows all of the database'
  mkdir -p "${by_newer%/*}"
  printf '[Service]\nWorkingDirectory=%s\n' "$here.newer" >"$by_newer"
  say 'The release before'
  if ! restart; then
    echo "It does not start. Where its log says that the database is newer, restore the backup from before the upgrade, in $backups: docs/upgrading.md, 'Going back'." >&2
    exit 1
  fi
  exit 0
fi

if [ "$(cat "$here/.upgraded-to" 2>/dev/null)" != "$release" ]; then
  say "$release beside the running release"
  rm -rf "$here.next"
  case $release in
    *.tar.gz)
      mkdir "$here.next"
      tar -xzf "$release" --strip-components=1 -C "$here.next"
      (cd "$here.next" && npm ci --omit=dev --no-audit --no-fund)
      ;;
    *)
      if [ ! -e "$here/.git" ]; then
        echo "$here is of a tarball and has no history: name the path of a tarball." >&2
        exit 1
      fi
      git clone --quiet "$here" "$here.next"
      git -C "$here.next" remote set-url origin "$(git -C "$here" remote get-url origin)"
      git -C "$here.next" fetch --quiet --tags
      git -C "$here.next" checkout --quiet "$release"
      (cd "$here.next" && node scripts/ensure-install.mjs && node scripts/ensure-build.mjs)
      ;;
  esac

  say 'Its doctor looks at the settings'
  as_server "$here.next" scripts/doctor.ts

  say 'A backup by the running release, or after going back by the newer one, which alone knows all of the database'
  knows_all=$here
  [ ! -d "$here.newer" ] || knows_all=$here.newer
  as_server "$knows_all" scripts/backup.ts "$backups/before-$(basename "$release" .tar.gz)-$(date -u +%Y-%m-%dT%H%M%S)"

  say 'The switch'
  echo "$release" >"$here.next/.upgraded-to"
  rm -rf "$here.previous" "$here.newer"
  mv "$here" "$here.previous"
  mv "$here.next" "$here"
fi
rm -f "$by_newer"

say 'The servers, one after the other'
if ! restart; then
  echo "A server does not start: journalctl -u 'kasente@*'. Mend that and run this again, or go back: sh $here/deploy/upgrade.sh --back" >&2
  exit 1
fi

say "$release runs. To go back: sh $here/deploy/upgrade.sh --back"
