# Sourced by the walks: runs a walk with its own /etc, homes, mail spools, processes, name and loopback network, which
# are gone when it ends. So it can follow docs/mail-systems.md to the letter, on the ports of real mail, and no service
# or file of this machine is touched.
#
#   . sandbox.sh PROGRAM COMMAND…     skips the walk (exit code 77) unless every COMMAND is installed
# Then: $thresher is PROGRAM, $source this repository, $work a folder of the walk's own; the user alice exists.
set -euo pipefail
source=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
PATH=$PATH:/usr/sbin:/sbin
skip() { echo "skipped: $1"; exit 77; }

if [ -z "${IN_SANDBOX-}" ]; then
  program=$(realpath "$1")
  for needed in ip useradd "${@:2}"; do
    command -v "$needed" >/dev/null || [ -e "$needed" ] || skip "$needed is not installed"
  done
  [ "$(id -u)" = 0 ] || skip "a walk needs root, to make users and namespaces"
  unshare --mount --pid --net --uts --fork --kill-child --mount-proc true 2>/dev/null || skip "this machine gives no namespaces"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  chmod 755 "$work"
  code=0
  IN_SANDBOX=$work THRESHER=$program unshare --mount --pid --net --uts --fork --kill-child --mount-proc \
    timeout 1200 bash "$0" "$program" "${@:2}" || code=$?
  exit $code
fi

work=$IN_SANDBOX
mkdir "$work/etc" "$work/bin"
cp -a /etc/. "$work/etc"
cp "$THRESHER" "$work/bin/thresher"
thresher=/usr/local/bin/thresher
mount --bind "$work/etc" /etc
mount --bind "$work/bin" /usr/local/bin
for folder in /home /run /var/mail /var/spool /var/lib/postfix /var/lib/dovecot; do
  [ ! -d "$folder" ] || mount -t tmpfs -o mode=755 none "$folder"
done
ip link set lo up
hostname -b localhost 2>/dev/null || true
userdel thresher 2>/dev/null || true
userdel alice 2>/dev/null || true
useradd --create-home --home-dir /home/alice --shell /bin/sh alice
cd /

fail() { echo "FAILED: $1" >&2; exit 1; }

as_alice() { (cd /home/alice && setpriv --reuid alice --regid alice --clear-groups env -i HOME=/home/alice USER=alice LOGNAME=alice PATH=/usr/local/bin:/usr/bin:/bin "$@"); }

# teach COMMAND…: runs `COMMAND thresher learn` on the synthetic mail of `thresher generate`. Then $spam and $ham are
# two of its messages.
teach() {
  local corpus=$work/corpus class path
  $thresher generate --out "$corpus" --messages 400 --seed 7 >/dev/null
  for class in spam ham; do
    mkdir "$corpus/$class"
    sed -n "s/^$class //p" "$corpus/full/index" | while read -r path; do cp "$corpus/full/$path" "$corpus/$class/"; done
  done
  chmod -R a+rX "$corpus"
  "$@" $thresher learn --spam "$corpus/spam" --ham "$corpus/ham" >/dev/null
  spam=$corpus/spam/$(ls "$corpus/spam" | sed -n 1p)
  ham=$corpus/ham/$(ls "$corpus/ham" | sed -n 1p)
}

# Every file of a store has other bytes than were written.
break_store() {
  find "$1" -type f -size +0 -exec sh -c 'for file; do printf broken >"$file"; done' sh {} +
}

# wait_for COMMAND…: until it succeeds, for at most two minutes.
wait_for() {
  local left
  for left in $(seq 1200); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.1
  done
  return 1
}
