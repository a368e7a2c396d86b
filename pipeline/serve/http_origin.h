// Where the web page comes from that has a browser send a request.
//
// Called by HttpApi. Thread-safety: a pure function.
#pragma once

#include <string_view>

#include "pipeline/serve/http_parser.h"

namespace thresher::pipeline {

// What makes a request look like one of a page from elsewhere, which could have a browser of this machine
// ask: by a form or script (Origin), or by a name of its own that leads to this machine (Host). Empty if
// nothing does. A Unix socket is no protection from that: `ssh -L` gives it a port. remote: names of this
// machine other than the loopback's are right, too.
std::string_view SignOfElsewhere(const HttpRequest& request, bool remote);

}  // namespace thresher::pipeline
