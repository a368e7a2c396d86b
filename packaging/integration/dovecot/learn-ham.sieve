# A message went out of Junk. Throwing it away says nothing about it.
require ["vnd.dovecot.pipe", "copy", "imapsieve", "environment", "variables"];

if environment :matches "imap.mailbox" "*" {
  set "mailbox" "${1}";
}
if string :is "${mailbox}" ["Trash", "Deleted Messages", "Deleted Items"] {
  stop;
}
pipe :copy "learn" ["--ham"];
