# Sourced by walks with Dovecot, after postfix.sh: Postfix gives mail to Dovecot by LMTP, which delivers it by Sieve into
# Maildirs; the user reads and moves it by IMAP.

# install_dovecot EXAMPLES: the files of packaging/integration/dovecot, then those of another folder there.
install_dovecot() {
  local examples
  mkdir -p /var/lib/dovecot /run/dovecot /etc/dovecot/thresher
  for examples in "$source/packaging/integration/dovecot" "$@"; do
    install -m 644 "$examples"/*.conf /etc/dovecot/conf.d/
    install -m 644 "$examples"/*.sieve /etc/dovecot/thresher/
    cp -r "$examples/bin" /etc/dovecot/thresher/
  done
  # What an installation has besides: Maildirs, and accounts to log in to. There are no keys for TLS here.
  rm -f /etc/dovecot/conf.d/10-ssl.conf
  sed -i '/auth-system/d' /etc/dovecot/conf.d/10-auth.conf
  cat >/etc/dovecot/conf.d/99-walk.conf <<'CONF'
mail_location = maildir:~/Maildir
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_username_format = %n
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = passwd
}
service lmtp {
  unix_listener /var/spool/postfix/private/dovecot-lmtp {
    mode = 0600
    user = postfix
    group = postfix
  }
}
log_path = /var/log/thresher-walk-dovecot.log
CONF
}

# start_dovecot [NAME=VALUE…]: with Postfix, which has these settings in main.cf
start_dovecot() {
  local script
  start_postfix 'mailbox_transport=lmtp:unix:private/dovecot-lmtp' "$@"
  dovecot || { cat /var/log/thresher-walk-dovecot.log; fail "Dovecot does not start"; }
  for script in /etc/dovecot/thresher/*.sieve; do sievec "$script" || fail "$script: sievec refuses it"; done
}

reader=alice  # who logs in
maildir=/home/alice/Maildir
count() { { find "$1/new" "$1/cur" -type f 2>/dev/null || true; } | wc -l; }
has() { [ "$(count "$1")" = "$2" ]; }
arrives() {  # FOLDER NUMBER COMPLAINT
  wait_for has "$1" "$2" || { tail -n 20 /var/log/thresher-walk*.log; find $maildir -type f; fail "$3"; }
}
imap() {  # MAILBOX COMMAND
  curl -sS --user $reader:x "imap://127.0.0.1/$1" --request "$2" >"$work/imap" 2>&1 || { cat "$work/imap"; fail "IMAP: $2"; }
}
move() {  # FROM SUBJECT TO
  imap "$1" "UID SEARCH SUBJECT $2"
  local uid
  uid=$(tr -d '\r' <"$work/imap" | sed -n 's/.*SEARCH \([0-9]*\).*/\1/p')
  [ -n "$uid" ] || fail "no message $2 in $1"
  imap "$1" "UID MOVE $uid $3"
}
# zeppelin NUMBER: a message of a kind that the model does not know; another NUMBER makes another one of the same kind.
zeppelin() {
  cat >"$work/message" <<MAIL
From: Zeppelin Tours <offer$1@zeppelin.example>
To: alice@test.example
Subject: Zeppelin rides over the glacier number $1
Date: Mon, 2 Nov 2026 10:0$1:00 +0000
Message-ID: <zeppelin$1@zeppelin.example>

Dear friend, our zeppelin crosses the glacier every morning. Gondola seats with
hot chocolate and a brass orchestra are waiting. Reserve your gondola seat number
$1 before the balloonists do. Zeppelin Tours, Glacier Square.
MAIL
}

# Messages of a new kind of spam come, and the user moves those that reach the inbox to Junk, which teaches them, until
# one is caught. lessons is the number of moves. The inbox has one message before and after.
lessons=0
teach_zeppelins() {
  local in_junk
  while true; do
    zeppelin $lessons
    in_junk=$(count $maildir/.Junk)
    send "$work/message"
    landed() { has $maildir 2 || has $maildir/.Junk $((in_junk + 1)); }
    wait_for landed || fail "a message is lost"
    has $maildir 2 || break
    [ $lessons -lt 5 ] || fail "five lessons teach nothing"
    move INBOX Zeppelin Junk
    arrives $maildir/.Junk $((in_junk + 1)) "a move to Junk fails"
    lessons=$((lessons + 1))
  done
  [ $lessons -gt 0 ] || fail "the new kind of spam was known already"
}
