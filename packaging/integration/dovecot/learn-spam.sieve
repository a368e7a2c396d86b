# A message came into Junk.
require ["vnd.dovecot.pipe", "copy", "imapsieve"];

pipe :copy "learn" ["--spam"];
