# Before the user's own script. The daemon has judged the message while it came by SMTP.
require ["fileinto", "mailbox"];

if header :matches "X-Thresher" "Spam,*" {
  fileinto :create "Junk";
  stop;
}
