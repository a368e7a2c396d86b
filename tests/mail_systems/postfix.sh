# Sourced by walks with Postfix, after sandbox.sh: Debian's configuration on loopback, for mail to alice.

# The system user of the package. as_thresher runs a command as that user, with its store.
make_thresher_user() {
  useradd --system --home-dir /var/lib/thresher thresher
  mount -t tmpfs none /var/lib
  install -d -o thresher -g thresher -m 700 /var/lib/thresher
  mkdir -p /var/lib/postfix && chown postfix: /var/lib/postfix
}
thresher_user=(setpriv --reuid thresher --regid thresher --clear-groups env -i HOME=/var/lib/thresher)
as_thresher() { "${thresher_user[@]}" "$@" --store /var/lib/thresher; }

# start_postfix [NAME=VALUE…]: settings of main.cf
start_postfix() {
  mkdir -p /var/spool/postfix
  postconf -e 'inet_interfaces=loopback-only' 'inet_protocols=ipv4' 'mydestination=localhost, test.example' \
    'myhostname=test.example' 'mynetworks=127.0.0.0/8' 'maillog_file=/var/log/thresher-walk.log' \
    'mailbox_command=' 'home_mailbox=Maildir/'
  [ $# = 0 ] || postconf -e "$@"
  mount -t tmpfs -o mode=755 none /var/log
  newaliases
  postfix set-permissions >/dev/null 2>&1 || true
  postfix start >"$work/postfix-start" 2>&1 || { cat "$work/postfix-start" /var/log/thresher-walk.log; fail "Postfix does not start"; }
}

# send MESSAGE [USER]: by SMTP, to alice or USER. send_quietly fails where Postfix does not take it.
send_quietly() {
  swaks --server 127.0.0.1 --from sender@example.org --to "${2-alice}@test.example" --data @"$1" >"$work/swaks" 2>&1
}
send() {
  send_quietly "$@" || { cat "$work/swaks"; fail "Postfix does not take the message"; }
}
