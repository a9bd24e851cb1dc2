#!/bin/sh
# Plays systemctl where no systemd runs (first-day.test.ts): starts and stops what the units of /etc/systemd/system name, as their
# user, in their folder and with their settings. Sandboxes, timers, and restarts after a failure are left out.
set -eu
units=/etc/systemd/system
state=/run/units
mkdir -p "$state"

# A name's values in a unit and its drop-ins, each on a line: values <unit> <name>
values() {
  instance=${1#*@}
  file=$(echo "$1" | sed 's/@.*/@/').service
  cat "$units/$file" "$units/$file.d"/*.conf 2>/dev/null | sed -n "s/^$2=//p" | sed "s/%i/$instance/g; s/%%/%/g"
}

last() { values "$1" "$2" | tail -n 1; }

# Becomes the unit's program: launch <unit> <ExecStart or ExecStopPost>
launch() {
  for file in $(values "$1" EnvironmentFile); do
    [ -e "${file#-}" ] || continue
    set -a
    . "${file#-}"
    set +a
  done
  for pair in $(values "$1" Environment); do export "${pair?}"; done
  user=$(last "$1" User)
  folder=/var/lib/$(last "$1" StateDirectory)
  install -d -o "$user" -g "$user" -m 0700 "$folder"
  cd "$(last "$1" WorkingDirectory)"
  eval "exec setpriv --reuid=$user --regid=$user --init-groups $(last "$1" "$2")"
}

# In an empty environment, as systemd does.
launched="env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh $0 launch"

stop() {
  [ -e "$state/$1" ] || return 0
  pid=$(cat "$state/$1")
  kill -TERM "$pid" 2>/dev/null || true
  tail --pid="$pid" -f /dev/null
  rm "$state/$1"
}

start() {
  case $1 in
    *backup)
      $launched "$1" ExecStart || failed=$?
      $launched "$1" ExecStopPost
      return "${failed:-0}"
      ;;
  esac
  $launched "$1" ExecStart >>"/var/log/$1.log" 2>&1 &
  echo $! >"$state/$1"
}

order=$1
shift
case $order in
  daemon-reload) ;;
  list-units) for unit in "$state"/kasente@*; do echo "${unit##*/}.service loaded active running"; done ;;
  launch) launch "$@" ;;
  start | stop | restart)
    for unit; do
      unit=${unit%.service}
      case $order in stop | restart) stop "$unit" ;; esac
      case $order in start | restart) start "$unit" ;; esac
    done
    ;;
  *)
    echo "systemctl $order is not played" >&2
    exit 1
    ;;
esac
