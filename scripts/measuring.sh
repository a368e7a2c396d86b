# Sourced by the scripts that measure thresher: their help, their arguments, and the build that they measure.
# shellcheck shell=bash disable=SC2034,SC2164,SC2317  # the scripts read what is set here, and have `set -e`

usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }  # the comment at the head of the script
misused() { usage >&2; exit 64; }
failed() { echo "scripts/$(basename "$0"): $2" >&2; exit "$1"; }  # CODE MESSAGE
must_read() { [ -r "$1" ] || failed 66 "$1: cannot be read"; }
must_have_corpora() { [ -d "${THRESHER_CORPORA:-}" ] || failed 66 "\$THRESHER_CORPORA names no folder"; }
must_count() { [[ $1 =~ ^[1-9][0-9]*$ ]] || misused; }

# absolute_paths INDEX: its lines with absolute paths, without empty ones, each with one blank between its words and
# no CR at the end. A path has no blanks in an index: a folder with blanks is linked into $work.
absolute_paths() {
  local folder
  folder=$(dirname "$(readlink -f "$1")")
  if [[ $folder = *[[:space:]]* ]]; then
    [ -n "${work:-}" ] || failed 65 "$folder: an index cannot name files of a folder with blanks"
    ln -sfn "$folder" "$work/folder-$(stat -c %d-%i "$folder")"
    folder=$work/folder-$(stat -c %d-%i "$folder")
  fi
  folder=$folder awk '{ sub(/\r$/, "") } NF { if ($2 !~ /^\//) $2 = ENVIRON["folder"] "/" $2; $1 = $1; print }' "$1"
}

# read_arguments ARGUMENT…: [OPTION…] INDEX… [-- ARGUMENT…]. $indexes are absolute paths, of one index or more;
# ${kinds[i]} is what $kind was when ${indexes[i]} came; $arguments is what came behind --. A script that has options
# of its own defines take_option, which is given the option with all behind it. With a value of its own, the option
# takes two words: with_value "$@" says so, and makes sure that there is one.
indexes=() kinds=() arguments=() kind=
read_arguments() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --help) usage; exit 0 ;;
      --) shift; arguments=("$@"); break ;;
      -*) option_words=1; take_option "$@"; shift "$option_words" ;;
      *) must_read "$1"; indexes+=("$(readlink -f "$1")"); kinds+=("$kind"); shift ;;
    esac
  done
  [ ${#indexes[@]} -gt 0 ] || misused
}
take_option() { misused; }
with_value() { [ $# -ge 2 ] || misused; option_words=2; }

# build TARGET…, in this repository
build() {
  cmake --preset release >/dev/null
  cmake --build --preset release --target "$@" >/dev/null
}

# prepare PACKAGE…: these are installed and thresher is built. From then on this repository is the current folder,
# $thresher is the program, and $work a folder that is removed at the end.
prepare() {
  cd "$(dirname "$0")/.."
  scripts/setup "$@"
  build thresher
  thresher=$PWD/build/release/pipeline/thresher
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
}
