# Sourced by scripts/soak: what is done at each command, with $thresher in the working folder that `prepare` fills. A
# command's store is its second argument; a model is made anew where there is none to begin with.
commands=(create learn logs cut serve feedback filter classify forget rebuild backup import fit replay)
declare -A from=([create]=none [learn]=taught [logs]=logs [cut]=torn [serve]=spooled [feedback]=spooled [filter]=taught
  [classify]=taught [forget]=taught [rebuild]=forgotten [backup]=none [import]=none [fit]=taught [replay]=none)

run() {  # COMMAND STORE
  case $1 in
    create) "$thresher" learn --store "$2" --spam mail/first/spam --ham mail/first/ham ;;
    learn | logs) "$thresher" learn --store "$2" --spam mail/more/spam --ham mail/more/ham ;;
    cut) "$thresher" check --cut-log --store "$2" ;;
    serve) through_daemon "$2" ;;
    feedback) "$thresher" feedback --store "$2" --list mail/replies ;;
    filter) "$thresher" filter --store "$2" <mail/one ;;
    classify) "$thresher" classify --store "$2" mail/late* ;;
    forget) "$thresher" forget --store "$2" --list mail/forgotten ;;
    rebuild) "$thresher" rebuild --store "$2" ;;
    backup) "$thresher" backup --store taught "$2/default" ;;
    import) "$thresher" import --store "$2" mail/export ;;
    fit) "$thresher" fit --store "$2" --install --insist ;;
    replay) "$thresher" replay --store "$2" --set store.checkpoint_every=9 mail/corpus/full/index ;;
  esac
}

# What needs that a command was successful: the spool has what was classified.
what_follows() {  # COMMAND STORE
  case $1 in
    filter) "$thresher" feedback --store "$2" --list mail/reply ;;
    classify) "$thresher" feedback --store "$2" --list mail/replies ;;
  esac
}

through_daemon() {  # STORE: everything that teaches, while a daemon owns the model
  local daemon code=0 socket=$1/default.socket
  rm -f "$socket"
  "$thresher" serve --store "$1" --http "$work/http" &
  daemon=$!
  until [ -S "$socket" ] || ! kill -0 "$daemon" 2>/dev/null; do sleep 0.02; done
  [ -S "$socket" ] || echo "no daemon listens" >&2
  "$thresher" learn --store "$1" --spam mail/more/spam --ham mail/more/ham &&
    "$thresher" feedback --store "$1" --list mail/replies &&
    "$thresher" forget --store "$1" --list mail/forgotten || code=$?
  kill "$daemon" 2>/dev/null || true
  wait "$daemon" || true
  return "$code"
}

prepare() {
  cd "$work"
  mkdir mail
  "$thresher" generate --out mail/corpus --messages 60 --seed 5 >/dev/null
  shorten mail/corpus
  local label file n=0 part second
  mkdir -p mail/{first,more}/{spam,ham}
  while read -r label file; do
    n=$((n + 1))
    if [ "$n" -le 36 ]; then part=first; elif [ "$n" -le 48 ]; then part=more; else part=; fi
    file=mail/corpus/full/$file
    [ -z "$part" ] || cp "$file" "mail/$part/$label/$n"
    [ "$n" -ne 50 ] || { cp "$file" mail/one; message_id "$file" | sed "s/^/$label /" >mail/reply; }
    case $n in 49) cp "$file" mail/one1 ;; 51) cp "$file" mail/one2 ;; 52) cp "$file" mail/one3 ;; esac
    [ "$n" -lt 53 ] || { cp "$file" "mail/late$n"; message_id "$file" | sed "s/^/$label /" >>mail/replies; }
    [ "$n" -gt 5 ] || message_id "$file" >>mail/forgotten
  done <mail/corpus/full/index
  run create taught >/dev/null 2>&1
  cp -r taught spooled
  "$thresher" classify --store spooled mail/late* >/dev/null
  cp -r taught forgotten
  run forget forgotten >/dev/null 2>&1
  "$thresher" export --store taught >mail/export
  several_logs
  cp -r logs torn
  second=$(find torn -name '*.log' -size +0 | sort | sed -n 2p)
  dd if=/dev/zero of="$second" bs=1 seek=$(($(stat -c %s "$second") / 2)) count=9 conv=notrunc status=none
  for command in "${commands[@]}"; do measure "$command"; done
}

# A few headers and lines of each message: a small model has the same calls, and more faults fit into an hour.
shorten() {  # FOLDER
  local message
  find "$1" -type f ! -path '*/full/*' | while read -r message; do
    awk '/^$/ { ++body } body ? body + lines++ < 5 : /^(From|Subject|Date|Message-I[Dd]):/' "$message" >short
    mv short "$message"
  done
}
message_id() { sed -n '/^[Mm]essage-[Ii][Dd]:/{s/^[^<]*<\(.*\)>.*/\1/p;q}' "$1"; }
