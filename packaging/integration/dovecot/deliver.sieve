# Before the user's own script. As a test, `filter` leaves the message as it is if the program fails.
require ["vnd.dovecot.filter", "fileinto", "mailbox"];

if filter "filter" {
  if header :matches "X-Thresher" "Spam,*" {
    fileinto :create "Junk";
    stop;
  }
}
