// Where the web page comes from that has a browser send a request.
//
// Called by HttpApi. Thread-safety: a pure function.
#pragma once

#include "pipeline/serve/http_parser.h"

namespace thresher::pipeline {

// A page from elsewhere could have a browser of this machine ask: by a form or script (Origin), or by a name
// of its own that leads to this machine (Host). A Unix socket is no protection from that: `ssh -L` gives it a
// port.
// remote: names of this machine other than the loopback's are right, too.
bool IsFromElsewhere(const HttpRequest& request, bool remote);

}  // namespace thresher::pipeline
