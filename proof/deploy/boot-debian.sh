#!/bin/sh
# Boots a Debian of a folder, with systemd as process 1: boot-debian.sh <folder>, as root, in namespaces of its own (`unshare
# --mount --pid --fork --uts --ipc --cgroup`). It shares the kernel and the network of the machine. With it ends all that runs in it.
set -eu
root=$1
mount --make-rprivate /
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm run/machine
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${stream%:*}" "dev/${stream#*:}"; done
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
# Not chroot: the kernel lets nobody in one make the namespaces that units ask for.
pivot_root . run/machine
exec sh -c 'umount -l /run/machine && exec env -i container=proof PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd'
