// The files that an HTML report consists of, embedded at build time. Internal to eval/.
#pragma once

#include <string_view>

namespace thresher::eval::html {

std::string_view Page();  // with {{style}}, {{data}}, {{licence}}, {{library}}, {{tables}}, {{chart}},
                          // {{plots}} as placeholders
std::string_view Style();
std::string_view Tables();
std::string_view Chart();
std::string_view Plots();
std::string_view Library();  // Chart.js; empty if the program was built without it
std::string_view Licence();  // of Chart.js

}  // namespace thresher::eval::html
