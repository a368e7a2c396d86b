// The files that an HTML report consists of, embedded at build time.
//
// Called by html_report.cc; the daemon's page is served with those that it has in common with reports: Style,
// Elements, Chart, Library, Licence. Thread-safety: constants.
#pragma once

#include <string_view>

namespace thresher::eval::html {

std::string_view Page();  // with {{style}}, {{data}}, {{licence}}, {{library}}, {{elements}}, {{tables}},
                          // {{chart}}, {{plots}} as placeholders
std::string_view Style();
std::string_view Elements();
std::string_view Tables();
std::string_view Chart();
std::string_view Plots();
std::string_view Library();  // Chart.js; empty if the program was built without it
std::string_view Licence();  // of Chart.js

}  // namespace thresher::eval::html
